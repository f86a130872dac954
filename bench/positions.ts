import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { call } from './load.ts'
import { service, stop } from './parts.ts'
import { type Company, newCompany, newDevelopers } from './seed.ts'

const PROCESSES = 3
const WRITERS = 12
const COMPANIES = 4
/** The maximum pause between two requests of a writer: a lively evening, not a load test. */
const MAX_PAUSE_MS = 100
const MEASURED_MS = 8000
const MAX_SEQUENCING_MS = 5000

export interface PositionDelays {
  events: number
  p50: number
  p99: number
}

/**
 * Measures the time from the commit of an event to the commit of its position, while writers write to several processes. The database has to note the times
 * of commits (`track_commit_timestamp`). Returns null if it does not.
 */
export async function measurePositions(url: string): Promise<PositionDelays | null> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows: settings } = await client.query('SHOW track_commit_timestamp')
  if (settings[0].track_commit_timestamp !== 'on') {
    await client.end()
    return null
  }
  const services = await Promise.all(Array.from({ length: PROCESSES }, () => service(url)))
  const portOf = (i: number) => services[i % PROCESSES]?.port as number
  const { owner } = await newDevelopers(url)
  const companies: Company[] = []
  for (let i = 0; i < COMPANIES; i++) companies.push(await newCompany(portOf(i), owner.key, undefined, 0))
  await sleep(1000)
  const { rows: before } = await client.query('SELECT count(*)::int AS count FROM events')
  const end = Date.now() + MEASURED_MS
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let i = writer; Date.now() < end; i++) {
        const { userPath, campaign } = companies[i % COMPANIES] as Company
        const path = `${userPath}/campaigns/${campaign}/notes`
        await call(portOf(i), { method: 'POST', path, key: owner.key, body: { title: `Note ${i}` } })
        await sleep(Math.random() * MAX_PAUSE_MS)
      }
    }),
  )
  for (const late = Date.now() + MAX_SEQUENCING_MS; Date.now() < late; await sleep(50))
    if ((await client.query('SELECT FROM outbox LIMIT 1')).rowCount === 0) break
  const { rows } = await client.query<PositionDelays>(
    `SELECT count(*)::int AS events, percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS p50, percentile_cont(0.99) WITHIN GROUP (ORDER BY ms) AS p99 FROM (
       SELECT extract(epoch FROM pg_xact_commit_timestamp(f.xmin) - pg_xact_commit_timestamp(e.xmin))::float8 * 1000 AS ms
       FROM events e LEFT JOIN feed f ON f.company_id = e.company_id AND f.event_id = e.id ORDER BY e.id OFFSET $1
     ) delays`,
    [before[0].count],
  )
  await Promise.all(services.map(({ child }) => stop(child)))
  await client.end()
  return rows[0] as PositionDelays
}
