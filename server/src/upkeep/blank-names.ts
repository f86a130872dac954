import type { Tx } from '../db/client.ts'
import { columnsOf } from '../db/columns.ts'
import { type Sql, sql } from '../db/sql.ts'
import { etag } from '../http/request/etag.ts'
import { DiceRollRow } from '../resources/dice-rolls/schema.ts'
import { markdownOf, requestIn, textsFor, unvoidedText, withoutTraits } from '../resources/dice-rolls/text.ts'
import { BATCH_ROWS, type MaintenanceDb } from './batches.ts'

/** A roll has up to 1,000 dice, so a batch of them is smaller. */
const BATCH_ROLLS = 100
/** Longer than a stored reply exists. */
const MAX_REPLY_AGE_MS = 2 * 3_600_000

/**
 * Cleans up after the rows of a table that are marked as purged, those of one company at a time. Cleaning up takes many transactions; a run that is killed is continued
 * by the next one, because date_blanked is set last. No step skips rows that another process has locked: that process may be killed before it commits.
 */
export async function blankMarked(
  db: MaintenanceDb,
  table: 'users' | 'characters',
  atOnce: number,
  blank: (company_id: string, ids: string[]) => Promise<void>,
): Promise<void> {
  while (!db.isStopping?.()) {
    const marked = await db.query<{ company_id: string; id: string }>(sql`
      SELECT company_id, id FROM ${sql.id(table)} WHERE date_purged IS NOT NULL AND date_blanked IS NULL
      ORDER BY company_id, id LIMIT ${sql.number(atOnce)}`)
    const [first] = marked
    if (!first) return
    const { company_id } = first
    const ids = marked.flatMap((row) => (row.company_id === company_id ? [row.id] : []))
    await blank(company_id, ids)
    if (db.isStopping?.()) return
    await db.transaction(async (tx) =>
      tx.send(sql`
        UPDATE ${sql.id(table)} SET date_blanked = ${tx.now()}
        WHERE company_id = ${company_id} AND id = ANY (${ids}::uuid[]) AND date_blanked IS NULL`),
    )
  }
}

/** Repeats a transaction that works on the next rows after an id, and returns the last of their ids, until there are none. */
export async function throughIds(db: MaintenanceDb, work: (tx: Tx, after: string) => Promise<string | undefined>): Promise<void> {
  let last: string | undefined = '00000000-0000-0000-0000-000000000000'
  while (last && !db.isStopping?.()) {
    const after: string = last
    last = await db.transaction((tx) => work(tx, after))
  }
}

/** The texts that a roll had in turn: as it was rolled, after its settlement, and after it was voided. */
type Texts = ReturnType<typeof textsFor>

/**
 * Rebuilds the texts of the next rolls `x` of somebody under another name, in the rows, their events and stored replies. The name at the time of the roll
 * is unknown, so it cannot be searched for. Returns the last id.
 */
export async function renameRolls(tx: Tx, company_id: string, isTheirs: Sql, roller: string, after: string): Promise<string | undefined> {
  const rolls = await tx.query<DiceRollRow>(sql`
    SELECT ${columnsOf(DiceRollRow, 'x')} FROM dice_rolls x WHERE x.company_id = ${company_id} AND ${isTheirs} AND x.id > ${after}
    ORDER BY x.id LIMIT ${sql.number(BATCH_ROLLS)} FOR NO KEY UPDATE`)
  for (const roll of rolls) {
    const texts = textsFor(roller, roll)
    if (texts.text === roll.text) continue
    tx.send(sql`UPDATE dice_rolls SET text = ${texts.text} WHERE company_id = ${company_id} AND id = ${roll.id}`)
    renameEvents(tx, roll, texts)
    // Only settling and voiding change a roll, so only these can have been answered so recently that the reply is still stored.
    if (tx.now().getTime() - Date.parse(roll.date_modified) < MAX_REPLY_AGE_MS) await renameReplies(tx, roll, texts)
  }
  return rolls.at(-1)?.id
}

/** The texts of a roll for readers who do not see the sheet of its character. */
const onHiddenSheet = (roll: DiceRollRow, { rolled, settled, text }: Texts): Texts => {
  const hidden = (shown: string) => withoutTraits({ ...roll, text: shown, void_reason: null }).text
  return { rolled: hidden(rolled), settled: hidden(settled), text: withoutTraits({ ...roll, text }).text }
}

function renameEvents(tx: Tx, roll: DiceRollRow, texts: Texts): void {
  const hidden = onHiddenSheet(roll, texts)
  const changesIn = ({ rolled, settled, text }: Texts) => ({
    'dice_roll.created': { old: null, new: rolled },
    'dice_roll.settled': { old: rolled, new: settled },
    'dice_roll.voided': { old: settled, new: text },
  })
  const [open, masked] = [changesIn(texts), changesIn(hidden)]
  for (const type of ['dice_roll.created', 'dice_roll.settled', 'dice_roll.voided'] as const) {
    // The event that created a BLIND roll has no result in its text, and no name.
    if (type === 'dice_roll.created' && roll.visibility === 'BLIND') continue
    // The sheet was hidden, or not, at the time of the event: then its text has no values of the sheet, which the request shows.
    tx.send(sql`
      UPDATE events SET changes = jsonb_set(changes, '{text}', CASE WHEN position(${requestIn(roll)}::text IN changes->'text'->>'new') > 0
        THEN ${JSON.stringify(open[type])}::jsonb ELSE ${JSON.stringify(masked[type])}::jsonb END)
      WHERE company_id = ${roll.company_id} AND resource_id = ${roll.id} AND type = ${type} AND changes ? 'text'`)
  }
}

async function renameReplies(tx: Tx, roll: DiceRollRow, texts: Texts): Promise<void> {
  const { company_id } = roll
  const unvoided = unvoidedText(roll)
  const [was, is] = [onHiddenSheet(roll, { rolled: unvoided, settled: unvoided, text: roll.text }), onHiddenSheet(roll, texts)]
  const masked = withoutTraits(roll)
  const markdown = (shown: DiceRollRow, text: string) => markdownOf({ ...shown, text })
  const renames = (
    [
      [roll, roll.text, texts.text],
      [roll, unvoided, texts.settled],
      [masked, was.text, is.text],
      [masked, was.settled, is.settled],
    ] as const
  ).flatMap(([shown, from, to]) => [[from, to] as const, [markdown(shown, from), markdown(shown, to)] as const])
  const replies = await tx.query<{ developer_id: string; key_hash: Buffer; body: Buffer }>(sql`
    SELECT developer_id, key_hash, body FROM idempotency_keys
    WHERE company_id = ${company_id} AND position(${Buffer.from(roll.id)} IN body) > 0 FOR NO KEY UPDATE`)
  for (const { developer_id, key_hash, body } of replies) {
    const renamed = renames.reduce((text, [from, to]) => text.replace(JSON.stringify(from), () => JSON.stringify(to)), body.toString())
    tx.send(sql`
      UPDATE idempotency_keys SET body = ${Buffer.from(renamed)}, etag = ${etag(JSON.parse(renamed), renamed) ?? null}
      WHERE company_id = ${company_id} AND developer_id = ${developer_id} AND key_hash = ${key_hash}`)
  }
}

/**
 * Removes responses to webhooks that were told of some users or characters, or of their rolls: a receiver may repeat what it was sent, and a roll can be voided, or
 * sent again, after they were archived. Returns the last id.
 */
export async function blankResponses(tx: Tx, company_id: string, ids: string[], after: string): Promise<string | undefined> {
  const next = await tx.query<{ id: string }>(sql`
    SELECT id FROM webhook_attempts WHERE company_id = ${company_id} AND id > ${after} ORDER BY id LIMIT ${sql.number(BATCH_ROWS)}`)
  if (next.length)
    tx.send(sql`
      UPDATE webhook_attempts a SET response_body = NULL
      WHERE a.company_id = ${company_id} AND a.id = ANY (${next.map((row) => row.id)}::uuid[]) AND a.response_body IS NOT NULL AND EXISTS (
        SELECT FROM webhook_deliveries d JOIN events e ON e.company_id = ${company_id} AND e.id = d.event_id
        LEFT JOIN dice_rolls r ON r.company_id = ${company_id} AND r.id = e.resource_id
        WHERE d.company_id = ${company_id} AND d.id = a.delivery_id
          AND ARRAY[e.resource_id, e.user_id, r.user_id, r.character_id] && ${ids}::uuid[])`)
  return next.at(-1)?.id
}
