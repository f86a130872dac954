import type { Company } from '@guildhall/client'
import { gh } from '../data/client.ts'
import { useLoad } from '../data/load.ts'
import { hrefOf } from '../router.ts'
import { text } from '../text.ts'
import { IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Filter, useFilter } from '../ui/filter.tsx'
import { Badge } from '../ui/marks.tsx'
import { Empty, Show } from '../ui/page.tsx'

const words = text.companySwitch

/** The button that leads a developer to another company. It is there if the developer has several. */
export function CompanySwitch({ company, onOpen }: { company: Company; onOpen: () => void }) {
  const companies = useLoad((signal) => gh.companies.list({ limit: 1 }, { signal }), [company.id])
  if ((companies.data?.total ?? 0) < 2) return null
  return <IconButton class="wide-only" label={words.title} icon="switch" onClick={onOpen} />
}

/** The companies of a developer, each as a link to its users. */
export function Companies({ company, onClose }: { company: Company; onClose: () => void }) {
  const { q, typed, type } = useFilter()
  const companies = useLoad((signal) => gh.companies.list({ limit: 100, sort: 'name', ...(q && { q }) }, { signal }), [q])
  return (
    <Dialog title={words.title} onClose={onClose}>
      <div class="dialog-body">
        <Filter label={words.find} typed={typed} onType={type} total={companies.data?.total} />
        <Show of={companies}>
          {({ items, total }) => (
            <>
              {items.length === 0 && <Empty title={words.noneFound} />}
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: links are pressed with the keyboard, too. */}
              <ul class="rows" onClick={onClose}>
                {items.map(({ id, name }) => (
                  <li key={id}>
                    <a class="row" href={hrefOf(`/c/${id}`)} aria-current={id === company.id || undefined}>
                      <strong class="row-name">{name}</strong>
                      {id === company.id && (
                        <span class="end">
                          <Badge>{words.current}</Badge>
                        </span>
                      )}
                    </a>
                  </li>
                ))}
              </ul>
              {total > items.length && <p class="hint">{text.shownOf(items.length, total)}</p>}
            </>
          )}
        </Show>
      </div>
    </Dialog>
  )
}
