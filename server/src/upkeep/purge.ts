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

/** A database to keep up, and whether to leave the rest for another time. */
export interface Upkept extends Database {
  stopping?: () => boolean
}

/** Does some work over and over until there is none left, and tells how much there was. */
async function all(db: Upkept, work: (tx: Tx) => Promise<number>): Promise<number> {
  let done = 0
  for (;;) {
    if (db.stopping?.()) return done
    const now = await db.transaction(work)
    done += now
    if (now === 0) return done
  }
}

/** That something happened to it stays in the log; what was in it does not. */
const blankEvents = (tx: Tx, company_id: string, ids: string[]) =>
  tx.send(sql`UPDATE events SET changes = '{}' WHERE company_id = ${company_id} AND resource_id = ANY (${ids}::uuid[]) AND changes <> '{}'`)

/** Deletes by batches. What another process has in hand is left to it. */
const deleteAll = (db: Upkept, table: string, key: string[], which: Sql) => {
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

export const expiredReplies = (db: Upkept, before: Date) =>
  deleteAll(db, 'idempotency_keys', ['company_id', 'developer_id', 'key_hash'], sql`t.date_created <= ${before}`)

export const expiredKeys = (db: Upkept) => deleteAll(db, 'api_keys', ['id'], sql`t.date_expires <= ${db.now()}`)

/** Deletes what hangs on something, and tells which it was. */
const deletePart = async (tx: Tx, company_id: string, table: string, column: string, id: string) =>
  (
    await tx.query<{ id: string }>(
      sql`DELETE FROM ${sql.id(table)} WHERE company_id = ${company_id} AND ${sql.id(column)} = ${id} RETURNING id`,
    )
  ).map((row) => row.id)

/** What nothing refers to simply goes; a chapter and a book with the notes on them. */
export async function archivedThings(db: Upkept, before: Date): Promise<number> {
  const old = sql`t.date_archived <= ${before}`
  let done = 0
  for (const table of ['notes', 'inventory', 'quick_rolls']) {
    done += await all(db, async (tx) => {
      const gone = await tx.query<{ company_id: string; id: string }>(sql`
        DELETE FROM ${sql.id(table)} WHERE (company_id, id) IN (
          SELECT company_id, id FROM ${sql.id(table)} t WHERE ${old} LIMIT ${sql.number(BATCH)} FOR UPDATE SKIP LOCKED)
        RETURNING company_id, id`)
      for (const { company_id, id } of gone) blankEvents(tx, company_id, [id])
      return gone.length
    })
  }
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
      const ids = [id]
      for (const [part, column] of parts) ids.push(...(await deletePart(tx, company_id, part, column, id)))
      tx.send(sql`DELETE FROM ${sql.id(table)} WHERE company_id = ${company_id} AND id = ${id}`)
      blankEvents(tx, company_id, ids)
      return 1
    })
  }
  return done
}

const GONE_USER = 'Deleted user'
const GONE_CHARACTER = 'Deleted character'

/** Blanked and kept: what they did and what was rolled for them still refers to them. */
export const archivedUsers = (db: Upkept, before: Date) =>
  all(db, async (tx) => {
    const found = await tx.query<{ company_id: string; id: string }>(sql`
      UPDATE users SET name = ${GONE_USER}, name_key = ${fold(GONE_USER)}, email = NULL, external_id = NULL, date_purged = ${db.now()}
      WHERE (company_id, id) IN (
        SELECT company_id, id FROM users WHERE date_archived <= ${before} AND date_purged IS NULL LIMIT ${sql.number(BATCH)} FOR UPDATE SKIP LOCKED)
      RETURNING company_id, id`)
    for (const { company_id, id } of found) {
      // What was for nobody else: the notebook, and the pools that were rolled often.
      const notebook = await tx.query<{ id: string }>(
        sql`DELETE FROM notes WHERE company_id = ${company_id} AND author_id = ${id} AND campaign_id IS NULL RETURNING id`,
      )
      const quick = await deletePart(tx, company_id, 'quick_rolls', 'user_id', id)
      blankEvents(tx, company_id, [id, ...notebook.map((note) => note.id), ...quick])
      happened(tx, company_id, { type: 'user.purged', before: { id }, after: null })
    }
    return found.length
  })

export const archivedCharacters = (db: Upkept, before: Date) =>
  all(db, async (tx) => {
    const found = await tx.query<{ company_id: string; id: string; campaign_id: string; visibility: string }>(sql`
      UPDATE characters SET name = ${GONE_CHARACTER}, name_key = ${fold(GONE_CHARACTER)}, concept = NULL, biography = NULL, text_key = NULL,
        traits = '{}', date_purged = ${db.now()}
      WHERE (company_id, id) IN (
        SELECT company_id, id FROM characters WHERE date_archived <= ${before} AND date_purged IS NULL LIMIT ${sql.number(BATCH)} FOR UPDATE SKIP LOCKED)
      RETURNING company_id, id, campaign_id, visibility`)
    for (const { company_id, id, campaign_id, visibility } of found) {
      const ids = [id]
      for (const table of ['notes', 'inventory']) ids.push(...(await deletePart(tx, company_id, table, 'character_id', id)))
      blankEvents(tx, company_id, ids)
      happened(tx, company_id, { type: 'character.purged', before: { id, campaign_id, visibility }, after: null })
    }
    return found.length
  })

/** Marks what is to go, so that nobody restores it half-way. It is found again if this process dies before it is done. */
const marked = async <Row>(db: Upkept, table: string, before: Date, columns: Sql) =>
  db.transaction((tx) =>
    tx.query<Row>(sql`
      UPDATE ${sql.id(table)} SET date_purged = coalesce(date_purged, ${db.now()}) WHERE date_archived <= ${before} RETURNING ${columns}`),
  )

export async function archivedCampaigns(db: Upkept, before: Date): Promise<number> {
  let done = 0
  for (const { company_id, id } of await marked<{ company_id: string; id: string }>(db, 'campaigns', before, sql`company_id, id`)) {
    if (db.stopping?.()) break
    await all(db, (tx) => forget(tx, company_id, id))
    for (const { name, key, ofCampaign } of TABLES) {
      if (!ofCampaign) continue
      const which = sql`t.company_id = ${company_id} AND ${ofCampaign(id)}`
      // What takes an entry back refers to it, and goes first.
      if (name === 'experience_entries') await deleteAll(db, name, key, sql`${which} AND t.reverses IS NOT NULL`)
      await deleteAll(db, name, key, which)
    }
    // Not while a part of it is left for another time.
    if (db.stopping?.()) break
    done += await db.transaction(async (tx) => {
      const gone = await tx.query(sql`DELETE FROM campaigns WHERE company_id = ${company_id} AND id = ${id} RETURNING 1 AS one`)
      if (gone.length) happened(tx, company_id, { type: 'campaign.purged', before: { id }, after: null })
      return gone.length
    })
  }
  return done
}

export async function archivedCompanies(db: Upkept, before: Date): Promise<number> {
  let done = 0
  for (const { id } of await marked<{ id: string }>(db, 'companies', before, sql`id`)) {
    if (db.stopping?.()) break
    for (const { name, key } of TABLES) {
      const which = sql`t.company_id = ${id}`
      if (name === 'experience_entries') await deleteAll(db, name, key, sql`${which} AND t.reverses IS NOT NULL`)
      await deleteAll(db, name, key, which)
    }
    if (db.stopping?.()) break
    const gone = await db.transaction((tx) => tx.query(sql`DELETE FROM companies WHERE id = ${id} RETURNING 1 AS one`))
    done += gone.length
  }
  return done
}
