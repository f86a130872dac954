import type { Database, Tx } from '../db/client.ts'
import { type Sql, sql } from '../db/sql.ts'
import { type EventDraft, record } from '../events/record.ts'
import { type DeclaredTable, isPartOf } from '../resources/declarations.ts'

/** The number of rows that one transaction deletes. It is small, so that no request waits long for the transaction. */
export const BATCH_ROWS = 500

/** Records events that no caller caused. */
export const recordBySystem = (tx: Tx, company_id: string, ...drafts: EventDraft[]) =>
  record(tx, drafts, { company_id, developer_id: null, user_id: null, request_id: null })

/** The database that maintenance works on. `isStopping` returns true when the process is to end: the next run does the rest. */
export interface MaintenanceDb extends Database {
  isStopping?: () => boolean
}

/** Repeats a transaction until it finds nothing to do. Returns the sum of the results. */
export async function untilNothingIsLeft(db: MaintenanceDb, work: (tx: Tx) => Promise<number>): Promise<number> {
  let total = 0
  for (;;) {
    if (db.isStopping?.()) return total
    const done = await db.transaction(work)
    total += done
    if (done === 0) return total
  }
}

/** Removes the values from events. The audit log still shows that something happened, and when. */
export const blankEvents = (tx: Tx, company_id: string, ids: string[]) =>
  tx.send(sql`UPDATE events SET changes = '{}' WHERE company_id = ${company_id} AND resource_id = ANY (${ids}::uuid[]) AND changes <> '{}'`)

/** Deletes the rows `t` that match a condition, in batches. Rows that another process has locked are left to it. */
export const deleteAll = (db: MaintenanceDb, { name, key }: DeclaredTable, condition: Sql) => {
  const columns = sql.join(key.map(sql.id), ', ')
  return untilNothingIsLeft(
    db,
    async (tx) =>
      (
        await tx.query(sql`
          DELETE FROM ${sql.id(name)} WHERE (${columns}) IN (
            SELECT ${columns} FROM ${sql.id(name)} t WHERE ${condition} LIMIT ${sql.number(BATCH_ROWS)} FOR UPDATE SKIP LOCKED)
          RETURNING 1 AS one`)
      ).length,
  )
}

/** Deletes the rows `t` that match a condition. Rows that refer to another row of their table are deleted first. */
export async function deleteInOrder(db: MaintenanceDb, table: DeclaredTable, condition: Sql): Promise<void> {
  if (table.refersToItself) await deleteAll(db, table, sql`${condition} AND t.${sql.id(table.refersToItself)} IS NOT NULL`)
  await deleteAll(db, table, condition)
}

/** Deletes the rows of a table that are parts of a row of its parent, and returns their ids. */
export async function deleteParts(tx: Tx, table: DeclaredTable, parent: string, company_id: string, id: string): Promise<string[]> {
  const isPart = isPartOf(table, parent, id)
  const deleted = await tx.query<{ id: string }>(
    sql`DELETE FROM ${sql.id(table.name)} t WHERE t.company_id = ${company_id} AND ${isPart} RETURNING id`,
  )
  return deleted.map((row) => row.id)
}
