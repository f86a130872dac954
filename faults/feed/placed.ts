import type { FeedItem } from '../../server/src/resources/changes/schema.ts'
import type { Deployment } from '../deployment.ts'
import type { FeedReader } from './readers.ts'

/** An event with its position in the feed of a company. */
export interface Placed {
  position: number
  id: string
  type: string
  resource_id: string
  version: number | null
  visibility: string | null
}

const MAX_REPORTED = 3

/** Reads the feed of a company after a position, as the database has it. */
export const readPlaced = ({ query }: Deployment, company_id: string, after: number) =>
  query<Placed>(
    `SELECT f.position::int, e.id, e.type, e.resource_id, e.version, e.visibility
     FROM feed f JOIN events e ON e.company_id = f.company_id AND e.id = f.event_id
     WHERE f.company_id = $1 AND f.position > $2 ORDER BY f.position`,
    [company_id, after],
  )

/** Waits until no event of any company waits for its position. Returns how long it took. */
export async function untilSequenced({ query }: Deployment, maxMs: number): Promise<number> {
  const start = performance.now()
  for (;;) {
    const [row] = await query<{ count: number }>('SELECT count(*)::int AS count FROM outbox')
    const ms = performance.now() - start
    if (row?.count === 0 || ms > maxMs) return ms
  }
}

/** Finds feeds with gaps, and events that have no position or several. */
export async function gapsOfFeeds({ query }: Deployment): Promise<string[]> {
  const gaps = await query(
    `SELECT h.company_id, h.first, h.last, count(f.position) AS positions, min(f.position), max(f.position)
     FROM feed_heads h LEFT JOIN feed f ON f.company_id = h.company_id GROUP BY 1, 2, 3
     HAVING count(f.position) <> h.last - h.first + 1 OR min(f.position) <> h.first OR max(f.position) <> h.last`,
  )
  const wrong = await query(
    `SELECT e.company_id, e.id, count(f.position) AS positions FROM events e LEFT JOIN feed f ON f.company_id = e.company_id AND f.event_id = e.id
     WHERE e.company_id IS NOT NULL GROUP BY 1, 2 HAVING count(f.position) <> 1`,
  )
  return [
    ...gaps.slice(0, MAX_REPORTED).map((row) => `a feed has gaps: ${JSON.stringify(row)}`),
    ...wrong.slice(0, MAX_REPORTED).map((row) => `an event has not one position: ${JSON.stringify(row)}`),
  ]
}

/** Finds resources whose versions are told backwards, and events of one version that are told under several ids. */
export function disorderOf(name: string, items: { id: string; type: string; resource_id: string; version: number | null }[]): string[] {
  const found: string[] = []
  const versions = new Map<string, number>()
  const ids = new Map<string, string>()
  for (const { id, type, resource_id, version } of items) {
    if (version === null) continue
    const key = `${type} ${resource_id} ${version}`
    if (version < (versions.get(resource_id) ?? 0)) found.push(`${name}: version ${version} of ${resource_id} comes after a later one`)
    if (ids.has(key)) found.push(`${name}: ${key} has the ids ${ids.get(key)} and ${id}`)
    versions.set(resource_id, version)
    ids.set(key, id)
  }
  return found.slice(0, MAX_REPORTED)
}

const asTold = ({ id, type, data }: FeedItem) => ({ id, type, resource_id: data.id, version: data.version })

/** Compares what a reader was told with the feed: nothing missed, nothing else, and in the same order. A reader of streams may be told something twice. */
export function compareTold({ name, items, seesSecrets }: FeedReader, placed: Placed[]): { faults: string[]; repeated: number } {
  const expected = placed.filter(({ visibility }) => seesSecrets || visibility === null).map(({ id }) => id)
  const unique = [...new Map(items.map((item) => [item.id, item])).values()]
  const [told, known] = [new Set(unique.map(({ id }) => id)), new Set(expected)]
  const missed = expected.filter((id) => !told.has(id))
  const foreign = unique.filter(({ id }) => !known.has(id))
  const faults = [
    ...(missed.length > 0 ? [`${name} missed ${missed.length} of ${expected.length} events, the first is ${missed[0]}`] : []),
    ...(foreign.length > 0 ? [`${name} was told ${foreign.length} events that are not for it: ${JSON.stringify(foreign[0])}`] : []),
    ...disorderOf(name, unique.map(asTold)),
  ]
  if (faults.length === 0 && unique.some(({ id }, i) => id !== expected[i])) faults.push(`${name} was told the events in another order`)
  return { faults, repeated: items.length - unique.length }
}
