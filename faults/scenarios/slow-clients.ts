import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { wire } from '../../bench/load.ts'
import type { Try, Write } from '../client.ts'
import type { Company } from '../company.ts'
import { nextWrite, startLoad } from '../load.ts'
import type { Scenario, Stage } from '../perform.ts'
import { open, received, statusOf, trickle } from '../sockets.ts'

/** Other clients must not wait for slow ones. */
const MAX_ORDINARY_MS = 5000
/** The service waits 30 s for a request, and checks every second. */
const MAX_TIMEOUT_MS = 35_000

/** Checks a try of a client that is not slow. */
export const failUnlessCreated = (fail: Stage['fail']) => (tried: Try) => {
  if (tried.status !== 201) fail(`an ordinary request was answered ${tried.status} ${tried.lost || tried.text.slice(0, 200)}`)
  if (tried.ms > MAX_ORDINARY_MS) fail(`an ordinary request took ${Math.round(tried.ms)} ms`)
}

/** Sends a request a few bytes at a time. It must be done like any other, and once. */
async function sendSlowly({ client, fail }: Stage, port: number, write: Write): Promise<void> {
  const socket = await open(port)
  const reply = received(socket, 20_000)
  const text = wire({ ...write, headers: { 'idempotency-key': write.idempotencyKey, connection: 'close' } })
  await trickle(socket, text, 20, 4)
  const answer = await reply
  if (statusOf(answer) !== 201) fail(`a slow request was answered ${answer.slice(0, 200) || 'nothing'}`)
  const confirmed = await client.send(write)
  if (confirmed && !answer.endsWith(confirmed.text)) fail('a slow request got another answer when it was repeated')
}

/** Sends an invalid request. It must be rejected with a problem document, and the connection closed. */
async function sendBroken({ fail }: Stage, port: number, text: string, expected: number): Promise<void> {
  const socket = await open(port)
  socket.write(text, 'latin1')
  const answer = await received(socket, 5000)
  if (statusOf(answer) !== expected || !answer.includes('application/problem+json'))
    fail(`${text.slice(0, 60)}... was answered ${answer.slice(0, 200) || 'nothing'}, not ${expected}`)
}

const brokenRequests = ({ base, developer }: Company): [string, number][] => {
  const head = `POST ${base}/users HTTP/1.1\r\nhost: faults\r\nx-api-key: ${developer.key}\r\ncontent-type: application/json\r\n`
  const chunked = `${head}transfer-encoding: chunked\r\n\r\n`
  return [
    [`${head}x-long: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
    [`${head}${Array.from({ length: 3000 }, (_, i) => `x-${i}: y\r\n`).join('')}\r\n`, 431],
    [`${chunked}zz\r\n{}\r\n0\r\n\r\n`, 400],
    [`${chunked}5\r\n{"name":"too long for five"}\r\n0\r\n\r\n`, 400],
    [`${chunked}ffffffffffffffffff\r\n`, 400],
  ]
}

/** Requests large replies that cost the service little, and reads none of them. */
async function openUnread(port: number): Promise<Socket> {
  const socket = await open(port)
  socket.pause()
  socket.write(wire({ method: 'GET', path: '/openapi.json' }).repeat(5))
  return socket
}

/** Begins a request and sends no more. */
async function openSilent(port: number, { base }: Company): Promise<Socket> {
  const socket = await open(port)
  socket.write(`POST ${base}/users HTTP/1.1\r\nhost: faults\r\nx-ap`)
  return socket
}

export const slowClients: Scenario = {
  name: 'slow and broken clients',
  run: async (stage) => {
    const { deployment, client, companies, part, quick, fail } = stage
    const [company] = companies
    const ports = deployment.services.map(({ port }) => port)
    const each = <T>(count: number, act: (port: number, i: number) => Promise<T>) =>
      Promise.all(Array.from({ length: count }, (_, i) => act(ports[i % 2] as number, i)))
    client.onTry = failUnlessCreated(fail)
    const finish = startLoad(client, companies, 4)
    const count = part(100)
    const waiting = await each(count, (port) => openSilent(port, company))
    const unread: Socket[] = []
    // One after the other: all at once would be rejected as an overload.
    for (let i = 0; i < count; i++) {
      unread.push(await openUnread(ports[i % 2] as number))
      await sleep(20)
    }
    const broken = brokenRequests(company)
    await Promise.all([
      each(count, (port) => sendSlowly(stage, port, nextWrite(companies))),
      each(count, (port, i) => sendBroken(stage, port, ...(broken[i % broken.length] as [string, number]))),
    ])
    // Only a full run waits for the timeout of the silent clients.
    if (quick) await sleep(500)
    else {
      const answers = await Promise.all(waiting.map((socket) => received(socket, MAX_TIMEOUT_MS)))
      const kept = answers.filter((text) => statusOf(text) !== 408)
      if (kept.length > 0) fail(`${kept.length} clients that sent half a request were answered ${kept[0]?.slice(0, 200) || 'nothing'}`)
    }
    for (const socket of [...waiting, ...unread]) socket.destroy()
    await finish()
    return `${count} each: slow, silent, unread, broken`
  },
}
