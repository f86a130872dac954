import { createServer, type Server } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from '../../core/config.ts'
import type { Database } from '../../db/client.ts'
import { lagOf, oldestIn } from '../../events/lag.ts'
import type { Load } from '../limits/overload.ts'

const LAGS = [
  ['guildhall_feed_lag_seconds', 'outbox', 'Age of the oldest event that has no position in the feed yet'],
  [
    'guildhall_statistics_lag_seconds',
    'tally_queue',
    'Age of the oldest roll that is not added to its tallies yet; statistics include it all the same',
  ],
] as const

// Metrics for operators, in the format of Prometheus. They never contain the id of a company, a user or a key.

export interface Metrics {
  registry: Registry
  /** Counts rows that maintenance removed. */
  removed(kind: string, count: number): void
  /** Counts requests to webhooks, by what became of them: `delivered`, or the code of the error. */
  posted(outcome: string): void
}

const BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5]
/** Gauges of several processes add up, because each process has its own connections and requests. */
const aggregator = 'sum' as const

export function measure(app: FastifyInstance, db: Database, load: () => Load): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'guildhall_request_seconds',
    help: 'Duration of requests, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers,
  })
  const problems = new Counter({ name: 'guildhall_problems_total', help: 'Problem responses, by code', labelNames: ['code'], registers })
  const keyOutcomes = new Counter({
    name: 'guildhall_idempotency_total',
    help: 'Requests with an Idempotency-Key: executed, replayed or rejected',
    labelNames: ['outcome'],
    registers,
  })
  const removedRows = new Counter({
    name: 'guildhall_upkeep_removed_total',
    help: 'Rows removed by maintenance, by kind',
    labelNames: ['what'],
    registers,
  })
  const attempts = new Counter({
    name: 'guildhall_webhook_attempts_total',
    help: 'Requests to webhooks, by outcome: delivered, or the code of the error',
    labelNames: ['outcome'],
    registers,
  })
  new Gauge({
    name: 'guildhall_in_flight',
    help: 'Requests that are running',
    registers,
    aggregator,
    collect() {
      this.set(load().inFlight)
    },
  })
  new Gauge({
    name: 'guildhall_waiting',
    help: 'Requests that wait for their turn',
    registers,
    aggregator,
    collect() {
      this.set(load().waiting)
    },
  })
  new Counter({
    name: 'guildhall_overload_refused_total',
    help: 'Requests rejected because of overload',
    registers,
    collect() {
      this.reset()
      this.inc(load().refused)
    },
  })
  new Gauge({
    name: 'guildhall_streams',
    help: 'Streams that are open',
    registers,
    aggregator,
    collect() {
      this.set(app.streams.count)
    },
  })
  new Counter({
    name: 'guildhall_stream_ends_total',
    help: 'Streams that have ended, by reason',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset()
      for (const [reason, count] of app.streams.ends) this.inc({ reason }, count)
    },
  })
  for (const [name, queue, help] of LAGS)
    new Gauge({
      name,
      help,
      registers,
      aggregator: 'max',
      async collect() {
        const waiting = await db.query<{ id: string }>(oldestIn(queue)).catch(() => undefined)
        if (waiting) this.set(lagOf(waiting, db.now()))
      },
    })
  new Gauge({
    name: 'guildhall_database_connections',
    help: 'Connections that write: busy, idle, and requests that wait for one',
    labelNames: ['state'],
    registers,
    aggregator,
    collect() {
      for (const [state, count] of Object.entries(db.connections())) this.set({ state }, count)
    },
  })

  const observe = (request: FastifyRequest, reply: FastifyReply) => {
    const status = String(reply.statusCode)
    const route = request.routeOptions.url ?? 'unknown'
    // The time in which a long poll waits for something to happen is not the time that the service needs.
    seconds.observe({ method: request.method, route, status }, (reply.elapsedTime - (request.waitedMs ?? 0)) / 1000)
  }
  app.streams.observers.push({ opened: observe })
  app.addHook('onResponse', async (request, reply) => {
    if (request.isStream) return
    observe(request, reply)
    const { problem, session } = request
    if (problem) problems.inc({ code: problem })
    if (!session?.target.idempotency) return
    if (reply.hasHeader('idempotent-replayed')) keyOutcomes.inc({ outcome: 'replayed' })
    else if (problem?.startsWith('idempotency_')) keyOutcomes.inc({ outcome: 'refused' })
    else if (reply.statusCode < 400) keyOutcomes.inc({ outcome: 'executed' })
  })
  return { registry, removed: (kind, count) => removedRows.inc({ what: kind }, count), posted: (outcome) => attempts.inc({ outcome }) }
}

const serveText = (config: Config, text: () => Promise<string>): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer((_request, response) => {
      text().then(
        (body) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(body),
        () => response.writeHead(500).end(),
      )
    })
    server.once('error', reject)
    server.listen(config.metricsPort, config.host, () => resolve(server))
  })

/** Serves the metrics of one process on a separate port, which must not be public. */
export const serveMetrics = (config: Config, { registry }: Metrics) => serveText(config, () => registry.metrics())

/** Serves the aggregated metrics of all processes, in the process that started them. */
export function serveAllMetrics(config: Config): { restarted(): void; listening: Promise<Server> } {
  const registry = new Registry()
  const restarts = new Counter({
    name: 'guildhall_restarts_total',
    help: 'Restarts of processes that ended unexpectedly',
    registers: [registry],
  })
  const all = new AggregatorRegistry()
  const listening = serveText(config, async () => `${await all.clusterMetrics()}\n${await registry.metrics()}`)
  return { restarted: () => restarts.inc(), listening }
}

/** Lets the first process collect the metrics of this one. */
export function shareMetrics({ registry }: Metrics): void {
  // The constructor starts to listen for requests of the first process.
  new AggregatorRegistry()
  AggregatorRegistry.setRegistries(registry)
}
