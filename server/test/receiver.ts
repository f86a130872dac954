import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

/** A request that a receiver got. */
export interface Received {
  headers: IncomingHttpHeaders
  /** The body as it arrived. */
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
  body: any
}

interface Reply {
  status?: number
  headers?: Record<string, string>
  body?: string
  /** Milliseconds to wait before the reply. */
  after?: number
  /** Closes the connection instead of a reply. */
  cut?: boolean
}

/** Starts a receiver of webhooks on this machine. `answer` may decide what each request is answered with; otherwise it is 204. */
export async function startReceiver(answer: (received: Received) => Reply | undefined | Promise<Reply | undefined> = () => undefined) {
  const received: Received[] = []
  const busy = { now: 0, most: 0 }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    busy.now++
    busy.most = Math.max(busy.most, busy.now)
    response.on('close', () => {
      busy.now--
    })
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const text = Buffer.concat(chunks).toString()
      const one = { headers: request.headers, text, body: JSON.parse(text) }
      received.push(one)
      const { status = 204, headers = {}, body, after: wait = 0, cut = false } = (await answer(one)) ?? {}
      if (wait) await new Promise((resolve) => setTimeout(resolve, wait))
      if (cut) request.socket.destroy()
      else response.writeHead(status, headers).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  after(stop)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, busy, stop }
}
