import type { Database, Tx } from '../db/client.ts'
import { type Sql, sql } from '../db/sql.ts'
import { type Happening, record } from '../events/record.ts'

/** How many rows one transaction deletes: few enough that nobody waits for it. */
export const BATCH = 500

/** What the service does by itself, nobody asked for. */
export const happened = (tx: Tx, company_id: string, ...happenings: Happening[]) =>
  record(tx, happenings, { company_id, developer_id: null, user_id: null, request_id: null })

/** A database to keep up, and whether to leave the rest for another time. */
export interface Upkept extends Database {
  stopping?: () => boolean
}

/** Does some work over and over until there is none left, and tells how much there was. */
export async function all(db: Upkept, work: (tx: Tx) => Promise<number>): Promise<number> {
  let done = 0
  for (;;) {
    if (db.stopping?.()) return done
    const now = await db.transaction(work)
    done += now
    if (now === 0) return done
  }
}

/** That something happened to it stays in the log; what was in it does not. */
export const blankEvents = (tx: Tx, company_id: string, ids: string[]) =>
  tx.send(sql`UPDATE events SET changes = '{}' WHERE company_id = ${company_id} AND resource_id = ANY (${ids}::uuid[]) AND changes <> '{}'`)

/** Deletes by batches. What another process has in hand is left to it. */
export const deleteAll = (db: Upkept, table: string, key: string[], which: Sql) => {
  const columns = sql.join(key.map(sql.id), ', ')
  return all(
    db,
    async (tx) =>
      (
        await tx.query(sql`
          DELETE FROM ${sql.id(table)} WHERE (${columns}) IN (
            SELECT ${columns} FROM ${sql.id(table)} t WHERE ${which} LIMIT ${sql.number(BATCH)} FOR UPDATE SKIP LOCKED)
          RETURNING 1 AS one`)
      ).length,
  )
}

/** Deletes what hangs on something, and tells which it was. */
export const deletePart = async (tx: Tx, company_id: string, table: string, column: string, id: string) =>
  (
    await tx.query<{ id: string }>(
      sql`DELETE FROM ${sql.id(table)} WHERE company_id = ${company_id} AND ${sql.id(column)} = ${id} RETURNING id`,
    )
  ).map((row) => row.id)
