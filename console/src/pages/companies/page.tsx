import type { CompanyPage } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { gh } from '../../data/client.ts'
import { useLoad } from '../../data/load.ts'
import { hrefOf } from '../../router.ts'
import type { PageProps } from '../../routes.tsx'
import { SetupPanel } from '../../setup/panel.tsx'
import { isUnfinished } from '../../setup/run.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Filter, useFilter } from '../../ui/filter.tsx'
import { Empty, Page, Show } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { ArchivedCompanies } from './archived.tsx'
import { NewCompany } from './new-company.tsx'
import { text } from './text.ts'

/** The companies of a developer. In an empty installation, the way to a first table. */
export default function Companies({ me }: PageProps) {
  const [isNew, setNew] = useState(false)
  const { q, typed, type } = useFilter()
  const companies = useLoad((signal) => gh.companies.list({ limit: 100, sort: 'name', ...(q && { q }) }, { signal }), [q])
  const isFirst = companies.data?.total === 0 && !q
  const create = () => setNew(true)
  return (
    <Page
      title={isFirst ? text.welcome : text.title}
      actions={
        !isFirst && (
          <Button icon="plus" onClick={create}>
            {text.create}
          </Button>
        )
      }
    >
      {isFirst ? (
        <SetupPanel
          me={me}
          otherwise={
            <Button look="quiet" onClick={create}>
              {text.createEmpty}
            </Button>
          }
        />
      ) : (
        <>
          <Filter label={text.find} typed={typed} onType={type} total={companies.data?.total} />
          <Show of={companies}>{(page) => <List page={page} />}</Show>
        </>
      )}
      <ArchivedCompanies onRestored={companies.reload} />
      {isNew && <NewCompany onClose={() => setNew(false)} />}
    </Page>
  )
}

function List({ page: { items, total } }: { page: CompanyPage }) {
  const unfinished = items.find(isUnfinished)
  if (!items.length) return <Empty title={text.noneFound} />
  return (
    <>
      {unfinished && (
        <div class="notice">
          <p>{text.unfinished(unfinished.name)}</p>
          <ButtonLink look="primary" href={hrefOf('/setup')}>
            {text.finish}
          </ButtonLink>
        </div>
      )}
      <ul class="cards">
        {items.map(({ id, name, date_created, description }) => (
          <li key={id}>
            <a class="card" href={hrefOf(`/c/${id}`)}>
              <strong class="card-title">{name}</strong>
              {description && <span class="card-text">{description}</span>}
              <span class="quiet card-foot">
                {text.created} <Time at={date_created} />
              </span>
            </a>
          </li>
        ))}
      </ul>
      {total > items.length && <p class="hint">{text.more(items.length, total)}</p>}
    </>
  )
}
