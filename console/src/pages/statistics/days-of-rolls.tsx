import type { DayOfRolls } from '@guildhall/client'
import { Days, type Series, shortDate } from '../../charts/days.tsx'
import { Section } from '../../ui/page.tsx'
import { text } from './text.ts'

const { series: names } = text.days
const SERIES: readonly Series[] = [
  { label: names.criticals, tone: 'accent' },
  { label: names.successes, tone: 'good' },
  { label: names.failures, tone: 'plain' },
  { label: names.botches, tone: 'bad' },
  { label: names.others, tone: 'faint' },
]

/** The rolls of the last days by outcome. */
export function DaysOfRolls({ days }: { days: DayOfRolls[] }) {
  const words = text.days
  const all = days.reduce((sum, { rolls }) => sum + rolls, 0)
  const busiest = days.reduce((most, day) => (day.rolls > most.rolls ? day : most), days[0] as DayOfRolls)
  const summary = words.summary(all, days.filter(({ rolls }) => rolls > 0).length, shortDate(busiest.date), busiest.rolls)
  return (
    <Section title={words.title} class="whole">
      <div class="card">
        <Days
          title={words.chart}
          summary={summary}
          series={SERIES}
          top={words.top}
          days={days.map(({ date, rolls, botches, failures, successes, criticals }) => ({
            date,
            counts: [criticals, successes, failures, botches, rolls - criticals - successes - failures - botches],
          }))}
        />
        <p class="quiet">{summary}</p>
      </div>
    </Section>
  )
}
