import { writeFileSync } from 'node:fs'
import { migrate } from '../../server/src/db/migrate.ts'
import { call, type OutgoingRequest, wire } from '../load.ts'
import { compare, type Figures, ratioOf, type Subject } from '../measure.ts'
import { database, service, stop } from '../parts.ts'
import { figure, table } from '../report.ts'
import { type Company, newWorld } from '../seed.ts'
import { startDirectus } from './directus.ts'
import { type Peer, WORK, type Work } from './peer.ts'
import { startPostGraphile } from './postgraphile.ts'
import { newPeople } from './table.ts'

// npm run bench:peers            installs the peers, and compares
// npm run bench:peers -- quick   the same with few and short rounds, to try it
// Compares the service with two servers that are known for offering the tables of a PostgreSQL over HTTP. All do the same work on one PostgreSQL, one
// process each, in alternating rounds: a page of ten of a thousand users with their total, a new user, and one user.
const COMPANIES = 40
// Rounds are longer than those of the other comparisons, because a peer answers fewer requests.
const PLAN = process.argv.includes('quick')
  ? { rounds: 2, ms: 300, warm: 500, groups: [] }
  : { rounds: 12, ms: 500, warm: 6000, groups: [] }

/** How many times as fast as each peer the service should be. */
const TARGETS: Partial<Record<Work, number>> = { list: 30, create: 15 }

const start = Date.now()
const log = (message: string) => console.error(`${String(Math.round((Date.now() - start) / 1000)).padStart(4)} s  ${message}`)

/** A server with the companies over which its creates are spread. */
interface Contestant {
  server: Peer
  companies: string[]
}

async function startGuildhall(url: string): Promise<Contestant> {
  await migrate(url)
  const { port, child } = await service(url, 1, { MAX_IN_FLIGHT: '10000' })
  const { key, companies, sized } = await newWorld(url, port, COMPANIES)
  const large = sized.get(1000) as Company
  const requests: Peer['requests'] = {
    list: () => ({ method: 'GET', path: `${large.base}/users?limit=10`, key }),
    create: (company) => ({ method: 'POST', path: `${company}/users`, key, body: { name: 'Newcomer', role: 'PLAYER' } }),
    get: () => ({ method: 'GET', path: `${large.base}/users/${large.player}`, key }),
  }
  return { server: { name: 'Guildhall', port, child, requests }, companies: companies.map(({ base }) => base) }
}

async function startAll(url: string): Promise<Contestant[]> {
  log('starting Guildhall, Directus and PostGraphile')
  const contestants = [await startGuildhall(url)]
  for (const [name, startPeer] of Object.entries({ directus: startDirectus, postgraphile: startPostGraphile })) {
    const people = await newPeople(url, name, COMPANIES)
    contestants.push({ server: await startPeer(people), companies: people.companies })
  }
  return contestants
}

/** Fails unless a reply has what was asked for. GraphQL answers errors with the status 200, too. */
function assertAnswer(name: string, work: Work, reply: unknown): void {
  const text = JSON.stringify(reply)
  const found = text.match(/"name":"(Teller|Player|Newcomer)/g)?.length ?? 0
  const isRight = work === 'list' ? found === 10 && /:1000\b/.test(text) : found === 1
  if (!isRight) throw new Error(`${name} answers ${work} with ${text.slice(0, 500)}`)
}

async function subjectFor({ server, companies }: Contestant, work: Work): Promise<Subject> {
  let turn = 0
  const next = (): OutgoingRequest => server.requests[work](companies[turn++ % companies.length] as string)
  assertAnswer(server.name, work, await call(server.port, next()))
  return { port: server.port, next: () => wire(next()) }
}

const db = await database({ max_wal_size: '4GB', max_connections: '200' })
const contestants = await startAll(db.url)
const results: { work: Work; name: string; figures: Figures; ratio: number | null; target: number | null }[] = []
for (const work of WORK) {
  const subjects: Subject[] = []
  for (const contestant of contestants) subjects.push(await subjectFor(contestant, work))
  const measured = await compare(subjects, PLAN)
  const ours = measured[0] as Figures
  for (const [i, figures] of measured.entries()) {
    const name = contestants[i]?.server.name as string
    const ratio = i === 0 ? null : ratioOf(ours, figures, 'perSecond')
    results.push({ work, name, figures, ratio, target: i === 0 ? null : (TARGETS[work] ?? null) })
    if (ratio) log(`${work}: ${ratio.toFixed(1)} times ${name}`)
  }
}
for (const { server } of contestants) await stop(server.child)
await db.stop()
writeFileSync(new URL('../results-peers.json', import.meta.url), `${JSON.stringify(results, null, 2)}\n`)
const rows = results.map(({ work, name, figures: { perSecond, p50, disturbed }, ratio, target }) => [
  work,
  name,
  figure(perSecond, 0),
  figure(p50, 1),
  figure(ratio, 1),
  target ?? '',
  disturbed,
])
console.log(table(['', '', 'per s', 'p50 ms', 'Guildhall, times', 'target', 'disturbed rounds'], rows))
process.exit(results.every(({ ratio, target }) => target === null || (ratio as number) >= target) ? 0 : 1)
