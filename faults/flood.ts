import { connect, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { wire } from '../bench/load.ts'

/** Requests that are sent repeatedly. Each connection waits for an answer before the next request. */
export interface Flood {
  port: number
  connections: number
  /** Complete requests as they are sent over the wire. */
  requests: string[]
  /** Answers before this many milliseconds are not counted. */
  warmUpMs?: number
}

// Runs in a thread of its own, so that sending and receiving does not delay the requests that are measured.
const { port, connections, requests, warmUpMs = 0 } = workerData as Flood
/** The milliseconds of the answers, by status. */
const answers: Record<number, number[]> = {}
const FIRST_REQUEST = wire({ method: 'GET', path: '/health/live' })
let next = 0
let countsFrom = Number.POSITIVE_INFINITY
let isOver = false
parentPort?.once('message', () => {
  isOver = true
  parentPort?.postMessage(answers)
  process.exit()
})

/** Calls the listener with the status of each complete answer. */
function onAnswers(socket: Socket, listener: (status: number) => void): void {
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
    listener(status)
  })
}

/** Opens a connection and waits for a first answer: Node accepts one connection per turn of its event loop, and that wait is not measured. */
const openSender = () =>
  new Promise<() => void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(FIRST_REQUEST))
    let sent = 0
    const send = () => {
      sent = performance.now()
      socket.write(requests[next++ % requests.length] as string)
    }
    onAnswers(socket, (status) => {
      if (sent === 0) return resolve(send)
      const now = performance.now()
      if (now >= countsFrom) {
        const times = answers[status] ?? []
        answers[status] = times
        times.push(now - sent)
      }
      // An impolite client retries at once, even if it was rejected.
      send()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      if (!isOver) setTimeout(async () => (await openSender())(), 100)
    })
  })

const OPENED_AT_ONCE = 20
const senders: (() => void)[] = []
while (senders.length < connections)
  senders.push(...(await Promise.all(Array.from({ length: Math.min(OPENED_AT_ONCE, connections - senders.length) }, openSender))))
parentPort?.postMessage('start')
countsFrom = performance.now() + warmUpMs
for (const send of senders) send()
