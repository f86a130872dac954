import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

/** Requests to send over and over, each connection waiting for its answer before the next. */
export interface Flood {
  port: number
  connections: number
  /** Whole requests, as they go over the wire. */
  requests: string[]
}

// A thread of its own: what it costs to send and to receive must not delay those whose waits are measured.
const { port, connections, requests } = workerData as Flood
const answers = new Map<number, number>()
let next = 0
let isOver = false
parentPort?.once('message', () => {
  isOver = true
  parentPort?.postMessage(Object.fromEntries(answers))
  process.exit()
})

function flood(): void {
  const socket = connect(port, '127.0.0.1')
  let status = 0
  let left = 0
  const send = () => void socket.write(requests[next++ % requests.length] as string)
  socket.on('connect', send)
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
    answers.set(status, (answers.get(status) ?? 0) + 1)
    // A client that is refused is not polite either: it only takes a breath.
    if (status === 503) setTimeout(send, 10)
    else send()
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    if (!isOver) setTimeout(flood, 100)
  })
}

for (let i = 0; i < connections; i++) flood()
