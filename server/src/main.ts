import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import type { Config } from './core/config.ts'
import { createLogger } from './core/logger.ts'
import { connect, type Database } from './db/client.ts'
import { type Embedded, startEmbedded } from './db/embedded/server.ts'
import { migrate } from './db/migrate.ts'
import type { Metrics } from './http/telemetry/metrics.ts'
import { keepSmall, shrinkWhenIdle } from './start/heap.ts'
import { ensureOperator, hasCompanies, hasDevelopers, operatorKeyWorks } from './start/operator.ts'
import { refusePort } from './start/ports.ts'
import { isOneOfMany, startProcesses } from './start/processes.ts'
import { welcome } from './start/welcome.ts'
import { startMaintenance } from './upkeep/maintenance.ts'

const DRAINS_WITHIN = 20_000
const CLOSES_WITHIN = 2000
/** For the command line, and for processes that share the embedded server. */
const SPARE_CONNECTIONS = 50
/** A terminal sends Ctrl-C to npm and to us, and npm passes it on: within this time it is the same one. */
const SAME_SIGNAL = 1000

/** How to close what was opened; the last goes first. */
type Opened = (() => Promise<unknown>)[]

/** Starts the service, in as many processes as asked, and runs it until a signal ends it. */
export async function serveForever(config: Config, processes = 1): Promise<void> {
  keepSmall()
  const logger = createLogger(config)
  await untilSignal(logger, async (opened) => {
    if (isOneOfMany()) {
      await listen(config, config.databaseUrl as string, logger, opened)
      return
    }
    const { url, embedded } = await openDatabase(config, processes, logger, opened)
    // Before anybody can connect: a service that is ready has an operator, whose key is in its file.
    const operatorKey = embedded && (await ensureOperator(config, url))
    const { db, port } = processes === 1 ? await listen(config, url, logger, opened) : await fork(config, processes, url, logger, opened)
    await greet(config, db, port, embedded, operatorKey)
  })
}

async function openDatabase(config: Config, processes: number, logger: Logger, opened: Opened) {
  const connections = (config.readers + config.writers) * processes + SPARE_CONNECTIONS
  const settings = { max_connections: String(Math.max(100, connections)) }
  const onEvent = (message: string) => logger.warn(message)
  const starting = config.databaseUrl ? undefined : startEmbedded(config.dataDir, { settings, onEvent })
  // Before it is awaited: a signal during the start must find it.
  opened.push(async () => (await starting?.catch(() => undefined))?.stop())
  const embedded = await starting
  const url = config.databaseUrl ?? (embedded as Embedded).url
  await migrate(url, { pooler: config.pooler })
  return { url, embedded }
}

function connectTo({ pooler }: Config, url: string, logger: Logger, opened: Opened, connections: { readers: number; writers: number }) {
  const onLost = (error: Error) => logger.debug({ err: error }, 'a connection was lost')
  const db = connect(url, { ...connections, pooler, onLost })
  opened.push(() => within(CLOSES_WITHIN, db.close()))
  return db
}

async function listen(config: Config, url: string, logger: Logger, opened: Opened) {
  const { readers, writers } = config
  const tracing = config.tracing ? (await import('./http/telemetry/tracing.ts')).startTracing() : undefined
  opened.push(() => within(CLOSES_WITHIN, tracing?.close() ?? Promise.resolve()))
  const plain = connectTo(config, url, logger, opened, { readers, writers })
  const db = tracing?.database(plain) ?? plain
  const app = buildApp(db, config, logger, undefined, tracing?.requests)
  const metrics = config.metricsPort ? await observe(config, app, db, opened) : undefined
  opened.push(keepUp(db, logger, metrics))
  opened.push(shrinkWhenIdle(() => app.load.inFlight === 0))
  opened.push(() => drain(app))
  await app.listen({ host: config.host, port: config.port }).catch((error) => refusePort(error, config.port, config))
  return { db, port: (app.server.address() as AddressInfo).port }
}

/** Metrics are kept where somebody asked for them. One of many gives its own to the first, which serves them all. */
async function observe(config: Config, app: FastifyInstance, db: Database, opened: Opened): Promise<Metrics> {
  const { measure, serveMetrics, shareMetrics } = await import('./http/telemetry/metrics.ts')
  const metrics = measure(app, db, () => app.load)
  if (isOneOfMany()) shareMetrics(metrics)
  else {
    const server = await serveMetrics(config, metrics).catch((error) => refusePort(error, config.metricsPort as number, config))
    opened.push(async () => server.close())
  }
  return metrics
}

/** One line for each run that had something to do. */
function keepUp(db: Database, logger: Logger, metrics: Metrics | undefined): () => Promise<void> {
  return startMaintenance(db, {
    done: (removed, ms) => {
      for (const [what, count] of Object.entries(removed)) metrics?.removed(what, count)
      if (Object.values(removed).some((count) => count > 0)) logger.info({ ...removed, ms: Math.round(ms) }, 'upkeep')
    },
    failed: (error) => logger.warn({ err: error }, 'upkeep failed, and is tried again'),
  })
}

async function fork(config: Config, processes: number, url: string, logger: Logger, opened: Opened) {
  if (config.rateLimit && !config.redisUrl) logger.warn('each process has rate limits of its own: set REDIS_URL to share them')
  const db = connectTo(config, url, logger, opened, { readers: 1, writers: 1 })
  const metrics = config.metricsPort ? (await import('./http/telemetry/metrics.ts')).serveAllMetrics(config) : undefined
  const served = await metrics?.listening.catch((error) => refusePort(error, config.metricsPort as number, config))
  opened.push(async () => served?.close())
  const env = { DATABASE_URL: url, DATABASE_POOLER: config.pooler ? 'transaction' : 'none' }
  const starting = startProcesses(processes, env, () => {
    metrics?.restarted()
    logger.warn('a process ended unexpectedly and is started again')
  })
  opened.push(async () => (await starting.catch(() => undefined))?.stop())
  return { db, port: (await starting).port }
}

/** Prints what a newcomer needs; on the first start on an embedded database, also the key of its operator. */
async function greet(config: Config, db: Database, port: number, embedded: Embedded | undefined, operatorKey?: string): Promise<void> {
  const empty = !(await hasDevelopers(db))
  const used = !empty && (await hasCompanies(db))
  const keyInFile = embedded !== undefined && (await operatorKeyWorks(db, config.dataDir))
  console.log(welcome(config, port, { operatorKey, keyInFile, used, empty }))
}

async function untilSignal(logger: Logger, start: (opened: Opened) => Promise<void>): Promise<void> {
  const opened: Opened = []
  const closeAll = async () => {
    for (let close = opened.pop(); close; close = opened.pop()) await close()
  }
  let stopping = false
  stopOnSignal(async (signal) => {
    stopping = true
    logger.info(`${signal}: finishing what is in flight`)
    await closeAll()
    logger.info('stopped')
  })
  try {
    await start(opened)
  } catch (error) {
    // A start that was interrupted trips over what is being closed; that is no news.
    if (stopping) return
    await closeAll()
    throw error
  }
}

const within = (milliseconds: number, work: Promise<unknown>) => Promise.race([work, sleep(milliseconds, undefined, { ref: false })])

/** Not ready any more, what is in flight is finished, and nothing new begins. */
async function drain(app: FastifyInstance): Promise<void> {
  app.drain.draining = true
  // A kept-alive connection is idle once its last answer is out, and would be waited for.
  const idle = setInterval(() => app.server.closeIdleConnections(), 50)
  await within(DRAINS_WITHIN, app.close())
  clearInterval(idle)
}

function stopOnSignal(stop: (signal: string) => Promise<void>): void {
  let first = 0
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (first === 0) {
        first = Date.now()
        stop(signal).then(
          () => process.exit(0),
          () => process.exit(1),
        )
      } else if (Date.now() - first > SAME_SIGNAL) process.exit(1)
    })
  }
}
