import type pg from 'pg'
import { untilSequenced } from '../feed.ts'
import { call } from '../load.ts'
import { type Company, inBatches, newCompany } from '../seed.ts'
import type { Receivers } from './receivers.ts'

const USERS = 100

/** The parts that the measurements of webhooks share. */
export interface Bench {
  client: pg.Client
  receivers: Receivers
  /** The port of the service. */
  port: number
  /** The process ids of the service, and of the database if it is known. */
  groups: number[][]
  /** The key of the developer who owns the companies. */
  key: string
  isQuick: boolean
  log: (message: string) => void
}

/** A figure and its target. */
export interface Row {
  name: string
  value: string
  target: string
  isMet: boolean
}

/** A webhook of a company: its path, and the port that it posts to. */
export interface Hook {
  path: string
  port: number
}

export async function newHook({ port: service, key }: Bench, { base }: Company, port: number): Promise<Hook> {
  const body = { name: `Port ${port}`, url: `http://127.0.0.1:${port}/hook` }
  const { id } = await call(service, { method: 'POST', path: `${base}/webhooks`, key, body })
  return { path: `${base}/webhooks/${id}`, port }
}

export const disable = ({ port, key }: Bench, { path }: Hook) => call(port, { method: 'POST', path: `${path}/disable`, key })
export const enable = ({ port, key }: Bench, { path }: Hook) => call(port, { method: 'POST', path: `${path}/enable`, key, body: {} })

export const idOf = ({ base }: Company) => base.slice(base.lastIndexOf('/') + 1)

/** Creates companies with the users whose events are copied. */
export async function newCompanies({ port, key, client }: Bench, count: number): Promise<Company[]> {
  const companies: Company[] = []
  for (let i = 0; i < count; i++) {
    const company = await newCompany(port, key, undefined, 0)
    await inBatches(USERS, (j) =>
      call(port, { method: 'POST', path: `${company.base}/users`, key, body: { name: `User ${j}`, role: 'PLAYER' } }),
    )
    companies.push(company)
  }
  await untilSequenced(client)
  return companies
}

/** Makes the feed of a company longer, by copies of the events of its users. Each has an id and a position of its own, as if it had been written. */
export async function lengthenFeed(client: pg.Client, company: Company, count: number): Promise<void> {
  const id = idOf(company)
  // The references of the copies are valid: checking a million of them would only take time.
  await client.query('BEGIN; SET LOCAL session_replication_role = replica; SET LOCAL statement_timeout = 0')
  const { rows } = await client.query<{ last: string }>('SELECT last FROM feed_heads WHERE company_id = $1 FOR UPDATE', [id])
  const last = Number(rows[0]?.last)
  await client.query(`
    CREATE TEMP TABLE sources ON COMMIT DROP AS
    SELECT row_number() OVER (ORDER BY id) AS i, * FROM events WHERE company_id = '${id}' AND type = 'user.created'`)
  await client.query(`
    CREATE TEMP TABLE copies ON COMMIT DROP AS
    SELECT n, 1 + n % (SELECT count(*) FROM sources) AS i,
      (lpad(to_hex(1700000000000 + n), 12, '0') || '70008' || substr(md5(n::text), 1, 15))::uuid AS id
    FROM generate_series(1, ${count}) n`)
  await client.query(`
    INSERT INTO events (company_id, id, type, resource_type, resource_id, version, developer_id, request_id, changes, date_created)
    SELECT '${id}', c.id, s.type, s.resource_type, s.resource_id, s.version, s.developer_id, s.request_id, s.changes, s.date_created
    FROM copies c JOIN sources s USING (i) ORDER BY c.n`)
  await client.query(
    `INSERT INTO feed (company_id, position, event_id, date_created) SELECT '${id}', n + ${last}, id, now() FROM copies ORDER BY n`,
  )
  await client.query('UPDATE feed_heads SET last = last + $2 WHERE company_id = $1', [id, count])
  await client.query('COMMIT')
}
