import type { FastifyInstance } from 'fastify'
import { Problem, unavailable } from '../../core/problem.ts'
import type { Limits } from '../limits/request-limits.ts'
import { isWatched } from '../limits/unread-responses.ts'
import { isApi, SECURITY_HEADERS } from '../request/headers.ts'
import { memoryHolderOf, type Services } from '../services.ts'
import type { Drain } from './public-pages.ts'
import { reserveForStream } from './sockets.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for routes whose reply is a stream. */
    streams?: boolean
  }
}

/** Adds the hooks that every request passes before its route: headers, limits of public pages, the Host header, and the shutdown. */
export function addRequestHooks(app: FastifyInstance, services: Services, localLimits: Limits, drain: Drain): void {
  // Hooks that wait for nothing are synchronous, because an async hook costs time in every request.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.streams && request.method === 'GET') reserveForStream(request.raw, reply.raw)
    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id)
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const body = (payload ?? '') as string | Buffer
    if (isWatched(body.length, reply.raw))
      services.unread.watch(memoryHolderOf(services, request), request.raw, reply.raw, Buffer.byteLength(body))
    done(null, payload)
  })
  // Requests below /api/v1/ get the limits of their own developer later.
  app.addHook('onRequest', (request, reply, done) => {
    if (isApi(request.url)) return done()
    const isHealth = request.url.startsWith('/health/')
    if (!isHealth) services.unread.refuse(memoryHolderOf(services, request))
    ;(isHealth ? localLimits : services.limits).announce(request, reply).then(() => done(), done)
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      return done(new Problem(400, 'bad_request', 'The Host header is missing.'))
    }
    if (drain.draining && !request.url.startsWith('/health/')) {
      reply.header('connection', 'close')
      unavailable('draining', 'This process is shutting down. Retry the request.', 1)
    }
    done()
  })
}
