import { fullTime, Time } from '../ui/time.tsx'
import { RESTORABLE_DAYS, text } from './text.ts'

const RESTORABLE_MS = RESTORABLE_DAYS * 86_400_000

/** When a resource was archived, and until when it can be restored. */
export function RestorableTime({ archived }: { archived: string }) {
  return (
    <span>
      {text.archived} <Time at={archived} />, {text.until(fullTime(new Date(Date.parse(archived) + RESTORABLE_MS).toISOString()))}
    </span>
  )
}
