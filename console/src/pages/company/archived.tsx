import type { Page as ListPage } from '@guildhall/client'
import type { ArchivedItem } from '../../archived/archived-rows.tsx'
import { RestorableTime } from '../../archived/restorable-time.tsx'
import { RestoreButton } from '../../archived/restore-button.tsx'
import { useActing } from '../../data/acting.ts'
import { useLivePages } from '../../data/pages.ts'
import { Section } from '../../ui/page.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { useRights } from './rights.ts'
import { text as all } from './text.ts'

const text = all.archived
/** Lists the archived things that can still be restored. */
export function Archived() {
  const { companyApi, api } = useActing()
  const { options, administers, writesRules } = useRights()
  return (
    <>
      <p class="lead">{text.text}</p>
      {administers && (
        <ArchivedList
          title={text.users}
          empty={text.noUsers}
          type="user"
          load={(after, signal) =>
            companyApi.users.list({ archived: true, limit: 50, after, sort: '-date_modified' }, { ...options, signal })
          }
          restore={(id) => companyApi.users.restore(id, options)}
        />
      )}
      <ArchivedList
        title={text.campaigns}
        empty={text.noCampaigns}
        type="campaign"
        load={(after, signal) => api.campaigns.list({ archived: true, limit: 50, after, sort: '-date_modified' }, { signal })}
        restore={(id) => api.campaigns.restore(id)}
      />
      {administers && (
        <ArchivedList
          title={text.webhooks}
          empty={text.noWebhooks}
          type="webhook"
          load={(after, signal) =>
            companyApi.webhooks.list({ archived: true, limit: 50, after, sort: '-date_modified' }, { ...options, signal })
          }
          restore={(id) => companyApi.webhooks.restore(id, options)}
        />
      )}
      {writesRules && (
        <ArchivedList
          title={text.rulesets}
          empty={text.noRulesets}
          type="ruleset"
          load={(after, signal) =>
            companyApi.rulesets.list({ archived: true, limit: 50, after, sort: '-date_modified' }, { ...options, signal })
          }
          restore={(id) => companyApi.rulesets.restore(id, options)}
        />
      )}
    </>
  )
}

interface ArchivedListProps {
  title: string
  empty: string
  type: string
  load: (after: string | undefined, signal: AbortSignal) => PromiseLike<ListPage<ArchivedItem>>
  restore: (id: string) => Promise<unknown>
}

function ArchivedList({ title, empty, type, load, restore }: ArchivedListProps) {
  const { api } = useActing()
  const { options } = useRights()
  const list = useLivePages<ArchivedItem>(load, [type], [api, options.onBehalfOf])
  const row = ({ id, name, date_archived }: ArchivedItem) => (
    <li key={id} class="row">
      <div class="row-main">
        <strong>{name}</strong>
        {date_archived && (
          <span class="quiet facts">
            <RestorableTime archived={date_archived} />
          </span>
        )}
      </div>
      <RestoreButton
        name={name}
        restore={async () => {
          await restore(id)
          await list.reload()
        }}
      />
    </li>
  )
  return (
    <Section title={title}>
      <PagedList of={list} row={row} empty={<p class="quiet">{empty}</p>} />
    </Section>
  )
}
