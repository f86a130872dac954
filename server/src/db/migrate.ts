import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Refusal } from '../core/refusal.ts'
import { isCoordinator } from './cluster-state.ts'
import { distributeMissing, inSchemaChange } from './distribute.ts'
import { engineOf } from './driver/engine.ts'
import { asDefaults, asOptions, settingsFor } from './driver/settings.ts'
import { MIGRATION_LOCK, type Migration, migrations, pendingOf } from './migration-files.ts'
import { declareTable } from './registry.ts'
import { splitStatements } from './split-statements.ts'
import { startFailure, unsuitable } from './start-failure.ts'

export { MIGRATION_LOCK, migrations }

declareTable('schema_migrations', undefined, { key: ['version'], distribution: 'reference' })

/** A migration that waits for a table lock makes all later statements on that table wait, too. */
const LOCK_TIMEOUT_MS = 500
/** Lock timeout and deadlock. */
const RETRIED = new Set(['55P03', '40P01'])
const MAX_RETRY_MS = 60_000

interface MigrateOptions {
  known?: Migration[]
  pooler?: boolean
  /** The maximum time to retry while other sessions hold locks that a migration needs. */
  maxRetryMs?: number
  /** Loads the declarations of all tables, which a distributed database needs, and which take long to load. */
  loadDeclarations?: () => Promise<unknown>
}

/** Migrates a database to this version, each migration in a transaction. Returns the names of those it applied. Safe to run concurrently. */
export async function migrate(
  url: string,
  { known = migrations(), pooler = false, maxRetryMs = MAX_RETRY_MS, loadDeclarations = async () => {} }: MigrateOptions = {},
): Promise<string[]> {
  const client = clientFor(url, pooler)
  const applied: string[] = []
  try {
    await client.connect()
    await refuseUnsuitable(client)
    let pause = 200
    for (const end = Date.now() + maxRetryMs; ; ) {
      try {
        const name = await step(client, known, loadDeclarations)
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
    throw startFailure(error, client)
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
async function step(client: pg.Client, known: Migration[], loadDeclarations: () => Promise<unknown>): Promise<string | undefined> {
  await client.query('BEGIN')
  // Waits for another process that migrates, without a limit.
  await client.query('SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0')
  await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
  await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`)
  const isDistributed = (await engineOf(client)) === 'citus'
  if (isDistributed) await client.query(inSchemaChange)
  await client.query(`
    CREATE TABLE IF NOT EXISTS schema_migrations (
      version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, date_applied timestamptz NOT NULL DEFAULT now())`)
  const { rows: applied } = await client.query<Migration>('SELECT version, name, checksum FROM schema_migrations ORDER BY version')
  const [next] = pendingOf(applied, known)
  if (next) {
    const { version, name, checksum, text } = next
    if (isDistributed && !(await isCoordinator(client)))
      throw new Refusal('This server is a worker of a cluster that is not migrated. Run guildhall migrate on the coordinator first.')
    for (const statement of isDistributed ? splitStatements(text) : [text]) await client.query(statement)
    await client.query('INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)', [version, name, checksum])
  }
  // A new table would be local to the coordinator. Later migrations can refer to it only if it is distributed like the others.
  if (isDistributed) {
    await loadDeclarations()
    await distributeMissing(client)
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

async function refuseUnsuitable(client: pg.Client) {
  const { rows } = await client.query<{ version: number; encoding: string }>(
    "SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding",
  )
  const [{ version, encoding } = { version: 0, encoding: '' }] = rows
  const reason = unsuitable(version, encoding, client.database ?? '')
  if (reason) throw new Refusal(reason)
}
