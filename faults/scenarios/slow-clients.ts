import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { wire } from '../../bench/load.ts'
import type { Try, Wish } from '../client.ts'
import type { Company } from '../company.ts'
import { nextWish, startLoad } from '../load.ts'
import type { Scenario, Stage } from '../perform.ts'
import { heard, open, statusOf, trickle } from '../sockets.ts'

/** Nobody else is to wait for those who are slow. */
const LONGEST = 5000
/** The service waits half a minute for a request, and looks every second. */
const GIVEN_UP_AFTER = 35_000

/** For every try, of whoever is not slow. */
export const answered = (amiss: Stage['amiss']) => (tried: Try) => {
  if (tried.status !== 201) amiss(`an ordinary request was answered ${tried.status} ${tried.lost || tried.text.slice(0, 200)}`)
  if (tried.ms > LONGEST) amiss(`an ordinary request took ${Math.round(tried.ms)} ms`)
}

/** A request that comes byte by byte is done like any other, and once. */
async function slowly({ client, amiss }: Stage, port: number, wish: Wish): Promise<void> {
  const socket = await open(port)
  const reply = heard(socket, 20_000)
  const text = wire({ ...wish, headers: { 'idempotency-key': wish.once, connection: 'close' } })
  await trickle(socket, text, 20, 4)
  const said = await reply
  if (statusOf(said) !== 201) amiss(`a request that came slowly was answered ${said.slice(0, 200) || 'nothing'}`)
  const told = await client.send(wish)
  if (told && !said.endsWith(told.text)) amiss('a request that came slowly was told something else when it came again')
}

/** What is no request is refused in words, and the connection closed. */
async function broken({ amiss }: Stage, port: number, text: string, expected: number): Promise<void> {
  const socket = await open(port)
  socket.write(text, 'latin1')
  const said = await heard(socket, 5000)
  if (statusOf(said) !== expected || !said.includes('application/problem+json'))
    amiss(`${text.slice(0, 60)}... was answered ${said.slice(0, 200) || 'nothing'}, not ${expected}`)
}

const brokenOnes = ({ base, developer }: Company): [string, number][] => {
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

/** Asks for much, which costs the service little, and reads none of it. */
async function deaf(port: number): Promise<Socket> {
  const socket = await open(port)
  socket.pause()
  socket.write(wire({ method: 'GET', path: '/openapi.json' }).repeat(5))
  return socket
}

/** Begins a request and says no more. */
async function silent(port: number, { base }: Company): Promise<Socket> {
  const socket = await open(port)
  socket.write(`POST ${base}/users HTTP/1.1\r\nhost: faults\r\nx-ap`)
  return socket
}

export const slowClients: Scenario = {
  name: 'slow and broken clients',
  run: async (stage) => {
    const { house, client, companies, part, quick, amiss } = stage
    const [company] = companies
    const ports = house.services.map(({ port }) => port)
    const each = <T>(count: number, act: (port: number, i: number) => Promise<T>) =>
      Promise.all(Array.from({ length: count }, (_, i) => act(ports[i % 2] as number, i)))
    client.onTry = answered(amiss)
    const finish = startLoad(client, companies, 4)
    const count = part(100)
    const waiting = await each(count, (port) => silent(port, company))
    const unread: Socket[] = []
    // One after the other: all at once would be an overload, and refused as such.
    for (let i = 0; i < count; i++) {
      unread.push(await deaf(ports[i % 2] as number))
      await sleep(20)
    }
    const odd = brokenOnes(company)
    await Promise.all([
      each(count, (port) => slowly(stage, port, nextWish(companies))),
      each(count, (port, i) => broken(stage, port, ...(odd[i % odd.length] as [string, number]))),
    ])
    // In full, those who stay silent are seen to be given up.
    if (quick) await sleep(500)
    else {
      const said = await Promise.all(waiting.map((socket) => heard(socket, GIVEN_UP_AFTER)))
      const kept = said.filter((text) => statusOf(text) !== 408)
      if (kept.length > 0) amiss(`${kept.length} who began a request and said no more were answered ${kept[0]?.slice(0, 200) || 'nothing'}`)
    }
    for (const socket of [...waiting, ...unread]) socket.destroy()
    await finish()
    return `${count} each: slow, silent, deaf, broken`
  },
}
