import type { Draw } from '@guildhall/dice/draw'
import { type DiceSlice, type Die, evaluate } from '@guildhall/dice/evaluate'
import { countsSuccesses, type Term, weightIn } from '@guildhall/dice/notation'
import { rollPool } from '@guildhall/dice/pool'
import { reached } from '@guildhall/dice/reached'
import { enginePool } from '@guildhall/dice/stored-pool'
import type { RollVerdict } from '@guildhall/rules/ruleset/roll'
import { conflict, type Fault, invalid } from '../../core/problem.ts'
import { parseInto, type Requested, type RequestedRoll, refuseManyDice, refuseNaturals, resolveInto } from './request-rules.ts'
import { MAX_POOL_DICE, type PoolRequest } from './request-schema.ts'
import type { DiceRollRow } from './schema.ts'
import { type Nameable, namedValue, type UsedValue } from './values.ts'

export type Result = Pick<
  DiceRollRow,
  | 'notation'
  | 'formula'
  | 'values'
  | 'pool'
  | 'target'
  | 'compare'
  | 'naturals'
  | 'ruleset'
  | 'dice'
  | 'net'
  | 'total'
  | 'margin'
  | 'outcome'
  | 'strained'
  | 'terms'
>
type RolledPool = NonNullable<DiceRollRow['pool']>

/** A roll whose names have become values: nothing about it can be rejected any more. */
export interface ReadyRoll {
  asked: RequestedRoll
  values: UsedValue[]
  rolled: { notation: string; term: Term } | { pool: RolledPool }
  /** The roll of the ruleset that the notation comes from. */
  named?: NamedRoll
}

type Ruled = NonNullable<DiceRollRow['ruleset']>

/** A roll by its name in a ruleset. Its notation is rolled like any other; it says what the dice mean. */
export interface NamedRoll extends Omit<Ruled, 'score' | 'margin' | 'code' | 'label'> {
  /** Its label, which becomes that of the roll. */
  title: string
  /** The traits that were chosen for it. */
  traits: UsedValue[]
  judge(dice: Die[], value: number): RollVerdict
}

/** The result of a roll by its ruleset. */
function judged({ title: _, traits, judge, ...given }: NamedRoll, dice: Die[], value: number) {
  const { score, margin, code, label, outcome, isStrained } = judge(dice, value)
  return { values: traits, ruleset: { ...given, score, margin, code, label }, margin, outcome, strained: isStrained }
}

/** Everything that rolls depend on besides what was asked for. */
export interface Known extends Nameable {
  missing: 'REJECT' | 'ZERO'
  /** The desperation of the campaign. */
  desperation: number
}

/** The values that a roll uses. A name that stands for nothing is 0 here: with `missing: REJECT` it has been rejected before. */
const usedValues = (known: Known, names: string[]): UsedValue[] =>
  names.map((name) => namedValue(known, name) ?? { name, value: 0, source: 'MISSING' })

/** The pool with its values. An option that was not asked for stays absent: most pools have none, and every roll is stored, recorded and listed. */
function poolOf(pool: PoolRequest, values: UsedValue[]): RolledPool {
  const named = (name: string) => values.find((value) => value.name === name)?.value ?? 0
  const { sides, modifier, desperation_dice, double, ones, again, special, needed } = pool
  const difficulty = pool.success ?? pool.difficulty ?? null
  const traits = (pool.traits ?? []).map((name) => ({ name, value: named(name) }))
  const dice = pool.dice ?? traits.reduce((sum, { value }) => sum + value, 0)
  const rolled: RolledPool = { sides, dice, traits, modifier, difficulty, desperation_dice }
  if (double) rolled.double = double
  if (ones) rolled.ones = ones
  if (again) rolled.again = again
  if (needed !== undefined) rolled.needed = needed
  if (special) rolled.special = { count: specialDice(special.count, named), label: special.label ?? null }
  if (pool.chance && dice + modifier < 1) rolled.chance = true
  return rolled
}

const specialDice = (count: number | string, named: (name: string) => number) =>
  Math.min(Math.max(typeof count === 'string' ? named(count) : count, 0), MAX_POOL_DICE)

function refusePool(faults: Fault[], path: string, { dice, modifier, chance }: RolledPool): void {
  const all = dice + modifier
  if (chance || (all >= 1 && all <= MAX_POOL_DICE)) return
  const hint = all < 1 ? '. Send chance: true to roll a chance die instead' : ''
  faults.push({
    field: `${path}pool`,
    message: `must have 1 to ${MAX_POOL_DICE} dice: ${dice} with a modifier of ${modifier} is ${all}${hint}`,
  })
}

function readyRoll(faults: Fault[], asked: RequestedRoll, known: Known): ReadyRoll | null {
  const { path, notation = '', pool, names, naturals } = asked
  const values = usedValues(known, names)
  if (pool) {
    const rolled = poolOf(pool, values)
    refusePool(faults, path, rolled)
    if (rolled.desperation_dice > known.desperation)
      conflict(
        'desperation_too_low',
        `The desperation of the campaign is ${known.desperation}, but the roll has ${rolled.desperation_dice} desperation dice. Roll at most ${known.desperation}.`,
        { available: known.desperation },
      )
    return { asked, values, rolled: { pool: rolled } }
  }
  const byName = new Map(values.map(({ name, value }) => [name, value]))
  const resolved = resolveInto(faults, path, notation, byName)
  const term = resolved === null ? null : parseInto(faults, path, resolved, names.length > 0)
  if (term && naturals) refuseNaturals(faults, path, term)
  return term && { asked, values, rolled: { notation: resolved as string, term } }
}

const diceIn = ({ rolled }: ReadyRoll) => ('term' in rolled ? weightIn(rolled.term) : Math.max(1, rolled.pool.dice + rolled.pool.modifier))

/**
 * Puts values in the place of names. All checks of a request come before the first die of any of its rolls: one that is rejected may
 * be repeated, and must not have revealed a die.
 */
export function readyRolls({ rolls, repeat }: Requested, known: Known): ReadyRoll[] {
  const faults: Fault[] = []
  const ready = rolls.map((roll) => readyRoll(faults, roll, known))
  if (faults.length) invalid(faults)
  const all = ready as ReadyRoll[]
  refuseManyDice(repeat * all.reduce((sum, roll) => sum + diceIn(roll), 0))
  return all
}

/** Rolls the dice. `slices` are the dice of each part of a notation, for the text. */
export function rollDice({ asked, values, rolled, named }: ReadyRoll, draw: Draw): Result & { slices: DiceSlice[] } {
  const { target = null, naturals = false } = asked
  const given = {
    formula: 'term' in rolled && asked.names.length ? (asked.notation as string) : null,
    values,
    target,
    compare: target === null ? null : (asked.compare ?? 'AT_LEAST'),
    naturals,
    ruleset: null,
  }
  if ('pool' in rolled) {
    const { pool } = rolled
    const result = rollPool(enginePool(pool), draw)
    const against = result.total === null ? {} : reached(result.total, asked, result.dice)
    return { ...given, notation: null, pool, terms: [], ...result, ...against, slices: [] }
  }
  const { notation, term } = rolled
  const { dice, value, terms, slices } = evaluate(term, draw)
  const [net, total] = countsSuccesses(term) ? [value, null] : [null, value]
  const meaning = named ? judged(named, dice, value) : { strained: false, ...reached(value, asked, dice) }
  return { ...given, notation, pool: null, dice, net, total, terms, ...meaning, slices }
}
