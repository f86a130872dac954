import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Refusal } from '../core/refusal.ts'
import { isConnectionError } from './driver/connection-errors.ts'
import { asDefaults, asOptions, SETTINGS } from './driver/settings.ts'
import { declareTable } from './registry.ts'

declareTable('schema_migrations', undefined, { key: ['version'], distribution: 'single' })

const FOLDER = new URL('./migrations/', import.meta.url)
const OLDEST = 150_000
/** Any number, the same in every process: whoever holds it migrates, the others wait. */
export const LOCK = 7_415_001
/** A statement that waits for a lock makes all who come after it wait too. */
const LOCK_TIMEOUT = 500
/** Not had in time, or each had what the other wanted. */
const IN_THE_WAY = new Set(['55P03', '40P01'])
const PATIENCE = 60_000

interface Migration {
  version: number
  name: string
  checksum: string
  text: string
}

/** The migrations of this code, in order. */
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
  /** How long to try where others hold what a migration needs. */
  patience?: number
}

/** Brings a database up to this code, each migration whole or not at all, and tells which it applied. Safe to run twice at once. */
export async function migrate(
  url: string,
  { known = migrations(), pooler = false, patience = PATIENCE }: MigrateOptions = {},
): Promise<string[]> {
  const client = clientFor(url, pooler)
  const done: string[] = []
  try {
    await client.connect()
    await refuseOldServer(client)
    let pause = 200
    for (const end = Date.now() + patience; ; ) {
      try {
        const name = await step(client, known)
        if (!name) break
        done.push(name)
      } catch (error) {
        await client.query('ROLLBACK').catch(() => {})
        // Whoever serves meanwhile must not wait behind us for long; so we let go, and come again.
        if (!IN_THE_WAY.has((error as { code?: string }).code ?? '') || Date.now() > end) throw error
        await sleep(pause * (0.5 + Math.random()))
        pause = Math.min(pause * 1.5, 3000)
      }
    }
    if (pooler) await setDefaults(client)
    return done
  } catch (error) {
    if (/unsupported startup parameter/.test((error as Error).message))
      throw new Refusal('DATABASE_URL leads to a connection pooler: set DATABASE_POOLER=transaction.')
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

/** Behind a pooler, settings are the role's. The session that the pooler lent us is ended, since it is older than they are. */
async function setDefaults(client: pg.Client): Promise<void> {
  await client.query('BEGIN')
  await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
  const { rows } = await client.query<{ setting: string }>(`
    SELECT unnest(setconfig) AS setting FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole JOIN pg_database d ON d.oid = s.setdatabase
    WHERE r.rolname = current_user AND d.datname = current_database()`)
  const set = new Set(rows.map(({ setting }) => setting.toLowerCase()))
  const missing = Object.entries(SETTINGS).some(([name, value]) => !set.has(`${name}=${value}`.toLowerCase()))
  if (missing) await client.query(asDefaults)
  await client.query('COMMIT')
  if (missing) await client.query('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => {})
}

/** Applies the next migration, if there is one left, and tells its name. */
async function step(client: pg.Client, known: Migration[]): Promise<string | undefined> {
  await client.query('BEGIN')
  // Another who migrates is waited for, however long it takes.
  await client.query('SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0')
  await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
  await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`)
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
    const options = pooler ? {} : { options: asOptions }
    return new pg.Client({ connectionString: url, application_name: 'guildhall-migrate', ...options }).on('error', () => {})
  } catch {
    throw new Refusal('DATABASE_URL is not a valid address: it looks like postgres://user:password@host/database.')
  }
}

/** Wrong password, unknown role, unknown database: as final as a refused connection. */
const isUnreachable = (error: unknown) => isConnectionError(error) || /^(28|3D)/.test((error as { code?: string }).code ?? '')

async function refuseOldServer(client: pg.Client) {
  const { rows } = await client.query<{ version: string }>("SELECT current_setting('server_version_num') AS version")
  if (Number(rows[0]?.version) < OLDEST) throw new Refusal('Guildhall needs PostgreSQL 15 or later; this server is older.')
}

function pendingOf(applied: Migration[], known: Migration[]): Migration[] {
  for (const { version, name, checksum } of applied) {
    const mine = known.find((migration) => migration.version === version)
    if (!mine) throw new Refusal(`The database is newer than this code: it has migration ${name}. Run the newer Guildhall.`)
    if (mine.checksum !== checksum) {
      throw new Refusal(`Migration ${name} differs from the one this database was built with: put the original file back.`)
    }
  }
  const done = new Set(applied.map(({ version }) => version))
  return known.filter(({ version }) => !done.has(version))
}
