import { fold } from '../core/text.ts'
import { type Sql, sql } from '../db/sql.ts'
import { forget } from '../resources/dice-rolls/tally.ts'
import { all, BATCH, blankEvents, deleteAll, deletePart, happened, type Upkept } from './batches.ts'
import { TABLES } from './tables.ts'

export const expiredReplies = (db: Upkept, before: Date) =>
  deleteAll(db, 'idempotency_keys', ['company_id', 'developer_id', 'key_hash'], sql`t.date_created <= ${before}`)

export const expiredKeys = (db: Upkept) => deleteAll(db, 'api_keys', ['id'], sql`t.date_expires <= ${db.now()}`)

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

const GONE_CHARACTER = 'Deleted character'

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
