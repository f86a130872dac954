import type pg from 'pg'
import { connect } from '../server/src/db/client.ts'
import { engineAt } from '../server/src/db/driver/engine.ts'
import { countSettled } from '../server/src/upkeep/count-settled.ts'
import { call, type OutgoingRequest } from './load.ts'
import type { Scenario } from './scenarios.ts'
import { type Company, newCompany } from './seed.ts'

/** Lists of one campaign or character that get long, and a sheet by a ruleset beside them. */
export const longLists: Scenario[] = [
  {
    name: 'ledger of a campaign',
    floor: 'read',
    requestFor: ({ userPath, campaign }) => ({
      method: 'GET',
      path: `${userPath}/campaigns/${campaign}/experience/entries?sort=-date_created`,
    }),
  },
  {
    name: 'history of a character',
    floor: 'read',
    requestFor: ({ userPath, campaign, character }) => ({
      method: 'GET',
      path: `${userPath}/campaigns/${campaign}/characters/${character}/history`,
    }),
  },
  { name: 'audit log', floor: 'read', requestFor: ({ base }) => ({ method: 'GET', path: `${base}/audit-logs?sort=-date_created` }) },
  {
    name: 'get character with its sheet',
    floor: 'read',
    requestFor: ({ userPath, campaign, character }) => ({
      method: 'GET',
      path: `${userPath}/campaigns/${campaign}/characters/${character}?include=sheet,trackers,experience`,
    }),
  },
]

/** Creates a company whose one campaign has this many ledger entries, and whose one character has as many changes in its history. */
async function newLong(client: pg.Client, port: number, key: string, count: number): Promise<Company> {
  const company = (await newCompany(port, key)) as Company & { teller: string }
  const { base, player, teller, campaign, character } = company
  const send = (method: string, path: string, body: unknown) => call(port, { method, path, key, body } as OutgoingRequest)
  const { published_version_id } = (await send('POST', `${base}/rulesets`, { pack: 'srd-5.2' })) as unknown as Record<string, string>
  const ruleset = { version_id: published_version_id, mode: 'ADVISORY', accept_faults: true }
  await send('PUT', `${base}/users/${teller}/campaigns/${campaign}/ruleset`, ruleset)
  const id = base.slice(base.lastIndexOf('/') + 1)
  // Older than all ids of the company. The references are valid: checking a million of them would only take time.
  const rows = `SELECT '${id}'::uuid, (lpad(to_hex(1600000000000 + n), 12, '0') || '70008000000000000000')::uuid`
  const date = `timestamptz '2020-09-13Z' + n * interval '1 millisecond' FROM generate_series(1, ${count}) n`
  await client.query('BEGIN; SET LOCAL session_replication_role = replica; SET LOCAL statement_timeout = 0')
  await client.query(`
    INSERT INTO events (company_id, id, type, resource_type, resource_id, campaign_id, user_id, changes, date_created)
    ${rows}, 'character.updated', 'character', '${character}', '${campaign}', '${player}', '{"name": {"old": "Crane", "new": "Kit"}}', ${date}`)
  await client.query(`
    INSERT INTO experience_entries (company_id, id, kind, amount, delta, user_id, campaign_id, reason, awarded_by, date_created)
    ${rows}, 'AWARD', 1, 1, '${player}', '${campaign}', 'The first evening', '${teller}', ${date}`)
  await client.query('UPDATE experience_balances SET earned = earned + $2 WHERE company_id = $1', [id, count])
  await client.query(
    `INSERT INTO feed_heads AS h (company_id, first, last, unplaced) VALUES ($1, 1, 0, $2)
     ON CONFLICT (company_id) DO UPDATE SET unplaced = h.unplaced + excluded.unplaced`,
    [id, count],
  )
  await client.query('COMMIT')
  return company
}

/** Creates a company for each size, and counts its rows, as a service does within a minute. */
export async function newLongLists(client: pg.Client, url: string, port: number, key: string, sizes: number[]): Promise<Company[]> {
  const companies: Company[] = []
  for (const size of sizes) companies.push(await newLong(client, port, key, size))
  const db = connect(url, { readers: 1, writers: 1, engine: await engineAt(url) })
  await countSettled(db)
  await db.close()
  return companies
}
