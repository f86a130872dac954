import type { Draw } from './draw.ts'
import type { Die } from './evaluate.ts'
import type { FieldFault } from './fault.ts'
import { MAX_DICE } from './term.ts'

export const OUTCOMES = ['BOTCH', 'FAILURE', 'SUCCESS', 'CRITICAL'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** A pool with all its traits and modifiers resolved. Rolls of earlier versions are stored without the optional fields. */
export interface Pool {
  sides: number
  /** The number of dice without desperation dice, including the modifier. Special dice are among them. Less than 1 only with `chance`. */
  dice: number
  /** The lowest face that counts as a success. Without one, the dice are added up. */
  difficulty: number | null
  desperation_dice: number
  /** The faces that count two. By default only the highest. */
  double?: number[] | undefined
  /** SUBTRACT, the default, makes a 1 count -1; IGNORE makes it count 0. */
  ones?: 'SUBTRACT' | 'IGNORE' | undefined
  /** The faces that explode: another die of the same kind is rolled and added. By default none. */
  again?: number[] | undefined
  /** The net successes that make a success. By default 1. */
  needed?: number | undefined
  /** The number of special dice among `dice`. By default 0. If there are fewer dice, all of them are special. */
  special?: number | undefined
  /** True if a pool of less than one die rolls a chance die. By default the caller has checked that there is at least one. */
  chance?: boolean | undefined
}

type DieRules = Pick<Pool, 'sides' | 'difficulty' | 'double' | 'ones' | 'again'>

/** Returns the successes of a die: 2, 1, 0 or -1. Without a difficulty, returns the face, because the dice are added up. */
export function worth(value: number, { sides, difficulty, double = [sides], ones }: DieRules): number {
  if (difficulty === null) return value
  if (value === 1) return ones === 'IGNORE' ? 0 : -1
  if (value < difficulty) return 0
  return double.includes(value) ? 2 : 1
}

export const isChancePool = ({ dice, chance = false }: Pick<Pool, 'dice' | 'chance'>): boolean => chance && dice < 1

/** The rules of a chance die: only the highest face is a success, it counts one, a 1 always counts -1, and nothing explodes. */
export const chanceRules = ({ sides, difficulty }: Pool): DieRules => ({
  sides,
  difficulty: difficulty === null ? null : sides,
  double: [],
  ones: 'SUBTRACT',
  again: [],
})

type Size = Pick<Pool, 'dice' | 'desperation_dice' | 'chance'>

/** Returns the number of dice before any explodes: a pool with more net successes than that is a CRITICAL. */
export const diceAtStart = ({ dice, desperation_dice, chance }: Size): number =>
  (isChancePool({ dice, chance }) ? 1 : Math.max(0, dice)) + desperation_dice

/** Returns the outcome of net successes. `dice` is the number of dice at the start (see `diceAtStart`). */
export function outcomeOf(net: number, dice: number, needed = 1): Outcome {
  if (net < 0) return 'BOTCH'
  if (net < needed) return 'FAILURE'
  return net > dice ? 'CRITICAL' : 'SUCCESS'
}

interface Rolled {
  dice: Die[]
  /** The net successes, if there is a difficulty. */
  net: number | null
  total: number | null
  /** The net successes minus those needed, if there is a difficulty. */
  margin: number | null
  outcome: Outcome | null
  /** True if a desperation die shows 1: the player or storyteller must choose a consequence. */
  strained: boolean
}

function dieOf(kind: Die['kind'], value: number, rules: DieRules, exploded: boolean): Die {
  const flags: Die['flags'] = exploded ? ['exploded', 'kept'] : ['kept']
  if (rules.difficulty !== null) {
    const successes = worth(value, rules)
    if (successes > 0) flags.push('success')
    if (successes > 1) flags.push('critical')
    if (successes < 0) flags.push('botch')
  }
  return { kind, sides: rules.sides, value, flags }
}

/**
 * Rolls a pool: the normal dice, then the special ones, then the desperation dice. A die that is added by an explosion is rolled directly
 * after the die that caused it. Never rejects a roll because of its dice: after the thousandth die nothing explodes any more.
 */
export function rollPool(pool: Pool, draw: Draw): Rolled {
  const { sides, difficulty, desperation_dice, needed = 1 } = pool
  const isChance = isChancePool(pool)
  const start = diceAtStart(pool)
  const firstDesperate = start - desperation_dice
  const firstSpecial = firstDesperate - Math.min(pool.special ?? 0, firstDesperate)
  const dice: Die[] = []
  let sum = 0
  let spare = MAX_DICE - start
  let strained = false
  for (let i = 0; i < start; i++) {
    const kind = i >= firstDesperate ? 'DESPERATION' : i >= firstSpecial ? 'SPECIAL' : 'NORMAL'
    const rules = isChance && i === 0 ? chanceRules(pool) : pool
    let explodes: boolean
    do {
      const value = draw(sides) + 1
      explodes = spare > 0 && rules.again !== undefined && rules.again.includes(value)
      if (explodes) spare--
      dice.push(dieOf(kind, value, rules, explodes))
      sum += worth(value, rules)
      if (kind === 'DESPERATION' && value === 1) strained = true
    } while (explodes)
  }
  if (difficulty === null) return { dice, net: null, total: sum, margin: null, outcome: null, strained }
  return { dice, net: sum, total: null, margin: sum - needed, outcome: outcomeOf(sum, start, needed), strained }
}

/** The fields of a pool that depend on each other, as a request gives them. */
export type Dialect = Pick<Pool, 'sides' | 'double' | 'ones' | 'again' | 'needed' | 'special' | 'chance'> & {
  difficulty?: number | null | undefined
}

const MAX_NEEDED = 100
const MAX_SPECIAL = 100

/** Checks the fields of a pool that depend on each other. These checks come before the first die, and never depend on one. */
export function dialectFaults({ sides, difficulty = null, double, ones, again, needed, special, chance }: Dialect): FieldFault[] {
  const faults: FieldFault[] = []
  const fault = (name: string, message: string) => faults.push({ field: `pool.${name}`, message })
  const checkFaces = (name: string, faces: number[], low: number, reason = '') => {
    if (faces.some((face) => !Number.isInteger(face) || face < low || face > sides))
      fault(name, `must contain only faces from ${low} to ${sides}${reason}`)
    else if (new Set(faces).size < faces.length) fault(name, 'must not contain duplicates')
  }
  const checkRange = (name: string, value: number, min: number, max: number) => {
    if (value < min) fault(name, `must be at least ${min}`)
    if (value > max) fault(name, `must be at most ${max}`)
  }
  if (difficulty === null)
    for (const [name, isGiven] of Object.entries({
      double: double !== undefined,
      ones: ones !== undefined,
      needed: needed !== undefined,
      chance,
    }))
      if (isGiven) fault(name, 'needs a difficulty: without one, the dice are added up')
  // A difficulty above the number of sides is a fault of its own.
  if (double && difficulty !== null && difficulty <= sides) checkFaces('double', double, difficulty, ', which count as successes')
  if (again) {
    checkFaces('again', again, 1)
    const half = Math.floor(sides / 2)
    if (new Set(again).size > half)
      fault('again', `must contain at most ${half} ${half === 1 ? 'face' : 'faces'}, half of the ${sides} sides`)
  }
  if (needed !== undefined) checkRange('needed', needed, 1, MAX_NEEDED)
  if (special !== undefined) checkRange('special.count', special, 0, MAX_SPECIAL)
  return faults
}
