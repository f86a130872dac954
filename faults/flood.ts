import { connect, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { wire } from '../bench/load.ts'

/** Requests to send over and over, each connection waiting for its answer before the next. */
export interface Flood {
  port: number
  connections: number
  /** Whole requests, as they go over the wire. */
  requests: string[]
  /** Answers before this many milliseconds are not counted. */
  warmUpMs?: number
}

// A thread of its own: what it costs to send and to receive must not delay those whose waits are measured.
const { port, connections, requests, warmUpMs = 0 } = workerData as Flood
/** Milliseconds of each answer, by its status. */
const answers: Record<number, number[]> = {}
const HELLO = wire({ method: 'GET', path: '/health/live' })
let next = 0
let countsFrom = Number.POSITIVE_INFINITY
let isOver = false
parentPort?.once('message', () => {
  isOver = true
  parentPort?.postMessage(answers)
  process.exit()
})

/** Calls `onAnswer` with the status of each answer that has arrived whole. */
function hear(socket: Socket, onAnswer: (status: number) => void): void {
  let status = 0
  let left = 0
  socket.on('data', (chunk: Buffer) => {
    if (left === 0) {
      const head = chunk.indexOf('\r\n\r\n')
      if (head < 0) return void socket.destroy()
      status = Number(chunk.subarray(9, 12))
      left = Number(/\r\ncontent-length: (\d+)/i.exec(chunk.subarray(0, head + 2).toString('latin1'))?.[1] ?? 0) + head + 4
    }
    left -= chunk.length
    if (left > 0) return
    left = 0
    onAnswer(status)
  })
}

/** A connection that is heard: Node takes one new connection per turn of its event loop, and that wait is not the request's. */
const opened = () =>
  new Promise<() => void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(HELLO))
    let sent = 0
    const send = () => {
      sent = performance.now()
      socket.write(requests[next++ % requests.length] as string)
    }
    hear(socket, (status) => {
      if (sent === 0) return resolve(send)
      const now = performance.now()
      if (now >= countsFrom) {
        const times = answers[status] ?? []
        answers[status] = times
        times.push(now - sent)
      }
      // A client that is refused is not polite either: it asks again at once.
      send()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      if (!isOver) setTimeout(async () => (await opened())(), 100)
    })
  })

const AT_ONCE = 20
const senders: (() => void)[] = []
while (senders.length < connections)
  senders.push(...(await Promise.all(Array.from({ length: Math.min(AT_ONCE, connections - senders.length) }, opened))))
parentPort?.postMessage('begun')
countsFrom = performance.now() + warmUpMs
for (const send of senders) send()
