import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A request as it goes over the wire. */
export interface Ask {
  method: string
  path: string
  key?: string
  body?: unknown
  headers?: Record<string, string>
}

export function wire({ method, path, key, body, headers = {} }: Ask): string {
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
  /** Milliseconds of each, in no order. */
  times: number[]
  perSecond: number
}

/** Asks over and over for so many milliseconds, on connections that each wait for their answer before they ask again. */
export async function load(port: number, connections: number, ms: number, next: () => string): Promise<Answers> {
  const times: number[] = []
  const begun = performance.now()
  const end = begun + ms
  await Promise.all(Array.from({ length: connections }, () => talk(port, end, next, times)))
  return { times, perSecond: (times.length * 1000) / (performance.now() - begun) }
}

const talk = (port: number, end: number, next: () => string, times: number[]) =>
  new Promise<void>((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    let asked = 0
    let text = ''
    const ask = () => {
      asked = performance.now()
      if (asked >= end) return socket.destroy()
      socket.write(next(), 'latin1')
    }
    socket.on('connect', ask)
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const head = text.indexOf('\r\n\r\n')
      if (head < 0) return
      const at = /\r\ncontent-length: (\d+)/i.exec(text)
      if (text.length < head + 4 + Number(at?.[1])) return
      // A refusal is fast: it would look like a good figure.
      if (text[9] !== '2') return socket.destroy(new Error(text))
      times.push(performance.now() - asked)
      text = ''
      ask()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve())
  })

/** One request, and what it answered. */
export async function call(port: number, { method, path, key, body, headers }: Ask): Promise<{ id: string }> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...(key && { 'x-api-key': key }), ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  // It is told to come again, and does.
  if (reply.status === 503) return sleep(200).then(() => call(port, { method, path, key, body, headers } as Ask))
  if (!reply.ok) throw new Error(`${method} ${path}: ${text}`)
  return text ? JSON.parse(text) : { id: '' }
}
