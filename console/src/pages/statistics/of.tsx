import type { Statistics } from '@guildhall/client'
import { useActing, useCampaign } from '../../data/acting.ts'
import { curl } from '../../data/curl.ts'
import { useLiveLoad } from '../../data/live-load.ts'
import { hrefOf } from '../../router.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Empty, Show } from '../../ui/page.tsx'
import { DaysOfRolls } from './days-of-rolls.tsx'
import { Faces } from './faces.tsx'
import { Facts } from './facts.tsx'
import { Outcomes } from './outcomes.tsx'
import { text } from './text.ts'
import { Traits } from './traits.tsx'

/** The kinds of owners whose rolls are counted. */
export type Of = keyof typeof text.of

/** Many rolls may arrive at once, and each one changes everything. */
const PAUSE_MS = 500

/** How the dice fell, in figures and charts, as of now. */
export function StatisticsOf({ of, characterId = '' }: { of: Of; characterId?: string }) {
  const { api, companyApi, user } = useActing()
  const { api: campaign, path } = useCampaign()
  const loaded = useLiveLoad<Statistics>(
    (signal) => {
      if (of === 'me') return api.statistics.get({ signal })
      if (of === 'campaign') return campaign.statistics.get({ signal })
      if (of === 'company') return companyApi.statistics.get({ signal, onBehalfOf: user.id })
      return campaign.character(characterId).statistics.get({ signal })
    },
    ['dice_roll'],
    [of, characterId, path],
    PAUSE_MS,
  )
  return (
    <Show of={loaded}>
      {(statistics) =>
        statistics.rolls + statistics.manual.rolls === 0 ? <Nothing characterId={characterId} /> : <Everything statistics={statistics} />
      }
    </Show>
  )
}

function Nothing({ characterId }: { characterId: string }) {
  const { path: userPath } = useActing()
  const { path, campaign } = useCampaign()
  const roll = { notation: '2d6', campaign_id: campaign.id, ...(characterId && { character_id: characterId }) }
  return (
    <Empty
      title={text.empty}
      call={curl('POST', `${userPath}/dice-rolls`, roll)}
      action={
        <ButtonLink href={hrefOf(path)} look="primary" icon="dice">
          {text.emptyAction}
        </ButtonLink>
      }
    >
      {text.emptyText}
    </Empty>
  )
}

function Everything({ statistics }: { statistics: Statistics }) {
  return (
    <div class="statistics">
      <div>
        <Facts statistics={statistics} />
        <Outcomes statistics={statistics} />
        <Traits traits={statistics.traits} />
        <DaysOfRolls days={statistics.days} />
        <Faces faces={statistics.faces} />
      </div>
    </div>
  )
}
