import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { attempt, Client } from './client.ts'
import { type Company, newCompany, newDevelopers } from './company.ts'
import type { Deployment } from './deployment.ts'
import type { Flood } from './flood.ts'
import type { Stage } from './perform.ts'

/** Creates a company of a hostile developer. Its rows are not checked afterwards. */
export async function newAttacker({ services, url }: Deployment): Promise<Company> {
  const [developer] = await newDevelopers(url, 1)
  if (!developer) throw new Error('no developer')
  const known = new Map<string, string>()
  return newCompany(new Client(() => [services[0].port], known), known, developer)
}

/** Inserts characters with many notes of the maximum length, directly into the database. */
export async function fillCampaign({ query }: Deployment, { company_id, teller, campaign }: Company, notes: number): Promise<void> {
  await query(
    `INSERT INTO characters (company_id, id, campaign_id, name, name_key, type, status, traits, visibility, user_id, date_created, date_modified)
     SELECT $1, gen_random_uuid(), $2, 'Extra ' || n, 'extra ' || n, 'NPC', 'ACTIVE', '{}', 'OPEN', NULL, now(), now() FROM generate_series(1, 100) n`,
    [company_id, campaign],
  )
  await query(
    `INSERT INTO notes (company_id, id, author_id, campaign_id, character_id, title, name_key, body, text_key, visibility, date_created, date_modified)
     SELECT $1, gen_random_uuid(), $2, $3, c.id, 'Note', 'note', text, text, 'EVERYONE', now(), now()
     FROM characters c, generate_series(1, $4::int) n, repeat('lorem ipsum dolor ', 1111) text WHERE c.company_id = $1 AND c.type = 'NPC'`,
    [company_id, teller, campaign, notes],
  )
}

/** Starts a flood. The returned function ends it and returns the times of the answers, by status. */
export async function startFlood(flood: Flood): Promise<() => Promise<Record<number, number[]>>> {
  const worker = new Worker(new URL('./flood.ts', import.meta.url), { workerData: flood })
  await once(worker, 'message')
  return async () => {
    const answers = once(worker, 'message')
    worker.postMessage('end')
    return (await answers)[0]
  }
}

const MAX_MEDIAN_MS = 100
const MAX_MS = 500

/** Quick runs share their machine, which stops everything for a second now and then: they judge the slowest twentieth of the reads instead of the slowest one. */
export const QUICK_SHARE = 0.95

/** Reads repeatedly as another developer. The returned function ends it and returns the median and the maximum time. */
export function startReads(
  port: number,
  { base, developer, player, campaign, character }: Company,
  { quick, fail }: Pick<Stage, 'quick' | 'fail'>,
  maxMs = MAX_MS,
) {
  const userPath = `${base}/users/${player}`
  const paths = [
    `${base}/users`,
    `${base}/users/${player}`,
    `${userPath}/campaigns/${campaign}`,
    `${userPath}/campaigns/${campaign}/characters/${character}?include=notes`,
    `${userPath}/dice-rolls?sort=-date_created`,
    `${userPath}/search?q=crane`,
  ]
  const times: number[] = []
  let isOver = false
  const reading = (async () => {
    for (let i = 0; !isOver; i++) {
      const path = paths[i % paths.length] as string
      const { status, ms, lost, text } = await attempt(port, { method: 'GET', path, key: developer.key })
      if (status !== 200) fail(`GET ${path} of another developer was answered ${status} ${lost || text.slice(0, 200)}`)
      if (ms > maxMs && !quick) fail(`GET ${path} of another developer took ${Math.round(ms)} ms`)
      times.push(ms)
      await sleep(2)
    }
  })()
  return async (attack: string): Promise<string> => {
    isOver = true
    await reading
    times.sort((a, b) => a - b)
    const median = times[Math.floor(times.length / 2)] ?? 0
    const slowest = times.at(-1) ?? 0
    const slow = times[Math.floor(times.length * QUICK_SHARE)] ?? 0
    if (slow > maxMs) fail(`during ${attack} one in twenty reads of another developer took ${Math.round(slow)} ms or more`)
    if (median > MAX_MEDIAN_MS) fail(`during ${attack} the reads of another developer took ${Math.round(median)} ms`)
    return `${attack} ${Math.round(median)}/${Math.round(slowest)}`
  }
}

const MAX_RSS_MB = 256
const MAX_SETTLE_MS = 60_000

const rssOf = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Waits until the memory of the process is below its limit again. */
export async function settled({ services }: Deployment, fail: Stage['fail']): Promise<string> {
  const pid = services[0].child.pid as number
  if (process.platform !== 'linux') return 'memory not measured'
  const highest = rssOf(pid)
  for (const end = Date.now() + MAX_SETTLE_MS; rssOf(pid) >= MAX_RSS_MB; await sleep(500))
    if (Date.now() > end) {
      fail(`${MAX_SETTLE_MS / 1000} s afterwards the process has ${Math.round(rssOf(pid))} MB`)
      break
    }
  return `${Math.round(highest)} MB, then ${Math.round(rssOf(pid))} MB`
}
