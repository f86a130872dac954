import { fold } from '../core/text.ts'
import type { Tx } from '../db/client.ts'
import { type Sql, sql } from '../db/sql.ts'
import { type DeclaredTable, declaredTable, isPartOf, partsOf } from '../resources/declarations.ts'
import {
  BATCH_ROWS,
  blankEvents,
  isInBatch,
  type MaintenanceDb,
  recordBySystem,
  untilNothingIsLeft,
  untilNothingIsLeftIn,
  type Within,
} from './batches.ts'
import { blankMarked, blankResponses, renameRolls, throughIds } from './blank-names.ts'

const DELETED_USER = 'Deleted user'
const PERSONAL_FIELDS = ['name', 'email', 'external_id', 'metadata']

interface UserId {
  company_id: string
  id: string
}

/**
 * Purges users who can no longer be restored. The row stays, because rolls, notes and entries refer to it; the personal values disappear
 * from the whole database. A marked user is gone for everyone.
 */
export async function purgeUsers(db: MaintenanceDb, before: Date): Promise<number> {
  const isOld = sql`t.date_archived <= ${before} AND t.date_purged IS NULL`
  const marked = await untilNothingIsLeftIn(db, 'users', isOld, (tx, within) => markUsers(tx, isOld, within))
  await blankMarked(db, 'users', 1, async (company_id, ids) => {
    for (const id of ids) await blankUser(db, { company_id, id })
  })
  return marked
}

async function markUsers(tx: Tx, isOld: Sql, within: Within): Promise<number> {
  const found = await tx.query<UserId>(sql`
    UPDATE users batch SET name = ${DELETED_USER}, name_key = ${fold(DELETED_USER)}, email = NULL, external_id = NULL, metadata = '{}', date_purged = ${tx.now()}
    WHERE ${isInBatch(declaredTable('users'), isOld, within)}
    RETURNING company_id, id`)
  for (const { company_id, id } of found) recordBySystem(tx, company_id, { type: 'user.purged', before: { id }, after: null })
  return found.length
}

async function blankUser(db: MaintenanceDb, user: UserId): Promise<void> {
  const { company_id, id } = user
  // Only the user could see these, such as the notebook and the saved pools.
  for (const table of partsOf('users')) await untilNothingIsLeft(db, (tx) => deleteOwned(tx, table, user))
  await untilNothingIsLeft(db, (tx) => blankUserEvents(tx, user))
  // The text of a roll for a character has the name of the character.
  const isTheirs = sql`x.user_id = ${id} AND x.character_id IS NULL`
  await throughIds(db, (tx, after) => renameRolls(tx, company_id, isTheirs, DELETED_USER, after))
  await throughIds(db, (tx, after) => blankResponses(tx, company_id, [id], after))
}

async function deleteOwned(tx: Tx, table: DeclaredTable, { company_id, id }: UserId): Promise<number> {
  const name = sql.id(table.name)
  const deleted = await tx.query<{ id: string }>(sql`
    DELETE FROM ${name} WHERE company_id = ${company_id} AND id IN (
      SELECT id FROM ${name} t WHERE t.company_id = ${company_id} AND ${isPartOf(table, 'users', { company_id, id })}
      ORDER BY id LIMIT ${sql.number(BATCH_ROWS)} FOR UPDATE)
    RETURNING id`)
  const ids = deleted.map((row) => row.id)
  blankEvents(tx, company_id, ids)
  return deleted.length
}

/** Removes the personal values from the events of the user and of its memberships; the other changes and all dates stay. */
async function blankUserEvents(tx: Tx, { company_id, id }: UserId): Promise<number> {
  const blanked = await tx.query(sql`
    UPDATE events SET changes = changes - ${PERSONAL_FIELDS}::text[]
    WHERE company_id = ${company_id} AND id IN (
      SELECT id FROM events WHERE company_id = ${company_id} AND resource_id = ${id} AND changes ?| ${PERSONAL_FIELDS}::text[]
      ORDER BY id LIMIT ${sql.number(BATCH_ROWS)} FOR UPDATE)
    RETURNING 1 AS one`)
  return blanked.length
}
