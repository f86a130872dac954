import { conflict, type Fault, invalid } from '../../core/problem.ts'
import { oneLine } from '../../core/text.ts'
import type { Draw } from '../../dice/draw.ts'
import { type Die, evaluate } from '../../dice/evaluate.ts'
import { countsSuccesses, NotationFault, parse, type Term, tryParse, weightIn } from '../../dice/notation.ts'
import { type Outcome, outcomeOf, rollPool } from '../../dice/pool.ts'
import { traitOf } from '../characters/rules.ts'
import { type DiceRoll, type DiceRollCreate, POOL_DEFAULTS, type PoolRequest, type SavedPool } from './schema.ts'

/** A checked request for a roll, with its notation parsed. */
type ValidRoll = { notation: string; term: Term } | { pool: PoolRequest }

/** Checks the fields of a pool that depend on each other, which the schema cannot express. */
function poolFaults({ dice, traits, sides, difficulty }: PoolRequest): Fault[] {
  const faults: Fault[] = []
  if ((dice === undefined) === (traits === undefined)) faults.push({ field: 'pool', message: 'must have either dice or traits' })
  if (difficulty !== undefined && difficulty > sides)
    faults.push({ field: 'pool.difficulty', message: `must be at most ${sides}, the number of sides` })
  return faults
}

export function refuseUnfitPool(pool: SavedPool): void {
  const faults = poolFaults({ ...POOL_DEFAULTS, ...pool })
  if (faults.length) invalid(faults)
}

/** Checks the fields of a roll that depend on each other, and parses the notation. */
export function validateRoll({ notation, pool, campaign_id, character_id, visibility }: DiceRollCreate): ValidRoll {
  const faults: Fault[] = []
  const fault = (field: string, message: string) => faults.push({ field, message })
  if ((notation === undefined) === (pool === undefined)) fault('body', 'must have either notation or pool')
  if (visibility !== 'PUBLIC' && !campaign_id && !character_id) fault('campaign_id', `is required for a ${visibility} roll`)
  if (pool) {
    faults.push(...poolFaults(pool))
    if (pool.traits && !character_id) fault('character_id', 'is required for traits')
    if (pool.desperation_dice && !campaign_id && !character_id) fault('campaign_id', 'is required for desperation dice')
  }
  let term: Term | undefined
  if (notation !== undefined) {
    try {
      term = parse(notation)
    } catch (error) {
      if (!(error instanceof NotationFault)) throw error
      fault('notation', `at position ${error.position + 1}: ${error.message}`)
    }
  }
  if (faults.length) return invalid(faults)
  return term ? { notation: notation as string, term } : { pool: pool as PoolRequest }
}

/** Rolling more dice keeps the process busy for several milliseconds. */
const MAX_LIGHT_DICE = 100

/** Returns true for rolls of which only a few run at once. Pools never are: they have at most 100 dice and the desperation dice. */
export function isHeavy({ notation }: Pick<DiceRollCreate, 'notation'>): boolean {
  const term = tryParse(notation)
  return term !== null && weightIn(term) > MAX_LIGHT_DICE
}

const MAX_POOL_DICE = 100

type Result = Pick<DiceRoll, 'notation' | 'pool' | 'dice' | 'net' | 'total' | 'outcome' | 'strained'>

/**
 * Rolls the dice, with the traits of the character and the desperation of the campaign. All checks come before the first die: a request
 * that is rejected may be repeated, and must not have revealed any die.
 */
export function rollDice(roll: ValidRoll, traits: Record<string, number>, desperation: number, draw: Draw): Result {
  if ('term' in roll) {
    const { dice, value } = evaluate(roll.term, draw)
    const [net, total] = countsSuccesses(roll.term) ? [value, null] : [null, value]
    return { notation: roll.notation, pool: null, dice, net, total, outcome: null, strained: false }
  }
  const { sides, modifier, difficulty = null, desperation_dice } = roll.pool
  const traitValues = (roll.pool.traits ?? []).map((name) => ({ name, value: traitOf(traits, name) ?? 0 }))
  const base = roll.pool.dice ?? traitValues.reduce((sum, { value }) => sum + value, 0)
  const dice = base + modifier
  if (dice < 1 || dice > MAX_POOL_DICE)
    invalid([{ field: 'pool', message: `must have 1 to ${MAX_POOL_DICE} dice: ${base} with a modifier of ${modifier} is ${dice}` }])
  if (desperation_dice > desperation)
    conflict(
      'desperation_too_low',
      `The desperation of the campaign is ${desperation}, but the roll has ${desperation_dice} desperation dice. Roll at most ${desperation}.`,
    )
  const pool = { sides, dice: base, traits: traitValues, modifier, difficulty, desperation_dice }
  const { margin: _, ...rolled } = rollPool({ sides, dice, difficulty, desperation_dice }, draw)
  return { notation: null, pool, ...rolled }
}

const faceText = ({ value, flags }: Die) => (flags.includes('dropped') || flags.includes('rerolled') ? `~~${value}~~` : String(value))

function poolText({ traits, dice, sides, modifier, desperation_dice, difficulty }: NonNullable<DiceRoll['pool']>): string {
  const base = traits.length ? traits.map(({ name, value }) => `${name} ${value}`).join(' + ') : `${dice}d${sides}`
  const modified = modifier ? ` ${modifier > 0 ? '+' : '-'} ${Math.abs(modifier)}` : ''
  const desperate = desperation_dice ? ` + ${desperation_dice} desperation` : ''
  return `${base}${modified}${desperate}${difficulty ? ` against ${difficulty}` : ''}`
}

/** The text of a longer roll states the number of dice instead of their faces. */
const MAX_TEXT_DICE = 100

const resultText = ({ pool, net, total, outcome }: Pick<Result, 'pool' | 'net' | 'total' | 'outcome'>) =>
  `${net ?? total}${net !== null && !pool ? ' net' : ''}${outcome ? `, ${outcome}` : ''}`

/** The roll on one line. Names and comments are written by users, and must not be able to begin another line. */
export function textOf(roller: string, roll: Result, comment?: string | null): string {
  const { notation, pool, dice } = roll
  const request = pool ? poolText(pool) : notation
  const faces = dice.length > MAX_TEXT_DICE ? `${dice.length} dice` : dice.map(faceText).join(' ')
  return oneLine(`${roller}${comment ? ` (${comment})` : ''}: ${request}: ${faces ? `${faces} = ` : ''}${resultText(roll)}`)
}

type RollText = Pick<DiceRoll, 'pool' | 'net' | 'total' | 'outcome' | 'text'>

/** A roll without the traits of its pool, for users who do not see the sheet of the character. The number of dice shows in the dice anyway. */
export function withoutTraits<Roll extends RollText>(roll: Roll): Roll {
  if (!roll.pool?.traits.length) return roll
  const pool = { ...roll.pool, traits: [] }
  const named = `: ${poolText(roll.pool)}: `
  // The last one, because the comment before it may contain the same text. A text that was cut in the middle of it says only the result.
  const start = roll.text.lastIndexOf(named)
  const text =
    start < 0
      ? `${poolText(pool)}: ${resultText(roll)}`
      : `${roll.text.slice(0, start)}: ${poolText(pool)}: ${roll.text.slice(start + named.length)}`
  return { ...roll, pool, text }
}

/** The text of a roll with its settlement appended. */
export const settledText = (text: string, choice: 'OVERREACH' | 'DESPAIR') =>
  `${text}; ${choice === 'DESPAIR' ? 'DESPAIR makes it a FAILURE' : 'OVERREACH'}`

export const settledOutcome = (outcome: Outcome | null, choice: 'OVERREACH' | 'DESPAIR'): Outcome | null =>
  choice === 'DESPAIR' ? 'FAILURE' : outcome

type StoredRoll = Result & Pick<DiceRoll, 'comment' | 'settlement'>

/** The text of a stored roll with another name of the roller: as it was rolled, and with its settlement appended. */
export function textsFor(roller: string, roll: StoredRoll): { rolled: string; text: string } {
  // A settlement may have changed the stored outcome. The first one follows from the dice.
  const outcome = roll.pool && roll.net !== null ? outcomeOf(roll.net, roll.dice.length) : null
  const rolled = textOf(roller, { ...roll, outcome }, roll.comment)
  return { rolled, text: roll.settlement ? settledText(rolled, roll.settlement) : rolled }
}
