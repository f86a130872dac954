import { markOf, mayBeSame, NO_MARK, type Place } from '../../events/cursor.ts'
import type { FeedEvent } from './rules.ts'

/** The number of positions that one page looks at. */
export const MAX_SCANNED = 500

/** A position of the feed with its event. An event that was deleted leaves its position. */
export type ScannedRow = { event_id: string } & (FeedEvent | { position: number; id: null })

/** The next positions of a feed. */
export interface Scan {
  events: FeedEvent[]
  /** The last position that was read. */
  last: Place
  /** True if there may be more. */
  isFull: boolean
  /** True if positions are missing: older ones were deleted since the first position of the feed was read. */
  hasGap: boolean
  placeAt(position: number): Place
  /** False if the event at a place is not the one that its reader was told: the database went back in time. */
  continues(place: Place): boolean
}

/** Evaluates the rows from a place on. The first one is that of the place itself, unless it was deleted. */
export function scanOf(from: Place, rows: ScannedRow[], max: number): Scan {
  const marks = new Map([[from.position, from.mark]])
  for (const { position, event_id } of rows) marks.set(position, markOf(event_id))
  const next = rows.filter(({ position }) => position > from.position).slice(0, max)
  const placeAt = (position: number): Place => ({ position, mark: marks.get(position) ?? NO_MARK })
  const last = placeAt(next.at(-1)?.position ?? from.position)
  return {
    events: next.filter((row): row is ScannedRow & FeedEvent => row.id !== null),
    last,
    isFull: rows.length > max,
    hasGap: last.position - from.position > next.length,
    placeAt,
    continues: ({ position, mark }) => mayBeSame(placeAt(position).mark, mark),
  }
}
