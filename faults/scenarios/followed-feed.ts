import { setTimeout as sleep } from 'node:timers/promises'
import { stop } from '../../bench/parts.ts'
import { attempt, Client, rowsIn } from '../client.ts'
import { newClusterDeployment, withoutCitus } from '../cluster/deployment.ts'
import { type Company, newCompany, newDevelopers, newWrite } from '../company.ts'
import { compareTold, disorderOf, gapsOfFeeds, readPlaced, untilSequenced } from '../feed/placed.ts'
import { type FeedReader, followPages, followStreams, startReader } from '../feed/readers.ts'
import { type Acknowledged, writeNotes, writeSlowly } from '../feed/writers.ts'
import { killAll, pick } from '../kills.ts'
import type { Scenario, Stage } from '../perform.ts'
import { newPoolerDeployment, withoutPooler } from '../pooler.ts'

const WRITERS = 12
const SLOW_WRITERS = 2
/** The maximum pause of a writer between two requests: this is not a load test. */
const MAX_PAUSE_MS = 150
const CHANGED = 20
const KILLS = 200
/** Writers write at least, and processes are killed at most, for this time. Starts are slow on a busy machine: the table shows how many kills there were. */
const RUN_MS = { quick: { min: 6000, max: 9000 }, full: { min: 60_000, max: 150_000 } }
const CUT_AFTER_MS = 2000
const MAX_LAG_MS = 2000
/** The time in which readers who are behind must have read everything: one of them reads thousands of events one by one. */
const MAX_CATCH_UP_MS = 300_000
const LAST_NAME = 'The last change'

/** Creates a company that is not compared with the record of the client, with notes and users to change. */
async function newTable({ deployment }: Stage) {
  const [developer] = await newDevelopers(deployment.url, 1)
  if (!developer) throw new Error('no developer')
  const client = new Client(() => deployment.services.map(({ port }) => port), new Map())
  const company = await newCompany(client, new Map(), developer)
  const make = async (actor: string | null, path: string, body: Record<string, unknown>): Promise<string> => {
    const written = await client.send(newWrite(company, actor, `${company.base}${path}`, 'note', body))
    return rowsIn(written?.text ?? '{}')[0]?.id as string
  }
  const { teller, campaign } = company
  const several = <T>(work: (i: number) => Promise<T>) => Promise.all(Array.from({ length: CHANGED }, (_, i) => work(i)))
  const notes = await several((i) =>
    make(teller, `/users/${teller}/campaigns/${campaign}/notes`, { title: `Note ${i}`, visibility: 'EVERYONE' }),
  )
  const users = await several((i) => make(null, '/users', { name: `User ${i}`, role: 'PLAYER' }))
  return { company, notes, users }
}

/** The readers: by pages of several sizes, by waiting, and by streams that are cut, each with and without the right to see secrets. */
function readersOf(company: Company, port: () => number, fail: (fault: string) => void) {
  const { base, player, teller, developer } = company
  const state = { isLate: false }
  const reader = (name: string, path: string, seesSecrets: boolean): FeedReader => {
    const items: FeedReader['items'] = []
    const isDone = () => state.isLate || items.at(-1)?.type === 'campaign.updated'
    return { name, key: developer.key, path: `${base}${path}`, port, seesSecrets, cursor: '', items, interruptions: 0, fail, isDone }
  }
  const pages = [
    [reader('company, limit 100', '', true), 'limit=100'],
    [reader('player, limit 1', `/users/${player}`, false), 'limit=1'],
    [reader('teller, limit 7', `/users/${teller}`, true), 'limit=7'],
    [reader('player, wait', `/users/${player}`, false), 'limit=100&wait=10'],
  ] as const
  const streams = [
    reader('company, stream', '', true),
    reader('player, stream', `/users/${player}`, false),
    reader('teller, stream', `/users/${teller}`, true),
  ]
  const all = [...pages.map(([one]) => one), ...streams]
  const run = () => [...pages.map(([one, query]) => followPages(one, query)), ...streams.map((one) => followStreams(one, CUT_AFTER_MS))]
  return { all, run, state }
}

/** Renames the campaign, which nobody else does: readers have everything when they have this. */
async function writeLast({ base, teller, campaign, developer }: Company, port: () => number): Promise<void> {
  const request = { method: 'PATCH', path: `${base}/users/${teller}/campaigns/${campaign}`, key: developer.key, body: { name: LAST_NAME } }
  for (let tries = 0; (await attempt(port(), request)).status !== 200; tries++) {
    if (tries > 100) throw new Error('the last change is not accepted')
    await sleep(100)
  }
}

export const followedFeed: Scenario = {
  name: 'feed, service killed',
  run: async (stage) => {
    const { deployment, quick, part, fail } = stage
    const third = await deployment.start()
    try {
      const instances = [...deployment.services, third]
      const port = () => pick(instances).port
      const { company, notes, users } = await newTable(stage)
      await untilSequenced(deployment, MAX_LAG_MS)
      const [head] = await deployment.query<{ last: number }>('SELECT last::int FROM feed_heads WHERE company_id = $1', [
        company.company_id,
      ])
      const { all: readers, run, state } = readersOf(company, port, fail)
      for (const reader of readers) await startReader(reader)
      const reading = Promise.all(run())

      const acknowledged: Acknowledged = { versions: new Set(), unknown: 0, rolledBack: 0 }
      let isOver = false
      const writing = { company, port, fail, acknowledged, isOver: () => isOver }
      const writers = [
        ...Array.from({ length: WRITERS }, () => writeNotes(writing, notes, MAX_PAUSE_MS)),
        ...Array.from({ length: SLOW_WRITERS }, () => writeSlowly(deployment.url, writing, users)),
      ]
      const { min, max } = RUN_MS[quick ? 'quick' : 'full']
      const [kills] = await Promise.all([killAll(instances, stage, part(KILLS), max), sleep(min)])
      isOver = true
      await Promise.all(writers)
      await writeLast(company, port)
      const lag = await untilSequenced(deployment, MAX_LAG_MS)
      if (lag > MAX_LAG_MS) fail(`events without a position are left after ${MAX_LAG_MS} ms`)
      const late = setTimeout(() => Object.assign(state, { isLate: true }), MAX_CATCH_UP_MS)
      await reading
      clearTimeout(late)

      const placed = await readPlaced(deployment, company.company_id, head?.last ?? 0)
      const known = new Set(placed.map(({ resource_id, version }) => `${resource_id} ${version}`))
      const lost = [...acknowledged.versions].filter((version) => !known.has(version))
      if (lost.length > 0) fail(`${lost.length} acknowledged changes are not in the feed, the first is ${lost[0]}`)
      for (const fault of [...disorderOf('the feed', placed), ...(await gapsOfFeeds(deployment))]) fail(fault)
      if (state.isLate) fail(`not all readers had everything after ${MAX_CATCH_UP_MS / 1000} s`)
      const compared = readers.map((reader) => compareTold(reader, placed))
      for (const fault of compared.flatMap(({ faults }) => faults)) fail(fault)
      const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
      const planned = part(KILLS)
      return `${kills === planned ? kills : `${kills} of ${planned}`} times kill -9 of 3 processes, ${placed.length} events (${acknowledged.versions.size} acknowledged, ${acknowledged.rolledBack} rolled back), ${readers.length} readers interrupted ${sum(readers.map(({ interruptions }) => interruptions))} times, ${sum(compared.map(({ repeated }) => repeated))} repeated, outbox empty after ${lag.toFixed(0)} ms`
    } finally {
      await stop(third.child)
    }
  },
}

export const followedFeedThroughPooler: Scenario = {
  ...followedFeed,
  name: 'pooler: feed, service killed',
  forbidden: withoutPooler,
  deploy: newPoolerDeployment,
  onlyInFullRuns: true,
}

export const followedFeedOnCluster: Scenario = {
  ...followedFeed,
  name: 'cluster: feed, service killed',
  forbidden: withoutCitus,
  deploy: newClusterDeployment,
  onlyInFullRuns: true,
}
