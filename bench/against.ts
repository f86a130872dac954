import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { wire } from './load.ts'
import { compare, type Figures, ratioOf, type Subject } from './measure.ts'
import { ownDatabase, service, stop } from './parts.ts'
import { figure, table } from './report.ts'
import { scenarios } from './scenarios.ts'
import { type Company, newWorld } from './seed.ts'

const HERE = new URL('..', import.meta.url).pathname
const COMPANIES = 40
const PLAN = { rounds: 16, ms: 250, warm: 3000, groups: [] }

/** Starts the service of a checkout on a database of its own, with companies to work on. */
async function startVersion(folder: string) {
  const program = join(folder, 'server/bin/guildhall.mjs')
  const db = await ownDatabase({ max_wal_size: '4GB' })
  execFileSync(process.execPath, [program, 'migrate'], { env: { ...process.env, DATABASE_URL: db.url }, stdio: 'ignore' })
  const server = await service(db.url, 1, { MAX_IN_FLIGHT: '10000' }, undefined, program)
  const world = await newWorld(db.url, server.port, COMPANIES)
  return { server, world, db }
}

type Version = Awaited<ReturnType<typeof startVersion>>

function subject({ server, world }: Version, { requestFor, floor }: (typeof scenarios)[number]): Subject {
  let turn = 0
  const companies = floor === 'write' ? world.companies : [world.sized.get(1000) as Company]
  const next = () => wire({ key: world.key, ...requestFor(companies[turn++ % companies.length] as Company, world.key) })
  return { port: server.port, next }
}

/** Compares the speed of this checkout with that of another one, in alternating rounds on one machine. */
export async function compareWith({ against, only }: { against: string; only?: string | undefined }): Promise<void> {
  const [before, after] = [await startVersion(resolve(against)), await startVersion(HERE)]
  const rows: string[][] = []
  // The other checkout may have no feed.
  for (const scenario of scenarios.filter(({ name, hasCursor }) => !hasCursor && (!only || name.includes(only)))) {
    const [old, current] = (await compare([subject(before, scenario), subject(after, scenario)], PLAN)) as [Figures, Figures]
    const ratio = ratioOf(current, old, 'perSecond')
    rows.push([
      scenario.name,
      figure(old.perSecond, 0),
      figure(current.perSecond, 0),
      figure(ratio, 2),
      String(current.disturbed + old.disturbed),
    ])
    console.error(`${scenario.name}: ${ratio.toFixed(2)}`)
  }
  for (const { server, db } of [before, after]) {
    await stop(server.child)
    await db.stop()
  }
  console.log(table(['', 'other per s', 'this per s', 'ratio', 'disturbed rounds'], rows))
}
