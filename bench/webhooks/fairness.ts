import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../measure.ts'
import { freePort } from '../parts.ts'
import type { Company } from '../seed.ts'
import { type Bench, disable, enable, type Hook, lengthenFeed, newCompanies, newHook, type Row } from './setup.ts'

const HEALTHY = 7
const SLOW = 3
const DEAD = 3
const SLOW_MS = 1400
const MIN_SHARE = 0.9

/** More than a healthy endpoint receives in all rounds. */
const EVENTS = 60_000
const EVENTS_OF_OTHERS = 2000
/** After a change, until the requests to slow endpoints have ended or begun. */
const SETTLE_MS = 2 * SLOW_MS

/** Measures what healthy endpoints receive from their backlogs, alone and with slow and dead ones beside them, in alternating rounds. */
export async function measureFairness(bench: Bench): Promise<Row[]> {
  const { client, receivers, isQuick, log } = bench
  const [rounds, roundMs] = isQuick ? [3, 3000] : [8, 4000]
  log(`writing the feeds of ${HEALTHY + SLOW + DEAD} companies`)
  const companies = await newCompanies(bench, HEALTHY + SLOW + DEAD)
  const hooks: Hook[] = []
  for (const [i, company] of companies.entries()) {
    const isDead = i >= HEALTHY + SLOW
    const port = isDead ? await freePort() : await receivers.open(0, i < HEALTHY ? 0 : SLOW_MS)
    hooks.push(await newHook(bench, company, port))
    await disable(bench, hooks[i] as Hook)
    await lengthenFeed(client, companies[i] as Company, i < HEALTHY ? EVENTS : EVENTS_OF_OTHERS)
  }
  await client.query('VACUUM ANALYZE')
  const [healthy, others] = [hooks.slice(0, HEALTHY), hooks.slice(HEALTHY)]
  const slow = others.slice(0, SLOW)
  const countOf = async (some: Hook[]) => (await receivers.count(some.map(({ port }) => port))).reduce((sum, count) => sum + count, 0)
  const perSecond = async () => {
    const [start, before, slowBefore] = [performance.now(), await countOf(healthy), await countOf(slow)]
    await sleep(roundMs)
    const seconds = (performance.now() - start) / 1000
    return { healthy: ((await countOf(healthy)) - before) / seconds, slow: ((await countOf(slow)) - slowBefore) / seconds }
  }

  log('delivering')
  for (const hook of healthy) await enable(bench, hook)
  await sleep(SETTLE_MS)
  const alone = [await perSecond()]
  const beside: typeof alone = []
  for (let round = 0; round < rounds; round++) {
    for (const hook of others) await enable(bench, hook)
    await sleep(SETTLE_MS)
    beside.push(await perSecond())
    for (const hook of others) await disable(bench, hook)
    await sleep(SETTLE_MS)
    alone.push(await perSecond())
  }
  const counts = await receivers.count(healthy.map(({ port }) => port))
  if (Math.max(...counts) >= EVENTS) throw new Error(`a backlog of ${EVENTS} events was too short to measure with`)
  for (const hook of healthy) await disable(bench, hook)
  // Compared with the rounds before and after it, so that a machine that becomes faster or slower does not count.
  const shares = beside.map((round, i) => (2 * round.healthy) / ((alone[i]?.healthy ?? 0) + (alone[i + 1]?.healthy ?? 0)))
  const share = median(shares)
  const [without, next, ofSlow] = [alone.map((one) => one.healthy), beside.map((one) => one.healthy), beside.map((one) => one.slow)].map(
    median,
  )
  return [
    {
      name: `deliveries per second to ${HEALTHY} healthy endpoints, alone and beside ${SLOW} slow and ${DEAD} dead ones, median of ${rounds}`,
      value: `${without?.toFixed(0)}, ${next?.toFixed(0)} (${share.toFixed(2)})`,
      target: `at least ${MIN_SHARE}`,
      isMet: share >= MIN_SHARE,
    },
    {
      name: `deliveries per second to the ${SLOW} slow ones, which answer after ${SLOW_MS / 1000} s`,
      value: `${ofSlow?.toFixed(1)}`,
      target: 'more than 0',
      isMet: (ofSlow ?? 0) > 0,
    },
  ]
}
