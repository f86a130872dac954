import { fold } from '../core/text.ts'
import type { Database, Tx } from '../db/client.ts'
import { type Sql, sql } from '../db/sql.ts'
import { type Happening, record } from '../events/record.ts'
import { forget } from '../resources/dice-rolls/tally.ts'
import { TABLES } from './tables.ts'

/** How many rows one transaction deletes: few enough that nobody waits for it. */
const BATCH = 500

/** What the service does by itself, nobody asked for. */
const happened = (tx: Tx, company_id: string, ...happenings: Happening[]) =>
  record(tx, happenings, { company_id, developer_id: null, user_id: null, request_id: null })

/** Does some work over and over until there is none left, and tells how much there was. */
async function all(db: Database, work: (tx: Tx) => Promise<number>): Promise<number> {
  let done = 0
  for (;;) {
    const now = await db.transaction(work)
    done += now
    if (now === 0) return done
  }
}

/** Deletes by batches. What another process has in hand is left to it. */
const deleteAll = (db: Database, table: string, key: string[], which: Sql) => {
  const columns = sql.join(key.map(sql.id), ', ')
  return all(
    db,
    async (tx) =>
      (
        await tx.query(sql`
          DELETE FROM ${sql.id(table)} WHERE (${columns}) IN (
            SELECT ${columns} FROM ${sql.id(table)} t WHERE ${which} LIMIT ${sql.number(BATCH)} FOR UPDATE SKIP LOCKED)
          RETURNING 1 AS one`)
      ).length,
  )
}

export const expiredReplies = (db: Database, before: Date) =>
  deleteAll(db, 'idempotency_keys', ['company_id', 'developer_id', 'key_hash'], sql`t.date_created <= ${before}`)

export const expiredKeys = (db: Database) => deleteAll(db, 'api_keys', ['id'], sql`t.date_expires <= ${db.now()}`)

/** What nothing refers to simply goes; a chapter and a book with the notes on them. */
export async function archivedThings(db: Database, before: Date): Promise<number> {
  const old = sql`t.date_archived <= ${before}`
  let done = 0
  for (const table of ['notes', 'inventory', 'quick_rolls']) done += await deleteAll(db, table, ['company_id', 'id'], old)
  for (const [table, parts] of [
    ['chapters', [['notes', 'chapter_id']]],
    [
      'books',
      [
        ['notes', 'book_id'],
        ['chapters', 'book_id'],
      ],
    ],
  ] as const) {
    done += await all(db, async (tx) => {
      const [found] = await tx.query<{ company_id: string; id: string }>(
        sql`SELECT company_id, id FROM ${sql.id(table)} t WHERE ${old} ORDER BY date_archived LIMIT 1 FOR UPDATE SKIP LOCKED`,
      )
      if (!found) return 0
      const { company_id, id } = found
      for (const [part, column] of parts)
        tx.send(sql`DELETE FROM ${sql.id(part)} WHERE company_id = ${company_id} AND ${sql.id(column)} = ${id}`)
      tx.send(sql`DELETE FROM ${sql.id(table)} WHERE company_id = ${company_id} AND id = ${id}`)
      return 1
    })
  }
  return done
}

const GONE_USER = 'Deleted user'
const GONE_CHARACTER = 'Deleted character'

/** Blanked and kept: what they did and what was rolled for them still refers to them. */
export const archivedUsers = (db: Database, before: Date) =>
  all(db, async (tx) => {
    const found = await tx.query<{ company_id: string; id: string }>(sql`
      UPDATE users SET name = ${GONE_USER}, name_key = ${fold(GONE_USER)}, email = NULL, external_id = NULL, date_purged = ${db.now()}
      WHERE (company_id, id) IN (
        SELECT company_id, id FROM users WHERE date_archived <= ${before} AND date_purged IS NULL LIMIT ${sql.number(BATCH)} FOR UPDATE SKIP LOCKED)
      RETURNING company_id, id`)
    for (const { company_id, id } of found) happened(tx, company_id, { type: 'user.purged', before: { id }, after: null })
    return found.length
  })

export const archivedCharacters = (db: Database, before: Date) =>
  all(db, async (tx) => {
    const found = await tx.query<{ company_id: string; id: string; campaign_id: string; visibility: string }>(sql`
      UPDATE characters SET name = ${GONE_CHARACTER}, name_key = ${fold(GONE_CHARACTER)}, concept = NULL, biography = NULL, text_key = NULL,
        traits = '{}', date_purged = ${db.now()}
      WHERE (company_id, id) IN (
        SELECT company_id, id FROM characters WHERE date_archived <= ${before} AND date_purged IS NULL LIMIT ${sql.number(BATCH)} FOR UPDATE SKIP LOCKED)
      RETURNING company_id, id, campaign_id, visibility`)
    for (const { company_id, id, campaign_id, visibility } of found) {
      for (const table of ['notes', 'inventory'])
        tx.send(sql`DELETE FROM ${sql.id(table)} WHERE company_id = ${company_id} AND character_id = ${id}`)
      happened(tx, company_id, { type: 'character.purged', before: { id, campaign_id, visibility }, after: null })
    }
    return found.length
  })

/** Marks what is to go, so that nobody restores it half-way. It is found again if this process dies before it is done. */
const marked = async <Row>(db: Database, table: string, before: Date, columns: Sql) =>
  db.transaction((tx) =>
    tx.query<Row>(sql`
      UPDATE ${sql.id(table)} SET date_purged = coalesce(date_purged, ${db.now()}) WHERE date_archived <= ${before} RETURNING ${columns}`),
  )

export async function archivedCampaigns(db: Database, before: Date): Promise<number> {
  let done = 0
  for (const { company_id, id } of await marked<{ company_id: string; id: string }>(db, 'campaigns', before, sql`company_id, id`)) {
    await all(db, (tx) => forget(tx, company_id, id))
    for (const { name, key, ofCampaign } of TABLES) {
      if (!ofCampaign) continue
      const which = sql`t.company_id = ${company_id} AND ${ofCampaign(id)}`
      // What takes an entry back refers to it, and goes first.
      if (name === 'experience_entries') await deleteAll(db, name, key, sql`${which} AND t.reverses IS NOT NULL`)
      await deleteAll(db, name, key, which)
    }
    done += await db.transaction(async (tx) => {
      const gone = await tx.query(sql`DELETE FROM campaigns WHERE company_id = ${company_id} AND id = ${id} RETURNING 1 AS one`)
      if (gone.length) happened(tx, company_id, { type: 'campaign.purged', before: { id }, after: null })
      return gone.length
    })
  }
  return done
}

export async function archivedCompanies(db: Database, before: Date): Promise<number> {
  let done = 0
  for (const { id } of await marked<{ id: string }>(db, 'companies', before, sql`id`)) {
    for (const { name, key } of TABLES) {
      const which = sql`t.company_id = ${id}`
      if (name === 'experience_entries') await deleteAll(db, name, key, sql`${which} AND t.reverses IS NOT NULL`)
      await deleteAll(db, name, key, which)
    }
    const gone = await db.transaction((tx) => tx.query(sql`DELETE FROM companies WHERE id = ${id} RETURNING 1 AS one`))
    done += gone.length
  }
  return done
}
