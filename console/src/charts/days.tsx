import { Frame } from './frame.tsx'
import { text } from './text.ts'

export interface Day {
  /** The date, such as 2026-11-15. */
  date: string
  /** The number of each series, in the order of the series. */
  counts: readonly number[]
}

export interface Series {
  label: string
  tone: 'plain' | 'good' | 'bad' | 'accent' | 'faint'
}

interface DaysProps {
  title: string
  /** The sentence that a screen reader says in place of the picture. */
  summary: string
  days: readonly Day[]
  /** From the bottom of each bar to its top. */
  series: readonly Series[]
  /** The words for the highest bar, next to the top of the chart. */
  top: (count: number) => string
}

const DATE = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const LONG_DATE = new Intl.DateTimeFormat('en', { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' })

/** A day in short form. Days of the service are in UTC. */
export const shortDate = (date: string): string => DATE.format(new Date(date))

const totalOf = ({ counts }: Day) => counts.reduce((sum, count) => sum + count, 0)

/** The gap between the parts of a stack, which are told apart by more than their colors. */
const GAP = 0.7

/** Days as stacked bars, earliest first, up to 90 of them. */
export function Days({ title, summary, days, series, top }: DaysProps) {
  const most = Math.max(...days.map(totalOf), 1)
  const played = days.filter((day) => totalOf(day) > 0)
  const table = {
    head: [text.day, ...series.map(({ label }) => label)],
    rows: played.map(({ date, counts }) => [LONG_DATE.format(new Date(date)), ...counts.map(String)]),
  }
  return (
    <Frame title={title} table={table}>
      <ul class="legend" aria-hidden="true">
        {series.map(({ label, tone }) => (
          <li key={label}>
            <span class={`swatch ${tone}`} />
            {label}
          </li>
        ))}
        <li class="end">{top(most)}</li>
      </ul>
      <svg class="days" viewBox={`0 0 ${days.length} 100`} preserveAspectRatio="none" role="img" aria-label={summary}>
        {days.map((day, index) => (
          <g key={day.date}>
            <title>{describe(day, series)}</title>
            <rect class="reach" x={index} width={1} y={0} height={100} />
            {stackOf(day, most).map(([from, height], part) => (
              <rect
                key={part}
                class={series[part]?.tone ?? 'plain'}
                x={index + 0.1}
                width={0.8}
                y={100 - from - Math.max(height - GAP, height / 2)}
                height={Math.max(height - GAP, height / 2)}
              />
            ))}
          </g>
        ))}
      </svg>
      <div class="chart-ends" aria-hidden="true">
        {[days[0], days[Math.floor(days.length / 2)], days.at(-1)].map((day) => day && <span key={day.date}>{shortDate(day.date)}</span>)}
      </div>
    </Frame>
  )
}

/** Where each part of a bar begins, and how high it is. */
function stackOf({ counts }: Day, most: number): [from: number, height: number][] {
  let from = 0
  return counts.map((count) => {
    const height = (count / most) * 100
    from += height
    return [from - height, height]
  })
}

const describe = (day: Day, series: readonly Series[]) =>
  `${LONG_DATE.format(new Date(day.date))}: ${
    series
      .map(({ label }, index) => [label.toLowerCase(), day.counts[index]] as const)
      .filter(([, count]) => count)
      .map(([label, count]) => `${count} ${label}`)
      .join(', ') || '0'
  }`
