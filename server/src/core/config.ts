import { resolve } from 'node:path'
import { isNetwork } from './network.ts'
import { Refusal } from './refusal.ts'

export interface Config {
  host: string
  port: number
  /** Undefined for the embedded server. */
  databaseUrl: string | undefined
  /** True if DATABASE_URL leads to a pooler in transaction mode. */
  pooler: boolean
  /** A direct connection for LISTEN, if DATABASE_URL leads to a pooler. */
  listenUrl: string | undefined
  dataDir: string
  /** The number of connections for transactions, each used by one at a time. */
  writers: number
  /** The number of connections for reads, which many requests share. */
  readers: number
  logLevel: string
  logFormat: 'json' | 'pretty'
  /** Undefined if limits are off, for benchmarks. */
  rateLimit: { burst: number; sustained: number; userBurst: number; userSustained: number; auth: number } | undefined
  /** The Redis in which several processes share their limits. Undefined if each process has limits of its own. */
  redisUrl: string | undefined
  /** The maximum number of requests that run at once. Further ones wait. */
  maxInFlight: number
  /** The maximum number of requests that wait. Further ones are rejected. */
  maxQueued: number
  /** The maximum number of open streams; 0 switches streams off. */
  maxStreams: number
  /** The maximum number of requests that wait for something to read. */
  maxWaits: number
  /** The time between two checks whether the callers of open streams still have the right to them. */
  streamCheckSeconds: number
  /** The port that serves metrics. Undefined if there are none. */
  metricsPort: number | undefined
  /** True if traces are sent to the endpoint that the OTEL_ variables name. */
  tracing: boolean
  trustProxy: boolean | string
  /** The origins whose pages may call with any credential. `*` stands for all others, which may call with a user token. */
  corsOrigins: string[]
  /** The origin at which people reach the service, such as https://play.example. Undefined if links work on this machine only. */
  publicUrl: string | undefined
  /** False if there is no console: no pages, no sign-in, no sessions. */
  console: boolean
  /** The API key with which the command line follows the changes of a company. */
  apiKey: string | undefined
  webhooks: {
    /** False if this process delivers nothing. */
    delivers: boolean
    /** The networks besides the public ones that webhooks may be sent to. */
    allowed: string[]
    /** The longest time for a delivery, from the lookup of the name to the end of the response. */
    timeoutSeconds: number
  }
}

type Env = Record<string, string | undefined>

export const DEFAULT_PORT = 8080
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

function integer(env: Env, name: string, fallback: number, min: number, max: number): number {
  const text = env[name] || String(fallback)
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new Refusal(`${name} is '${text}'. Expected a whole number from ${min} to ${max}.`)
  }
  return value
}

function choice<const T extends string>(env: Env, name: string, fallback: T, allowed: readonly T[]): T {
  const value = (env[name] || fallback) as T
  if (!allowed.includes(value)) throw new Refusal(`${name} is '${value}'. Expected one of ${allowed.join(', ')}.`)
  return value
}

function databaseUrl(env: Env, name: string): string | undefined {
  const url = env[name] || undefined
  if (url && !/^(postgres|postgresql|socket):/.test(url)) {
    throw new Refusal(`${name} is not a PostgreSQL URL. Expected postgres://user:password@host/database, or socket: for a Unix socket.`)
  }
  return url
}

function redisUrl(env: Env): string | undefined {
  const url = env.REDIS_URL || undefined
  if (url && !(/^rediss?:\/\//.test(url) ? URL.canParse(url) : url.startsWith('/')))
    throw new Refusal('REDIS_URL is not a Redis URL. Expected redis:// or rediss://, or the path of a socket.')
  return url
}

/** Parses `on`, `off`, or the proxies to trust: addresses, networks such as 10.0.0.0/8, or loopback, linklocal, uniquelocal. */
function trustProxy(text: string): boolean | string {
  if (text === 'on' || text === 'off') return text === 'on'
  const parts = text.split(',').map((part) => part.trim())
  const isValid = parts.every((part) => /^(loopback|linklocal|uniquelocal)$/.test(part) || isNetwork(part))
  if (!isValid) throw new Refusal(`TRUST_PROXY is '${text}'. Expected on, off or the addresses of your proxies.`)
  return text
}

/** Parses origins as browsers send them: a scheme, a host and perhaps a port; or `*`. */
function corsOrigins(text: string): string[] {
  const origins = text.split(',').map((origin) => origin.trim())
  const invalid = origins.find((origin) => origin !== '' && origin !== '*' && !(URL.canParse(origin) && new URL(origin).origin === origin))
  if (invalid !== undefined)
    throw new Refusal(`CORS_ORIGINS contains '${invalid}'. Expected origins such as https://play.example, separated by commas, or *.`)
  return origins.filter(Boolean)
}

function publicUrl(env: Env): string | undefined {
  const text = env.PUBLIC_URL?.replace(/\/$/, '') || undefined
  if (text && !(URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text.toLowerCase()))
    throw new Refusal(`PUBLIC_URL is '${text}'. Expected a scheme and a host, without a path, such as https://play.example.`)
  return text?.toLowerCase()
}

/** Parses addresses and networks such as 10.0.0.0/8. */
function networks(env: Env, name: string): string[] {
  const found = (env[name] ?? '').split(',').map((part) => part.trim())
  const invalid = found.find((part) => part !== '' && !isNetwork(part))
  if (invalid !== undefined)
    throw new Refusal(`${name} contains '${invalid}'. Expected addresses or networks such as 127.0.0.0/8, separated by commas.`)
  return found.filter(Boolean)
}

/** Reads all environment variables. Invalid ones stop the service at startup with a one-line explanation. */
export function readConfig(env: Env = process.env, terminal = process.stdout.isTTY): Config {
  const limits = choice(env, 'RATE_LIMIT', 'on', ['on', 'off'])
  return {
    host: env.HOST || '127.0.0.1',
    port: integer(env, 'PORT', DEFAULT_PORT, 0, 65_535),
    databaseUrl: databaseUrl(env, 'DATABASE_URL'),
    pooler: choice(env, 'DATABASE_POOLER', 'none', ['none', 'transaction']) === 'transaction' && Boolean(env.DATABASE_URL),
    listenUrl: databaseUrl(env, 'DATABASE_LISTEN_URL'),
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
            userBurst: integer(env, 'RATE_LIMIT_USER_BURST', 20, 1, 1_000_000),
            userSustained: integer(env, 'RATE_LIMIT_USER_SUSTAINED', 600, 1, 60_000_000),
            auth: integer(env, 'RATE_LIMIT_AUTH', 30, 1, 1_000_000),
          },
    redisUrl: redisUrl(env),
    maxInFlight: integer(env, 'MAX_IN_FLIGHT', 24, 1, 100_000),
    maxQueued: integer(env, 'MAX_QUEUED', 300, 0, 100_000),
    maxStreams: integer(env, 'STREAMS_MAX', 2000, 0, 100_000),
    maxWaits: integer(env, 'WAITS_MAX', 2000, 1, 100_000),
    streamCheckSeconds: integer(env, 'STREAMS_CHECK', 12, 1, 15),
    metricsPort: env.METRICS_PORT ? integer(env, 'METRICS_PORT', 0, 1, 65_535) : undefined,
    tracing: Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) && env.OTEL_SDK_DISABLED !== 'true',
    trustProxy: trustProxy(env.TRUST_PROXY || 'off'),
    corsOrigins: corsOrigins(env.CORS_ORIGINS ?? ''),
    publicUrl: publicUrl(env),
    console: choice(env, 'CONSOLE', 'on', ['on', 'off']) === 'on',
    apiKey: env.GUILDHALL_API_KEY || undefined,
    webhooks: {
      delivers: choice(env, 'WEBHOOKS', 'on', ['on', 'off']) === 'on',
      allowed: networks(env, 'WEBHOOK_ALLOW'),
      timeoutSeconds: integer(env, 'WEBHOOK_TIMEOUT', 15, 1, 30),
    },
  }
}
