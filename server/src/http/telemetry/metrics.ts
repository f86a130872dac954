import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from '../../core/config.ts'
import type { Database } from '../../db/client.ts'
import type { Load } from '../limits/overload.ts'

// What an operator watches, as Prometheus reads it. Never the id of a company, a user or a key: nobody's doings are in it.

export interface Metrics {
  registry: Registry
  /** Counts what the upkeep removed. */
  removed(what: string, count: number): void
}

const SECONDS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5]
/** Aggregated over processes, gauges add up: each has connections and requests of its own. */
const aggregator = 'sum' as const

export function measure(app: FastifyInstance, db: Database, load: () => Load): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'guildhall_request_seconds',
    help: 'How long requests took, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  })
  const problems = new Counter({ name: 'guildhall_problems_total', help: 'Refusals, by their code', labelNames: ['code'], registers })
  const keyed = new Counter({
    name: 'guildhall_idempotency_total',
    help: 'Requests with an Idempotency-Key: executed, replayed or refused',
    labelNames: ['outcome'],
    registers,
  })
  const upkeep = new Counter({ name: 'guildhall_upkeep_removed_total', help: 'What the upkeep removed', labelNames: ['what'], registers })
  new Gauge({
    name: 'guildhall_in_flight',
    help: 'Requests under way',
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
    help: 'Requests refused since there was more to do than could be done',
    registers,
    collect() {
      this.reset()
      this.inc(load().refused)
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

  app.addHook('onResponse', async (request, reply) => {
    const status = String(reply.statusCode)
    const route = request.routeOptions.url ?? 'unknown'
    seconds.observe({ method: request.method, route, status }, reply.elapsedTime / 1000)
    const { problem, visit } = request
    if (problem) problems.inc({ code: problem })
    if (!visit?.once) return
    if (reply.hasHeader('idempotent-replayed')) keyed.inc({ outcome: 'replayed' })
    else if (problem?.startsWith('idempotency_')) keyed.inc({ outcome: 'refused' })
    else if (reply.statusCode < 400) keyed.inc({ outcome: 'executed' })
  })
  return { registry, removed: (what, count) => upkeep.inc({ what }, count) }
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

/** Serves the metrics of one process on a port of their own, which is not for the world. */
export const serveMetrics = (config: Config, { registry }: Metrics) => serveText(config, () => registry.metrics())

/** The same of all processes together, for the one that started them. */
export function serveAllMetrics(config: Config): { restarted(): void; listening: Promise<Server> } {
  const registry = new Registry()
  const restarts = new Counter({
    name: 'guildhall_restarts_total',
    help: 'Processes that ended and were started again',
    registers: [registry],
  })
  const all = new AggregatorRegistry()
  const listening = serveText(config, async () => `${await all.clusterMetrics()}\n${await registry.metrics()}`)
  return { restarted: () => restarts.inc(), listening }
}

/** In one of several processes: asked by the first, it answers with these. */
export function shareMetrics({ registry }: Metrics): void {
  // Making one is what begins to listen.
  new AggregatorRegistry()
  AggregatorRegistry.setRegistries(registry)
}
