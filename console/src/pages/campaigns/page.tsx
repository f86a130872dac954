import type { CampaignPage } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useActing } from '../../data/acting.ts'
import { curl } from '../../data/curl.ts'
import { useLiveLoad } from '../../data/live-load.ts'
import { Button } from '../../ui/button.tsx'
import { Filter, useFilter } from '../../ui/filter.tsx'
import { Empty, Page, Section, Show } from '../../ui/page.tsx'
import { findInvite } from '../sign-in/invite.ts'
import { AcceptInvite } from './accept-invite.tsx'
import { ArchivedCampaigns } from './archived.tsx'
import { CampaignCard } from './card.tsx'
import { NewCampaign } from './new-campaign.tsx'
import { text } from './text.ts'
import { UseInvite } from './use-invite.tsx'

/** The campaigns of the company: those of the acting user first. */
export default function Campaigns() {
  const { api, path, company, user } = useActing()
  const [invite, setInvite] = useState(findInvite)
  const [dialog, setDialog] = useState<'new' | 'invite'>()
  const { q, typed, type } = useFilter()
  const campaigns = useLiveLoad(
    async (signal) => {
      const query = { limit: 100, sort: '-date_modified', ...(q && { q }) } as const
      const [mine, all] = await Promise.all([
        api.campaigns.list({ ...query, mine: true }, { signal }),
        api.campaigns.list(query, { signal }),
      ])
      return { mine, all }
    },
    ['campaign', 'member'],
    [path, q],
  )
  const mayCreate = user.role !== 'PLAYER' || company.settings.campaign_creation === 'ANYONE'
  const isEmpty = campaigns.data?.all.total === 0 && !q
  const buttons = (
    <>
      <Button onClick={() => setDialog('invite')}>{text.code}</Button>
      {mayCreate && (
        <Button icon="plus" look="primary" onClick={() => setDialog('new')}>
          {text.create}
        </Button>
      )}
    </>
  )
  const close = () => setDialog(undefined)
  return (
    <Page title={text.title} above={company.name} actions={campaigns.data && !isEmpty && buttons}>
      <Filter label={text.find} typed={typed} onType={type} total={campaigns.data?.all.total} />
      <Show of={campaigns}>
        {({ mine, all }) =>
          isEmpty ? (
            <Empty
              title={text.empty}
              action={<div class="empty-actions">{buttons}</div>}
              call={mayCreate ? curl('POST', `${path}/campaigns`, { name: 'Fall of Kingsport' }) : undefined}
            >
              {mayCreate ? text.emptyCreate : text.emptyWait}
            </Empty>
          ) : (
            <Lists mine={mine} all={all} isFiltered={q !== ''} />
          )
        }
      </Show>
      <ArchivedCampaigns />
      {dialog === 'new' && <NewCampaign onClose={close} />}
      {dialog === 'invite' && <UseInvite onClose={close} />}
      {invite && <AcceptInvite code={invite} onClose={() => setInvite(undefined)} />}
    </Page>
  )
}

function Lists({ mine, all, isFiltered }: { mine: CampaignPage; all: CampaignPage; isFiltered: boolean }) {
  const own = new Set(mine.items.map(({ id }) => id))
  const others = all.items.filter(({ id }) => !own.has(id))
  if (isFiltered && !all.items.length) return <Empty title={text.noneFound} />
  return (
    <>
      {(mine.items.length > 0 || !isFiltered) && (
        <Section title={text.mine} class="first">
          {mine.items.length ? (
            <ul class="cards campaign-cards">
              {mine.items.map((campaign) => (
                <li key={campaign.id}>
                  <CampaignCard campaign={campaign} />
                </li>
              ))}
            </ul>
          ) : (
            <Empty title={text.emptyMine}>{text.emptyMineText}</Empty>
          )}
          {mine.total > mine.items.length && <p class="hint">{text.more(mine.items.length, mine.total)}</p>}
        </Section>
      )}
      {others.length > 0 && (
        <Section title={text.others}>
          <ul class="cards campaign-cards">
            {others.map((campaign) => (
              <li key={campaign.id}>
                <CampaignCard campaign={campaign} canJoin />
              </li>
            ))}
          </ul>
          {all.total > all.items.length && <p class="hint">{text.more(all.items.length, all.total)}</p>}
        </Section>
      )}
    </>
  )
}
