import type { Listed } from '../../core/page.ts'
import type { Db, Tx } from '../../db/client.ts'
import { table } from '../../db/table.ts'
import type { Actor } from '../../http/operation.ts'
import { createRoll } from '../dice-rolls/queries.ts'
import { refuseUnfitPool } from '../dice-rolls/rules.ts'
import { QuickRoll, type QuickRollCreate, type QuickRollPatch, type QuickRollRoll } from './schema.ts'

const quickRolls = table('quick_rolls', QuickRoll, {
  noun: 'Quick roll',
  partOf: { users: 'user_id' },
  conflicts: { quick_rolls_name: 'You have a quick roll of this name: change that one, or choose another name.' },
})

const own = ({ company_id, id: user_id }: Actor) => ({ company_id, user_id })

export const listQuickRolls = (db: Db, actor: Actor, listed: Listed) => quickRolls.list(db, own(actor), listed, { restorable: true })
export const getQuickRoll = (db: Db, actor: Actor, id: string) => quickRolls.get(db, { ...own(actor), id })

export function createQuickRoll(db: Tx, actor: Actor, body: QuickRollCreate) {
  refuseUnfitPool(body.pool)
  return quickRolls.insert(db, { ...body, ...own(actor) })
}

export async function updateQuickRoll(db: Tx, actor: Actor, id: string, { name, pool }: QuickRollPatch) {
  if (pool) refuseUnfitPool(pool)
  return quickRolls.update(db, { ...own(actor), id }, (before) => {
    // A merge patch would mix the two pools: what the new one does not name is taken out.
    const gone = pool && Object.fromEntries(Object.keys(before.pool).map((field) => [field, null]))
    return { ...(name !== undefined && { name }), ...(pool && { pool: { ...gone, ...pool } as QuickRoll['pool'] }) }
  })
}

export const archiveQuickRoll = (db: Tx, actor: Actor, id: string) => quickRolls.archive(db, { ...own(actor), id })
export const restoreQuickRoll = (db: Tx, actor: Actor, id: string) => quickRolls.restore(db, { ...own(actor), id })

export async function rollQuickRoll(db: Tx, actor: Actor, id: string, { modifier, difficulty, desperation_dice, ...where }: QuickRollRoll) {
  const { name, pool } = await getQuickRoll(db, actor, id)
  const now = { modifier, difficulty, desperation_dice }
  const changed = Object.fromEntries(Object.entries(now).filter(([, value]) => value !== undefined))
  return createRoll(db, actor, { ...where, comment: where.comment === undefined ? name : where.comment, pool: { ...pool, ...changed } })
}
