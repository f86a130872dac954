import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { migrate } from '../server/src/db/migrate.ts'
import { addCursors, newVeiled } from './feed.ts'
import { wire } from './load.ts'
import { longLists, newLongLists } from './long-lists.ts'
import { memoryOf } from './machine.ts'
import { compare, type Figures, type Plan, ratioOf, type Subject, statements } from './measure.ts'
import { database, floor, service, stop } from './parts.ts'
import { formatReport, type Hidden, missedTargets } from './report.ts'
import { type Scenario, scenarios } from './scenarios.ts'
import { type Company, multiply, newWorld } from './seed.ts'
import { measureStarts } from './starts.ts'

// npm run bench                    everything, within ten minutes
// npm run bench -- --quick         up to 10,000 rows, in a minute
// npm run bench -- --processes 2   the service in two processes
// npm run bench -- --only roll     only scenarios whose name contains the word, without growth unless --growth is given
// npm run bench -- --only streams  2,000 open streams instead: their memory and delay, and that of positions
// npm run bench -- --only rulesets the cost of sheets and rolls by a ruleset instead, compared with the same requests without one
// npm run bench -- --only webhooks a backlog of 1,000,000 events instead: its cost, catching up, and endpoints that are slow or dead
// npm run bench -- --only "hostile rulesets"   documents that are made to take long instead: the slowest, in milliseconds
// npm run bench -- --only console  the console in a browser instead: its first paint on a slow phone, and how soon a roll is at every screen
// npm run bench -- --against FOLDER   this checkout compared with another one: see against.ts
// npm run bench -- --citus         the cost of distribution instead: see citus/run.ts
const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    processes: { type: 'string', default: '1' },
    only: { type: 'string' },
    growth: { type: 'boolean', default: false },
    citus: { type: 'boolean' },
    companies: { type: 'string' },
    against: { type: 'string' },
  },
})
if (flags.citus) {
  const { measureDistribution } = await import('./citus/run.ts')
  await measureDistribution(flags)
  process.exit()
}
if (flags.against) {
  const { compareWith } = await import('./against.ts')
  await compareWith({ against: flags.against, only: flags.only })
  process.exit()
}
const start = Date.now()
const log = (message: string) => console.error(`${String(Math.round((Date.now() - start) / 1000)).padStart(4)} s  ${message}`)
if (flags.only === 'streams') {
  const { measureStreams } = await import('./streams.ts')
  process.exit((await measureStreams(log)) ? 0 : 1)
}
if (flags.only === 'webhooks') {
  const { measureWebhooks } = await import('./webhooks/run.ts')
  process.exit((await measureWebhooks(flags.quick, log)) ? 0 : 1)
}
if (flags.only === 'console') {
  const { measureConsole } = await import('./console/run.ts')
  process.exit((await measureConsole(log)) ? 0 : 1)
}
if (flags.only === 'hostile rulesets') {
  const { measureHostileRulesets } = await import('./hostile-rulesets.ts')
  process.exit((await measureHostileRulesets(log)) ? 0 : 1)
}
if (flags.only === 'rulesets') {
  const { measureRulesets } = await import('./rulesets.ts')
  process.exit((await measureRulesets(log)) ? 0 : 1)
}
const sizes = flags.only && !flags.growth ? [] : flags.quick ? [10_000] : [100_000, 1_000_000]
// Rounds are short, so that both servers see the same machine. Warming up until the hot code is optimized takes seconds.
// A quick run proves that everything can be measured: its figures say nothing.
const rounds = flags.quick ? { rounds: 1, ms: 100, warm: 100 } : { rounds: 10, ms: 250, warm: 3000 }

// A rejection is fast, and would be a good figure for the wrong reason.
const NO_REJECTIONS = { MAX_IN_FLIGHT: '10000' }
const db = await database({
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_utility': 'off',
  max_wal_size: '4GB',
})
await migrate(db.url)
const client = new pg.Client(db.url)
await client.connect()
await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements').catch(() => {})
const [guildhall, bare] = [await service(db.url, Number(flags.processes), NO_REJECTIONS), await floor(db.url)]

log('creating companies')
const world = await newWorld(db.url, guildhall.port, 100)
for (const size of sizes) {
  await multiply(client, world, guildhall.port, size / 1000)
  log(`a company of ${size.toLocaleString('en')}`)
}
const long = sizes.length ? await newLongLists(client, db.url, guildhall.port, world.owner, [...world.sized.keys()]) : []
if (long.length) log('long ledgers and histories')
await addCursors(client, world.sized.values())
await client.query('VACUUM ANALYZE')
await client.query('CHECKPOINT').catch(() => {})
log('measuring')

const smallest = world.sized.get(1000) as Company
const groups = [[guildhall.pid], db.pid ? [db.pid] : []]
const plan: Plan = { ...rounds, groups }
const idOf = ({ base }: Company) => base.slice(base.lastIndexOf('/') + 1)

/** Sends requests to the companies in turn. */
function subject({ requestFor }: Scenario, companies: Company[], port = guildhall.port, key = world.key): Subject {
  let turn = 0
  return { port, next: () => wire({ key, ...requestFor(companies[turn++ % companies.length] as Company, key) }) }
}
function bareSubject({ floor }: Scenario, companies: Company[]): Subject {
  let turn = 0
  const company = () => idOf(companies[turn++ % companies.length] as Company)
  const body = { name: 'Newcomer', role: 'PLAYER' }
  const next = () => wire(floor === 'read' ? { method: 'GET', path: `/${company()}` } : { method: 'POST', path: `/${company()}`, body })
  return { port: bare.port, next }
}

const isSelected = ({ name }: Scenario) => !flags.only || name.includes(flags.only)
const selected = scenarios.filter(isSelected).map((scenario) => {
  const companies = scenario.floor === 'write' || scenario.name.startsWith('replay') ? world.companies : [smallest]
  const bare = bareSubject(scenario, scenario.floor === 'read' ? [smallest] : companies)
  return { scenario, bare, ours: subject(scenario, companies) }
})
const results: Record<string, unknown>[] = []
// The first scenario would be the only one whose code is not compiled well yet: the parts that all requests share take seconds of load.
const [first] = selected
if (first) await compare([first.bare, first.ours], { ...plan, rounds: 1, warm: 2 * rounds.warm })
for (const { scenario, bare, ours } of selected) {
  const [least, figures] = (await compare([bare, ours], plan)) as [Figures, Figures]
  const ratio = ratioOf(figures, least, 'perSecond')
  results.push({
    scenario: scenario.name,
    ...figures,
    floor: least,
    ratio,
    target: scenario.target ?? null,
    statements: await statements(client, ours),
  })
  log(`${scenario.name}: ${ratio.toFixed(2)}`)
}

const deep = sizes.at(-1)
if (deep) {
  const company = world.sized.get(deep) as Company
  const offset = deep * 0.9
  const path = `${company.base}/users?limit=10&offset=${offset}`
  const [least, figures] = (await compare(
    [
      { port: bare.port, next: () => wire({ method: 'GET', path: `/${idOf(company)}/${offset}` }) },
      { port: guildhall.port, next: () => wire({ method: 'GET', path, key: world.key }) },
    ],
    plan,
  )) as [Figures, Figures]
  results.push({
    scenario: `users at offset ${offset}`,
    ...figures,
    floor: least,
    ratio: ratioOf(figures, least, 'perSecond'),
    target: 0.7,
  })
  log('a deep page')
}

const hot: Record<string, unknown>[] = []
for (const { scenario } of selected.filter(({ scenario }) => scenario.floor === 'write' && !flags.quick)) {
  const [figures] = (await compare([subject(scenario, [smallest])], { ...plan, rounds: 2, warm: 300 })) as [Figures]
  hot.push({ scenario: `${scenario.name}, all in one company and campaign`, ...figures })
}
log('one hot company')

const growth: Record<string, unknown>[] = []
if (sizes.length) {
  const growing = [
    ...selected.map(({ scenario }) => ({ scenario, companies: [...world.sized.values()], key: world.key })),
    ...longLists.filter(isSelected).map((scenario) => ({ scenario, companies: long, key: world.owner })),
  ]
  for (const { scenario, companies, key } of growing) {
    const subjects = companies.map((company) => subject(scenario, [company], guildhall.port, key))
    // One connection: this measures the time of a request, not the throughput.
    const figures = await compare(subjects, { ...plan, rounds: Math.min(6, plan.rounds), warm: Math.min(500, rounds.warm), connections: 1 })
    const ratio = ratioOf(figures.at(-1) as Figures, figures[0] as Figures, 'p50')
    growth.push({ scenario: scenario.name, sizes: [...world.sized.keys()], p50: figures.map(({ p50 }) => p50), ratio, max: 1.2 })
    log(`${scenario.name} grows ${ratio.toFixed(2)}`)
  }
}

let hidden: Hidden | null = null
if (!flags.only || 'page of 50 changes'.includes(flags.only)) {
  const veiled = await newVeiled(client, guildhall.port, world.owner, world.guest)
  const pageAfter = (cursor: string): Subject =>
    subject(
      { name: '', floor: 'read', requestFor: ({ userPath }) => ({ method: 'GET', path: `${userPath}/changes?after=${cursor}&limit=50` }) },
      [veiled.company],
    )
  const pages = [pageAfter(veiled.open), pageAfter(veiled.hidden)]
  const [open, rest] = (await compare(pages, { ...plan, rounds: Math.min(6, plan.rounds), connections: 1 })) as [Figures, Figures]
  hidden = { open: open.p50, hidden: rest.p50, ratio: ratioOf(rest, open, 'p50'), max: 3 }
  log(`a page of which 90 % is hidden: ${hidden.ratio.toFixed(2)}`)
}

const memory = memoryOf(guildhall.pid)
let two: Record<string, unknown> | null = null
if (flags.processes === '1' && !flags.only && !flags.quick) {
  const double = await service(db.url, 2, NO_REJECTIONS)
  const each = selected.filter(({ scenario: { name } }) => name === 'list users' || name === 'create user')
  two = {}
  for (const { scenario } of each) {
    const companies = scenario.floor === 'write' ? world.companies : [smallest]
    const [one, both] = (await compare([subject(scenario, companies), subject(scenario, companies, double.port)], {
      ...plan,
      groups: [],
    })) as [Figures, Figures]
    two[scenario.name] = ratioOf(both, one, 'perSecond')
  }
  await stop(double.child)
  log('two processes')
}

await client.end()
await Promise.all([stop(guildhall.child), stop(bare.child)])
await db.stop()
const starts = flags.only ? null : await measureStarts()
const report = {
  machine: { cores: availableParallelism(), node: process.version, processes: Number(flags.processes) },
  seconds: Math.round((Date.now() - start) / 1000),
  results,
  hot,
  growth,
  hidden,
  memory,
  two,
  starts,
}
writeFileSync(new URL('results.json', import.meta.url), `${JSON.stringify(report, null, 2)}\n`)
console.log(formatReport(report))
console.log(missedTargets(report))
