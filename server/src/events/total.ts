import type pg from 'pg'
import { declareInvariant } from '../db/invariants.ts'
import { compile, type Sql, sql } from '../db/sql.ts'
import './tables.ts'

/**
 * The number of events of a company, without counting them: every event has a position in the feed or waits for one in the outbox, except those from before there was a
 * feed. `unplaced` is the number of these, minus the events that were deleted.
 */
export const totalOfEvents = (company_id: string): Sql => sql`(
    coalesce((SELECT last + unplaced FROM feed_heads WHERE company_id = ${company_id}), 0) + (SELECT count(*) FROM outbox WHERE company_id = ${company_id}))`

/** Takes deleted events out of the number of their company. It is sent in the transaction that deletes them. */
export const uncountEvents = (company_id: string, count: number): Sql =>
  sql`UPDATE feed_heads SET unplaced = unplaced - ${count} WHERE company_id = ${company_id}`

const counted = sql`
  SELECT company_id, coalesce(h.last + h.unplaced, 0) + coalesce(o.waiting, 0) AS counted
  FROM feed_heads h FULL JOIN (SELECT company_id, count(*) AS waiting FROM outbox GROUP BY company_id) o USING (company_id)`

declareInvariant({
  check: 'events',
  violations: () => sql`
    SELECT company_id, counted.counted, found.events
    FROM (${counted}) counted FULL JOIN (SELECT company_id, count(*) AS events FROM events GROUP BY company_id) found USING (company_id)
    WHERE coalesce(counted.counted, 0) <> coalesce(found.events, 0)`,
  holds: 'the total of every audit log matches its rows',
  remedy: 'Run guildhall recount.',
})

/**
 * Rebuilds the numbers. Run this in a transaction that locks the events. The sequencer may run: the numbers are from one snapshot, and do not depend on the row of the feed,
 * as it may be when this statement gets to it.
 */
export const recountEvents: Sql = sql`
  INSERT INTO feed_heads AS h (company_id, first, last, unplaced)
    SELECT e.company_id, 1, 0, count(*) - coalesce(max(head.last), 0) - coalesce(max(o.n), 0)
    FROM events e
      LEFT JOIN feed_heads head ON head.company_id = e.company_id
      LEFT JOIN (SELECT company_id, count(*) AS n FROM outbox GROUP BY company_id) o ON o.company_id = e.company_id
    GROUP BY e.company_id
  ON CONFLICT (company_id) DO UPDATE SET unplaced = excluded.unplaced`

/** Rebuilds the numbers of restored data, whose replaced seeds have events that nobody is told of. In a backup of an older schema, a migration counts them. */
export async function recountEventsIfCounted(client: pg.ClientBase): Promise<void> {
  const { rowCount } = await client.query(
    "SELECT FROM pg_attribute WHERE attrelid = to_regclass('feed_heads') AND attname = 'unplaced' AND NOT attisdropped",
  )
  if (rowCount) await client.query(compile(recountEvents))
}
