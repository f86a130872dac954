import { setTimeout as sleep } from 'node:timers/promises'
import { stop } from '../../bench/parts.ts'
import { attempt, Client } from '../client.ts'
import { newClusterDeployment, withoutCitus } from '../cluster/deployment.ts'
import { type Company, newCompany, newDevelopers } from '../company.ts'
import { killAll, pick } from '../kills.ts'
import type { Scenario, Stage } from '../perform.ts'
import { newPoolerDeployment, withoutPooler } from '../pooler.ts'
import { type Receiver, startReceiver } from '../webhooks/receivers.ts'

const KILLS = 100
const ROLLS = 2000
const WRITERS = 8
/** Processes are killed for at most this time. Starts are slow on a busy machine: the table shows how many kills there were. */
const MAX_KILLS_MS = { quick: 12_000, full: 150_000 }
/** A lease of a killed process, the longest wait after a failure of the receiver that fails, and the rest of the deliveries. */
const MAX_CATCH_UP_MS = 300_000
/** The share of requests that may come twice, of all receivers: up to four to each are under way when a process is killed. A quick run has few requests, so chance counts for more. */
const MAX_REPEATED = { quick: 0.05, full: 0.02 }
const MAX_AT_ONCE = 4

const BEHAVIORS = [
  ...Array.from({ length: 5 }, (_, i) => ({ name: `fast ${i}` })),
  { name: 'ordered', ordered: true },
  { name: 'ordered and slow', ordered: true, delayMs: 5 },
  { name: 'slow', delayMs: 40 },
  { name: 'slower', delayMs: 80 },
  { name: 'failing', failing: 0.02 },
]

async function newTable({ deployment }: Stage): Promise<Company> {
  const [developer] = await newDevelopers(deployment.url, 1)
  if (!developer) throw new Error('no developer')
  return newCompany(new Client(() => deployment.services.map(({ port }) => port), new Map()), new Map(), developer)
}

/** Sends a request until it is answered: the process may be killed in between. The key makes it happen once. */
async function post({ developer: { key } }: Company, port: () => number, path: string, body: object): Promise<{ id: string }> {
  const headers = { 'idempotency-key': crypto.randomUUID() }
  for (let tries = 0; tries < 300; tries++) {
    const { status, text } = await attempt(port(), { method: 'POST', path, key, body: body as Record<string, unknown>, headers })
    if (status === 201 || status === 200) return JSON.parse(text)
    await sleep(100)
  }
  throw new Error(`${path} is not accepted`)
}

/** Everything that is wrong with what a receiver got. */
function faultsOf({ name, ordered, got, most }: Receiver, rolls: Set<string>): string[] {
  const numbers = new Set(got.map(({ number }) => number))
  const highest = Math.max(...numbers)
  const missing = [...rolls].filter((id) => !got.some(({ resource }) => resource === id)).length
  const faults = [
    missing > 0 && `${missing} rolls are missing`,
    numbers.size !== highest && `${highest - numbers.size} numbers are missing`,
    most > (ordered ? 1 : MAX_AT_ONCE) && `${most} arrived at once`,
    ordered && got.some(({ number }, i) => number < (got[i - 1]?.number ?? 0)) && 'numbers went down',
  ]
  return faults.filter((fault) => fault !== false).map((fault) => `${name}: ${fault}`)
}

export const killedDeliveries: Scenario = {
  name: 'webhooks, service killed',
  run: async (stage) => {
    const { deployment, quick, part, fail } = stage
    const third = await deployment.start()
    const receivers = await Promise.all(BEHAVIORS.map(startReceiver))
    try {
      const instances = [...deployment.services, third]
      const port = () => pick(instances).port
      const company = await newTable(stage)
      for (const { name, url, ordered } of receivers)
        await post(company, port, `${company.base}/webhooks`, { name, url, ordered, types: ['dice_roll.created'] })
      const rolls = new Set<string>()
      let left = part(ROLLS)
      const write = async () => {
        while (left-- > 0)
          rolls.add((await post(company, port, `${company.base}/users/${company.player}/dice-rolls`, { notation: '1d6' })).id)
      }
      const writing = Promise.all(Array.from({ length: WRITERS }, write))
      const kills = await killAll(instances, stage, part(KILLS), MAX_KILLS_MS[quick ? 'quick' : 'full'])
      await writing
      const isComplete = () => receivers.every(({ got }) => new Set(got.map(({ resource }) => resource)).size >= rolls.size)
      const start = Date.now()
      while (!isComplete() && Date.now() - start < MAX_CATCH_UP_MS) await sleep(100)
      const seconds = (Date.now() - start) / 1000
      // A request that was under way when its process was killed may be repeated until the lease is over.
      for (const receiver of receivers) for (const fault of faultsOf(receiver, rolls)) fail(fault)
      const [sent, repeated] = [receivers.flatMap(({ got }) => got).length, receivers.reduce((sum, one) => sum + one.repeated, 0)]
      if (repeated > MAX_REPEATED[quick ? 'quick' : 'full'] * sent) fail(`${repeated} of ${sent} requests were repeated`)
      const planned = part(KILLS)
      return `${kills === planned ? kills : `${kills} of ${planned}`} times kill -9 of 3 processes, ${rolls.size} rolls to ${receivers.length} receivers: ${sent} requests, ${repeated} repeated, complete ${seconds.toFixed(1)} s after the last kill`
    } finally {
      await stop(third.child)
      await Promise.all(receivers.map((receiver) => receiver.close()))
    }
  },
}

export const killedDeliveriesThroughPooler: Scenario = {
  ...killedDeliveries,
  name: 'pooler: webhooks, service killed',
  forbidden: withoutPooler,
  deploy: newPoolerDeployment,
  onlyInFullRuns: true,
}

export const killedDeliveriesOnCluster: Scenario = {
  ...killedDeliveries,
  name: 'cluster: webhooks, service killed',
  forbidden: withoutCitus,
  deploy: newClusterDeployment,
  onlyInFullRuns: true,
}
