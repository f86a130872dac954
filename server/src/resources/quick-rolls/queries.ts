import type { Listed } from '../../core/page.ts'
import type { Db, Tx } from '../../db/client.ts'
import { table } from '../../db/table.ts'
import type { Actor } from '../../http/caller.ts'
import { createRolls } from '../dice-rolls/create.ts'
import { refuseUnfitPool } from '../dice-rolls/request-rules.ts'
import { POOL_DEFAULTS } from '../dice-rolls/request-schema.ts'
import type { DiceRoll } from '../dice-rolls/schema.ts'
import { QuickRoll, type QuickRollCreate, type QuickRollPatch, type QuickRollRoll } from './schema.ts'

const quickRolls = table('quick_rolls', QuickRoll, {
  noun: 'Quick roll',
  partOf: { users: 'user_id' },
  conflicts: {
    quick_rolls_name: {
      columns: ['user_id', 'name_key'],
      message: 'You already have a quick roll with this name. Change that one, or choose another name.',
    },
  },
})

/** Users reach only their own quick rolls. */
const scopeOf = ({ company_id, id: user_id }: Actor) => ({ company_id, user_id })

export const listQuickRolls = (db: Db, actor: Actor, listed: Listed) => quickRolls.list(db, scopeOf(actor), listed, { restorable: true })
export const getQuickRoll = (db: Db, actor: Actor, id: string) => quickRolls.get(db, { ...scopeOf(actor), id })

export function createQuickRoll(db: Tx, actor: Actor, body: QuickRollCreate) {
  refuseUnfitPool(body.pool)
  return quickRolls.insert(db, { ...body, ...scopeOf(actor) })
}

export async function updateQuickRoll(db: Tx, actor: Actor, id: string, { name, pool }: QuickRollPatch) {
  if (pool) refuseUnfitPool(pool)
  return quickRolls.update(db, { ...scopeOf(actor), id }, (before) => {
    // A merge patch would mix the two pools, so fields that the new pool does not have are removed with null.
    const removed = pool && Object.fromEntries(Object.keys(before.pool).map((field) => [field, null]))
    return { ...(name !== undefined && { name }), ...(pool && { pool: { ...removed, ...pool } as QuickRoll['pool'] }) }
  })
}

export const archiveQuickRoll = (db: Tx, actor: Actor, id: string) => quickRolls.archive(db, { ...scopeOf(actor), id })
export const restoreQuickRoll = (db: Tx, actor: Actor, id: string) => quickRolls.restore(db, { ...scopeOf(actor), id })

export async function rollQuickRoll(db: Tx, actor: Actor, id: string, body: QuickRollRoll) {
  const { modifier, difficulty, desperation_dice, ...roll } = body
  const saved = await getQuickRoll(db, actor, id)
  const overrides = {
    ...(modifier !== undefined && { modifier }),
    ...(difficulty !== undefined && { difficulty }),
    ...(desperation_dice !== undefined && { desperation_dice }),
  }
  const comment = roll.comment === undefined ? saved.name : roll.comment
  const { reply, ...rolled } = await createRolls(db, actor, { ...roll, comment, pool: { ...POOL_DEFAULTS, ...saved.pool, ...overrides } })
  return { ...rolled, reply: reply as DiceRoll }
}
