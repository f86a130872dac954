import { drawFrom } from '@guildhall/dice/draw'
import { drawGiven } from '@guildhall/dice/manual'
import { wordsOf } from '@guildhall/dice/node-crypto'
import { timeOf } from '../../core/ids.ts'
import { type Fault, invalid } from '../../core/problem.ts'
import type { Tx } from '../../db/client.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { together } from '../../db/together.ts'
import type { Actor } from '../../http/caller.ts'
import { enter } from '../campaigns/membership.ts'
import { prepareRolls, type RollContext } from './context.ts'
import { engineFault } from './engine-faults.ts'
import { withoutResult } from './fields.ts'
import { checkRequest, type Requested } from './request-rules.ts'
import type { DiceRollCreate } from './request-schema.ts'
import { type NamedRoll, type ReadyRoll, readyRolls, rollDice } from './result.ts'
import { withoutSheetValues } from './ruleset-schema.ts'
import type { DiceRoll, DiceRollRow, RollGroup } from './schema.ts'
import { nameableIn } from './sheet.ts'
import { additionsOf, addUp } from './tally.ts'
import type { Additions } from './tally-counts.ts'
import { queueStatement } from './tally-queue.ts'
import { textOf, withMarkdown, withoutTraits } from './text.ts'
import { namesWithoutSheet } from './values.ts'

/** A roll in a campaign is written in it, like everything below its path. */
type EnteredCampaign = Pick<RollContext, 'campaign_id' | 'owner_id' | 'isMember' | 'joining'>
export const enterCampaign = async (db: Tx, actor: Actor, { campaign_id, owner_id, isMember, joining }: EnteredCampaign) =>
  campaign_id ? enter(db, { actor, campaign: { id: campaign_id, user_id: owner_id, isMember, joining } }) : []

/** Checks what needs a character or a campaign. */
function refuseWithoutContext(body: DiceRollCreate, requested: Requested): void {
  const { campaign_id, character_id, visibility } = body
  if (campaign_id || character_id) return
  const faults: Fault[] = []
  if (visibility !== 'PUBLIC') faults.push({ field: 'campaign_id', message: `is required for a ${visibility} roll` })
  faults.push(...namesWithoutSheet(requested, body))
  if (requested.rolls.some(({ pool }) => pool?.desperation_dice))
    faults.push({ field: 'campaign_id', message: 'is required for desperation dice' })
  if (faults.length) invalid(faults)
}

/** Where the dice of a roll come from: from the seed, or from the table. */
function sourceOf(body: DiceRollCreate, { seed_id, server_seed, nonce: last }: RollContext, left: number) {
  if (body.manual || seed_id === null)
    return { draw: drawGiven(body.manual ?? []), proof: { seed_id: null, client_seed: null, nonce: null } }
  const nonce = last - left
  const client_seed = body.client_seed ?? seed_id
  return { draw: drawFrom(wordsOf({ server_seed, client_seed, nonce })), proof: { seed_id, client_seed, nonce } }
}

/** Fields that are set only after a roll was made. */
const LATER = { settlement: null, date_voided: null, voided_by: null, void_reason: null, version: 1 } as const

type Stored = Omit<DiceRollRow, keyof typeof LATER | 'date_created' | 'date_modified'>

/** A roll that is not stored yet, with its additions to the tallies. */
interface Made {
  row: Stored
  proof: ReturnType<typeof sourceOf>['proof'] & { words: number }
  created: Date
  roll: DiceRollRow
  additions: Additions
}

/** Every column by name, in one template: a piece for each would take longer than the dice. The given statements become part of this one. */
function insertRoll(db: Tx, { row: roll, proof: { seed_id, client_seed, nonce, words }, created }: Made, others: Sql[]): void {
  const pool = roll.pool && JSON.stringify(roll.pool)
  const ruleset = roll.ruleset && JSON.stringify(roll.ruleset)
  together(db, others, (prefix) =>
    db.send(sql`${prefix}
    INSERT INTO dice_rolls (id, company_id, user_id, campaign_id, character_id, notation, formula, "values", pool, target, compare, naturals, ruleset, dice, net, total,
                            margin, outcome, strained, terms, label, group_id, comment, visibility, source, text, metadata, seed_id, client_seed, nonce, words,
                            date_created, date_modified)
    VALUES (${roll.id}, ${roll.company_id}, ${roll.user_id}, ${roll.campaign_id}, ${roll.character_id}, ${roll.notation}, ${roll.formula},
            ${JSON.stringify(roll.values)}, ${pool}, ${roll.target}, ${roll.compare}, ${roll.naturals}, ${ruleset}, ${JSON.stringify(roll.dice)}, ${roll.net}, ${roll.total},
            ${roll.margin}, ${roll.outcome}, ${roll.strained}, ${JSON.stringify(roll.terms)}, ${roll.label}, ${roll.group_id}, ${roll.comment},
            ${roll.visibility}, ${roll.source}, ${roll.text}, ${JSON.stringify(roll.metadata)}, ${seed_id}, ${client_seed}, ${nonce}, ${words},
            ${created}, ${created})`),
  )
}

interface Shared {
  actor: Actor
  body: DiceRollCreate
  context: RollContext
  group_id: string | null
}

/** Rolls one roll. In its request, `left` rolls follow it. */
function makeRoll(db: Tx, { actor, body, context, group_id }: Shared, ready: ReadyRoll, left: number): Made {
  const { visibility, comment = null, metadata = {} } = body
  const { draw, proof } = sourceOf(body, context, left)
  const { slices, ...result } = rolledWith(ready, draw)
  const id = db.newId()
  const created = timeOf(id)
  const label = ready.named?.title ?? ready.asked.label ?? null
  const { company_id, id: user_id } = actor
  const { campaign_id, character_id } = context
  const row: Stored = {
    id,
    company_id,
    user_id,
    campaign_id,
    character_id,
    ...result,
    label,
    group_id,
    comment,
    visibility,
    source: body.manual ? 'MANUAL' : 'SERVER',
    text: textOf(character_id ? context.character_name : actor.name, { ...result, slices }, { label, comment }),
    metadata,
  }
  const date = created.toISOString()
  const roll: DiceRollRow = { ...row, ...LATER, date_created: date, date_modified: date }
  return { row, proof: { ...proof, words: draw.used }, created, roll, additions: additionsOf(roll, draw.faces) }
}

/** Rolls with the given dice. Faces from the table must be as many as the roll needs. */
function rolledWith(ready: ReadyRoll, draw: ReturnType<typeof sourceOf>['draw']) {
  try {
    const result = rollDice(ready, draw)
    if ('end' in draw) draw.end()
    return result
  } catch (error) {
    return invalid([engineFault(error, 'manual')])
  }
}

/** A roll as its event records it. A roll never changes, so that its dice and their pool are in the roll alone; `text` shows them in a history. */
const asRecorded = ({ pool: _, dice: __, values: ___, terms: ____, naturals, ruleset, strained, source, ...roll }: DiceRollRow) => ({
  ...roll,
  ...(ruleset && { ruleset: withoutSheetValues(ruleset) }),
  ...(naturals && { naturals }),
  ...(strained && { strained }),
  ...(source !== 'SERVER' && { source }),
})

/**
 * Rolls dice, once or several times. The reply and the events leave out everything that the acting user may not see. A roll of a ruleset is the notation that it comes
 * to, and `named` says what its dice mean.
 */
export async function createRolls(db: Tx, actor: Actor, body: DiceRollCreate, named?: NamedRoll) {
  const requested = checkRequest(body)
  refuseWithoutContext(body, requested)
  const context = await prepareRolls(db, actor, body, requested)
  const sideEvents = await enterCampaign(db, actor, context)
  const ready = readyRolls(requested, {
    ...nameableIn(body, context),
    missing: body.missing ?? 'REJECT',
    desperation: context.desperation ?? 0,
  })
  const all = Array.from({ length: requested.repeat }, () => (named ? ready.map((roll) => ({ ...roll, named })) : ready)).flat()
  const group_id = requested.isGroup ? db.newId() : null
  const made = all.map((roll, i) => makeRoll(db, { actor, body, context, group_id }, roll, all.length - 1 - i))
  const queued = queueStatement(db, addUp(made.map(({ additions }) => additions)))
  for (const [i, one] of made.entries()) insertRoll(db, one, i === 0 ? [queued] : [])
  const isBlind = body.visibility === 'BLIND'
  const shown = made.map(({ roll }) => withMarkdown(isBlind && !context.tells ? withoutResult(roll) : roll))
  const recorded = made.map(({ roll }) => {
    const told = context.isSheetHidden ? withoutTraits(roll) : roll
    return isBlind ? withoutResult(told) : asRecorded(told)
  })
  const [first, ...others] = recorded
  const reply: DiceRoll | RollGroup = group_id === null ? (shown[0] as DiceRoll) : { group_id, items: shown }
  const events = others.map((after) => ({ type: 'dice_roll.created' as const, before: null, after }))
  return { before: null, after: first, reply, sideEvents: [...events, ...sideEvents] }
}
