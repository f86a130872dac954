import pg from 'pg'
import { Refusal } from '../core/refusal.ts'
import { countWorkers, isCoordinator, type Location, locationsOf, parentsFirst, undeclaredOf } from './cluster-state.ts'
import { settingsFor } from './driver/settings.ts'
import { MIGRATION_LOCK, type Migration, migrations, pendingOf } from './migration-files.ts'
import type { DeclaredTable } from './registry.ts'
import { missingWorkerSettings, setWorkerSettings, WORKER_SETTINGS_STATEMENT } from './worker-settings.ts'

/**
 * The statement that prepares a transaction which changes the schema of a distributed database. Without the last setting, Citus would take a
 * table that refers to a reference table for a local one, and could not distribute it afterwards.
 */
export const inSchemaChange = `SELECT ${(['plan_cache_mode', 'citus.multi_shard_modify_mode'] as const)
  .map((name) => `set_config('${name}', '${settingsFor('citus')[name]}', true)`)
  .join(', ')}, set_config('citus.enable_local_reference_table_foreign_keys', 'off', true)`

interface DistributeOptions {
  /** Returns the statements without running them. */
  dryRun?: boolean
  /** The migrations that the database must have. */
  known?: Migration[]
}

export interface Distribution {
  /** The names of the tables that are distributed by this call, or would be. */
  tables: string[]
  /** The statements that do it. */
  statements: string[]
}

/** Distributes every table that is not distributed yet, with its rows, in one transaction, and applies the settings that workers need. */
export async function distributeTables(
  client: pg.ClientBase,
  { dryRun = false, known = migrations() }: DistributeOptions = {},
): Promise<Distribution> {
  await refuseUnprepared(client, known)
  await client.query('BEGIN')
  try {
    await client.query('SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0')
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await client.query(inSchemaChange)
    const { tables, statements } = await (dryRun ? planDistribution(client) : distributeMissing(client))
    await client.query('COMMIT')
    // After COMMIT, because each node stores them in a session of its own, which needs the extensions that distribution brought there.
    if (await missingWorkerSettings(client)) {
      if (!dryRun) await setWorkerSettings(client)
      statements.push(WORKER_SETTINGS_STATEMENT)
    }
    return { tables, statements }
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

/** Distributes what is not distributed yet. Call it in a transaction that `inSchemaChange` prepared, under the lock of migrations. */
export async function distributeMissing(client: pg.ClientBase): Promise<Distribution> {
  const plan = await planDistribution(client)
  for (const statement of plan.statements) await client.query(statement)
  return plan
}

async function planDistribution(client: pg.ClientBase): Promise<Distribution> {
  const locations = await locationsOf(client)
  const [undeclared] = undeclaredOf(locations)
  if (undeclared)
    throw new Refusal(
      `Table ${undeclared} is not declared, so its place in the cluster is unknown. Declare it beside its queries, or move it to another schema.`,
    )
  const missing = parentsFirst().filter((table) => isMissing(table, locations.get(table.name)))
  const tables = missing.map(({ name }) => name)
  // Rows that were copied to the workers stay on the coordinator, too, where no statement sees them.
  const copied: string[] = []
  for (const name of tables) {
    const { rowCount } = await client.query(`SELECT FROM ${pg.escapeIdentifier(name)} LIMIT 1`)
    if (rowCount) copied.push(`SELECT truncate_local_data_after_distributing_table(${literal(name)})`)
  }
  return { tables, statements: [...(await functionStatements(client)), ...missing.map(statementFor), ...copied] }
}

/** Returns true for a table that has to be distributed. Refuses one that is elsewhere, because moving it is a decision. */
function isMissing(table: DeclaredTable, location: Location | undefined): boolean {
  const declared = table.distribution
  if (location === undefined || location === declared) return false
  if (location === 'local') return true
  throw new Refusal(
    `Table ${table.name} is in the wrong place: ${describe(location)} instead of ${describe(declared)}. Run SELECT undistribute_table('${table.name}', cascade_via_foreign_keys => true) on the coordinator, then guildhall distribute.`,
  )
}

const DESCRIPTIONS: Record<Location, string> = {
  company: 'distributed by company_id',
  id: 'distributed by id',
  reference: 'a reference table',
  local: 'on the coordinator only',
  other: 'distributed in another way',
}
export const describe = (location: Location) => DESCRIPTIONS[location]

/** Quotes the name of a declared table. */
const literal = (name: string) => `'public.${name}'`

function statementFor({ name, distribution }: DeclaredTable): string {
  if (distribution === 'reference') return `SELECT create_reference_table(${literal(name)})`
  if (distribution === 'id') return `SELECT create_distributed_table(${literal(name)}, 'id', colocate_with => 'none')`
  return `SELECT create_distributed_table(${literal(name)}, 'company_id', colocate_with => 'public.companies')`
}

/** Returns the statements that create functions of migrations on the workers. Citus does it by itself only for those created after its extension. */
async function functionStatements(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    SELECT p.oid::regprocedure::text AS name FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND p.prokind IN ('f', 'p')
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
      AND NOT EXISTS (SELECT FROM pg_dist_object o WHERE o.classid = 'pg_proc'::regclass AND o.objid = p.oid)
    ORDER BY 1`)
  return rows.map(({ name }) => `SELECT create_distributed_function(${pg.escapeLiteral(name)})`)
}

async function refuseUnprepared(client: pg.ClientBase, known: Migration[]): Promise<void> {
  const { rowCount } = await client.query("SELECT FROM pg_extension WHERE extname = 'citus'")
  if (!rowCount)
    throw new Refusal(
      'This database is not part of a Citus cluster. Run CREATE EXTENSION citus in it on every node, then register the nodes on the coordinator.',
    )
  if (!(await isCoordinator(client))) throw new Refusal('This server is a worker of the cluster. Set DATABASE_URL to the coordinator.')
  if ((await countWorkers(client)) === 0)
    throw new Refusal("No worker is registered. Run SELECT citus_add_node('HOST', 5432) on the coordinator for each worker.")
  const { rows } = await client.query<{ exists: boolean }>("SELECT to_regclass('public.schema_migrations') IS NOT NULL AS exists")
  const applied = rows[0]?.exists
    ? (await client.query<Omit<Migration, 'text'>>('SELECT version, name, checksum FROM schema_migrations')).rows
    : []
  const pending = pendingOf(applied, known)
  if (pending.length)
    throw new Refusal(`The database is not up to date: ${pending.length} migrations are pending. Run guildhall migrate first.`)
}
