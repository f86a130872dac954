import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../core/config.ts'
import { isId } from '../core/ids.ts'
import { Problem } from '../core/problem.ts'
import { Refusal } from '../core/refusal.ts'
import { connect, type Database, type Db, type Tx } from '../db/client.ts'
import { DatabaseUnavailable } from '../db/driver/connection-errors.ts'
import { engineAt } from '../db/driver/engine.ts'
import { purposeOfOwner } from '../db/embedded/owner.ts'
import { type Embedded, holdsDatabase, InUse, runningUrl, startEmbedded } from '../db/embedded/server.ts'
import { migrate } from '../db/migrate.ts'
import { sql } from '../db/sql.ts'
import type { EventType } from '../events/catalog.ts'
import { mayEndStreams } from '../events/endings.ts'
import { sendEnding } from '../events/hints.ts'
import { record } from '../events/record.ts'
import type { Outcome } from '../http/operation.ts'
import { getCompany } from '../resources/companies/queries.ts'
import { refuseUsage } from './command.ts'

const MAX_WAIT_MS = 10_000
const PAGE_SIZE = 100

/** Refuses to run without a database. Only `serve`, `migrate` and `restore` create one: another command may run in the wrong folder. */
export function refuseWithoutDatabase({ databaseUrl, dataDir }: Config): void {
  if (!databaseUrl && !holdsDatabase(dataDir))
    refuseUsage(
      `There is no database in ${dataDir}. Start the service there with guildhall serve, or set GUILDHALL_DATA_DIR or DATABASE_URL.`,
    )
}

/** Calls `work` with the URL of the database: that of DATABASE_URL, of a running service, or of a server that is started for this command. */
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

/** Starts the embedded server, or returns the URL of a running service. Waits while another command uses the folder, because it will stop the server. */
async function startUnlessRunning(dataDir: string): Promise<Embedded | string> {
  for (const end = Date.now() + MAX_WAIT_MS; ; await sleep(50)) {
    try {
      return await startEmbedded(dataDir, { purpose: 'command' })
    } catch (error) {
      if (!(error instanceof InUse) || Date.now() > end) throw error
    }
    const running = (await purposeOfOwner(dataDir)) === 'service' ? runningUrl(dataDir) : undefined
    if (running) return running
  }
}

export const loadDeclarations = () => import('../resources/declarations.ts')

export function withDatabase<T>(config: Config, work: (db: Database) => Promise<T>): Promise<T> {
  return withUrl(config, async (url) => {
    await migrate(url, { pooler: config.pooler, loadDeclarations })
    const db = connect(url, { readers: 1, writers: 1, pooler: config.pooler, engine: await engineAt(url) })
    try {
      return await work(db)
    } catch (error) {
      throw error instanceof Problem || error instanceof DatabaseUnavailable ? new Refusal(error.message) : error
    } finally {
      await db.close()
    }
  })
}

/** Runs a change in a transaction and records its events. Events of the command line have no developer. */
export async function change<C extends Outcome<unknown>>(
  db: Database,
  type: EventType,
  company_id: string | undefined,
  work: (tx: Tx) => Promise<C>,
): Promise<C> {
  const changed = await db.transaction(async (tx) => {
    const outcome = await work(tx)
    const subject = (outcome.after ?? outcome.before) as { id: string }
    const origin = { company_id: company_id ?? subject.id, developer_id: null, user_id: null, request_id: null }
    record(tx, [{ ...outcome, type }, ...(outcome.sideEvents ?? [])], origin)
    return outcome
  })
  if (mayEndStreams([type])) await sendEnding(db)
  return changed
}

/** Returns the items of all pages of a list. */
export async function allPages<Row>(
  list: (page: { limit: number; offset: number }) => Promise<{ items: Row[]; total: number }>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const { items, total } = await list({ limit: PAGE_SIZE, offset: rows.length })
    rows.push(...items)
    if (items.length === 0 || rows.length >= total) return rows
  }
}

/** Returns the id of a developer that is given by id or by a unique name. */
export async function findDeveloper(db: Db, text: string): Promise<string> {
  const rows = await db.query<{ id: string }>(
    isId(text)
      ? sql`SELECT id FROM developers WHERE id = ${text}`
      : sql`SELECT id FROM developers WHERE name = ${text} ORDER BY id LIMIT 2`,
  )
  if (rows.length > 1) throw new Refusal(`Several developers are named '${text}'. Use the id of the one you mean.`)
  return rows[0]?.id ?? refuse(`There is no developer '${text}'. See guildhall developers list.`)
}

export async function findCompany(db: Db, id: string): Promise<string> {
  if (!isId(id)) return refuse(`'${id}' is not the id of a company. See guildhall companies list.`)
  return (await getCompany(db, id)).id
}

/** Ends the program with exit code 1. */
export const refuse = (message: string): never => {
  throw new Refusal(message)
}
