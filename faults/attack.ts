import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { attempt, Client } from './client.ts'
import { type Company, newCompany, newDevelopers } from './company.ts'
import type { Flood } from './flood.ts'
import type { House } from './house.ts'
import type { Stage } from './perform.ts'

/** A company of a developer who means harm. What it makes is not checked afterwards. */
export async function newAttacker({ services, url }: House): Promise<Company> {
  const [developer] = await newDevelopers(url, 1)
  if (!developer) throw new Error('no developer')
  const known = new Map<string, string>()
  return newCompany(new Client(() => [services[0].port], known), known, developer)
}

/** Characters with as many and as long notes as there can be, written straight into the database. */
export async function fillCampaign({ query }: House, { company_id, teller, campaign }: Company, notes: number): Promise<void> {
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

/** Begins a flood; the function ends it, and tells how long each answer took, by its status. */
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

/** Reads as another developer would, over and over; the function ends it, and tells how long the reads took. */
export function startReads(port: number, { base, developer, player, campaign, character }: Company, amiss: Stage['amiss'], maxMs = MAX_MS) {
  const mine = `${base}/users/${player}`
  const paths = [
    `${base}/users`,
    `${base}/users/${player}`,
    `${mine}/campaigns/${campaign}`,
    `${mine}/campaigns/${campaign}/characters/${character}?include=notes`,
    `${mine}/dice-rolls?sort=-date_created`,
    `${mine}/search?q=crane`,
  ]
  const times: number[] = []
  let isOver = false
  const reading = (async () => {
    for (let i = 0; !isOver; i++) {
      const path = paths[i % paths.length] as string
      const { status, ms, lost, text } = await attempt(port, { method: 'GET', path, key: developer.key })
      if (status !== 200) amiss(`GET ${path} of another developer was answered ${status} ${lost || text.slice(0, 200)}`)
      if (ms > maxMs) amiss(`GET ${path} of another developer took ${Math.round(ms)} ms`)
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
    if (median > MAX_MEDIAN_MS) amiss(`during ${attack} the reads of another developer took ${Math.round(median)} ms`)
    return `${attack} ${Math.round(median)}/${Math.round(slowest)}`
  }
}

const RSS_MB = 256
const SETTLES_WITHIN_MS = 60_000

const rssOf = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Waits until the process is as small again as it should be. */
export async function settled({ services }: House, amiss: Stage['amiss']): Promise<string> {
  const pid = services[0].child.pid as number
  if (process.platform !== 'linux') return 'memory not measured'
  const highest = rssOf(pid)
  for (const end = Date.now() + SETTLES_WITHIN_MS; rssOf(pid) >= RSS_MB; await sleep(500))
    if (Date.now() > end) {
      amiss(`${SETTLES_WITHIN_MS / 1000} s afterwards the process has ${Math.round(rssOf(pid))} MB`)
      break
    }
  return `${Math.round(highest)} MB, then ${Math.round(rssOf(pid))} MB`
}
