import { fold } from '../core/text.ts'
import type { Tx } from '../db/client.ts'
import { type Sql, sql } from '../db/sql.ts'
import { etag } from '../http/request/etag.ts'
import { type DeclaredTable, declaredTable, isPartOf, partsOf } from '../resources/declarations.ts'
import type { DiceRoll } from '../resources/dice-rolls/schema.ts'
import { textsFor, unvoidedText } from '../resources/dice-rolls/text.ts'
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

const DELETED_USER = 'Deleted user'
const PERSONAL_FIELDS = ['name', 'email', 'external_id', 'metadata']
/** A roll has up to 1,000 dice, so a batch of them is smaller. */
const BATCH_ROLLS = 100
/** Longer than a stored reply exists. */
const MAX_REPLY_AGE_MS = 2 * 3_600_000

interface UserId {
  company_id: string
  id: string
}

/**
 * Purges users who can no longer be restored. The row stays, because rolls, notes and entries refer to it; the personal values disappear
 * from the whole database. A marked user is gone for everyone. Cleaning up takes many transactions; a run that is killed is continued by
 * the next one, because date_blanked is set last. No step skips rows that another process has locked: that process may be killed before it
 * commits.
 */
export async function purgeUsers(db: MaintenanceDb, before: Date): Promise<number> {
  const isOld = sql`t.date_archived <= ${before} AND t.date_purged IS NULL`
  const marked = await untilNothingIsLeftIn(db, 'users', isOld, (tx, within) => markUsers(tx, isOld, within))
  for (;;) {
    if (db.isStopping?.()) return marked
    const [user] = await db.query<UserId>(sql`
      SELECT company_id, id FROM users WHERE date_purged IS NOT NULL AND date_blanked IS NULL ORDER BY date_purged LIMIT 1`)
    if (!user) return marked
    await blankUser(db, user)
  }
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
  await throughIds(db, (tx, after) => renameRolls(tx, user, after))
  await throughIds(db, (tx, after) => blankResponses(tx, user, after))
  if (db.isStopping?.()) return
  await db.transaction(async (tx) =>
    tx.send(sql`UPDATE users SET date_blanked = ${tx.now()} WHERE company_id = ${company_id} AND id = ${id} AND date_blanked IS NULL`),
  )
}

/** Repeats a transaction that works on the next rows after an id, and returns the last of their ids, until there are none. */
async function throughIds(db: MaintenanceDb, work: (tx: Tx, after: string) => Promise<string | undefined>): Promise<void> {
  let last: string | undefined = '00000000-0000-0000-0000-000000000000'
  while (last && !db.isStopping?.()) {
    const after: string = last
    last = await db.transaction((tx) => work(tx, after))
  }
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

type StoredRoll = Pick<
  DiceRoll,
  | 'id'
  | 'notation'
  | 'pool'
  | 'target'
  | 'compare'
  | 'dice'
  | 'net'
  | 'total'
  | 'outcome'
  | 'comment'
  | 'label'
  | 'visibility'
  | 'settlement'
  | 'void_reason'
  | 'text'
> & { date_modified: string }

/**
 * Rebuilds the texts of the user's next rolls, in the rows, their events and stored replies. The name at the time of the roll is
 * unknown, so it cannot be searched for. The text of a roll for a character has the character's name. Returns the last id.
 */
async function renameRolls(tx: Tx, { company_id, id }: UserId, after: string): Promise<string | undefined> {
  const rolls = await tx.query<StoredRoll>(sql`
    SELECT id, notation, pool, target, compare, dice, net, total, outcome, comment, label, visibility, settlement, void_reason, text, date_modified FROM dice_rolls
    WHERE company_id = ${company_id} AND user_id = ${id} AND character_id IS NULL AND id > ${after}
    ORDER BY id LIMIT ${sql.number(BATCH_ROLLS)} FOR NO KEY UPDATE`)
  for (const roll of rolls) {
    const { rolled, settled, text } = textsFor(DELETED_USER, roll)
    if (text === roll.text) continue
    tx.send(sql`UPDATE dice_rolls SET text = ${text} WHERE company_id = ${company_id} AND id = ${roll.id}`)
    // The event that created a BLIND roll has no result in its text, and no name.
    if (roll.visibility !== 'BLIND') setEventText(tx, company_id, roll.id, 'dice_roll.created', { old: null, new: rolled })
    setEventText(tx, company_id, roll.id, 'dice_roll.settled', { old: rolled, new: settled })
    setEventText(tx, company_id, roll.id, 'dice_roll.voided', { old: settled, new: text })
    // Only settling and voiding change a roll, so only these can have been answered so recently that the reply is still stored.
    if (tx.now().getTime() - Date.parse(roll.date_modified) < MAX_REPLY_AGE_MS) await renameReplies(tx, company_id, roll, { settled, text })
  }
  return rolls.at(-1)?.id
}

const setEventText = (tx: Tx, company_id: string, roll_id: string, type: string, texts: { old: string | null; new: string }) =>
  tx.send(sql`
    UPDATE events SET changes = jsonb_set(changes, '{text}', ${JSON.stringify(texts)}::jsonb)
    WHERE company_id = ${company_id} AND resource_id = ${roll_id} AND type = ${type} AND changes ? 'text'`)

async function renameReplies(
  tx: Tx,
  company_id: string,
  roll: StoredRoll,
  { settled, text }: Record<'settled' | 'text', string>,
): Promise<void> {
  const replies = await tx.query<{ developer_id: string; key_hash: Buffer; body: Buffer }>(sql`
    SELECT developer_id, key_hash, body FROM idempotency_keys
    WHERE company_id = ${company_id} AND position(${Buffer.from(roll.id)} IN body) > 0 FOR NO KEY UPDATE`)
  for (const { developer_id, key_hash, body } of replies) {
    const renamed = body
      .toString()
      .replace(JSON.stringify(roll.text), () => JSON.stringify(text))
      .replace(JSON.stringify(unvoidedText(roll)), () => JSON.stringify(settled))
    tx.send(sql`
      UPDATE idempotency_keys SET body = ${Buffer.from(renamed)}, etag = ${etag(JSON.parse(renamed), renamed) ?? null}
      WHERE company_id = ${company_id} AND developer_id = ${developer_id} AND key_hash = ${key_hash}`)
  }
}

/**
 * Removes responses to webhooks that were told of the user or of their rolls: a receiver may repeat what it was sent, and a roll can be voided, or sent again, after
 * its user was archived. Returns the last id.
 */
async function blankResponses(tx: Tx, { company_id, id }: UserId, after: string): Promise<string | undefined> {
  const next = await tx.query<{ id: string }>(sql`
    SELECT id FROM webhook_attempts WHERE company_id = ${company_id} AND id > ${after} ORDER BY id LIMIT ${sql.number(BATCH_ROWS)}`)
  if (next.length)
    tx.send(sql`
      UPDATE webhook_attempts a SET response_body = NULL
      WHERE a.company_id = ${company_id} AND a.id = ANY (${next.map((row) => row.id)}::uuid[]) AND a.response_body IS NOT NULL AND EXISTS (
        SELECT FROM webhook_deliveries d JOIN events e ON e.company_id = ${company_id} AND e.id = d.event_id
        LEFT JOIN dice_rolls r ON r.company_id = ${company_id} AND r.id = e.resource_id
        WHERE d.company_id = ${company_id} AND d.id = a.delivery_id AND ${id}::uuid IN (e.resource_id, e.user_id, r.user_id))`)
  return next.at(-1)?.id
}
