import { setTimeout as sleep } from 'node:timers/promises'
import { wire } from '../../bench/load.ts'
import { QUICK_SHARE, startFlood, startReads } from '../attack.ts'
import type { Company } from '../company.ts'
import { nextWrite } from '../load.ts'
import type { Scenario, Stage } from '../perform.ts'

/** Half of these go to each process: about as many as it runs and queues. */
const REQUESTS_AT_ONCE = 560
/** As many connections as requests run at once in a process (MAX_IN_FLIGHT). Each sends the next request as soon as it is answered or refused. */
const CAPACITY_CONNECTIONS = 24
const STORM_CONNECTIONS = 1400
/** The first requests of a storm arrive as a burst, which is not measured. */
const BURST_MS = 1000
/** The storm is sent from this thread, which delays these reads, too. */
const MAX_READ_MS = 1000
const MAX_RATIO = 5
/** In a short run a single pause of the machine determines the p99, so another percentile is judged, and this much is accepted. */
const MAX_QUICK_MS = 250

const percentile = (times: number[] = [], share: number) => times.sort((a, b) => a - b)[Math.floor(times.length * share)] ?? 0

/** Checks that accepted requests stay fast, however many are rejected. */
async function overload(port: number, { base, developer }: Company, quick: boolean, fail: Stage['fail']): Promise<string> {
  const ms = quick ? 3000 : 10_000
  const requests = [wire({ method: 'GET', path: `${base}/users`, key: developer.key })]
  const flood = async (connections: number) => {
    const end = await startFlood({ port, connections, requests, warmUpMs: BURST_MS })
    await sleep(ms + BURST_MS)
    return end()
  }
  const usual = await flood(CAPACITY_CONNECTIONS)
  const storm = await flood(STORM_CONNECTIONS)
  const share = quick ? QUICK_SHARE : 0.99
  const [normal, accepted] = [percentile(usual[200], share), percentile(storm[200], share)]
  if (accepted > Math.max(normal * MAX_RATIO, quick ? MAX_QUICK_MS : 0))
    fail(`accepted requests took ${accepted.toFixed(0)} ms in a storm and ${normal.toFixed(0)} at capacity (p${share * 100})`)
  const unexpected = Object.keys({ ...usual, ...storm }).filter((status) => status !== '200' && status !== '503')
  if (unexpected.length > 0) fail(`answered ${unexpected}`)
  if (!storm[503]) fail('nothing was refused: the storm was too small')
  const count = (times: number[] = []) => Math.round((times.length * 1000) / ms)
  return `p${share * 100} ${normal.toFixed(0)} ms at ${count(usual[200])}/s, ${accepted.toFixed(0)} ms at ${count(storm[200])}/s with ${count(storm[503])}/s refused`
}

/** One client sends all its requests at once: every one is answered, and another client does not wait. */
export const stormOfOneClient: Scenario = {
  name: 'storm of one client',
  run: async ({ deployment, client, companies: [company, other], part, quick, fail }) => {
    client.onTry = ({ status, lost, text }) => {
      if (status !== 201) fail(`a request of the storm was answered ${status} ${lost || text.slice(0, 200)}`)
    }
    const rounds = part(20)
    const { port } = deployment.services[0]
    const reads = startReads(port, other, { quick, fail }, MAX_READ_MS)
    for (let i = 0; i < rounds; i++) await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, () => client.send(nextWrite([company]))))
    const figures = await reads('reads of another client, median/slowest ms:')
    return `${rounds} times ${REQUESTS_AT_ONCE} at once; ${figures}; ${await overload(port, company, quick, fail)}`
  },
}
