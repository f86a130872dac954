import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Config } from './core/config.ts'
import type { Database } from './db/client.ts'
import { onEnding } from './events/endings.ts'
import { allowOrigins } from './http/edge/cors.ts'
import { addRequestHooks } from './http/edge/hooks.ts'
import { refuseUnknown } from './http/edge/not-found.ts'
import { type Drain, servePublic } from './http/edge/public-pages.ts'
import { guardServer, refuseBytes } from './http/edge/sockets.ts'
import { ArrivingBodies } from './http/limits/arriving-bodies.ts'
import { LongPolls } from './http/limits/long-polls.ts'
import { type Load, refuseEarly, Turns } from './http/limits/overload.ts'
import { memoryLimiter } from './http/limits/rate-limit.ts'
import { limits } from './http/limits/request-limits.ts'
import { sharedLimiter } from './http/limits/shared-rate-limit.ts'
import { Transactions } from './http/limits/transactions.ts'
import { UnreadResponses } from './http/limits/unread-responses.ts'
import type { Operation } from './http/operation.ts'
import { planOf } from './http/plan.ts'
import { openapi } from './http/reference/openapi.ts'
import { MAX_BODY_BYTES, readBodies } from './http/request/body.ts'
import { CallerCache } from './http/request/caller-cache.ts'
import { sendProblem } from './http/request/errors.ts'
import { newRequestId, SECURITY_HEADERS } from './http/request/headers.ts'
import { lastUsed, writeKeyUse } from './http/request/last-used.ts'
import { ListCursors } from './http/request/list-cursors.ts'
import { serve } from './http/serve.ts'
import { recognize } from './http/services.ts'
import { siteOf } from './http/site.ts'
import { endedOn } from './http/streams/revocation.ts'
import { Streams } from './http/streams/streams.ts'
import { logRequests } from './http/telemetry/log.ts'
import { newOutbound, type Outbound } from './outbound/outbound.ts'
import { serveConsole } from './pages/serve-console.ts'
import { serveDocs } from './pages/serve-docs.ts'
import { operations as api } from './resources/index.ts'

/** A request that has not arrived completely by then is answered 408. Node checks once per interval. */
const REQUEST_TIMEOUT_MS = 30_000
const TIMEOUT_CHECK_INTERVAL_MS = 1000
/** A connection without traffic in either direction is closed after this time, because an unread response takes memory. */
const IDLE_CONNECTION_TIMEOUT_MS = 60_000

declare module 'fastify' {
  interface FastifyInstance {
    drain: Drain
    load: Load
    streams: Streams
  }
}

interface AppOptions {
  logger?: FastifyBaseLogger
  /** The operations to serve; tests add their own. */
  operations?: Operation[]
  /** Adds hooks that see each request first, such as those of tracing. */
  observe?: (app: FastifyInstance) => void
  /** The parts that make requests to others. Whoever gives them closes them. */
  outbound?: Outbound
  /** The folder with the files of the console; tests use their own. */
  consoleFolder?: string
}

/** Builds the service on a database. It does not listen yet. */
export function buildApp(
  db: Database,
  config: Config,
  { logger, operations: all = api, observe, outbound = newOutbound(config.webhooks.allowed), consoleFolder }: AppOptions = {},
): FastifyInstance {
  const operations = all.filter((operation) => config.console || !operation.console)
  const app = Fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    requestIdHeader: false,
    genReqId: newRequestId,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: IDLE_CONNECTION_TIMEOUT_MS,
    trustProxy: config.trustProxy,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // A long id is answered 404 like any other unknown id. Headers, and so paths, are limited to 16 kB anyway.
    routerOptions: { maxParamLength: 16_384 },
    // Some clients send an absolute URL; only its path matters.
    rewriteUrl: ({ url = '/' }) => url.replace(/^https?:\/\/[^/?]*\/?/i, '/'),
    http: { requireHostHeader: false, connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS },
    clientErrorHandler: (error, socket) => refuseBytes(error, socket, (refusal) => app.log.info(refusal, 'answered')),
    frameworkErrors: (error, request, reply) =>
      void refuse(error, request, reply.headers(SECURITY_HEADERS).header('x-request-id', request.id)),
  })
  // Node ignores its request timeout if the headers timeout is longer.
  app.server.headersTimeout = REQUEST_TIMEOUT_MS
  const drain: Drain = { draining: false }
  app.decorate('drain', drain)
  const turns = new Turns(config.maxInFlight, config.maxQueued, config.maxWaits)
  app.decorate('load', { getter: () => turns.load })
  for (const field of ['session', 'problem', 'hasTurn', 'bodyBytes', 'waitedMs', 'isStream']) app.decorateRequest(field)
  const streams = new Streams(config.maxStreams, (error) => app.log.error({ err: error }, 'a stream failed'))
  app.decorate('streams', streams)
  const check = streams.checkEvery(config.streamCheckSeconds * 1000, endedOn(db))
  const stopListening = onEnding(db, check.soon)
  const plans = operations.map(planOf)
  const local = memoryLimiter(db.now)
  const shared = config.rateLimit && config.redisUrl ? sharedLimiter(config.redisUrl, local, (message) => app.log.warn(message)) : undefined
  // Health checks must not depend on Redis.
  const localLimits = limits(config.rateLimit, local)
  const services = {
    db,
    limits: limits(config.rateLimit, shared ?? local),
    lastUsed: lastUsed(db),
    callers: new CallerCache(),
    turns,
    transactions: new Transactions(config.writers),
    bodies: new ArrivingBodies(),
    unread: new UnreadResponses(),
    polls: new LongPolls(config.maxWaits),
    streams,
    cursors: new ListCursors(db),
    site: siteOf(app, config),
    outbound,
    hasConsole: config.console,
  }

  refuseEarly(app.server, turns, recognize(services))
  guardServer(app.server)

  observe?.(app)
  addRequestHooks(app, services, localLimits, drain)
  logRequests(app)
  app.setErrorHandler(refuse)
  readBodies(app)
  allowOrigins(app, config.corsOrigins)
  refuseUnknown(app, services, plans)
  servePublic(app, db, drain)
  serveDocs(app, () => openapi(operations))
  if (config.console) serveConsole(app, consoleFolder)
  serve(app, services, plans)

  async function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    if (!reply.hasHeader('ratelimit')) await services.limits.announce(request, reply)
    return sendProblem(error, request, reply)
  }
  writeKeyUse(app, services.lastUsed)
  // Streams and waiting requests end first. The server then waits for the connections of the others.
  app.addHook('preClose', async () => {
    services.polls.drain()
    await streams.drain()
  })
  app.addHook('onReady', async () => void (await shared?.ready()))
  app.addHook('onClose', async () => {
    shared?.close()
    stopListening()
    check.stop()
  })
  return app
}
