import type { Config } from '../core/config.ts'
import { isId } from '../core/ids.ts'
import { Problem } from '../core/problem.ts'
import { Refusal } from '../core/refusal.ts'
import { connect, type Database, type Db, type Tx } from '../db/client.ts'
import { isOwned } from '../db/embedded/owner.ts'
import { runningUrl, startEmbedded } from '../db/embedded/server.ts'
import { migrate } from '../db/migrate.ts'
import { sql } from '../db/sql.ts'
import type { Change } from '../db/table.ts'
import { record } from '../events/record.ts'

/** The database, whether it is ours, somebody else's, or the one a running service started. */
export async function withUrl<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  if (config.databaseUrl) return work(config.databaseUrl)
  const running = (await isOwned(config.dataDir)) ? runningUrl(config.dataDir) : undefined
  if (running) return work(running)
  const embedded = await startEmbedded(config.dataDir)
  try {
    return await work(embedded.url)
  } finally {
    await embedded.stop()
  }
}

export function withDatabase<T>(config: Config, work: (db: Database) => Promise<T>): Promise<T> {
  return withUrl(config, async (url) => {
    await migrate(url)
    const db = connect(url, { readers: 1, writers: 1 })
    try {
      return await work(db)
    } catch (error) {
      throw error instanceof Problem ? new Refusal(error.message) : error
    } finally {
      await db.close()
    }
  })
}

/** A change made at the command line is an event like any other; nobody's key made it. */
export function change<C extends Change<unknown>>(
  db: Database,
  type: string,
  company_id: string | undefined,
  work: (tx: Tx) => Promise<C>,
): Promise<C> {
  return db.transaction(async (tx) => {
    const done = await work(tx)
    const subject = (done.after ?? done.before) as { id: string }
    record(tx, type, done, { company_id: company_id ?? subject.id, developer_id: null, user_id: null, request_id: null })
    return done
  })
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

export const refuse = (sentence: string): never => {
  throw new Refusal(sentence)
}
