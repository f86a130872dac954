import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../core/problem.ts'
import { newRequestId, pathOf, SECURITY_HEADERS } from './headers.ts'

/** How late the event loop may be before what comes is refused. */
const LATEST = 100
const LOOKED_AT_EVERY = 20
const HEALTH = /^(https?:\/\/[^/]*)?\/health\//i

/** How late a timer is: what is asked now waits at least as long until it is looked at. */
function lateness(): () => number {
  let due = performance.now() + LOOKED_AT_EVERY
  let late = 0
  setInterval(() => {
    late = Math.max(0, performance.now() - due)
    due = performance.now() + LOOKED_AT_EVERY
  }, LOOKED_AT_EVERY).unref()
  return () => Math.max(late, performance.now() - due)
}

const overloaded = new Problem(503, 'overloaded', 'There is more to do than can be done at once: try again in a moment.', {
  retry_after: 1,
})

/** How long nothing more is heard from a connection that was refused: half of what could be done would go into refusing. */
const DEAF = 25

function refuse({ url = '/', socket }: IncomingMessage, response: ServerResponse): void {
  const id = newRequestId()
  const body = JSON.stringify(overloaded.body(pathOf(url), id))
  response
    .writeHead(503, {
      ...SECURITY_HEADERS,
      'x-request-id': id,
      'retry-after': '1',
      'content-type': 'application/problem+json',
      'content-length': Buffer.byteLength(body),
    })
    .end(body)
  // Not before the end of this turn, when the server has done with the request and would listen again.
  setImmediate(() => {
    socket.pause()
    setTimeout(() => socket.resume(), DEAF).unref()
  })
}

/** What is under way, and what was refused for it so far. */
export interface Load {
  inFlight: number
  refused: number
}

/**
 * Refuses at once what could only wait. A queue that grows makes everybody late and then times out; who is told 503 at once
 * comes again when there is room. It is done ahead of everything else, so that refusing costs next to nothing. Health is
 * answered whatever the load.
 */
export function refuseOverload(server: Server, mostInFlight: number): Load {
  const load: Load = { inFlight: 0, refused: 0 }
  const late = lateness()
  // Alone, a request that takes long is no overload.
  const busy = mostInFlight / 4
  const [handle] = server.listeners('request') as [RequestListener]
  server.removeListener('request', handle)
  server.on('request', (request, response) => {
    if (HEALTH.test(request.url ?? '')) return void handle(request, response)
    if (load.inFlight >= mostInFlight || (load.inFlight >= busy && late() > LATEST)) {
      load.refused++
      return refuse(request, response)
    }
    load.inFlight++
    let under = true
    const done = () => {
      if (under) load.inFlight--
      under = false
    }
    // Answered is answered: how slowly a client reads it takes nobody's place.
    const end = response.end
    response.end = function (this: ServerResponse, ...args: []) {
      done()
      return end.apply(this, args as never)
    } as typeof response.end
    response.once('close', done)
    handle(request, response)
  })
  return load
}

/** What nobody waits for any more is not begun. */
export function refuseAbandoned({ raw }: FastifyRequest): void {
  if (raw.socket?.destroyed) throw new Problem(499, 'client_gone', 'The client closed the connection before its request was begun.')
}
