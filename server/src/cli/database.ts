import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../core/config.ts'
import { isId } from '../core/ids.ts'
import { Problem } from '../core/problem.ts'
import { Refusal } from '../core/refusal.ts'
import { connect, type Database, type Db, type Tx } from '../db/client.ts'
import { DatabaseUnavailable } from '../db/driver/connection-errors.ts'
import { purposeOfOwner } from '../db/embedded/owner.ts'
import { type Embedded, holdsDatabase, InUse, runningUrl, startEmbedded } from '../db/embedded/server.ts'
import { migrate } from '../db/migrate.ts'
import { sql } from '../db/sql.ts'
import { record } from '../events/record.ts'
import type { Outcome } from '../http/operation.ts'
import { getCompany } from '../resources/companies/queries.ts'
import { wrong } from './command.ts'

const STARTS_WITHIN = 10_000
const PAGE = 100

/** Only `serve`, `migrate` and `restore` create a database: another command in the wrong folder must not leave one there. */
export function refuseWithoutDatabase({ databaseUrl, dataDir }: Config): void {
  if (!databaseUrl && !holdsDatabase(dataDir))
    wrong(`There is no database in ${dataDir}. Start the service there with guildhall serve, or set GUILDHALL_DATA_DIR or DATABASE_URL.`)
}

/** The database, whether it is ours, somebody else's, or the one a running service started. */
export async function withUrl<T>(config: Config, work: (url: string) => Promise<T>, { create = false } = {}): Promise<T> {
  if (!create) refuseWithoutDatabase(config)
  if (config.databaseUrl) return work(config.databaseUrl)
  const embedded = await startUnlessRunning(config.dataDir)
  if (typeof embedded === 'string') return work(embedded)
  try {
    return await work(embedded.url)
  } finally {
    await embedded.stop()
  }
}

/** A server of our own, or the address of a service's. Another command's is left to it: that one ends it when it is done. */
async function startUnlessRunning(dataDir: string): Promise<Embedded | string> {
  for (const end = Date.now() + STARTS_WITHIN; ; await sleep(50)) {
    try {
      return await startEmbedded(dataDir, { purpose: 'command' })
    } catch (error) {
      if (!(error instanceof InUse) || Date.now() > end) throw error
    }
    const running = (await purposeOfOwner(dataDir)) === 'service' ? runningUrl(dataDir) : undefined
    if (running) return running
  }
}

export function withDatabase<T>(config: Config, work: (db: Database) => Promise<T>): Promise<T> {
  return withUrl(config, async (url) => {
    await migrate(url, { pooler: config.pooler })
    const db = connect(url, { readers: 1, writers: 1, pooler: config.pooler })
    try {
      return await work(db)
    } catch (error) {
      throw error instanceof Problem || error instanceof DatabaseUnavailable ? new Refusal(error.message) : error
    } finally {
      await db.close()
    }
  })
}

/** A change made at the command line is an event like any other; nobody's key made it. */
export function change<C extends Outcome<unknown>>(
  db: Database,
  type: string,
  company_id: string | undefined,
  work: (tx: Tx) => Promise<C>,
): Promise<C> {
  return db.transaction(async (tx) => {
    const done = await work(tx)
    const subject = (done.after ?? done.before) as { id: string }
    const origin = { company_id: company_id ?? subject.id, developer_id: null, user_id: null, request_id: null }
    record(tx, [{ ...done, type }, ...(done.also ?? [])], origin)
    return done
  })
}

/** Every page of a list. */
export async function everything<Row>(
  list: (page: { limit: number; offset: number }) => Promise<{ items: Row[]; total: number }>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const { items, total } = await list({ limit: PAGE, offset: rows.length })
    rows.push(...items)
    if (items.length === 0 || rows.length >= total) return rows
  }
}

/** A developer by id, or by name where only one has it. */
export async function findDeveloper(db: Db, text: string): Promise<string> {
  const rows = await db.query<{ id: string }>(
    isId(text)
      ? sql`SELECT id FROM developers WHERE id = ${text}`
      : sql`SELECT id FROM developers WHERE name = ${text} ORDER BY id LIMIT 2`,
  )
  if (rows.length > 1) throw new Refusal(`Several developers are called '${text}': name the one you mean by its id.`)
  return rows[0]?.id ?? refuse(`There is no developer '${text}': see guildhall developers list.`)
}

export async function findCompany(db: Db, id: string): Promise<string> {
  if (!isId(id)) return refuse(`'${id}' is not the id of a company. See guildhall companies list.`)
  return (await getCompany(db, id)).id
}

export const refuse = (sentence: string): never => {
  throw new Refusal(sentence)
}
