import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { migrate } from '../server/src/db/migrate.ts'
import { call, load, wire } from './load.ts'
import { memoryOf } from './machine.ts'
import { database, freePort, service, stop } from './parts.ts'
import { measurePositions, type PositionDelays } from './positions.ts'
import { inBatches, newDevelopers } from './seed.ts'

const USERS = 250
const STREAMS_PER_USER = 8
const DEVELOPERS = 5
const MEMBERS = 5
const ROUNDS = 20
const LOAD_MS = 3000
const PAUSE_MS = 100

const MAX_KB_PER_STREAM = 40
const MAX_DELAY_MS = 500
const MAX_SLOWDOWN = 2
const MAX_LATENESS_MS = 50
const MAX_POSITION_MS = { p50: 25, p99: 250 }

/** The value below which this share of the numbers lies. */
function percentile(numbers: number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** The streams, in a thread of their own, so that reading them does not delay the other measurements. */
class Listeners {
  readonly #worker: Worker

  constructor(port: number, requests: string[]) {
    this.#worker = new Worker(new URL('listeners.ts', import.meta.url), { workerData: { port, requests } })
  }

  /** Resolves with the times, since the epoch, at which each stream has received this text. */
  async next(text: string): Promise<number[]> {
    this.#worker.postMessage(text)
    const [times] = await once(this.#worker, 'message')
    if (typeof times === 'string') throw new Error(times)
    return times
  }

  close = () => this.#worker.terminate()
}

function positionRow({ events, p50, p99 }: PositionDelays): [string, string, boolean] {
  const name = `an event to its position, three processes, ms, p50 and p99 of ${events}`
  return [name, `${p50.toFixed(1)}, ${p99.toFixed(0)}`, p50 <= MAX_POSITION_MS.p50 && p99 <= MAX_POSITION_MS.p99]
}

/** The precision of the histogram of Node, which is part of each of its values. */
const HISTOGRAM_MS = 10

/** Reads how late the event loop of the process was since the last time, in milliseconds. */
async function latenessOf(metricsPort: number): Promise<{ p99: number; max: number }> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const ms = (name: string) =>
    Math.max(0, Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (.+)$`, 'm').exec(text)?.[1]) * 1000 - HISTOGRAM_MS)
  return { p99: ms('p99'), max: ms('max') }
}

/** Measures 2,000 streams of one company in one process: their memory, the delay of an event to all of them, and other requests next to them. */
export async function measureStreams(log: (message: string) => void): Promise<boolean> {
  const db = await database({ track_commit_timestamp: 'on' })
  await migrate(db.url)
  log('writing on three processes')
  const positions = await measurePositions(db.url)
  const metricsPort = await freePort()
  const { port, pid, child } = await service(db.url, 1, { MAX_IN_FLIGHT: '24', METRICS_PORT: String(metricsPort) })
  const { owner } = await newDevelopers(db.url)
  const send = (method: string, path: string, key: string, body: unknown) => call(port, { method, path, key, body })
  const company = await send('POST', '/api/v1/companies', owner.key, { name: 'Streamed' })
  const base = `/api/v1/companies/${company.id}`
  const developers: string[] = []
  for (let i = 0; i < DEVELOPERS; i++) {
    const { player } = await newDevelopers(db.url)
    await send('PUT', `${base}/developers/${player.id}`, owner.key, { permission: 'USER' })
    developers.push(player.key)
  }
  const teller = await send('POST', `${base}/users`, owner.key, { name: 'Teller', role: 'STORYTELLER' })
  const users = await inBatches(USERS, (i) => send('POST', `${base}/users`, owner.key, { name: `User ${i}`, role: 'PLAYER' }))
  const C = `${base}/users/${teller.id}/campaigns/${(await send('POST', `${base}/users/${teller.id}/campaigns`, owner.key, { name: 'Live' })).id}`
  for (const { id } of users.slice(0, MEMBERS)) await send('PUT', `${C}/members/${id}`, owner.key, { role: 'PLAYER' })
  const getUser = () => wire({ method: 'GET', path: `${base}/users/${teller.id}`, key: owner.key })
  await load(port, 4, LOAD_MS, getUser)
  const alone = await load(port, 4, LOAD_MS, getUser)
  const before = memoryOf(pid)
  log(`opening ${USERS * STREAMS_PER_USER} streams`)
  const requests = Array.from({ length: USERS * STREAMS_PER_USER }, (_, i) =>
    wire({ method: 'GET', path: `${base}/users/${users[i % USERS]?.id}/stream`, key: developers[i % DEVELOPERS] as string }),
  )
  const listeners = new Listeners(port, requests)
  await listeners.next('event: ready')
  await sleep(2000)
  const perStream = ((memoryOf(pid) - before) * 1024) / requests.length
  log('writing events')
  await latenessOf(metricsPort)
  const delays: number[] = []
  const withEvents = load(port, 4, LOAD_MS, getUser)
  for (let round = 0; round < ROUNDS; round++) {
    const title = `Round ${round}.`
    const arrivals = listeners.next(title)
    const startedAt = Date.now()
    await send('POST', `${C}/notes`, owner.key, { title, visibility: 'EVERYONE' })
    for (const at of await arrivals) delays.push(at - startedAt)
    await sleep(PAUSE_MS)
  }
  const beside = await withEvents
  const lateness = await latenessOf(metricsPort)
  const after = ((memoryOf(pid) - before) * 1024) / requests.length
  await listeners.close()
  await stop(child)
  await db.stop()
  const slowdown = percentile(beside.times, 0.99) / percentile(alone.times, 0.99)
  const rows: [string, string, boolean][] = [
    ['memory of a stream, kB, open and after events', `${perStream.toFixed(1)}, ${after.toFixed(1)}`, perStream <= MAX_KB_PER_STREAM],
    [
      `an event to all, ms, p50 and p99 of ${delays.length}`,
      `${percentile(delays, 0.5).toFixed(0)}, ${percentile(delays, 0.99).toFixed(0)}`,
      percentile(delays, 0.99) <= MAX_DELAY_MS,
    ],
    [
      'get user, p99, ms, alone and next to the events',
      `${percentile(alone.times, 0.99).toFixed(1)}, ${percentile(beside.times, 0.99).toFixed(1)} (${slowdown.toFixed(1)}x)`,
      slowdown <= MAX_SLOWDOWN,
    ],
    [
      'lateness of the event loop next to the events, ms, p99 and worst',
      `${lateness.p99.toFixed(0)}, ${lateness.max.toFixed(0)}`,
      lateness.p99 <= MAX_LATENESS_MS,
    ],
    ...(positions ? [positionRow(positions)] : []),
  ]
  for (const [name, value, isMet] of rows) console.log(`${isMet ? 'met   ' : 'missed'}  ${name}: ${value}`)
  return rows.every(([, , isMet]) => isMet)
}
