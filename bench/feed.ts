import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { NO_MARK, sealCursor } from '../server/src/events/cursor.ts'
import { call } from './load.ts'
import { type Company, inBatches, newCompany } from './seed.ts'

const MAX_SEQUENCING_MS = 60_000
const OPEN_NOTES = 100
const MIXED_NOTES = 600
/** One note of this many is visible to the player. */
const VISIBLE_ONE_IN = 10

const idOf = ({ base }: Pick<Company, 'base'>) => base.slice(base.lastIndexOf('/') + 1)

/** Waits until every event has its position, and every roll is in its tallies. */
export async function untilSequenced(client: pg.Client): Promise<void> {
  for (const queue of ['outbox', 'tally_queue'])
    for (const end = Date.now() + MAX_SEQUENCING_MS; (await client.query(`SELECT FROM ${queue} LIMIT 1`)).rowCount !== 0; await sleep(100))
      if (Date.now() > end) throw new Error(`${queue} has rows after a minute`)
}

/** The cursor of the player of a company, so that the next change is the one at this position. */
async function cursorBefore(client: pg.Client, company: Company, position: number): Promise<string> {
  const { rows } = await client.query<{ epoch: string; cursor_key: Buffer }>('SELECT epoch, cursor_key FROM feed_state')
  const { epoch, cursor_key } = rows[0] as { epoch: string; cursor_key: Buffer }
  const owner = { company_id: idOf(company), reader_id: `user ${company.userPath.slice(company.userPath.lastIndexOf('/') + 1)}` }
  return sealCursor(cursor_key, owner, epoch, { position: position - 1, mark: NO_MARK })
}

async function positions(client: pg.Client, company: Company, type: string): Promise<number[]> {
  const { rows } = await client.query<{ position: number }>(
    `SELECT f.position::int FROM feed f JOIN events e ON e.company_id = f.company_id AND e.id = f.event_id
     WHERE f.company_id = $1 AND e.type = $2 ORDER BY 1`,
    [idOf(company), type],
  )
  return rows.map(({ position }) => position)
}

/** Adds a cursor in the middle of the events of users to each company, which has as many as users. At least the next 500 events are of the same kind. */
export async function addCursors(client: pg.Client, companies: Iterable<Company>): Promise<void> {
  await untilSequenced(client)
  for (const company of companies) {
    const found = await positions(client, company, 'user.created')
    company.cursor = await cursorBefore(client, company, found[Math.floor(found.length / 2) - 50] as number)
  }
}

/** Copies the events of users and gives them positions, in a transaction that copies the users. */
export async function copyFeed(client: pg.Client, from: string, to: string, times: number): Promise<void> {
  await client.query(
    `CREATE TEMP TABLE copied ON COMMIT DROP AS
     SELECT k, e.id AS source, pg_temp.copy(e.id, k) AS id, row_number() OVER (ORDER BY k, f.position) AS position
     FROM generate_series(0, ${times - 1}) k, feed f JOIN events e ON e.company_id = f.company_id AND e.id = f.event_id
     WHERE f.company_id = '${from}' AND e.type = 'user.created'`,
  )
  await client.query(
    `INSERT INTO events (company_id, id, type, resource_type, resource_id, version, developer_id, request_id, changes, date_created)
     SELECT '${to}', c.id, e.type, e.resource_type, pg_temp.copy(e.resource_id, c.k), e.version, e.developer_id, e.request_id, e.changes, e.date_created
     FROM copied c JOIN events e ON e.company_id = '${from}' AND e.id = c.source`,
  )
  // The company has an event of its own, at the first position.
  const { rows } = await client.query<{ last: string }>(`SELECT last FROM feed_heads WHERE company_id = '${to}' FOR UPDATE`)
  const last = Number(rows[0]?.last)
  await client.query(
    `INSERT INTO feed (company_id, position, event_id, date_created) SELECT '${to}', position + ${last}, id, now() FROM copied`,
  )
  await client.query(`UPDATE feed_heads SET last = last + (SELECT count(*) FROM copied) WHERE company_id = '${to}'`)
}

/** A company with notes, and the cursors of its player before some that they all see, and before others of which most are hidden from them. */
export interface Veiled {
  company: Company
  open: string
  hidden: string
}

export async function newVeiled(client: pg.Client, port: number, key: string, guest: string): Promise<Veiled> {
  const company = (await newCompany(port, key, guest, 0)) as Company & { teller: string }
  const path = `${company.base}/users/${company.teller}/campaigns/${company.campaign}/notes`
  const write = (count: number, isVisible: (i: number) => boolean) =>
    inBatches(count, (i) =>
      call(port, { method: 'POST', path, key, body: { title: `Note ${i}`, visibility: isVisible(i) ? 'EVERYONE' : 'STORYTELLER' } }),
    )
  await write(OPEN_NOTES, () => true)
  await untilSequenced(client)
  await write(MIXED_NOTES, (i) => i % VISIBLE_ONE_IN === 0)
  await untilSequenced(client)
  const found = await positions(client, company, 'note.created')
  return {
    company,
    open: await cursorBefore(client, company, found[0] as number),
    hidden: await cursorBefore(client, company, found[OPEN_NOTES] as number),
  }
}
