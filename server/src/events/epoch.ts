import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Database } from '../db/client.ts'
import { sql } from '../db/sql.ts'
import './tables.ts'

/** Begins a new epoch of all feeds, in the transaction of a restore: positions after those of the backup may be assigned a second time. */
export async function beginEpoch(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>("SELECT to_regclass('feed_state') IS NOT NULL AS exists")
  // A backup of an earlier version has no feeds.
  if (rows[0]?.exists) await client.query('UPDATE feed_state SET epoch = $1, server = NULL', [randomUUID()])
}

/** The identity of the database server, and its timeline, which is a new one after every recovery to a point in time. */
const SERVER = sql`(SELECT s.system_identifier || ' ' || c.timeline_id FROM pg_control_system() s CROSS JOIN pg_control_checkpoint() c)`

const systemOf = (server: string) => server.split(' ')[0]

/**
 * Begins a new epoch if this is another server, or another timeline of it, than the one that assigned the positions: after a recovery to a point in time, for
 * example, or a failover. Called when a process starts. A copy of the files that was put back has the same server and timeline, and a failover may happen while
 * processes run: then the mark of a cursor shows that its event is not there any more.
 *
 * For a copy of the database on another server, `onCopy` is called before the server is noted: a process that is killed in between leaves it to the next one, and
 * one that starts at the same time does not find the server noted before it is done.
 */
export async function checkEpoch(db: Database, onCopy: () => Promise<void>): Promise<void> {
  const [found] = await db.query<{ server: string | null; current: string }>(sql`SELECT server, ${SERVER} AS current FROM feed_state`)
  if (!found || found.server === found.current) return
  const { server, current } = found
  if (server !== null && systemOf(server) !== systemOf(current)) await onCopy()
  // The first process only notes the server. Of several processes at once, one begins the epoch.
  await db.transaction((tx) =>
    tx.query(sql`
      UPDATE feed_state SET server = ${current}, epoch = CASE WHEN server IS NULL THEN epoch ELSE ${randomUUID()}::uuid END
      WHERE server IS NOT DISTINCT FROM ${server} RETURNING id`),
  )
}
