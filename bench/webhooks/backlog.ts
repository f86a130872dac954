import { setTimeout as sleep } from 'node:timers/promises'
import { wire } from '../load.ts'
import { type Cost, watch } from '../machine.ts'
import { compare, type Figures, median, type Subject } from '../measure.ts'
import { freePort } from '../parts.ts'
import type { Company } from '../seed.ts'
import { type Bench, disable, enable, type Hook, idOf, lengthenFeed, newCompanies, newHook, type Row } from './setup.ts'

const MAX_ROWS = 100
const MIN_WRITERS = 0.98
const MIN_PER_SECOND = 300

const CAUGHT_UP = 5000
const MAX_CATCH_UP_MS = 20_000
const MAX_FIRST_MS = 10_000
/** Hot code is compiled, and statements are prepared, after so many deliveries. */
const WARM = 1000
const MAX_WARM_MS = 15_000
/** Requests that are under way when a webhook is disabled have arrived after this time. */
const SETTLE_MS = 1000

/** Measures a webhook with a dead endpoint and a long backlog: its rows, the writers of its company, and how fast it catches up. */
export async function measureBacklog(bench: Bench): Promise<Row[]> {
  const { client, isQuick, log } = bench
  const events = isQuick ? 100_000 : 1_000_000
  log(`writing two feeds of ${events.toLocaleString('en')} events`)
  const [plain, hooked] = (await newCompanies(bench, 2)) as [Company, Company]
  const hook = await newHook(bench, hooked, await freePort())
  for (const company of [plain, hooked]) await lengthenFeed(client, company, events)
  await client.query('VACUUM ANALYZE')
  await client.query('CHECKPOINT').catch(() => {})

  log('writing next to the backlog')
  const ratios = await compareWriters(bench, plain, hooked)
  const { rows } = await client.query<{ count: number; backlog: number }>(
    `SELECT (SELECT count(*)::int FROM webhook_deliveries WHERE company_id = $1) AS count, (h.last - r.position)::int AS backlog
     FROM webhook_runs r JOIN feed_heads h USING (company_id) WHERE company_id = $1`,
    [idOf(hooked)],
  )
  const { count = Number.NaN, backlog = Number.NaN } = rows[0] ?? {}
  log('catching up')
  const { perSecond, cost, cpuEach, numbers } = await catchUp(bench, hook)
  const distinct = new Set(numbers)
  const missing = Math.max(0, ...numbers) - distinct.size
  const repeated = numbers.length - distinct.size
  const ratio = median(ratios)
  // On a busy machine they are far apart, and the median then says little.
  const [low, high] = [0.25, 0.75].map((part) => ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length * part)]?.toFixed(2))
  return [
    {
      name: `delivery rows of a dead endpoint, ${backlog.toLocaleString('en')} events behind`,
      value: String(count),
      target: `1 to ${MAX_ROWS}`,
      isMet: count > 0 && count <= MAX_ROWS && backlog >= events - MAX_ROWS,
    },
    {
      name: `create user next to it, against a company without a webhook, median of ${ratios.length}`,
      value: `${ratio.toFixed(3)}, half of them from ${low} to ${high}`,
      target: `at least ${MIN_WRITERS}`,
      isMet: ratio >= MIN_WRITERS,
    },
    {
      name: 'deliveries per second when the endpoint is back',
      value: `${perSecond.toFixed(0)}, each with ${cpuEach.join(' + ')} µs of CPU, while others used ${(cost.others * 100).toFixed(0)} % of the machine`,
      target: `at least ${MIN_PER_SECOND}`,
      isMet: perSecond >= MIN_PER_SECOND,
    },
    {
      name: `of ${distinct.size.toLocaleString('en')} deliveries, numbers missing and repeated`,
      value: `${missing}, ${repeated}`,
      target: '0, 0',
      isMet: distinct.size > 0 && missing === 0 && repeated === 0,
    },
  ]
}

/** Returns the speed of writers in one company by that in another one, round by round. Each is first in half of the rounds. */
async function compareWriters({ port, key, groups, isQuick }: Bench, plain: Company, hooked: Company): Promise<number[]> {
  const writerOf = ({ base }: Company): Subject => {
    const request = wire({ method: 'POST', path: `${base}/users`, key, body: { name: 'Newcomer', role: 'PLAYER' } })
    return { port, next: () => request }
  }
  // Short rounds: what other processes do on the machine then affects both sides of a ratio.
  const plan = { rounds: isQuick ? 30 : 100, ms: 100, warm: isQuick ? 1000 : 4000, groups }
  const before = await compare([writerOf(plain), writerOf(hooked)], plan)
  const after = (await compare([writerOf(hooked), writerOf(plain)], { ...plan, warm: 500 })).toReversed()
  return [before, after].flatMap((figures) => {
    const [without, beside] = figures as [Figures, Figures]
    return beside.rounds.map(({ perSecond }, i) => perSecond / (without.rounds[i]?.perSecond as number))
  })
}

interface CatchUp {
  perSecond: number
  cost: Cost
  /** The microseconds of CPU for a delivery, of the service and of the database. */
  cpuEach: number[]
  numbers: number[]
}

/** Opens the endpoint of a webhook, and returns the rate of its deliveries after the first ones, and all their numbers. */
async function catchUp(bench: Bench, hook: Hook): Promise<CatchUp> {
  const { receivers, client, groups } = bench
  await receivers.open(hook.port)
  // Otherwise the endpoint would be tried at its next probe, minutes later.
  await disable(bench, hook)
  await enable(bench, hook)
  const received = async () => (await receivers.count([hook.port]))[0] as number
  for (const end = Date.now() + MAX_FIRST_MS; (await received()) === 0; await sleep(5))
    if (Date.now() > end) throw new Error('the webhook has delivered nothing since its endpoint is back')
  for (const end = Date.now() + MAX_WARM_MS; (await received()) < WARM && Date.now() < end; ) await sleep(50)
  // Autovacuum does so within a minute. Until then, plans are those for empty tables, and the check of a foreign key reads all rows of the company.
  await client.query('ANALYZE webhook_deliveries, webhook_attempts')
  const stopWatching = watch(groups)
  const [start, first] = [performance.now(), await received()]
  let last = first
  for (; last - first < CAUGHT_UP && performance.now() - start < MAX_CATCH_UP_MS; last = await received()) await sleep(50)
  const perSecond = ((last - first) * 1000) / (performance.now() - start)
  const cost = stopWatching()
  const cpuEach = cost.cpu.map((ms) => Math.round((ms * 1000) / (last - first)))
  await disable(bench, hook)
  await sleep(SETTLE_MS)
  return { perSecond, cost, cpuEach, numbers: await receivers.numbers(hook.port) }
}
