import { parse } from '@guildhall/dice/notation'
import { MAX_DICE, weightIn } from '@guildhall/dice/term'
import { traitsIn } from '@guildhall/rules/ruleset/creation'
import { conflict } from '../../core/problem.ts'
import type { Tx } from '../../db/client.ts'
import type { InCampaign } from '../characters/hidden-sheets.ts'
import { createRolls } from '../dice-rolls/create.ts'
import { MAX_REPEAT } from '../dice-rolls/request-schema.ts'
import type { DiceRoll, RollGroup } from '../dice-rolls/schema.ts'
import type { CreationRow } from './schema.ts'
import { stepOf } from './steps.ts'
import { lockToWrite, shown, write } from './store.ts'

/** Rolls the dice of a step from the seed of the campaign, one roll for each trait. */
export async function rollDice(db: Tx, { actor, campaign }: InCampaign, row: CreationRow, dice: string, count: number, comment: string) {
  const rolls: DiceRoll[] = []
  const sideEvents = []
  const most = Math.min(MAX_REPEAT, Math.floor(MAX_DICE / Math.max(1, weightIn(parse(dice)))))
  while (rolls.length < count) {
    const repeat = Math.min(count - rolls.length, most)
    const made = await createRolls(db, actor, {
      notation: dice,
      ...(repeat > 1 && { repeat }),
      campaign_id: campaign.id,
      visibility: row.type === 'NPC' ? 'STORYTELLER' : 'PUBLIC',
      comment,
    })
    const reply = made.reply as DiceRoll | RollGroup
    rolls.push(...('items' in reply ? reply.items : [reply]))
    sideEvents.push({ type: 'dice_roll.created' as const, before: null, after: made.after }, ...made.sideEvents)
  }
  const rolled = { values: rolls.map(({ total, net }) => total ?? net ?? 0), roll_ids: rolls.map((roll) => roll.id) }
  return { rolled, sideEvents }
}

export async function rollStep(db: Tx, context: InCampaign, id: string, step: string) {
  const { row, ruleset } = await lockToWrite(db, context, id)
  const found = stepOf(ruleset, row, step).step
  const method = found.methods.find(({ method: { kind } }) => kind === 'dice')
  if (!method) return conflict('not_rolled', 'The step has no dice. Answer it instead.')
  if (Object.hasOwn(row.rolled, step)) conflict('already_rolled', 'The dice of the step are rolled, and stay as they fell.')
  const { rolled, sideEvents } = await rollDice(
    db,
    context,
    row,
    method.method.dice ?? '',
    traitsIn(method).length,
    found.label ?? found.id,
  )
  const change = await write(db, row, { rolled: { ...row.rolled, [step]: rolled } })
  return { ...change, sideEvents, reply: await shown(db, context, ruleset, change.after) }
}
