import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import type { Config } from './core/config.ts'
import { createLogger } from './core/logger.ts'
import { isLoopback, localUrl } from './core/loopback.ts'
import { connect, type Database } from './db/client.ts'
import { engineAt } from './db/driver/engine.ts'
import { type Embedded, startEmbedded } from './db/embedded/server.ts'
import { migrate } from './db/migrate.ts'
import { startDeliverer } from './deliver/deliverer.ts'
import { checkEpoch } from './events/epoch.ts'
import { receiveHints, sendHint } from './events/hints.ts'
import { startSequencer } from './events/runner.ts'
import { watchOf } from './events/watch.ts'
import type { Operation } from './http/operation.ts'
import type { Metrics } from './http/telemetry/metrics.ts'
import { newOutbound, type Outbound } from './outbound/outbound.ts'
// Migrating a distributed database needs the declarations of all tables.
import './resources/declarations.ts'
import { startFolding } from './resources/dice-rolls/fold.ts'
import { disableCopiedWebhooks } from './resources/webhooks/copies.ts'
import { findGlobalAdmin, newConsoleLink } from './start/console-link.ts'
import { limitHeap, shrinkWhenIdle } from './start/heap.ts'
import { ensureOperator, hasCompanies, hasDevelopers, operatorKeyWorks } from './start/operator.ts'
import { refusePort } from './start/ports.ts'
import { isOneOfMany, startProcesses } from './start/processes.ts'
import { welcome } from './start/welcome.ts'
import { startMaintenance } from './upkeep/maintenance.ts'

const DRAIN_TIMEOUT_MS = 20_000
const CLOSE_TIMEOUT_MS = 2000
/** Connections for the command line and for other processes on the embedded server. */
const SPARE_CONNECTIONS = 50
/** On Ctrl-C the terminal signals both npm and this process, and npm forwards its signal. Signals within this time are the same one. */
const SAME_SIGNAL_MS = 1000

/** Functions that each close one part of the service. They are called in reverse order. */
type Closers = (() => Promise<unknown>)[]

/** Starts the service in the given number of processes, and runs it until a signal ends it. Tests serve operations of their own. */
export async function serveForever(config: Config, processes = 1, operations?: Operation[]): Promise<void> {
  limitHeap()
  const logger = createLogger(config)
  await untilSignal(logger, async (closers) => {
    if (isOneOfMany()) {
      await listen(config, config.databaseUrl as string, logger, closers, operations)
      return
    }
    const { url, embedded } = await openDatabase(config, processes, logger, closers)
    // Before the service listens: when it is ready, the operator exists and its key is in the file.
    const operatorKey = embedded && (await ensureOperator(config, url))
    const { db, port } =
      processes === 1 ? await listen(config, url, logger, closers, operations) : await fork(config, processes, url, logger, closers)
    await greet(config, db, port, embedded, operatorKey)
  })
}

/** Delivers webhooks, and nothing else, until a signal ends it. */
export async function deliverForever(config: Config, url: string): Promise<void> {
  const logger = createLogger(config)
  await untilSignal(logger, async (closers) => {
    const { readers, writers } = config
    const db = await connectTo(config, url, logger, closers, { readers, writers })
    const outbound = newOutbound(config.webhooks.allowed)
    closers.push(async () => outbound.sender.close())
    closers.push(...(await runFeed(config, db, url, logger)))
    closers.push(runDeliverer(config, db, outbound, logger))
    logger.info('delivering webhooks')
  })
}

async function openDatabase(config: Config, processes: number, logger: Logger, closers: Closers) {
  const connections = (config.readers + config.writers) * processes + SPARE_CONNECTIONS
  const settings = { max_connections: String(Math.max(100, connections)) }
  const onEvent = (message: string) => logger.warn(message)
  const starting = config.databaseUrl ? undefined : startEmbedded(config.dataDir, { settings, onEvent })
  // Registered before it is awaited, so that a signal during startup stops it.
  closers.push(async () => (await starting?.catch(() => undefined))?.stop())
  const embedded = await starting
  const url = config.databaseUrl ?? (embedded as Embedded).url
  await migrate(url, { pooler: config.pooler })
  return { url, embedded }
}

async function connectTo(
  { pooler }: Config,
  url: string,
  logger: Logger,
  closers: Closers,
  connections: { readers: number; writers: number },
) {
  const engine = await engineAt(url)
  const onLost = (error: Error) => logger.debug({ err: error }, 'lost a connection')
  const db = connect(url, { ...connections, pooler, engine, onLost })
  closers.push(() => within(CLOSE_TIMEOUT_MS, db.close()))
  return db
}

async function listen(config: Config, url: string, logger: Logger, closers: Closers, operations?: Operation[]) {
  const { readers, writers } = config
  const tracing = config.tracing ? (await import('./http/telemetry/tracing.ts')).startTracing() : undefined
  closers.push(() => within(CLOSE_TIMEOUT_MS, tracing?.close() ?? Promise.resolve()))
  const untraced = await connectTo(config, url, logger, closers, { readers, writers })
  const db = tracing?.database(untraced) ?? untraced
  const outbound = newOutbound(config.webhooks.allowed)
  closers.push(async () => outbound.sender.close())
  const app = buildApp(db, config, { logger, outbound, ...(operations && { operations }), ...(tracing && { observe: tracing.requests }) })
  const metrics = config.metricsPort ? await observe(config, app, db, closers) : undefined
  closers.push(runMaintenance(db, logger, metrics))
  closers.push(...(await runFeed(config, db, url, logger)))
  if (config.webhooks.delivers) closers.push(runDeliverer(config, db, outbound, logger, metrics))
  closers.push(shrinkWhenIdle(() => app.load.inFlight === 0))
  closers.push(() => drain(app))
  await app.listen({ host: config.host, port: config.port }).catch((error) => refusePort(error, config.port, config))
  return { db, port: (app.server.address() as AddressInfo).port }
}

/** Collects metrics if a port is configured. One of several processes shares them with the first, which serves them. */
async function observe(config: Config, app: FastifyInstance, db: Database, closers: Closers): Promise<Metrics> {
  const { measure, serveMetrics, shareMetrics } = await import('./http/telemetry/metrics.ts')
  const metrics = measure(app, db, () => app.load)
  if (isOneOfMany()) shareMetrics(metrics)
  else {
    const server = await serveMetrics(config, metrics).catch((error) => refusePort(error, config.metricsPort as number, config))
    closers.push(async () => server.close())
  }
  return metrics
}

/** Starts the maintenance jobs, and logs each run that removed something. */
function runMaintenance(db: Database, logger: Logger, metrics: Metrics | undefined): () => Promise<void> {
  return startMaintenance(db, {
    done: (removed, ms) => {
      for (const [kind, count] of Object.entries(removed)) metrics?.removed(kind, count)
      if (Object.values(removed).some((count) => count > 0)) logger.info({ ...removed, ms: Math.round(ms) }, 'maintenance')
    },
    failed: (error) => logger.warn({ err: error }, 'maintenance failed and will be retried'),
  })
}

/** Starts what gives events their positions, what wakes the readers of feeds, and what adds rolls to the statistics. */
async function runFeed({ pooler, listenUrl }: Config, db: Database, url: string, logger: Logger): Promise<Closers> {
  await checkEpoch(db, async () => {
    await disableCopiedWebhooks(db)
    logger.warn('this database was copied from another server, so its webhooks are disabled')
  }).catch((error) => logger.warn({ err: error }, 'the epoch of the feeds could not be checked'))
  const watch = watchOf(db)
  const hintsFrom = listenUrl ?? (pooler ? undefined : url)
  const stopHints = hintsFrom ? receiveHints(hintsFrom, db) : async () => {}
  const stopSequencer = startSequencer(db, {
    advanced: (advances) => {
      watch.advanced(advances)
      sendHint(db, advances)
    },
    failed: (error) => logger.warn({ err: error }, 'events got no positions and will be tried again'),
  })
  const stopFolding = startFolding(db, (error) =>
    logger.warn({ err: error }, 'rolls were not added to the statistics and will be tried again'),
  )
  return [stopHints, stopSequencer, stopFolding]
}

/** Starts to deliver webhooks. */
const runDeliverer = ({ webhooks }: Config, db: Database, { sender }: Outbound, logger: Logger, metrics?: Metrics) =>
  startDeliverer({
    db,
    sender,
    timeoutMs: webhooks.timeoutSeconds * 1000,
    failed: (error) => logger.warn({ err: error }, 'webhooks could not be delivered and will be tried again'),
    sent: ({ attempt: { error } }) => metrics?.posted(error ?? 'delivered'),
    disabled: ({ id, company_id }, reason) => logger.warn({ webhook_id: id, company_id, reason }, 'a webhook was disabled'),
  })

async function fork(config: Config, processes: number, url: string, logger: Logger, closers: Closers) {
  if (config.rateLimit && !config.redisUrl) logger.warn('each process counts its own rate limits: set REDIS_URL to share them')
  const db = await connectTo(config, url, logger, closers, { readers: 1, writers: 1 })
  const metrics = config.metricsPort ? (await import('./http/telemetry/metrics.ts')).serveAllMetrics(config) : undefined
  const served = await metrics?.listening.catch((error) => refusePort(error, config.metricsPort as number, config))
  closers.push(async () => served?.close())
  const env = { DATABASE_URL: url, DATABASE_POOLER: config.pooler ? 'transaction' : 'none' }
  const starting = startProcesses(processes, env, () => {
    metrics?.restarted()
    logger.warn('a process ended unexpectedly and is being restarted')
  })
  closers.push(async () => (await starting.catch(() => undefined))?.stop())
  return { db, port: (await starting).port }
}

/** Prints how to begin. On the first start on an embedded database, that includes the operator's key. */
async function greet(config: Config, db: Database, port: number, embedded: Embedded | undefined, operatorKey?: string): Promise<void> {
  const empty = !(await hasDevelopers(db))
  const used = !empty && (await hasCompanies(db))
  const keyInFile = embedded !== undefined && (await operatorKeyWorks(db, config.dataDir))
  const consoleLink = await linkForTerminal(config, db, port)
  console.log(welcome(config, port, { operatorKey, keyInFile, used, empty, consoleLink }))
}

/** Creates a link that signs the operator in to the console, if the text is shown in a terminal of this machine and goes to no log. */
async function linkForTerminal(config: Config, db: Database, port: number): Promise<string | undefined> {
  if (!config.console || !process.stdout.isTTY || !isLoopback(config.host)) return undefined
  const admin = await findGlobalAdmin(db)
  // A global admin without a key has no link, and the start goes on.
  const link = admin ? await newConsoleLink(db, admin, localUrl(config.host, port)).catch(() => undefined) : undefined
  return link?.url
}

async function untilSignal(logger: Logger, start: (closers: Closers) => Promise<void>): Promise<void> {
  const closers: Closers = []
  const closeAll = async () => {
    for (let close = closers.pop(); close; close = closers.pop()) await close()
  }
  let stopping = false
  stopOnSignal(async (signal) => {
    stopping = true
    logger.info(`${signal}: finishing running requests`)
    await closeAll()
    logger.info('stopped')
  })
  try {
    await start(closers)
  } catch (error) {
    // An interrupted start fails because its parts are being closed; that is expected.
    if (stopping) return
    await closeAll()
    throw error
  }
}

/** Resolves when the work is done, or after a timeout. */
const within = (milliseconds: number, work: Promise<unknown>) => Promise.race([work, sleep(milliseconds, undefined, { ref: false })])

/** Reports not ready, finishes the running requests, and accepts no new ones. */
async function drain(app: FastifyInstance): Promise<void> {
  app.drain.draining = true
  // close() waits for keep-alive connections, which become idle after their last response.
  const closingIdle = setInterval(() => app.server.closeIdleConnections(), 50)
  await within(DRAIN_TIMEOUT_MS, app.close())
  clearInterval(closingIdle)
}

function stopOnSignal(stop: (signal: string) => Promise<void>): void {
  let firstSignalAt = 0
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (firstSignalAt === 0) {
        firstSignalAt = Date.now()
        stop(signal).then(
          () => process.exit(0),
          () => process.exit(1),
        )
      } else if (Date.now() - firstSignalAt > SAME_SIGNAL_MS) process.exit(1)
    })
  }
}
