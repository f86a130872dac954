import type { Statistics as StatisticsData } from '@guildhall/client'
import { useActing, useCampaign } from '../../data/acting.ts'
import { curl } from '../../data/curl.ts'
import { useLiveLoad } from '../../data/live-load.ts'
import { hrefOf, useQuery } from '../../router.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { Empty, Page, Show } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { usePeople } from '../dice/people.ts'
import { DaysOfRolls } from './days-of-rolls.tsx'
import { Faces } from './faces.tsx'
import { Facts } from './facts.tsx'
import { Outcomes } from './outcomes.tsx'
import { text } from './text.ts'
import { Traits } from './traits.tsx'

type Of = keyof typeof text.of
const TABS = Object.entries(text.of) as [Of, string][]

const isOf = (value: string | null): value is Of => value !== null && value in text.of

/** How the dice fell: of the acting user, a character, the campaign or the company. */
export default function Statistics() {
  const { campaign } = useCampaign()
  const [given, setGiven] = useQuery('of')
  const of: Of = isOf(given) ? given : 'campaign'
  return (
    <Page title={text.title} above={campaign.name} isWide>
      <Tabs label={text.ofLabel} tabs={TABS} value={of} onChange={setGiven}>
        {of === 'character' ? <OfCharacter /> : <Of key={of} of={of} />}
      </Tabs>
    </Page>
  )
}

/** The statistics of a character, and the choice of one. */
function OfCharacter() {
  const { path } = useCampaign()
  const people = usePeople()
  const [chosen, setChosen] = useQuery('character')
  const id = people.characters.some(([each]) => each === chosen) ? (chosen as string) : people.characters[0]?.[0]
  if (people.isLoading) return null
  if (!id)
    return (
      <Empty
        title={text.noCharacters}
        action={<ButtonLink href={hrefOf(`${path}/characters`)}>{text.noCharactersAction}</ButtonLink>}
        call={curl('POST', `${path}/characters`, { name: 'Jonathan Crane' })}
      >
        {text.noCharactersText}
      </Empty>
    )
  return (
    <>
      <div class="choose-character">
        <Select label={text.character} value={id} options={people.characters} onChange={setChosen} />
      </div>
      <Of key={id} of="character" characterId={id} />
    </>
  )
}

/** Many rolls may arrive at once, and each one changes everything. */
const PAUSE_MS = 500

function Of({ of, characterId = '' }: { of: Of; characterId?: string }) {
  const { api, companyApi, user } = useActing()
  const { api: campaign, path } = useCampaign()
  const loaded = useLiveLoad<StatisticsData>(
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

function Everything({ statistics }: { statistics: StatisticsData }) {
  return (
    <div class="statistics">
      <Facts statistics={statistics} />
      <Outcomes statistics={statistics} />
      <Traits traits={statistics.traits} />
      <DaysOfRolls days={statistics.days} />
      <Faces faces={statistics.faces} />
    </div>
  )
}
