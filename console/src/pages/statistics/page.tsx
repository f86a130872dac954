import { useCampaign } from '../../data/acting.ts'
import { curl } from '../../data/curl.ts'
import { hrefOf, useQuery } from '../../router.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { Empty, Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { usePeople } from '../dice/people.ts'
import { type Of, StatisticsOf } from './of.tsx'
import { text } from './text.ts'

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
        {of === 'character' ? <OfCharacter /> : <StatisticsOf key={of} of={of} />}
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
      <StatisticsOf key={id} of="character" characterId={id} />
    </>
  )
}
