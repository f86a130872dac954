import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A request to send. */
export interface OutgoingRequest {
  method: string
  path: string
  key?: string
  body?: unknown
  headers?: Record<string, string>
}

/** Formats a request as it is sent over the wire. */
export function wire({ method, path, key, body, headers = {} }: OutgoingRequest): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = Object.entries({
    host: 'bench',
    ...(key && { 'x-api-key': key }),
    ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`
}

export interface Answers {
  /** The milliseconds of each answer, in no order. */
  times: number[]
  perSecond: number
}

/** Sends requests for the given time, or until there is no next one. Each connection waits for an answer before the next request. */
export async function load(port: number, connections: number, ms: number, next: () => string | undefined): Promise<Answers> {
  const times: number[] = []
  const start = performance.now()
  const end = start + ms
  await Promise.all(Array.from({ length: connections }, () => runConnection(port, end, next, times)))
  return { times, perSecond: (times.length * 1000) / (performance.now() - start) }
}

const runConnection = (port: number, end: number, next: () => string | undefined, times: number[]) =>
  new Promise<void>((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    let sent = 0
    let text = ''
    const send = () => {
      sent = performance.now()
      const request = sent < end ? next() : undefined
      if (request === undefined) return socket.destroy()
      socket.write(request, 'latin1')
    }
    socket.on('connect', send)
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const head = text.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = /\r\ncontent-length: (\d+)/i.exec(text)
      if (text.length < head + 4 + Number(length?.[1])) return
      // A rejection is fast, and would look like a good figure.
      if (text[9] !== '2') return socket.destroy(new Error(text))
      times.push(performance.now() - sent)
      text = ''
      send()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve())
  })

/** Sends one request and returns the parsed reply. */
export async function call(port: number, { method, path, key, body, headers }: OutgoingRequest): Promise<{ id: string }> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...(key && { 'x-api-key': key }), ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  // The service is overloaded: retry.
  if (reply.status === 503) return sleep(200).then(() => call(port, { method, path, key, body, headers } as OutgoingRequest))
  if (!reply.ok) throw new Error(`${method} ${path}: ${text}`)
  return text ? JSON.parse(text) : { id: '' }
}
