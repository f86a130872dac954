import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { Refusal } from './refusal.ts'

export interface Config {
  host: string
  port: number
  /** Undefined means the embedded server. */
  databaseUrl: string | undefined
  /** Whether DATABASE_URL leads to a pooler in transaction mode. */
  pooler: boolean
  dataDir: string
  /** Exclusive connections for transactions, and shared ones for reads. */
  writers: number
  readers: number
  logLevel: string
  logFormat: 'json' | 'pretty'
  /** Undefined switches limits off, for benchmarks. */
  rateLimit: { burst: number; sustained: number; auth: number } | undefined
  /** Where several processes share their limits; undefined where each has its own. */
  redisUrl: string | undefined
  /** How many requests run at once; more wait. */
  maxInFlight: number
  /** How many requests wait at once; more are refused. */
  maxQueued: number
  /** Where metrics are read; undefined where they are not kept. */
  metricsPort: number | undefined
  /** Whether traces go where the OTEL_ variables say. */
  tracing: boolean
  trustProxy: boolean | string
  corsOrigins: string[]
}

type Env = Record<string, string | undefined>

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

function integer(env: Env, name: string, fallback: number, least: number, most: number): number {
  const text = env[name] || String(fallback)
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < least || value > most) {
    throw new Refusal(`${name} must be a whole number from ${least} to ${most}, not '${text}'.`)
  }
  return value
}

function choice<const T extends string>(env: Env, name: string, fallback: T, allowed: readonly T[]): T {
  const value = (env[name] || fallback) as T
  if (!allowed.includes(value)) throw new Refusal(`${name} must be one of ${allowed.join(', ')}, not '${value}'.`)
  return value
}

function databaseUrl(env: Env): string | undefined {
  const url = env.DATABASE_URL || undefined
  if (url && !/^(postgres|postgresql|socket):/.test(url)) {
    throw new Refusal('DATABASE_URL must begin with postgres:// (or socket: for a Unix socket).')
  }
  return url
}

function redisUrl(env: Env): string | undefined {
  const url = env.REDIS_URL || undefined
  if (url && !(/^rediss?:\/\//.test(url) ? URL.canParse(url) : url.startsWith('/')))
    throw new Refusal('REDIS_URL must begin with redis:// or rediss://, or be the path of a socket.')
  return url
}

/** `on`, `off`, or whom to trust: addresses, networks such as 10.0.0.0/8, or loopback, linklocal, uniquelocal. */
function trustProxy(text: string): boolean | string {
  if (text === 'on' || text === 'off') return text === 'on'
  const known = text.split(',').every((part) => {
    const [address = '', bits = '0'] = part.trim().split('/')
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] as number
    return /^(loopback|linklocal|uniquelocal)$/.test(part.trim()) || (/^\d{1,3}$/.test(bits) && Number(bits) <= most)
  })
  if (!known) throw new Refusal(`TRUST_PROXY must be on, off or the addresses of your proxies, not '${text}'.`)
  return text
}

/** Exactly what browsers send as Origin: a scheme, a host, perhaps a port. */
function corsOrigins(text: string): string[] {
  const origins = text.split(',').map((origin) => origin.trim())
  const wrong = origins.find((origin) => origin !== '' && !(URL.canParse(origin) && new URL(origin).origin === origin))
  if (wrong !== undefined) throw new Refusal(`CORS_ORIGINS must be origins such as https://play.example, with commas; '${wrong}' is none.`)
  return origins.filter(Boolean)
}

/** The only reader of environment variables. What is not understood is refused at start, not ignored. */
export function readConfig(env: Env = process.env, terminal = process.stdout.isTTY): Config {
  const limits = choice(env, 'RATE_LIMIT', 'on', ['on', 'off'])
  return {
    host: env.HOST || '127.0.0.1',
    port: integer(env, 'PORT', 8080, 0, 65_535),
    databaseUrl: databaseUrl(env),
    pooler: choice(env, 'DATABASE_POOLER', 'none', ['none', 'transaction']) === 'transaction' && Boolean(env.DATABASE_URL),
    dataDir: resolve(env.GUILDHALL_DATA_DIR || 'data'),
    writers: integer(env, 'DATABASE_WRITERS', 8, 1, 1000),
    readers: integer(env, 'DATABASE_READERS', 4, 1, 1000),
    logLevel: choice(env, 'LOG_LEVEL', 'info', LEVELS),
    logFormat: choice(env, 'LOG_FORMAT', terminal ? 'pretty' : 'json', ['json', 'pretty']),
    rateLimit:
      limits === 'off'
        ? undefined
        : {
            burst: integer(env, 'RATE_LIMIT_BURST', 100, 1, 1_000_000),
            sustained: integer(env, 'RATE_LIMIT_SUSTAINED', 3000, 1, 60_000_000),
            auth: integer(env, 'RATE_LIMIT_AUTH', 30, 1, 1_000_000),
          },
    redisUrl: redisUrl(env),
    maxInFlight: integer(env, 'MAX_IN_FLIGHT', 24, 1, 100_000),
    maxQueued: integer(env, 'MAX_QUEUED', 300, 0, 100_000),
    metricsPort: env.METRICS_PORT ? integer(env, 'METRICS_PORT', 0, 1, 65_535) : undefined,
    tracing: Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) && env.OTEL_SDK_DISABLED !== 'true',
    trustProxy: trustProxy(env.TRUST_PROXY || 'off'),
    corsOrigins: corsOrigins(env.CORS_ORIGINS ?? ''),
  }
}
