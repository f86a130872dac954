import { setTimeout as sleep } from 'node:timers/promises'
import { wire } from '../../bench/load.ts'
import { startFlood, startReads } from '../attack.ts'
import type { Company } from '../company.ts'
import { nextWish } from '../load.ts'
import type { Scenario, Stage } from '../perform.ts'

/** To either process half of them: about as many as one lets run and wait. */
const AT_ONCE = 560
/** Connections that keep a process busy, and those of a storm: each asks again as soon as it is answered, or refused. */
const CAPACITY = 16
const STORM = 1400
/** The first requests of a storm all come at once: a burst, which waits for as long as it takes. */
const BURST_MS = 1000
/** The storm is sent from this thread: what it delays here is not the service's. */
const MAX_READ_MS = 1000
const MAX_RATIO = 5
/** In a short run a single pause of the machine makes the p99: it may be this much. */
const SHORT_RUN_MS = 250

const p99 = (times: number[] = []) => times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0

/** Accepted requests stay in time, however many are refused. */
async function overload(port: number, { base, developer }: Company, quick: boolean, amiss: Stage['amiss']): Promise<string> {
  const ms = quick ? 3000 : 10_000
  const requests = [wire({ method: 'GET', path: `${base}/users`, key: developer.key })]
  const flood = async (connections: number) => {
    const end = await startFlood({ port, connections, requests, warmUpMs: BURST_MS })
    await sleep(ms + BURST_MS)
    return end()
  }
  const usual = await flood(CAPACITY)
  const storm = await flood(STORM)
  const [normal, accepted] = [p99(usual[200]), p99(storm[200])]
  if (accepted > Math.max(normal * MAX_RATIO, quick ? SHORT_RUN_MS : 0))
    amiss(`accepted requests took ${accepted.toFixed(0)} ms in a storm and ${normal.toFixed(0)} at capacity (p99)`)
  const strange = Object.keys({ ...usual, ...storm }).filter((status) => status !== '200' && status !== '503')
  if (strange.length > 0) amiss(`answered ${strange}`)
  if (!storm[503]) amiss('nothing was refused: it was no storm')
  const count = (times: number[] = []) => Math.round((times.length * 1000) / ms)
  return `p99 ${normal.toFixed(0)} ms at ${count(usual[200])}/s, ${accepted.toFixed(0)} ms at ${count(storm[200])}/s with ${count(storm[503])}/s refused`
}

/** Everything one client has to say, at once: all of it is answered, and another client is not kept waiting. */
export const stormOfOneClient: Scenario = {
  name: 'storm of one client',
  run: async ({ house, client, companies: [company, other], part, quick, amiss }) => {
    client.onTry = ({ status, lost, text }) => {
      if (status !== 201) amiss(`a request of the storm was answered ${status} ${lost || text.slice(0, 200)}`)
    }
    const rounds = part(20)
    const { port } = house.services[0]
    const reads = startReads(port, other, amiss, MAX_READ_MS)
    for (let i = 0; i < rounds; i++) await Promise.all(Array.from({ length: AT_ONCE }, () => client.send(nextWish([company]))))
    const figures = await reads('reads of another, median/slowest ms:')
    return `${rounds} times ${AT_ONCE} at once; ${figures}; ${await overload(port, company, quick, amiss)}`
  },
}
