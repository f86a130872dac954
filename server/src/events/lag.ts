import { timeOf } from '../core/ids.ts'
import { type Sql, sql } from '../db/sql.ts'
import './tables.ts'

/** Finds the oldest event that has no position. The table has few rows, unless something is wrong. */
export const oldestWaiting: Sql = sql`SELECT id FROM outbox ORDER BY id LIMIT 1`

/** The age of the oldest event that has no position, in seconds; 0 if there is none. */
export const lagOf = (rows: { id: string }[], now: Date): number =>
  rows[0] ? Math.max(0, (now.getTime() - timeOf(rows[0].id).getTime()) / 1000) : 0
