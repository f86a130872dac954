import type { Engine } from './engine.ts'

/** The longest time that a request waits for what another one holds: a lock, a connection, or an Idempotency-Key. */
export const MAX_WAIT_MS = 5000

/** The settings of every session on one PostgreSQL. */
export const SETTINGS = {
  timezone: 'UTC',
  statement_timeout: '10s',
  lock_timeout: `${MAX_WAIT_MS / 1000}s`,
  idle_in_transaction_session_timeout: '30s',
  // Otherwise LIMIT $1 OFFSET $2 would be planned again at each execution; every statement is written for its index.
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  // How similar a word must be for a search to find it: one wrong letter of five is accepted.
  'pg_trgm.word_similarity_threshold': '0.4',
} as const

const CITUS_SETTINGS = {
  ...SETTINGS,
  // Citus has generic plans only for statements on one table, and refuses to make them for others.
  plan_cache_mode: 'auto',
  // A statement that changes rows of many companies runs on one worker after the other, so that reference tables may be written after it.
  'citus.multi_shard_modify_mode': 'sequential',
}

export const settingsFor = (engine: Engine): Record<string, string> => (engine === 'citus' ? CITUS_SETTINGS : SETTINGS)

/** The settings that workers need, too. A coordinator does not pass on those of its sessions, so they are defaults of the role. */
export const WORKER_SETTINGS: Record<string, string> = Object.fromEntries(
  (
    ['timezone', 'lock_timeout', 'enable_seqscan', 'jit', 'max_parallel_workers_per_gather', 'pg_trgm.word_similarity_threshold'] as const
  ).map((name) => [name, CITUS_SETTINGS[name]]),
)

/** The time limit of a long read: a search that takes longer is not worth its CPU time. */
export const MAX_LONG_READ_MS = 2000

const optionsOf = (settings: Record<string, string>) =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')

const waitingAtMost = (milliseconds: number) => ({ lock_timeout: `${milliseconds}ms` })

/** The settings as startup options of a connection. A pooler refuses options: there the settings are defaults of the role. */
export const asOptions = (engine: Engine, maxWaitMs = MAX_WAIT_MS) => optionsOf({ ...settingsFor(engine), ...waitingAtMost(maxWaitMs) })

/**
 * The options of connections that only read. PostgreSQL refuses every write and row lock on them (25006). Behind a transaction pooler, which
 * refuses options, a short read is a single autocommit statement without settings of its own: there only the types `Db` and `Tx` prevent writes.
 */
const readSettingsFor = (engine: Engine, maxWaitMs: number) => ({
  ...settingsFor(engine),
  ...waitingAtMost(maxWaitMs),
  default_transaction_read_only: 'on',
})
export const asReadOptions = (engine: Engine, maxWaitMs: number) => optionsOf(readSettingsFor(engine, maxWaitMs))
export const asLongReadOptions = (engine: Engine, maxWaitMs: number) =>
  optionsOf({ ...readSettingsFor(engine, maxWaitMs), statement_timeout: `${MAX_LONG_READ_MS}ms` })

/**
 * The statement that makes settings defaults of the role in this database. Open sessions keep their own. Calling a function of pg_trgm loads its
 * library, which defines the parameter: only a superuser may store a default for a parameter that the session does not know.
 */
const defaultsOf = (settings: Record<string, string>, first = '') => `DO $$ BEGIN
${first}PERFORM word_similarity('', '');
${Object.entries(settings)
  .map(([name, value]) => `EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET ${name} = %L', current_database(), '${value}');`)
  .join('\n')}
END $$`
/** Citus would repeat the statement on all other nodes, which fails there without the library. */
const ON_THIS_NODE = "PERFORM set_config('citus.enable_ddl_propagation', 'off', true);\n"
export const asDefaults = (engine: Engine) => defaultsOf(settingsFor(engine), engine === 'citus' ? ON_THIS_NODE : '')
/** The statement that does so for the settings that every node of a cluster needs. Run it on each of them. */
export const asWorkerDefaults = defaultsOf(WORKER_SETTINGS, ON_THIS_NODE)

/** The statement that applies the timeouts to a transaction, for sessions behind a pooler that may be older than the defaults. */
export const inTransaction = `SELECT ${(['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const)
  .map((name) => `set_config('${name}', '${SETTINGS[name]}', true)`)
  .join(', ')}`

/** The statement that applies the time limit of a long read to a transaction behind a pooler. */
export const inLongRead = `SET LOCAL statement_timeout = ${MAX_LONG_READ_MS}`
