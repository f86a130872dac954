import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Config } from './core/config.ts'
import { Problem, unavailable } from './core/problem.ts'
import type { Database } from './db/client.ts'
import { allowOrigins } from './http/edge/cors.ts'
import { refuseUnknown } from './http/edge/not-found.ts'
import { type Drain, servePublic } from './http/edge/public-pages.ts'
import { guardServer, refuseBytes } from './http/edge/sockets.ts'
import { ArrivingBodies } from './http/limits/arriving-bodies.ts'
import { type Load, refuseEarly, Turns } from './http/limits/overload.ts'
import { memoryLimiter } from './http/limits/rate-limit.ts'
import { limits } from './http/limits/request-limits.ts'
import { sharedLimiter } from './http/limits/shared-rate-limit.ts'
import { isWatched, UnreadResponses } from './http/limits/unread-responses.ts'
import type { Operation } from './http/operation.ts'
import { openapi } from './http/reference/openapi.ts'
import { callerName, recognize } from './http/request/admit.ts'
import { MOST_BYTES, readBodies } from './http/request/body.ts'
import { sendProblem } from './http/request/errors.ts'
import { isApi, newRequestId, SECURITY_HEADERS } from './http/request/headers.ts'
import { lastUsed } from './http/request/last-used.ts'
import { memory } from './http/request/recalled-callers.ts'
import { serve } from './http/serve.ts'
import { logRequests } from './http/telemetry/log.ts'
import { about, operations as api } from './resources/index.ts'

const KEYS_ARE_NOTED_EVERY = 10_000
/** A request must have arrived whole by then, or it is answered 408. Node looks once per interval. */
const REQUEST_TIMEOUT = 30_000
const CHECKED_EVERY_MS = 1000
/** A connection on which nothing moves for so long, in either direction, is given up: who reads no reply keeps it in memory. */
const SILENT_FOR = 60_000

declare module 'fastify' {
  interface FastifyInstance {
    drain: Drain
    load: Load
  }
}

/** The whole service on a database; it listens when told to. `observe` sees each request from its beginning. Tests add operations of their own. */
export function buildApp(
  db: Database,
  config: Config,
  logger?: FastifyBaseLogger,
  operations: Operation[] = api,
  observe: (app: FastifyInstance) => void = () => {},
): FastifyInstance {
  const app = Fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    requestIdHeader: false,
    genReqId: newRequestId,
    bodyLimit: MOST_BYTES,
    requestTimeout: REQUEST_TIMEOUT,
    connectionTimeout: SILENT_FOR,
    trustProxy: config.trustProxy,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // A long id is not found; it is not another kind of fault. Headers end at 16 kB, and so do paths.
    routerOptions: { maxParamLength: 16_384 },
    // Some clients send the whole address; only its path is ours.
    rewriteUrl: ({ url = '/' }) => url.replace(/^https?:\/\/[^/?]*\/?/i, '/'),
    http: { requireHostHeader: false, connectionsCheckingInterval: CHECKED_EVERY_MS },
    clientErrorHandler: (error, socket) => refuseBytes(error, socket, (refusal) => app.log.info(refusal, 'answered')),
    frameworkErrors: (error, request, reply) =>
      void refuse(error, request, reply.headers(SECURITY_HEADERS).header('x-request-id', request.id)),
  })
  // Node forgets its request timeout while the timeout of the headers is the longer one.
  app.server.headersTimeout = REQUEST_TIMEOUT
  guardServer(app.server)
  const drain: Drain = { draining: false }
  app.decorate('drain', drain)
  const turns = new Turns(config.maxInFlight, config.maxQueued)
  app.decorate('load', { getter: () => turns.load })
  app.decorateRequest('problem')
  const local = memoryLimiter(db.now)
  const shared = config.rateLimit && config.redisUrl ? sharedLimiter(config.redisUrl, local, (message) => app.log.warn(message)) : undefined
  // Health waits for nothing that is elsewhere.
  const near = limits(config.rateLimit, local)
  const house = {
    db,
    limits: limits(config.rateLimit, shared ?? local),
    lastUsed: lastUsed(db),
    memory: memory(),
    turns,
    bodies: new ArrivingBodies(),
    unread: new UnreadResponses(),
  }

  refuseEarly(app.server, turns, recognize(house))

  observe(app)
  // What waits for nothing is not asynchronous: every request would pay for it.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id)
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const body = (payload ?? '') as string | Buffer
    if (isWatched(body.length, reply.raw)) house.unread.watch(callerName(house, request), request.raw, reply.raw, Buffer.byteLength(body))
    done(null, payload)
  })
  // Those who come with a key are told their own limits.
  app.addHook('onRequest', (request, reply, done) => {
    if (isApi(request.url)) return done()
    const isHealth = request.url.startsWith('/health/')
    if (!isHealth) house.unread.refuse(callerName(house, request))
    ;(isHealth ? near : house.limits).greet(request, reply).then(() => done(), done)
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      return done(new Problem(400, 'bad_request', 'The Host header is missing.'))
    }
    if (drain.draining && !request.url.startsWith('/health/')) {
      reply.header('connection', 'close')
      unavailable('draining', 'This process is shutting down: try again.', 1)
    }
    done()
  })
  logRequests(app)
  app.setErrorHandler(refuse)
  readBodies(app)
  allowOrigins(app, config.corsOrigins)
  refuseUnknown(app, house, operations)
  servePublic(app, db, drain, () => openapi(operations, about))
  serve(app, house, operations)

  async function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    if (!reply.hasHeader('ratelimit')) await house.limits.greet(request, reply)
    return sendProblem(error, request, reply)
  }
  const noting = setInterval(
    () => house.lastUsed.flush().catch((error) => app.log.warn({ err: error }, 'last use of keys not written')),
    KEYS_ARE_NOTED_EVERY,
  )
  noting.unref()
  app.addHook('onReady', async () => void (await shared?.ready()))
  app.addHook('onClose', async () => {
    clearInterval(noting)
    await house.lastUsed.flush().catch(() => {})
    shared?.close()
  })
  return app
}
