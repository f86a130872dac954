import { conflict, forbidden } from '../../core/problem.ts'
import type { Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { Actor } from '../../http/caller.ts'
import { viewerOf } from '../campaigns/across.ts'
import { isStorytellerAs } from './context.ts'
import { asSeen, columns, findRoll, traitsColumn } from './queries.ts'
import { notForVoiding } from './replay.ts'
import type { DiceRollRow } from './schema.ts'
import { tallyVoid } from './tally.ts'
import { voidedText, withoutTraits } from './text.ts'

interface FoundRoll extends DiceRollRow {
  /** True if the acting user is a storyteller of the campaign or an ADMIN. */
  tells: boolean | null
  showsTraits: boolean
  isSheetHidden: boolean | null
}

/** Voids a roll: it stays with its proof, but no longer counts. The storytellers of its campaign and ADMINs may do so, once. */
export async function voidRoll(db: Tx, actor: Actor, id: string, reason: string) {
  const { company_id } = actor
  const selected = sql`${columns}, ${isStorytellerAs(actor)} AS tells, ${traitsColumn(viewerOf(actor))},
    subject.sheet_visibility <> 'EVERYONE' AS "isSheetHidden"`
  const found = await findRoll<FoundRoll>(db, actor, id, selected, sql`FOR NO KEY UPDATE OF x`)
  const { tells, showsTraits, isSheetHidden, ...before } = found
  if (!tells) forbidden(notForVoiding(actor, before))
  if (before.date_voided) conflict('already_voided', `This roll was voided at ${before.date_voided}. A roll can be voided once.`)
  const now = db.now()
  const [after] = (await db.query<DiceRollRow>(sql`
    UPDATE dice_rolls x SET date_voided = ${now}, voided_by = ${actor.id}, void_reason = ${reason}, text = ${voidedText(before.text, reason)},
      version = version + 1, date_modified = ${now}
    WHERE x.company_id = ${company_id} AND x.id = ${id} RETURNING ${columns}`)) as [DiceRollRow]
  tallyVoid(db, before)
  const recorded = isSheetHidden ? { before: withoutTraits(before), after: withoutTraits(after) } : { before, after }
  return { ...recorded, reply: asSeen({ ...after, showsTraits }) }
}
