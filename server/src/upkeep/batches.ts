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

/** The part of a table that a batch is taken from, as a condition on the rows of an alias: all rows, or those of one company. */
export type Within = (alias: 't' | 'batch') => Sql
const everywhere: Within = () => sql`true`
const inCompany =
  (company_id: string): Within =>
  (alias) =>
    sql`${sql.id(alias)}.company_id = ${company_id}`

/**
 * Repeats a transaction until it finds nothing to do: for all companies at once, or, if they are distributed, for one after the other, because rows can be locked
 * on one machine only. `condition` finds the rows `t` of the companies that have something to do.
 */
export async function untilNothingIsLeftIn(
  db: MaintenanceDb,
  table: string,
  condition: Sql,
  work: (tx: Tx, within: Within) => Promise<number>,
): Promise<number> {
  if (!db.isDistributed) return untilNothingIsLeft(db, (tx) => work(tx, everywhere))
  const companies = await db.query<{ company_id: string }>(
    sql`SELECT DISTINCT t.company_id FROM ${sql.id(table)} t WHERE ${condition} ORDER BY 1`,
  )
  let total = 0
  for (const { company_id } of companies) total += await untilNothingIsLeft(db, (tx) => work(tx, inCompany(company_id)))
  return total
}

/** The condition on the rows `batch`: they are among the first rows `t` that match a condition. Rows that another process has locked are left to it. */
export function isInBatch({ name, key }: Pick<DeclaredTable, 'name' | 'key'>, condition: Sql, within: Within): Sql {
  const columnsOf = (alias: string) =>
    sql.join(
      key.map((column) => sql`${sql.id(alias)}.${sql.id(column)}`),
      ', ',
    )
  return sql`${within('batch')} AND (${columnsOf('batch')}) IN (
    SELECT ${columnsOf('t')} FROM ${sql.id(name)} t WHERE ${within('t')} AND ${condition} LIMIT ${sql.number(BATCH_ROWS)} FOR UPDATE SKIP LOCKED)`
}

async function deleteBatch(tx: Tx, table: DeclaredTable, condition: Sql, within: Within): Promise<number> {
  const deleted = await tx.query(
    sql`DELETE FROM ${sql.id(table.name)} batch WHERE ${isInBatch(table, condition, within)} RETURNING 1 AS one`,
  )
  return deleted.length
}

/** Deletes the rows `t` of all companies that match a condition, in batches. */
export const deleteEverywhere = (db: MaintenanceDb, table: DeclaredTable, condition: Sql) =>
  untilNothingIsLeftIn(db, table.name, condition, (tx, within) => deleteBatch(tx, table, condition, within))

/** Deletes the rows `t` of a company that match a condition, in batches. Rows that refer to another row of their table are deleted first. */
export async function deleteInOrder(db: MaintenanceDb, table: DeclaredTable, company_id: string, condition: Sql): Promise<void> {
  const deleteAll = (matching: Sql) =>
    untilNothingIsLeft(db, async (tx) => {
      const count = await deleteBatch(tx, table, matching, inCompany(company_id))
      if (count > 0 && table.afterDeleting) tx.send(table.afterDeleting(company_id, count))
      return count
    })
  if (table.refersToItself) await deleteAll(sql`${condition} AND t.${sql.id(table.refersToItself)} IS NOT NULL`)
  await deleteAll(condition)
}

/** Deletes the rows of a table that are parts of a row of its parent, and returns their ids. */
export async function deleteParts(tx: Tx, table: DeclaredTable, parent: string, company_id: string, id: string): Promise<string[]> {
  const isPart = isPartOf(table, parent, { company_id, id })
  const deleted = await tx.query<{ id: string }>(
    sql`DELETE FROM ${sql.id(table.name)} t WHERE t.company_id = ${company_id} AND ${isPart} RETURNING id`,
  )
  return deleted.map((row) => row.id)
}
