import { after } from 'node:test'
import { connect, type Database } from '../src/db/client.ts'
import { type Sql, sql } from '../src/db/sql.ts'
import type { Operation } from '../src/http/operation.ts'
import { db, engine, newApp, pooler, url } from './harness.ts'
import { until } from './until.ts'

/** Holds the locks of a statement, in the database of the test file, until the returned function is called, which waits for the end of the transaction. */
export async function hold(statement: Sql): Promise<() => Promise<void>> {
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = db.transaction(async (tx) => {
    await tx.query(statement)
    locked.resolve()
    await released.promise
  })
  await Promise.race([locked.promise, holding])
  return () => {
    released.resolve()
    return holding
  }
}

/** Holds the row of a company, or of something in it. */
export const holdRow = (table: string, company_id: string, id: string) =>
  hold(
    sql`SELECT 1 FROM ${sql.id(table)} WHERE ${sql.id(table === 'companies' ? 'id' : 'company_id')} = ${company_id} AND id = ${id} FOR UPDATE`,
  )

/** Waits until so many statements wait for locks in the database of the test file, all of them, or those that are LIKE a pattern. */
export const untilBlocked = (count = 1, pattern = '%') =>
  until(async () => {
    const blocked = await db.longReads.query<{ pid: number }>(sql`
      SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE ${pattern}`)
    return blocked.length >= count && blocked.map(({ pid }) => pid)
  }, `${count} statements to wait for locks`)

/** Starts an app whose requests wait only so long for what another one holds, and counts the transactions that failed. */
export async function newWaitingApp(maxWaitMs: number, operations?: Operation[]) {
  const waiting = connect(url, { readers: 2, writers: 4, pooler, engine, maxWaitMs })
  const failed = { count: 0 }
  const transaction: Database['transaction'] = (work) =>
    waiting.transaction(work).catch((error) => {
      failed.count++
      throw error
    })
  const app = await newApp({}, operations, { ...waiting, transaction })
  after(() => waiting.close())
  return { app, failed }
}
