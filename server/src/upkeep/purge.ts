import { fold } from '../core/text.ts'
import type { Tx } from '../db/client.ts'
import { type Sql, sql } from '../db/sql.ts'
import { companyTables, type DeclaredTable, declaredTable, isPartOf, partsOf } from '../resources/declarations.ts'
import { subtractCampaign } from '../resources/dice-rolls/tally.ts'
import {
  BATCH_ROWS,
  blankEvents,
  deleteEverywhere,
  deleteInOrder,
  deleteParts,
  isInBatch,
  type MaintenanceDb,
  recordBySystem,
  untilNothingIsLeft,
  untilNothingIsLeftIn,
  type Within,
} from './batches.ts'
import { blankMarked, blankResponses, renameRolls, throughIds } from './blank-names.ts'

const DELETED_CHARACTER = 'Deleted character'

export const purgeReplies = (db: MaintenanceDb, before: Date) =>
  deleteEverywhere(db, declaredTable('idempotency_keys'), sql`t.date_created <= ${before}`)

/** One statement without a limit: keys are few, and every machine of a cluster has a copy of them, from which it must delete the same ones. */
export const purgeKeys = async (db: MaintenanceDb) =>
  (await db.transaction((tx) => tx.query(sql`DELETE FROM api_keys WHERE date_expires <= ${db.now()} RETURNING 1 AS one`))).length

/** Links that nobody used are among them. */
export const purgeSessions = async (db: MaintenanceDb) =>
  (await db.transaction((tx) => tx.query(sql`DELETE FROM console_sessions WHERE date_expires <= ${db.now()} RETURNING 1 AS one`))).length

export const purgeLinks = (db: MaintenanceDb) => deleteEverywhere(db, declaredTable('sign_in_links'), sql`t.date_expires <= ${db.now()}`)

export const purgeCreations = (db: MaintenanceDb) => deleteEverywhere(db, declaredTable('creations'), sql`t.date_expires <= ${db.now()}`)

export const purgeTokens = (db: MaintenanceDb, before: Date) =>
  deleteEverywhere(db, declaredTable('user_tokens'), sql`t.date_expires <= ${before}`)

/**
 * Deletes what was kept of deliveries that are done, and of old attempts of others. A response may repeat what was sent, so this runs before anything is purged: what is
 * purged was archived for as long, and not sent since.
 */
export async function purgeDeliveries(db: MaintenanceDb, before: Date): Promise<number> {
  const attempts = await deleteEverywhere(db, declaredTable('webhook_attempts'), sql`t.date_created <= ${before}`)
  const isOld = sql`t.date_done <= ${before}`
  const deliveries = await deleteEverywhere(db, declaredTable('webhook_deliveries'), isOld)
  return attempts + deliveries
}

/** Secrets that were replaced sign until the overlap is over. */
export const purgeSecrets = (db: MaintenanceDb) =>
  deleteEverywhere(db, declaredTable('webhook_secrets'), sql`t.date_expires <= ${db.now()}`)

interface RowId {
  company_id: string
  id: string
}

/** Deletes archived rows that nothing needs afterwards, together with their parts. Tables that purge in a way of their own are left out. */
export async function purgeArchivedRows(db: MaintenanceDb, before: Date): Promise<number> {
  let total = 0
  for (const table of companyTables()) {
    if (table.purges || !table.schema || !('date_archived' in table.schema.properties)) continue
    const parts = partsOf(table.name)
    const isOld = sql`t.date_archived <= ${before}${table.kept ? sql` AND NOT ${table.kept}` : sql``}`
    total += await untilNothingIsLeftIn(db, table.name, isOld, (tx, within) =>
      parts.length ? deleteOneWithParts(tx, table.name, parts, isOld, within) : deleteBatch(tx, table, isOld, within),
    )
  }
  return total
}

async function deleteBatch(tx: Tx, table: DeclaredTable, isOld: Sql, within: Within): Promise<number> {
  const deleted = await tx.query<RowId>(
    sql`DELETE FROM ${sql.id(table.name)} batch WHERE ${isInBatch(table, isOld, within)} RETURNING company_id, id`,
  )
  for (const { company_id, id } of deleted) blankEvents(tx, company_id, [id])
  return deleted.length
}

async function deleteOneWithParts(tx: Tx, name: string, parts: DeclaredTable[], isOld: Sql, within: Within): Promise<number> {
  const [found] = await tx.query<RowId>(sql`
    SELECT company_id, id FROM ${sql.id(name)} t WHERE ${within('t')} AND ${isOld} ORDER BY date_archived LIMIT 1 FOR UPDATE SKIP LOCKED`)
  if (!found) return 0
  const { company_id, id } = found
  const ids = [id]
  for (const part of parts) ids.push(...(await deleteParts(tx, part, name, company_id, id)))
  tx.send(sql`DELETE FROM ${sql.id(name)} WHERE company_id = ${company_id} AND id = ${id}`)
  blankEvents(tx, company_id, ids)
  return 1
}

/** Blanks archived characters and deletes their parts. The rows stay, because rolls and experience refer to them; their names disappear from the whole database. */
export async function purgeCharacters(db: MaintenanceDb, before: Date): Promise<number> {
  const marked = await markCharacters(db, before)
  await blankMarked(db, 'characters', BATCH_ROWS, async (company_id, ids) => {
    for (const id of ids)
      await throughIds(db, (tx, after) => renameRolls(tx, company_id, sql`x.character_id = ${id}`, DELETED_CHARACTER, after))
    await throughIds(db, (tx, after) => blankResponses(tx, company_id, ids, after))
  })
  return marked
}

function markCharacters(db: MaintenanceDb, before: Date): Promise<number> {
  const isOld = sql`t.date_archived <= ${before} AND t.date_purged IS NULL`
  return untilNothingIsLeftIn(db, 'characters', isOld, async (tx, within) => {
    const found = await tx.query<RowId & { campaign_id: string; visibility: string }>(sql`
      UPDATE characters batch SET name = ${DELETED_CHARACTER}, name_key = ${fold(DELETED_CHARACTER)}, concept = NULL, biography = NULL, text_key = NULL,
        traits = '{}', details = '{}', choices = '{}', conditions = '{}', traits_ordered = NULL, details_ordered = NULL, choices_ordered = NULL,
        conditions_ordered = NULL, external_id = NULL, metadata = '{}', date_purged = ${db.now()}
      WHERE ${isInBatch(declaredTable('characters'), isOld, within)}
      RETURNING company_id, id, campaign_id, visibility`)
    for (const { company_id, id, campaign_id, visibility } of found) {
      const ids = [id]
      for (const part of partsOf('characters')) ids.push(...(await deleteParts(tx, part, 'characters', company_id, id)))
      blankEvents(tx, company_id, ids)
      recordBySystem(tx, company_id, { type: 'character.purged', before: { id, campaign_id, visibility }, after: null })
    }
    return found.length
  })
}

/** Marks rows as purged, so that they cannot be restored halfway. If this process dies, the next run finds them again. */
const markPurged = async <Row>(db: MaintenanceDb, table: string, before: Date, columns: Sql) =>
  db.transaction((tx) =>
    tx.query<Row>(sql`
      UPDATE ${sql.id(table)} SET date_purged = coalesce(date_purged, ${db.now()}) WHERE date_archived <= ${before} RETURNING ${columns}`),
  )

/** Deletes archived campaigns with all their rows, after subtracting their rolls from the statistics of the company. */
export async function purgeCampaigns(db: MaintenanceDb, before: Date): Promise<number> {
  let total = 0
  for (const { company_id, id } of await markPurged<RowId>(db, 'campaigns', before, sql`company_id, id`)) {
    if (db.isStopping?.()) break
    // Before the tallies: a row that waits in the queue would bring one back. This waits for a worker that is moving rows of the campaign.
    await deleteInOrder(db, declaredTable('tally_queue'), company_id, sql`t.campaign_id = ${id}`)
    await untilNothingIsLeft(db, (tx) => subtractCampaign(tx, company_id, id))
    for (const table of companyTables()) {
      const isPart = isPartOf(table, 'campaigns', { company_id, id })
      if (isPart) await deleteInOrder(db, table, company_id, isPart)
    }
    // If the deletion above was cut short, the campaign must stay for the next run.
    if (db.isStopping?.()) break
    total += await db.transaction(async (tx) => {
      const deleted = await tx.query(sql`DELETE FROM campaigns WHERE company_id = ${company_id} AND id = ${id} RETURNING 1 AS one`)
      if (deleted.length) recordBySystem(tx, company_id, { type: 'campaign.purged', before: { id }, after: null })
      return deleted.length
    })
  }
  return total
}

/** Deletes archived companies with all their rows. */
export async function purgeCompanies(db: MaintenanceDb, before: Date): Promise<number> {
  let total = 0
  for (const { id } of await markPurged<{ id: string }>(db, 'companies', before, sql`id`)) {
    if (db.isStopping?.()) break
    for (const table of companyTables()) await deleteInOrder(db, table, id, sql`true`)
    if (db.isStopping?.()) break
    const deleted = await db.transaction((tx) => tx.query(sql`DELETE FROM companies WHERE id = ${id} RETURNING 1 AS one`))
    total += deleted.length
  }
  return total
}
