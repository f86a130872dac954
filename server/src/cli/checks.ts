import { existsSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import pg from 'pg'
import type { Config } from '../core/config.ts'
import { SETTINGS } from '../db/driver/settings.ts'
import { migrations } from '../db/migrate.ts'
import { compile, type Sql } from '../db/sql.ts'
import { invariants } from '../resources/declarations.ts'

/** What was looked at, how it is, and the sentence that mends it. */
export interface Finding {
  check: string
  state: 'good' | 'look' | 'wrong'
  found: string
  mend?: string
}

const good = (check: string, found: string): Finding => ({ check, state: 'good', found })
const look = (check: string, found: string, mend: string): Finding => ({ check, state: 'look', found, mend })
const wrong = (check: string, found: string, mend: string): Finding => ({ check, state: 'wrong', found, mend })

const NEWEST_MAJOR = 18
const MB = 1_000_000
const LITTLE_ROOM = 5000 * MB
const NO_ROOM = 500 * MB
const UNUSED_FOR = 30

/** What can be told without the database. */
export async function ofMachine(config: Config): Promise<Finding[]> {
  const findings: Finding[] = []
  findings.push(
    config.rateLimit
      ? good('rate limits', `${config.rateLimit.burst} a second, ${config.rateLimit.sustained} a minute for each developer`)
      : look('rate limits', 'off', 'Leave RATE_LIMIT out, unless this is a benchmark.'),
  )
  if (config.redisUrl) findings.push(await ofRedis(config.redisUrl))
  else findings.push(good('Redis', 'none: limits are those of each process, which is right for one'))
  if (!config.databaseUrl) findings.push(...ofDataFolder(config.dataDir))
  return findings
}

async function ofRedis(url: string): Promise<Finding> {
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
    const begun = performance.now()
    await redis.set('guildhall:doctor', '1', 'EX', 1)
    return good('Redis', `answers within ${(performance.now() - begun).toFixed(1)} ms`)
  } catch (error) {
    return wrong(
      'Redis',
      `does not serve: ${(reason ?? (error as Error)).message}`,
      'Start it, or correct REDIS_URL; until then each process keeps limits of its own.',
    )
  } finally {
    redis.disconnect()
  }
}

function ofDataFolder(dataDir: string): Finding[] {
  const findings: Finding[] = []
  const open = ['.', 'operator.key'].filter((name) => existsSync(join(dataDir, name)) && statSync(join(dataDir, name)).mode & 0o077)
  findings.push(
    open.length
      ? wrong(
          'permissions',
          `others on this machine can read ${open.map((name) => join(dataDir, name)).join(' and ')}`,
          `Run chmod -R go= ${dataDir}.`,
        )
      : good('permissions', `${dataDir} is for its owner alone`),
  )
  const { bavail, bsize } = statfsSync(dataDir)
  const room = bavail * bsize
  const told = `${Math.floor(room / MB).toLocaleString('en')} MB free`
  if (room < NO_ROOM) findings.push(wrong('disk room', told, 'Make room now: a database that cannot write stops.'))
  else if (room < LITTLE_ROOM) findings.push(look('disk room', told, 'Make room soon, or move the data folder.'))
  else findings.push(good('disk room', told))
  return findings
}

type Ask = <Row>(query: string | Sql) => Promise<Row[]>

/** What the database tells of itself, and of what must add up in it. */
export async function ofDatabase(config: Config, url: string, now: () => Date): Promise<Finding[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'guildhall-doctor', connectionTimeoutMillis: 5000 }).on(
    'error',
    () => {},
  )
  try {
    await client.connect()
  } catch (error) {
    return [wrong('database', `cannot be reached: ${(error as Error).message}`, 'Start it, or correct DATABASE_URL.')]
  }
  const ask: Ask = async (query) => {
    const { rows } = await (typeof query === 'string' ? client.query(query) : client.query(compile(query)))
    return rows
  }
  try {
    const findings = [await ofVersion(ask), await ofClock(ask, now), await ofConnections(ask, config), ...(await ofSchema(ask))]
    if (config.pooler) findings.push(await ofDefaults(ask))
    if (findings.some(({ check, state }) => check === 'migrations' && state !== 'good')) return findings
    return [...findings, await ofLetters(ask), await ofKeys(ask), ...(await ofInvariants(ask))]
  } finally {
    await client.end()
  }
}

async function ofVersion(ask: Ask): Promise<Finding> {
  const [row] = await ask<{ version: string }>("SELECT current_setting('server_version') AS version")
  const version = row?.version ?? ''
  const major = Number.parseInt(version, 10)
  if (major < 15) return wrong('database', `PostgreSQL ${version}`, 'Guildhall needs PostgreSQL 15 or later: upgrade the server.')
  if (major > NEWEST_MAJOR) return look('database', `PostgreSQL ${version}`, `Tried up to PostgreSQL ${NEWEST_MAJOR}: watch the log.`)
  return good('database', `PostgreSQL ${version}`)
}

async function ofClock(ask: Ask, now: () => Date): Promise<Finding> {
  const before = now().getTime()
  const [row] = await ask<{ at: Date }>('SELECT clock_timestamp() AS at')
  const apart = Math.abs((row?.at.getTime() ?? 0) - (before + now().getTime()) / 2) / 1000
  const told = `${apart.toFixed(1)} s apart from that of the database`
  if (apart > 30) return wrong('clock', told, 'Set both clocks by NTP: kept replies and keys expire by them.')
  if (apart > 1) return look('clock', told, 'Set both clocks by NTP.')
  return good('clock', told)
}

async function ofConnections(ask: Ask, { readers, writers, pooler }: Config): Promise<Finding> {
  const [row] = await ask<{ most: number; used: number }>(`
    SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most,
      (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used`)
  const { most = 0, used = 0 } = row ?? {}
  const each = readers + writers
  const told = `each process uses up to ${each}; the server allows ${most}, ${used} are open`
  if (!pooler && each > most) return wrong('connections', told, 'Lower DATABASE_READERS and DATABASE_WRITERS, or raise max_connections.')
  if (!pooler && each * 2 > most)
    return look('connections', told, 'There is room for one process only: raise max_connections, or use a pooler.')
  return good('connections', told)
}

async function ofSchema(ask: Ask): Promise<Finding[]> {
  const [there] = await ask<{ there: boolean }>("SELECT to_regclass('schema_migrations') IS NOT NULL AS there")
  const applied = there?.there ? await ask<{ version: number; checksum: string }>('SELECT version, checksum FROM schema_migrations') : []
  const known = migrations()
  const newer = applied.filter(({ version }) => !known.some((migration) => migration.version === version))
  const pending = known.filter(({ version }) => !applied.some((migration) => migration.version === version))
  const changed = applied.filter(({ version, checksum }) =>
    known.some((migration) => migration.version === version && migration.checksum !== checksum),
  )
  if (newer.length) return [wrong('migrations', 'the database is newer than this code', 'Run the newer Guildhall.')]
  if (changed.length)
    return [
      wrong('migrations', `migration ${changed[0]?.version} is not the one this database was built with`, 'Put the original file back.'),
    ]
  if (pending.length) return [look('migrations', `${pending.length} are pending`, 'Run guildhall migrate, or start the service.')]
  return [good('migrations', `up to date, ${applied.length} applied`)]
}

async function ofDefaults(ask: Ask): Promise<Finding> {
  const rows = await ask<{ name: string; setting: string }>('SELECT name, setting FROM pg_settings')
  const actual = new Map(rows.map(({ name, setting }) => [name.toLowerCase(), setting]))
  const amiss = ['plan_cache_mode', 'enable_seqscan', 'jit'].filter((name) => actual.get(name) !== SETTINGS[name as keyof typeof SETTINGS])
  if (amiss.length)
    return look(
      'settings',
      `${amiss.join(', ')} are not what they should be behind the pooler`,
      'Run guildhall migrate, then RECONNECT in the pooler.',
    )
  return good('settings', 'as they should be behind the pooler')
}

/** Trigram indexes take for letters what LC_CTYPE does; д is a letter of any that knows Unicode. */
async function ofLetters(ask: Ask): Promise<Finding> {
  const [row] = await ask<{ known: boolean }>("SELECT show_trgm('д') <> '{}' AS known")
  if (row?.known) return good('search', 'letters of every script are indexed')
  return look(
    'search',
    'the LC_CTYPE of this database is C: searches in other scripts than ASCII are refused, and name filters in them are slow',
    'Run guildhall backup, then guildhall restore into a new data folder or a database with LC_CTYPE C.UTF-8.',
  )
}

async function ofKeys(ask: Ask): Promise<Finding> {
  const [row] = await ask<{ count: number }>(
    `SELECT count(*)::int AS count FROM api_keys WHERE date_last_used IS NULL AND date_created < now() - interval '${UNUSED_FOR} days'`,
  )
  if (row?.count)
    return look(
      'keys',
      `${row.count} were never used in ${UNUSED_FOR} days`,
      'See guildhall keys list DEVELOPER, and revoke what nobody needs.',
    )
  return good('keys', 'all that are old are used')
}

async function ofInvariants(ask: Ask): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { check, violations, holds, remedy } of invariants()) {
    const found = await ask(violations())
    findings.push(found.length ? wrong(check, `${found.length} do not add up: ${JSON.stringify(found[0])}`, remedy) : good(check, holds))
  }
  return findings
}
