import { conflict, type Fault, invalid } from '../../core/problem.ts'
import { oneLine } from '../../core/text.ts'
import type { Draw } from '../../dice/draw.ts'
import { type Die, evaluate } from '../../dice/evaluate.ts'
import { countsSuccesses, NotationFault, parse, peek, type Term, weightIn } from '../../dice/notation.ts'
import { type Outcome, outcomeOf, rollPool } from '../../dice/pool.ts'
import { traitOf } from '../characters/rules.ts'
import type { DiceRoll, DiceRollCreate, PoolAsked } from './schema.ts'

/** A roll that could be read, before anything is known of who and where. */
export type Asked = { notation: string; term: Term } | { pool: PoolAsked }

/** What no single field of a pool can tell. */
function poolFaults({ dice, traits, sides = 10, difficulty = 2 }: PoolAsked): Fault[] {
  const faults: Fault[] = []
  if ((dice === undefined) === (traits === undefined)) faults.push({ field: 'pool', message: 'must have either dice or traits' })
  if (difficulty > sides) faults.push({ field: 'pool.difficulty', message: `must be at most ${sides}, the number of sides` })
  return faults
}

export function refuseUnfitPool(pool: PoolAsked): void {
  const faults = poolFaults(pool)
  if (faults.length) invalid(faults)
}

/** What no single field can tell. */
export function asked({ notation, pool, campaign_id, character_id, visibility = 'PUBLIC' }: DiceRollCreate): Asked {
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
      fault('notation', `at position ${error.at + 1}: ${error.message}`)
    }
  }
  if (faults.length) return invalid(faults)
  return term ? { notation: notation as string, term } : { pool: pool as PoolAsked }
}

/** More dice cost the process several milliseconds. */
const MAX_LIGHT_DICE = 100

/** Whether a roll is one of which only a few run at once. A pool has a hundred dice at most, and the desperation dice. */
export function isHeavy({ notation }: Pick<DiceRollCreate, 'notation'>): boolean {
  const term = peek(notation)
  return term !== null && weightIn(term) > MAX_LIGHT_DICE
}

interface Circumstances {
  traits: Record<string, number>
  desperation: number
}

type Result = Pick<DiceRoll, 'notation' | 'pool' | 'dice' | 'net' | 'total' | 'outcome' | 'strained'>

/** Lets the dice fall. Once they do nothing is refused: whoever is refused may ask again, and must not have learnt anything. */
export function rolled(what: Asked, { traits, desperation }: Circumstances, draw: Draw): Result {
  if ('term' in what) {
    const { dice, value } = evaluate(what.term, draw)
    const [net, total] = countsSuccesses(what.term) ? [value, null] : [null, value]
    return { notation: what.notation, pool: null, dice, net, total, outcome: null, strained: false }
  }
  const { sides = 10, modifier = 0, difficulty = null, desperation_dice = 0 } = what.pool
  const named = (what.pool.traits ?? []).map((name) => ({ name, value: traitOf(traits, name) ?? 0 }))
  const base = what.pool.dice ?? named.reduce((sum, { value }) => sum + value, 0)
  const dice = base + modifier
  if (dice < 1 || dice > 100)
    invalid([{ field: 'pool', message: `must come to 1 to 100 dice: ${base} with a modifier of ${modifier} is ${dice}` }])
  if (desperation_dice > desperation)
    conflict('desperation_too_low', `The desperation of the campaign is ${desperation}: at most as many desperation dice fall.`)
  const pool = { sides, dice: base, traits: named, modifier, difficulty, desperation_dice }
  return { notation: null, pool, ...rollPool({ sides, dice, difficulty, desperation_dice }, draw) }
}

const face = ({ value, flags }: Die) => (flags.includes('dropped') || flags.includes('rerolled') ? `~~${value}~~` : String(value))

/** The roll on one line. Names and comments are the users' own text, and cannot add a line to it. */
export function textOf(who: string, { notation, pool, dice, net, total, outcome }: Result, comment?: string | null): string {
  const what = pool
    ? `${[...pool.traits.map(({ name, value }) => `${name} ${value}`), ...(pool.traits.length ? [] : [`${pool.dice}d${pool.sides}`])].join(' + ')}${
        pool.modifier ? ` ${pool.modifier > 0 ? '+' : '-'} ${Math.abs(pool.modifier)}` : ''
      }${pool.desperation_dice ? ` + ${pool.desperation_dice} desperation` : ''}${pool.difficulty ? ` against ${pool.difficulty}` : ''}`
    : notation
  const fell = dice.length > 100 ? `${dice.length} dice` : dice.map(face).join(' ')
  return oneLine(
    `${who}${comment ? ` (${comment})` : ''}: ${what}: ${fell ? `${fell} = ` : ''}${net ?? total}${net !== null && !pool ? ' net' : ''}${outcome ? `, ${outcome}` : ''}`,
  )
}

/** The line that was posted, and how it went on. */
export const settledText = (text: string, choice: 'OVERREACH' | 'DESPAIR') =>
  `${text}; ${choice === 'DESPAIR' ? 'DESPAIR makes it a FAILURE' : 'OVERREACH'}`

/** DESPAIR makes it a failure; OVERREACH keeps it, at a price. */
export const settledOutcome = (outcome: Outcome | null, choice: 'OVERREACH' | 'DESPAIR'): Outcome | null =>
  choice === 'DESPAIR' ? 'FAILURE' : outcome

type Settleable = Result & Pick<DiceRoll, 'comment' | 'settlement'>

/** The text of a stored roll with another roller's name: as it was rolled, and with what its settlement appended. */
export function textsFor(who: string, roll: Settleable): { rolled: string; text: string } {
  // A settlement may have changed the stored outcome. The first one follows from the dice.
  const outcome = roll.pool && roll.net !== null ? outcomeOf(roll.net, roll.dice.length) : null
  const rolled = textOf(who, { ...roll, outcome }, roll.comment)
  return { rolled, text: roll.settlement ? settledText(rolled, roll.settlement) : rolled }
}
