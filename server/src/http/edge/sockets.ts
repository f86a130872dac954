import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Problem } from '../../core/problem.ts'
import { newRequestId, pathOf, SECURITY_HEADERS } from '../request/headers.ts'

/** The response to the last request for a stream on each connection. */
const streamOn = new WeakMap<Duplex, ServerResponse>()

/** Reserves a connection for a stream that was requested, until it is answered. Call it before the next request on the connection can arrive. */
export const reserveForStream = ({ socket }: IncomingMessage, response: ServerResponse): void => void streamOn.set(socket, response)

/** True if the connection carries a stream, or waits for the answer to a request for one. */
const isReserved = (socket: Duplex) => streamOn.get(socket)?.writableFinished === false

/** The last request and its response on each connection. */
const lastExchange = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>()

/** The body and headers of a problem that is sent without Fastify. */
function responseTo(problem: Problem, path: string) {
  const request_id = newRequestId()
  const body = JSON.stringify(problem.body(path, request_id))
  const headers = { ...SECURITY_HEADERS, 'x-request-id': request_id, 'content-type': 'application/problem+json', ...problem.extra.headers }
  return { body, headers: { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' } }
}

/** Logs a rejection that does not pass through Fastify. */
type LogRejection = (rejection: { request_id: string; status: number; problem: string }) => void

/** Answers on the raw connection, closes it, and returns the id of the rejected request. */
function refuse(socket: Duplex, problem: Problem, path: string): string {
  const { body, headers } = responseTo(problem, path)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const { status, title } = problem.body(path, '')
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
  return headers['x-request-id']
}

/** Rejects bytes that never became a request: invalid HTTP, headers that are too large, or a client that is too slow. */
export function refuseBytes(error: Error & { code?: string; rawPacket?: unknown }, socket: Duplex, log: LogRejection = () => {}): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isReserved(socket)) return void socket.destroy()
  // An earlier request on this connection may still be waiting for its response, which must not be replaced.
  const earlier = lastExchange.get(socket)
  // It was answered before its body had arrived: close the connection.
  if (earlier?.response.writableFinished && !earlier.request.complete) return void socket.destroy()
  // It is complete and not answered yet: close the connection after its response. If its own body is missing, there will be no response to wait for.
  if (earlier?.request.complete && !earlier.response.writableFinished) return void earlier.response.once('finish', () => socket.destroy())
  const [, pathInBytes] = /^[A-Z]+ (\/[^ ?]*)/.exec((error.rawPacket as Buffer | undefined)?.toString('latin1', 0, 2048) ?? '') ?? []
  const path = pathInBytes ?? (earlier && !earlier.request.complete ? pathOf(earlier.request.url ?? '/') : '/')
  const problems: Record<string, Problem> = {
    HPE_HEADER_OVERFLOW: new Problem(431, 'headers_too_large', 'The header fields are too large.'),
    ERR_HTTP_REQUEST_TIMEOUT: new Problem(408, 'request_timeout', 'The request did not arrive in time. Send it again.'),
  }
  const problem = problems[error.code ?? ''] ?? new Problem(400, 'bad_request', 'The request is not valid HTTP.')
  log({ request_id: refuse(socket, problem, path), status: problem.status, problem: problem.code })
}

/**
 * Replaces the responses that Node would send by itself with problem details, and closes a connection on which anything is sent behind a request for a
 * stream: it could not be answered before the stream ends, so it is not executed either. Call it when the server has its listener for requests.
 */
export function guardServer(server: Server): void {
  const [handle] = server.listeners('request') as [RequestListener]
  server.removeListener('request', handle)
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isReserved(request.socket)) return void request.socket.destroy()
    lastExchange.set(request.socket, { request, response })
    handle(request, response)
  })
  server.on('connect', (_request, socket) => refuse(socket, new Problem(405, 'method_not_allowed', 'This is not a proxy.'), '/'))
  server.on('checkExpectation', (request, response) => {
    const problem = new Problem(417, 'expectation_failed', 'The only supported Expect value is 100-continue.')
    const { body, headers } = responseTo(problem, pathOf(request.url ?? '/'))
    response.writeHead(417, headers).end(body)
  })
}
