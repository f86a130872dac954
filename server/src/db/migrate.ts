import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Refusal } from '../core/refusal.ts'
import { isConnectionError } from './driver/connection-errors.ts'
import { engineOf } from './driver/engine.ts'
import { asDefaults, asOptions, settingsFor } from './driver/settings.ts'
import { declareTable } from './registry.ts'

declareTable('schema_migrations', undefined, { key: ['version'], distribution: 'reference' })

const FOLDER = new URL('./migrations/', import.meta.url)
const MIN_SERVER_VERSION = 150_000
/** The advisory lock of migrations, an arbitrary number: its holder migrates, other processes wait. */
export const MIGRATION_LOCK = 7_415_001
/** A migration that waits for a table lock makes all later statements on that table wait, too. */
const LOCK_TIMEOUT_MS = 500
/** Lock timeout and deadlock. */
const RETRIED = new Set(['55P03', '40P01'])
const MAX_RETRY_MS = 60_000

interface Migration {
  version: number
  name: string
  checksum: string
  text: string
}

/** Returns the migrations of this version, in order. */
export function migrations(folder: URL = FOLDER): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8')
      return { version: Number.parseInt(file, 10), name: file, checksum: createHash('sha256').update(text).digest('hex'), text }
    })
}

interface MigrateOptions {
  known?: Migration[]
  pooler?: boolean
  /** The maximum time to retry while other sessions hold locks that a migration needs. */
  maxRetryMs?: number
}

/** Migrates a database to this version, each migration in a transaction. Returns the names of those it applied. Safe to run concurrently. */
export async function migrate(
  url: string,
  { known = migrations(), pooler = false, maxRetryMs = MAX_RETRY_MS }: MigrateOptions = {},
): Promise<string[]> {
  const client = clientFor(url, pooler)
  const applied: string[] = []
  try {
    await client.connect()
    await refuseOldServer(client)
    let pause = 200
    for (const end = Date.now() + maxRetryMs; ; ) {
      try {
        const name = await step(client, known)
        if (!name) break
        applied.push(name)
      } catch (error) {
        await client.query('ROLLBACK').catch(() => {})
        // Running services must not wait long for this migration, so it gives up its locks and retries.
        if (!RETRIED.has((error as { code?: string }).code ?? '') || Date.now() > end) throw error
        await sleep(pause * (0.5 + Math.random()))
        pause = Math.min(pause * 1.5, 3000)
      }
    }
    if (pooler) await setDefaults(client)
    return applied
  } catch (error) {
    if (/unsupported startup parameter/.test((error as Error).message))
      throw new Refusal('DATABASE_URL leads to a connection pooler. Set DATABASE_POOLER=transaction.')
    if (!(error instanceof Refusal) && isUnreachable(error)) {
      throw new Refusal(
        `The database cannot be reached: ${(error as Error).message || (error as { code: string }).code}. Check DATABASE_URL.`,
      )
    }
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}

/** Behind a pooler, settings are defaults of the role. The session that the pooler lent is ended, because it still has the old ones. */
async function setDefaults(client: pg.Client): Promise<void> {
  await client.query('BEGIN')
  await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
  const { rows } = await client.query<{ setting: string }>(`
    SELECT unnest(setconfig) AS setting FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole JOIN pg_database d ON d.oid = s.setdatabase
    WHERE r.rolname = current_user AND d.datname = current_database()`)
  const set = new Set(rows.map(({ setting }) => setting.toLowerCase()))
  const engine = await engineOf(client)
  const missing = Object.entries(settingsFor(engine)).some(([name, value]) => !set.has(`${name}=${value}`.toLowerCase()))
  if (missing) await client.query(asDefaults(engine))
  await client.query('COMMIT')
  if (missing) await client.query('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => {})
}

/** Applies the next migration and returns its name, or undefined if there is none. */
async function step(client: pg.Client, known: Migration[]): Promise<string | undefined> {
  await client.query('BEGIN')
  // Waits for another process that migrates, without a limit.
  await client.query('SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0')
  await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
  await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`)
  await client.query(`
    CREATE TABLE IF NOT EXISTS schema_migrations (
      version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, date_applied timestamptz NOT NULL DEFAULT now())`)
  const { rows: applied } = await client.query<Migration>('SELECT version, name, checksum FROM schema_migrations ORDER BY version')
  const [next] = pendingOf(applied, known)
  if (next) {
    const { version, name, checksum, text } = next
    await client.query(text)
    await client.query('INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)', [version, name, checksum])
  }
  await client.query('COMMIT')
  return next?.name
}

function clientFor(url: string, pooler: boolean): pg.Client {
  try {
    const options = pooler ? {} : { options: asOptions('postgresql') }
    return new pg.Client({ connectionString: url, application_name: 'guildhall-migrate', ...options }).on('error', () => {})
  } catch {
    throw new Refusal('DATABASE_URL is not a valid connection string. Expected postgres://user:password@host/database.')
  }
}

/** Returns true for connection errors, and for a wrong password, an unknown role or an unknown database. */
const isUnreachable = (error: unknown) => isConnectionError(error) || /^(28|3D)/.test((error as { code?: string }).code ?? '')

async function refuseOldServer(client: pg.Client) {
  const { rows } = await client.query<{ version: string }>("SELECT current_setting('server_version_num') AS version")
  if (Number(rows[0]?.version) < MIN_SERVER_VERSION)
    throw new Refusal('This PostgreSQL server is too old. Guildhall needs PostgreSQL 15 or later.')
}

function pendingOf(applied: Migration[], known: Migration[]): Migration[] {
  for (const { version, name, checksum } of applied) {
    const expected = known.find((migration) => migration.version === version)
    if (!expected) throw new Refusal(`The database is newer than this version: it has migration ${name}. Run the newer Guildhall.`)
    if (expected.checksum !== checksum) {
      throw new Refusal(`Migration ${name} differs from the one this database was built with. Restore the original file.`)
    }
  }
  const done = new Set(applied.map(({ version }) => version))
  return known.filter(({ version }) => !done.has(version))
}
