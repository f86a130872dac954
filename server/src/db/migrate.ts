import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { Refusal } from '../core/refusal.ts'
import { isAway } from './away.ts'

const FOLDER = new URL('./migrations/', import.meta.url)
const OLDEST = 150_000
/** Any number, the same in every process: whoever holds it migrates, the others wait. */
const LOCK = 7_415_001

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

/** Brings a database up to this code, all or nothing, and tells which migrations it applied. Safe to run twice at once. */
export async function migrate(url: string, known = migrations()): Promise<string[]> {
  const client = clientFor(url)
  try {
    await client.connect()
    await refuseOldServer(client)
    await client.query('BEGIN')
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
    await client.query(`
      CREATE TABLE IF NOT EXISTS schema_migrations (
        version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, date_applied timestamptz NOT NULL DEFAULT now())`)
    const { rows: applied } = await client.query<Migration>('SELECT version, name, checksum FROM schema_migrations ORDER BY version')
    const pending = pendingOf(applied, known)
    for (const { version, name, checksum, text } of pending) {
      await client.query(text)
      await client.query('INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)', [version, name, checksum])
    }
    await client.query('COMMIT')
    return pending.map(({ name }) => name)
  } catch (error) {
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

function clientFor(url: string): pg.Client {
  try {
    return new pg.Client({ connectionString: url, application_name: 'guildhall-migrate' }).on('error', () => {})
  } catch {
    throw new Refusal('DATABASE_URL is not a valid address: it looks like postgres://user:password@host/database.')
  }
}

/** Wrong password, unknown role, unknown database: as final as a refused connection. */
const isUnreachable = (error: unknown) => isAway(error) || /^(28|3D)/.test((error as { code?: string }).code ?? '')

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
