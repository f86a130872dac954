import type { Db } from '../../db/client.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Place } from '../../events/cursor.ts'
import type { FeedEvent } from './rules.ts'
import { MAX_SCANNED, type Scan, type ScannedRow, scanOf } from './scan.ts'

/** Fields whose change shows or hides parts of a resource. */
const SHIFTING = ['visibility', 'sheet_visibility', 'user_id', 'access', 'experience_per']

/**
 * Reads the events of the rows `f`, which have a position and an event_id. OFFSET 0 makes the database look up each event by its id: it takes a company for one of
 * average size, and would otherwise read all events of a large one to join them.
 */
const eventsOf = (company_id: string, positions: Sql): Sql => sql`
  SELECT f.position, f.event_id, e.id, e.type, e.resource_type, e.resource_id, e.campaign_id, e.version, e.developer_id, e.user_id, e.request_id, e.reason, e.date_created,
    e.visibility, e.visibility_before, e.visibility_after, e.author_id, e.sheet_visibility, e.changes ?| ${SHIFTING}::text[] AS shifts,
    e.changes ? 'role' AS "changesRole", e.changes->'user_id'->>'old' AS "oldOwner", e.changes->'user_id'->>'new' AS "newOwner",
    e.changes->'access'->>'old' AS "oldAccess",
    e.type = 'character.adjusted' AND EXISTS (SELECT FROM events earlier WHERE earlier.company_id = ${company_id} AND earlier.request_id = e.request_id
      AND earlier.type = e.type AND earlier.id < e.id) AS "isFurther"
  FROM (${positions}) f LEFT JOIN LATERAL (SELECT * FROM events WHERE company_id = ${company_id} AND id = f.event_id OFFSET 0) e ON true
  ORDER BY f.position`

/** Reads the positions of the feed after a place with their events, and what is at the place now. */
export async function readEvents(db: Db, company_id: string, from: Place, count = MAX_SCANNED): Promise<Scan> {
  const positions = sql`
    SELECT position, event_id FROM feed WHERE company_id = ${company_id} AND position >= ${from.position} ORDER BY position LIMIT ${count + 1}`
  return scanOf(from, await db.query<ScannedRow>(eventsOf(company_id, positions)), count)
}

/** Reads events by their ids, with the positions that they have or had. Those that were deleted are left out. */
export async function readEventsAt(db: Db, company_id: string, at: { position: number; event_id: string }[]): Promise<FeedEvent[]> {
  const positions = sql`
    SELECT position, event_id FROM unnest(${at.map(({ position }) => position)}::bigint[], ${at.map(({ event_id }) => event_id)}::uuid[])
      AS wanted (position, event_id)`
  const rows = await db.query<ScannedRow>(eventsOf(company_id, positions))
  return rows.filter((row): row is ScannedRow & FeedEvent => row.id !== null)
}
