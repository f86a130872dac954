import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { Guildhall } from '../src/index.ts'
import type { ClientOptions } from '../src/options.ts'

/** A request as it arrived. */
export interface Seen {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
  at: number
}

/** The reaction of the server to a request, whose body has arrived. */
export type Step = (reply: ServerResponse, seen: Seen) => unknown

/** Answers with JSON. */
export const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  (reply) =>
    reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

/** Answers with a problem. */
export const problem = (status: number, code: string, headers: Record<string, string> = {}): Step =>
  answer(
    status,
    { status, code, title: 'A title', detail: 'A detail', instance: '/', request_id: 'req_1' },
    { 'content-type': 'application/problem+json', ...headers },
  )

/** Cuts the connection without an answer. */
export const cut: Step = (reply) => reply.socket?.destroy()

/** Sends the head and a part of the body, and cuts the connection. */
export const cutInBody: Step = (reply) => {
  reply.writeHead(201, { 'content-type': 'application/json', 'content-length': '1000' })
  reply.write('{"id":', () => setTimeout(() => reply.socket?.destroy(), 20))
}

/** Starts a server over real HTTP that does one step for each request, and repeats the last. Makes a client of it. */
export async function scripted(steps: Step[], options: Partial<ClientOptions> & object = {}) {
  const seen: Seen[] = []
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const one = { method, path, headers, body: Buffer.concat(chunks).toString(), at: performance.now() }
      seen.push(one)
      const step = steps[Math.min(seen.length, steps.length) - 1] as Step
      step(reply, one)
    })
    request.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { seen, server, baseUrl, gh: new Guildhall({ apiKey: 'glh_test', baseUrl, ...options } as ClientOptions) }
}
