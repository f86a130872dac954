import type { UserPage } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { gh } from '../../data/client.ts'
import { curl } from '../../data/curl.ts'
import { isGone, useLoad } from '../../data/load.ts'
import { hrefOf } from '../../router.ts'
import type { PageProps } from '../../routes.tsx'
import { text as shared } from '../../text.ts'
import { Button } from '../../ui/button.tsx'
import { Filter, useFilter } from '../../ui/filter.tsx'
import { Badge, Initials } from '../../ui/marks.tsx'
import { Empty, Page, Show } from '../../ui/page.tsx'
import { Unavailable } from '../../ui/unavailable.tsx'
import { NewUser } from './new-user.tsx'
import { text } from './text.ts'

/** A developer acts as one of the users of a company. */
export default function ChooseUser({ params }: PageProps) {
  const id = params.company as string
  const [isNew, setNew] = useState(false)
  const { q, typed, type } = useFilter()
  const company = useLoad((signal) => gh.companies.get(id, { signal }), [id])
  const users = useLoad((signal) => gh.company(id).users.list({ limit: 100, sort: 'name', ...(q && { q }) }, { signal }), [id, q])
  const add = (
    <Button icon="plus" look={users.data?.total === 0 && !q ? 'primary' : 'plain'} onClick={() => setNew(true)}>
      {text.user.add}
    </Button>
  )
  const isEmpty = users.data?.total === 0 && !q
  if (isGone(users.error)) return <Unavailable of={users} words={shared.noCompany} href={hrefOf('/')} />
  return (
    <Page title={text.user.title} above={company.data?.name} actions={users.data && !isEmpty && add}>
      <p class="lead">{text.user.text}</p>
      <Filter label={text.user.find} typed={typed} onType={type} total={users.data?.total} />
      <Show of={users}>
        {(page) =>
          isEmpty ? (
            <Empty
              title={text.user.empty}
              action={add}
              call={curl('POST', `/companies/${id}/users`, { name: 'Mina Harker', role: 'STORYTELLER' })}
            >
              {text.user.emptyText}
            </Empty>
          ) : (
            <Users companyId={id} page={page} />
          )
        }
      </Show>
      {isNew && <NewUser companyId={id} onClose={() => setNew(false)} />}
    </Page>
  )
}

const TONES = { ADMIN: 'accent', STORYTELLER: 'good', PLAYER: 'plain' } as const

function Users({ companyId, page: { items, total } }: { companyId: string; page: UserPage }) {
  if (!items.length) return <Empty title={text.user.noneFound} />
  return (
    <>
      <ul class="rows">
        {items.map(({ id, name, role }) => (
          <li key={id}>
            <a class="row" href={hrefOf(`/c/${companyId}/as/${id}`)}>
              <Initials name={name} />
              <strong class="row-name">{name}</strong>
              <span class="end">
                <Badge tone={TONES[role]}>{shared.roles[role]}</Badge>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {total > items.length && <p class="hint">{text.more(items.length, total)}</p>}
    </>
  )
}
