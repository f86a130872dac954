import { timeOf } from '../core/ids.ts'
import { type Sql, sql } from '../db/sql.ts'
import './tables.ts'

/** Finds the oldest row of a queue, whose ids sort by creation. It has few rows, unless something is wrong. */
export const oldestIn = (queue: 'outbox' | 'tally_queue'): Sql => sql`SELECT id FROM ${sql.id(queue)} ORDER BY id LIMIT 1`

/** The age of the oldest row of a queue, in seconds; 0 if there is none. */
export const lagOf = (rows: { id: string }[], now: Date): number =>
  rows[0] ? Math.max(0, (now.getTime() - timeOf(rows[0].id).getTime()) / 1000) : 0
