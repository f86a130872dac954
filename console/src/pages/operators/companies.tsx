import type { CompanyListItem } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { RestorableTime } from '../../archived/restorable-time.tsx'
import { RestoreButton } from '../../archived/restore-button.tsx'
import { gh } from '../../data/client.ts'
import { curl } from '../../data/curl.ts'
import { useReturn } from '../../data/focus.ts'
import { usePages } from '../../data/pages.ts'
import { hrefOf } from '../../router.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { Empty } from '../../ui/page.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { Time } from '../../ui/time.tsx'
import { text as all } from './text.ts'

const text = all.companies
type Which = (typeof text.shows)[number][0]

/** All companies of the service, and those that can still be restored. */
export function Companies() {
  const [q, setQ] = useState('')
  const [which, setWhich] = useState<Which>('live')
  const companies = usePages<CompanyListItem>(
    (after, signal) =>
      gh.companies.list(
        { limit: 50, sort: 'name', after, ...(q.trim() && { q: q.trim() }), ...(which === 'archived' && { archived: true }) },
        { signal },
      ),
    [q.trim(), which],
  )
  useReturn(companies.reload)
  return (
    <>
      <div class="toolbar">
        <TextField label={text.search} type="search" value={q} onInput={setQ} />
        <Select label={text.show} value={which} options={text.shows} onChange={setWhich} />
      </div>
      <PagedList
        of={companies}
        count={text.count}
        row={(company) => <CompanyRow key={company.id} company={company} onRestored={companies.reload} />}
        empty={<NoCompanies isFiltered={Boolean(q.trim())} which={which} />}
      />
    </>
  )
}

function NoCompanies({ isFiltered, which }: { isFiltered: boolean; which: Which }) {
  if (isFiltered) return <Empty title={text.none}>{text.noneText}</Empty>
  if (which === 'archived') return <Empty title={text.noArchived} />
  return (
    <Empty
      title={text.empty}
      action={
        <ButtonLink href={hrefOf('/')} look="primary">
          {text.create}
        </ButtonLink>
      }
      call={curl('POST', '/companies', { name: 'Blackwood Games' })}
    >
      {text.emptyText}
    </Empty>
  )
}

function CompanyRow({ company, onRestored }: { company: CompanyListItem; onRestored: () => Promise<void> }) {
  const { id, name, email, date_created, date_archived } = company
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">{date_archived ? <strong>{name}</strong> : <a href={hrefOf(`/c/${id}`)}>{name}</a>}</span>
        <span class="quiet facts">
          {email && <span>{email}</span>}
          <span>
            {text.created} <Time at={date_created} />
          </span>
          {date_archived && <RestorableTime archived={date_archived} />}
        </span>
      </div>
      {date_archived && (
        <RestoreButton
          name={name}
          restore={async () => {
            await gh.companies.restore(id)
            await onRestored()
          }}
        />
      )}
    </li>
  )
}
