import type { DiceRollListItem } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useActing, useCampaign } from '../../data/acting.ts'
import { curl } from '../../data/curl.ts'
import { Roll } from '../../play/roll.tsx'
import { hrefOf } from '../../router.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Empty, Section, Show } from '../../ui/page.tsx'
import { FilterForm } from './filter-form.tsx'
import { type Filters, isFiltering, NO_FILTERS } from './filters.ts'
import type { People } from './people.ts'
import { text } from './text.ts'
import { useRolls } from './use-rolls.ts'

/** The rolls of the campaign, newest first. */
export function Rolls({ people }: { people: People }) {
  const [filters, setFilters] = useState<Filters>(NO_FILTERS)
  const rolls = useRolls(filters)
  return (
    <Section title={text.rolls.title}>
      <FilterForm filters={filters} onChange={setFilters} people={people} />
      <Show of={rolls}>
        {(items) => (
          <>
            {daysOf(items).map(([day, ofDay]) => (
              <DayOfRolls key={day} day={day} rolls={ofDay} people={people} />
            ))}
            {items.length === 0 && !rolls.showEarlier && (
              <NoRolls isFiltered={isFiltering(filters)} onClear={() => setFilters(NO_FILTERS)} />
            )}
          </>
        )}
      </Show>
      {rolls.showEarlier && (
        <Button busy={rolls.isReading} onClick={rolls.showEarlier} class="earlier">
          {text.rolls.earlier}
        </Button>
      )}
    </Section>
  )
}

const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'full' })

/** The rolls by day, so that each one only needs the time. */
function daysOf(rolls: readonly DiceRollListItem[]): [day: string, rolls: DiceRollListItem[]][] {
  const days = new Map<string, DiceRollListItem[]>()
  for (const roll of rolls) {
    const day = DAY.format(new Date(roll.date_created))
    days.set(day, [...(days.get(day) ?? []), roll])
  }
  return [...days]
}

function DayOfRolls({ day, rolls, people }: { day: string; rolls: DiceRollListItem[]; people: People }) {
  const { path } = useCampaign()
  return (
    <>
      <h3 class="day">{day === DAY.format(new Date()) ? text.rolls.today : day}</h3>
      <ul class="rolls">
        {rolls.map((roll) => (
          <li key={roll.id}>
            <Roll roll={roll} roller={people.nameOf(roll)} verifyPath={`${path}/dice/verify/${roll.id}`} />
          </li>
        ))}
      </ul>
    </>
  )
}

function NoRolls({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const { path: userPath } = useActing()
  const { path, campaign } = useCampaign()
  const words = text.rolls
  if (isFiltered)
    return (
      <Empty title={words.noMatch} action={<Button onClick={onClear}>{words.clear}</Button>}>
        {words.noMatchText}
      </Empty>
    )
  return (
    <Empty
      title={words.empty}
      action={
        <ButtonLink href={hrefOf(path)} look="primary" icon="dice">
          {words.emptyAction}
        </ButtonLink>
      }
      call={curl('POST', `${userPath}/dice-rolls`, { notation: '2d6', campaign_id: campaign.id })}
    >
      {words.emptyText}
    </Empty>
  )
}
