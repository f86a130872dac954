import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

// A thread that holds many streams open. For each text that it is told, it answers with the time at which each stream has received it.

const MAX_WAIT_MS = 30_000
/** The requests are sent a few at a time, as clients come back after a restart. */
const OPENED_AT_ONCE = 20

const { port, requests } = workerData as { port: number; requests: string[] }
const tails = requests.map(() => '')
let wanted = ''
let times: number[] = []
let opened = 0

function openNext(): void {
  const i = opened++
  const request = requests[i]
  if (request === undefined) return
  let isOpen = false
  const socket = connect(port, '127.0.0.1', () => socket.write(request))
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    tails[i] = (tails[i] + chunk.toString('latin1')).slice(-2048)
    if (!isOpen) openNext()
    isOpen = true
    look(i)
  })
}

function look(i: number): void {
  if (wanted === '' || !tails[i]?.includes(wanted)) return
  tails[i] = ''
  times.push(Date.now())
  if (times.length < requests.length) return
  parentPort?.postMessage(times)
  wanted = ''
}

parentPort?.on('message', (text: string) => {
  wanted = text
  times = []
  const sought = text
  setTimeout(() => {
    if (wanted === sought) parentPort?.postMessage(`${times.length} of ${requests.length} streams have received ${text}`)
  }, MAX_WAIT_MS).unref()
  for (const i of tails.keys()) look(i)
})

for (let i = 0; i < OPENED_AT_ONCE; i++) openNext()
