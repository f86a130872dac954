import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Problem } from '../core/problem.ts'
import { newRequestId, pathOf, SECURITY_HEADERS } from './headers.ts'

/** Requests and their responses on their way, by the connection they belong to. */
const underWay = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>()

/** A problem as it is sent without Fastify: its body, and the header fields that every response has. */
export function headOf(problem: Problem, path: string) {
  const request_id = newRequestId()
  const body = JSON.stringify(problem.body(path, request_id))
  const headers = { ...SECURITY_HEADERS, 'x-request-id': request_id, 'content-type': 'application/problem+json', ...problem.extra.headers }
  return { body, headers: { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' } }
}

/** An answer on the bare connection, which then is closed. */
function refuse(socket: Duplex, problem: Problem, path: string): void {
  const { body, headers } = headOf(problem, path)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const { status, title } = problem.body(path, '')
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

/** Bytes that never became a request: broken HTTP, headers too large, a client too slow. */
export function refuseBytes(error: Error & { code?: string; rawPacket?: unknown }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  // What came before them is a request, and its answer is not to be replaced by another.
  const earlier = underWay.get(socket)
  // Unless its own body is what does not come: it will never be answered, and must not be waited for.
  if (earlier?.request.complete && !earlier.response.writableFinished) return void earlier.response.once('finish', () => socket.destroy())
  const [, path = '/'] = /^[A-Z]+ (\/[^ ?]*)/.exec((error.rawPacket as Buffer | undefined)?.toString('latin1', 0, 2048) ?? '') ?? []
  const problems: Record<string, Problem> = {
    HPE_HEADER_OVERFLOW: new Problem(431, 'headers_too_large', 'The header fields are too large.'),
    ERR_HTTP_REQUEST_TIMEOUT: new Problem(408, 'request_timeout', 'The request took too long to arrive.'),
  }
  refuse(socket, problems[error.code ?? ''] ?? new Problem(400, 'bad_request', 'The request is not valid HTTP.'), path)
}

/** What Node would answer by itself, in a shape that is not ours. */
export function guardServer(server: Server): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => underWay.set(request.socket, { request, response }))
  server.on('connect', (_request, socket) => refuse(socket, new Problem(405, 'method_not_allowed', 'This is not a proxy.'), '/'))
  server.on('checkExpectation', (request, response) => {
    const problem = new Problem(417, 'expectation_failed', 'The only Expect this service knows is 100-continue.')
    const { body, headers } = headOf(problem, pathOf(request.url ?? '/'))
    response.writeHead(417, headers).end(body)
  })
}
