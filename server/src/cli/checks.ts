import { existsSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import pg from 'pg'
import type { Config } from '../core/config.ts'
import { type Engine, engineOf } from '../db/driver/engine.ts'
import { settingsFor } from '../db/driver/settings.ts'
import { migrations } from '../db/migrate.ts'
import { compile } from '../db/sql.ts'
import { lagOf, oldestIn } from '../events/lag.ts'
import { invariants } from '../resources/declarations.ts'
import { checkCluster } from './checks-cluster.ts'
import { checkWebhooks } from './checks-webhooks.ts'
import { type Finding, good, type Query, warning, wrong } from './finding.ts'

const MAX_TESTED_MAJOR = 18
const MB = 1_000_000
const WARNING_FREE_BYTES = 5000 * MB
const MIN_FREE_BYTES = 500 * MB
const MAX_UNUSED_DAYS = 30
const MAX_CLOCK_DIFFERENCE_S = 30
const WARNING_CLOCK_DIFFERENCE_S = 1
const MAX_QUEUE_LAG_S = 60

/** The checks that need no database. */
export async function checkMachine(config: Config): Promise<Finding[]> {
  const findings: Finding[] = []
  findings.push(
    config.rateLimit
      ? good('rate limits', `${config.rateLimit.burst} a second, ${config.rateLimit.sustained} a minute for each developer`)
      : warning('rate limits', 'off', 'Remove RATE_LIMIT, unless this is a benchmark.'),
  )
  if (config.redisUrl) findings.push(await checkRedis(config.redisUrl))
  else findings.push(good('Redis', 'none: each process has limits of its own, which is right for a single process'))
  if (!config.databaseUrl) findings.push(...checkDataFolder(config.dataDir))
  return findings
}

async function checkRedis(url: string): Promise<Finding> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 2000,
    commandTimeout: 2000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  let reason: Error | undefined
  redis.on('error', (error) => {
    reason = error
  })
  try {
    await redis.connect()
    const start = performance.now()
    await redis.set('guildhall:doctor', '1', 'EX', 1)
    return good('Redis', `answers within ${(performance.now() - start).toFixed(1)} ms`)
  } catch (error) {
    return wrong(
      'Redis',
      `is unavailable: ${(reason ?? (error as Error)).message}`,
      'Start it, or correct REDIS_URL. Until then each process has limits of its own.',
    )
  } finally {
    redis.disconnect()
  }
}

function checkDataFolder(dataDir: string): Finding[] {
  const readable = ['.', 'operator.key'].filter((name) => existsSync(join(dataDir, name)) && statSync(join(dataDir, name)).mode & 0o077)
  const permissions = readable.length
    ? wrong(
        'permissions',
        `other users of this machine can read ${readable.map((name) => join(dataDir, name)).join(' and ')}`,
        `Run chmod -R go= ${dataDir}.`,
      )
    : good('permissions', `only the owner can read ${dataDir}`)
  const { bavail, bsize } = statfsSync(dataDir)
  return [permissions, checkFreeBytes(bavail * bsize)]
}

function checkFreeBytes(bytes: number): Finding {
  const found = `${Math.floor(bytes / MB).toLocaleString('en')} MB free`
  if (bytes < MIN_FREE_BYTES) return wrong('disk space', found, 'Free some space now: a database that cannot write stops.')
  if (bytes < WARNING_FREE_BYTES) return warning('disk space', found, 'Free some space soon, or move the data folder.')
  return good('disk space', found)
}

/** The checks of the database server and of the data in it. */
export async function checkDatabase(config: Config, url: string, now: () => Date): Promise<Finding[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'guildhall-doctor', connectionTimeoutMillis: 5000 }).on(
    'error',
    () => {},
  )
  try {
    await client.connect()
  } catch (error) {
    return [wrong('database', `cannot be reached: ${(error as Error).message}`, 'Start it, or correct DATABASE_URL.')]
  }
  const query: Query = async (statement) => {
    const { rows } = await (typeof statement === 'string' ? client.query(statement) : client.query(compile(statement)))
    return rows
  }
  try {
    const schema = await checkMigrations(query)
    const engine = await engineOf(client)
    const findings = [await checkVersion(query), await checkClock(query, now), await checkConnections(query, config), schema]
    if (config.pooler) findings.push(await checkRoleSettings(query, engine))
    const cluster = await checkCluster(client, query)
    findings.push(...cluster)
    // Without all workers the rows of some companies cannot be read.
    if (schema.state !== 'good' || cluster.some(({ check, state }) => check === 'workers' && state === 'wrong')) return findings
    const data = [
      await checkLetters(query),
      await checkKeys(query),
      await checkFeed(query, now),
      await checkTallyQueue(query, now),
      await checkWebhooks(query, now),
    ]
    return [...findings, ...data, ...(await checkInvariants(query))]
  } finally {
    await client.end()
  }
}

async function checkVersion(query: Query): Promise<Finding> {
  const [row] = await query<{ version: string }>("SELECT current_setting('server_version') AS version")
  const version = row?.version ?? ''
  const found = `PostgreSQL ${version}`
  const major = Number.parseInt(version, 10)
  if (major < 15) return wrong('database', found, 'Guildhall needs PostgreSQL 15 or later. Upgrade the server.')
  if (major > MAX_TESTED_MAJOR)
    return warning('database', found, `Guildhall is tested up to PostgreSQL ${MAX_TESTED_MAJOR}. Watch the log.`)
  return good('database', found)
}

async function checkClock(query: Query, now: () => Date): Promise<Finding> {
  const before = now().getTime()
  const [row] = await query<{ time: Date }>('SELECT clock_timestamp() AS time')
  const seconds = Math.abs((row?.time.getTime() ?? 0) - (before + now().getTime()) / 2) / 1000
  const found = `${seconds.toFixed(1)} s off the clock of the database`
  if (seconds > MAX_CLOCK_DIFFERENCE_S)
    return wrong('clock', found, 'Synchronize both clocks by NTP: stored replies and keys expire by them.')
  if (seconds > WARNING_CLOCK_DIFFERENCE_S) return warning('clock', found, 'Synchronize both clocks by NTP.')
  return good('clock', found)
}

async function checkFeed(query: Query, now: () => Date): Promise<Finding> {
  const lag = lagOf(await query<{ id: string }>(oldestIn('outbox')), now())
  const found = lag === 0 ? 'every event has its position' : `the oldest event without a position is ${lag.toFixed(1)} s old`
  if (lag > MAX_QUEUE_LAG_S)
    return wrong(
      'changes feed',
      found,
      'Start the service: every running process gives events their positions. If it runs, its log says why it cannot.',
    )
  return good('changes feed', found)
}

async function checkTallyQueue(query: Query, now: () => Date): Promise<Finding> {
  const lag = lagOf(await query<{ id: string }>(oldestIn('tally_queue')), now())
  const found = lag === 0 ? 'every roll is in its tallies' : `the oldest roll that is not in its tallies is ${lag.toFixed(1)} s old`
  if (lag > MAX_QUEUE_LAG_S)
    return wrong(
      'tallies',
      found,
      'Start the service: every running process adds rolls to their tallies. If it runs, its log says why it cannot.',
    )
  return good('tallies', found)
}

async function checkConnections(query: Query, { readers, writers, pooler }: Config): Promise<Finding> {
  const [row] = await query<{ max: number; open: number }>(`
    SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS max,
      (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS open`)
  const { max = 0, open = 0 } = row ?? {}
  const perProcess = readers + writers
  const found = `each process uses up to ${perProcess}; the server allows ${max}, ${open} are open`
  if (!pooler && perProcess > max)
    return wrong('connections', found, 'Lower DATABASE_READERS and DATABASE_WRITERS, or raise max_connections.')
  if (!pooler && perProcess * 2 > max)
    return warning('connections', found, 'There is room for one process only. Raise max_connections, or use a pooler.')
  return good('connections', found)
}

async function checkMigrations(query: Query): Promise<Finding> {
  const [table] = await query<{ exists: boolean }>("SELECT to_regclass('schema_migrations') IS NOT NULL AS exists")
  const applied = table?.exists ? await query<{ version: number; checksum: string }>('SELECT version, checksum FROM schema_migrations') : []
  const known = migrations()
  const newer = applied.filter(({ version }) => !known.some((migration) => migration.version === version))
  const pending = known.filter(({ version }) => !applied.some((migration) => migration.version === version))
  const changed = applied.find(({ version, checksum }) =>
    known.some((migration) => migration.version === version && migration.checksum !== checksum),
  )
  if (newer.length) return wrong('migrations', 'the database is newer than this version', 'Run the newer Guildhall.')
  if (changed)
    return wrong('migrations', `migration ${changed.version} is not the one this database was built with`, 'Restore the original file.')
  if (pending.length) return warning('migrations', `${pending.length} are pending`, 'Run guildhall migrate, or start the service.')
  return good('migrations', `up to date, ${applied.length} applied`)
}

async function checkRoleSettings(query: Query, engine: Engine): Promise<Finding> {
  const rows = await query<{ name: string; setting: string }>('SELECT name, setting FROM pg_settings')
  const actual = new Map(rows.map(({ name, setting }) => [name.toLowerCase(), setting]))
  const unset = (['plan_cache_mode', 'enable_seqscan', 'jit'] as const).filter((name) => actual.get(name) !== settingsFor(engine)[name])
  if (unset.length)
    return warning(
      'settings',
      `${unset.join(', ')} differ from the defaults that Guildhall sets behind a pooler`,
      'Run guildhall migrate, then RECONNECT in the pooler.',
    )
  return good('settings', 'the defaults behind the pooler are set')
}

/** LC_CTYPE decides which characters are letters for trigram indexes. The letter д is one if the locale knows Unicode. */
async function checkLetters(query: Query): Promise<Finding> {
  const [row] = await query<{ known: boolean }>("SELECT show_trgm('д') <> '{}' AS known")
  if (row?.known) return good('search', 'letters of every script are indexed')
  return warning(
    'search',
    'LC_CTYPE of this database is C: searches in scripts other than ASCII are refused, and name filters in them are slow',
    'Run guildhall backup, then guildhall restore into a new data folder or a database with LC_CTYPE C.UTF-8.',
  )
}

async function checkKeys(query: Query): Promise<Finding> {
  const [row] = await query<{ count: number }>(
    `SELECT count(*)::int AS count FROM api_keys WHERE date_last_used IS NULL AND date_created < now() - interval '${MAX_UNUSED_DAYS} days'`,
  )
  if (row?.count)
    return warning(
      'keys',
      `${row.count} were never used in ${MAX_UNUSED_DAYS} days`,
      'List them with guildhall keys list DEVELOPER, and revoke those that are not needed.',
    )
  return good('keys', `none was left unused for ${MAX_UNUSED_DAYS} days`)
}

async function checkInvariants(query: Query): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { check, violations, holds, remedy } of invariants()) {
    const rows = await query(violations())
    findings.push(rows.length ? wrong(check, `${rows.length} rows do not add up: ${JSON.stringify(rows[0])}`, remedy) : good(check, holds))
  }
  return findings
}
