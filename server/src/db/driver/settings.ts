/** What every session of ours is set to. */
export const SETTINGS = {
  timezone: 'UTC',
  statement_timeout: '10s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '30s',
  // LIMIT $1 OFFSET $2 would be planned anew at each execution; every statement of ours is written for its index.
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  // How much of a word may be wrong for a search to forgive it: one letter of five.
  'pg_trgm.word_similarity_threshold': '0.4',
} as const

/** How long a read may take that has connections of its own: a search that takes longer is not worth its CPU. */
export const MAX_LONG_READ_MS = 2000

const optionsOf = (settings: Record<string, string>) =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')

/** As a connection asks for them when it is made. A pooler refuses that: there they are defaults of the role. */
export const asOptions = optionsOf(SETTINGS)

/**
 * The options of connections that only read. PostgreSQL refuses every write and row lock on them (25006). Behind a transaction pooler, which
 * refuses options, a short read is a single autocommit statement without settings of its own: there only the types `Db` and `Tx` hold this.
 */
const READ_SETTINGS = { ...SETTINGS, default_transaction_read_only: 'on' }
export const asReadOptions = optionsOf(READ_SETTINGS)
export const asLongReadOptions = optionsOf({ ...READ_SETTINGS, statement_timeout: `${MAX_LONG_READ_MS}ms` })

/** The statement that makes them defaults of the role in this database; sessions that are open already keep their own. */
export const asDefaults = `DO $$ BEGIN
${Object.entries(SETTINGS)
  .map(([name, value]) => `EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET ${name} = %L', current_database(), '${value}');`)
  .join('\n')}
END $$`

/** For a session that may be older than the defaults: what must hold in any case, until the transaction ends. */
export const inTransaction = `SELECT ${(['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const)
  .map((name) => `set_config('${name}', '${SETTINGS[name]}', true)`)
  .join(', ')}`

/** The same for a long read behind a pooler. */
export const inLongRead = `SET LOCAL statement_timeout = ${MAX_LONG_READ_MS}`
