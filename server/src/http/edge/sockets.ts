import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Problem } from '../../core/problem.ts'
import { newRequestId, pathOf, SECURITY_HEADERS } from '../request/headers.ts'

/** Requests and their responses on their way, by the connection they belong to. */
const underWay = new WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>()

function headOf(problem: Problem, path: string) {
  const request_id = newRequestId()
  const body = JSON.stringify(problem.body(path, request_id))
  const headers = { ...SECURITY_HEADERS, 'x-request-id': request_id, 'content-type': 'application/problem+json', ...problem.extra.headers }
  return { body, headers: { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' } }
}

/** Writes the log line of a refusal that Fastify knows nothing of. */
type LogRefusal = (refusal: { request_id: string; status: number; problem: string }) => void

/** Answers on the bare connection, closes it, and returns the id of the refused request. */
function refuse(socket: Duplex, problem: Problem, path: string): string {
  const { body, headers } = headOf(problem, path)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const { status, title } = problem.body(path, '')
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
  return headers['x-request-id']
}

/** Bytes that never became a request: broken HTTP, headers too large, a client too slow. */
export function refuseBytes(error: Error & { code?: string; rawPacket?: unknown }, socket: Duplex, log: LogRefusal = () => {}): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  // What came before them is a request, and its answer is not to be replaced by another.
  const earlier = underWay.get(socket)
  // It was answered before its body had arrived: there is nothing more to say.
  if (earlier?.response.writableFinished && !earlier.request.complete) return void socket.destroy()
  // Unless its own body is what does not come: it will never be answered, and must not be waited for.
  if (earlier?.request.complete && !earlier.response.writableFinished) return void earlier.response.once('finish', () => socket.destroy())
  const [, written] = /^[A-Z]+ (\/[^ ?]*)/.exec((error.rawPacket as Buffer | undefined)?.toString('latin1', 0, 2048) ?? '') ?? []
  const path = written ?? (earlier && !earlier.request.complete ? pathOf(earlier.request.url ?? '/') : '/')
  const problems: Record<string, Problem> = {
    HPE_HEADER_OVERFLOW: new Problem(431, 'headers_too_large', 'The header fields are too large.'),
    ERR_HTTP_REQUEST_TIMEOUT: new Problem(408, 'request_timeout', 'The request took too long to arrive.'),
  }
  const problem = problems[error.code ?? ''] ?? new Problem(400, 'bad_request', 'The request is not valid HTTP.')
  log({ request_id: refuse(socket, problem, path), status: problem.status, problem: problem.code })
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
