const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const FULL = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
const CLOCK = new Intl.DateTimeFormat('en', { timeStyle: 'short' })

const UNITS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]
const WEEK_S = 7 * 86_400

/** A time as people say it: minutes and hours ago, then the day. */
export function relativeTime(time: string, now: number = Date.now()): string {
  const seconds = (Date.parse(time) - now) / 1000
  if (Math.abs(seconds) >= WEEK_S) return DAY.format(new Date(time))
  for (const [unit, size] of UNITS) if (Math.abs(seconds) >= size) return RELATIVE.format(Math.round(seconds / size), unit)
  return 'just now'
}

export const dayTime = (time: string): string => DAY.format(new Date(time))
export const clockTime = (time: string): string => CLOCK.format(new Date(time))
export const fullTime = (time: string): string => FULL.format(new Date(time))

/** A time in short form, with the exact one as a hint. */
export function Time({ at, look = 'relative' }: { at: string; look?: 'relative' | 'clock' | 'full' }) {
  const format = { relative: relativeTime, clock: clockTime, full: fullTime }[look]
  return (
    <time dateTime={at} title={fullTime(at)}>
      {format(at)}
    </time>
  )
}
