import { namesIn, resolveNames } from '@guildhall/dice/names'
import { hasNatural, MAX_RESOLVED_LENGTH, parse, type Term, tryParse, weightIn } from '@guildhall/dice/notation'
import { dialectFaults } from '@guildhall/dice/pool'
import { type Fault, invalid } from '../../core/problem.ts'
import { engineFault } from './engine-faults.ts'
import { type DiceRollCreate, MAX_REPEAT, MAX_ROLLS, type PoolRequest, type RollRequest } from './request-schema.ts'

/** A roll that was requested, with the path of its fields in the body, and the names whose values it needs. */
export interface RequestedRoll extends RollRequest {
  /** The path of its fields: empty, or `rolls.1.` */
  path: string
  names: string[]
}

/** The requested rolls: one, or several that each are rolled a number of times. */
export interface Requested {
  rolls: RequestedRoll[]
  repeat: number
  isGroup: boolean
}

/** The fields of a body that say what is rolled. */
export type RollBody = Pick<
  DiceRollCreate,
  'notation' | 'pool' | 'target' | 'compare' | 'naturals' | 'rolls' | 'repeat' | 'values' | 'missing' | 'manual'
>

/** The dice of all rolls of a request together. */
const MAX_DICE = 1000

/** Parses a notation, or adds its fault. `resolved` says that the text is not the one that was sent. */
export function parseInto(faults: Fault[], path: string, notation: string, resolved = false): Term | null {
  try {
    return parse(notation, resolved ? { maxLength: MAX_RESOLVED_LENGTH } : {})
  } catch (error) {
    faults.push(engineFault(error, `${path}notation`, resolved ? notation : undefined))
    return null
  }
}

/** Puts values in the place of the names in a notation, or adds the fault of a value that cannot stand there. */
export function resolveInto(faults: Fault[], path: string, notation: string, values: Map<string, number>): string | null {
  try {
    return resolveNames(notation, (name) => values.get(name) as number)
  } catch (error) {
    faults.push(engineFault(error, `${path}notation`))
    return null
  }
}

/** The fields of a pool that depend on each other, which the schema cannot express. */
function poolFaults(path: string, pool: PoolRequest): Fault[] {
  const { dice, traits, sides, difficulty, success, special } = pool
  const faults: Fault[] = []
  const fault = (field: string, message: string) => faults.push({ field: `${path}${field}`, message })
  if ((dice === undefined) === (traits === undefined)) fault('pool', 'must have either dice or traits')
  if (difficulty !== undefined && success !== undefined)
    fault('pool.success', 'must not be sent together with difficulty: both mean the same')
  const name = success === undefined ? 'difficulty' : 'success'
  if ((success ?? difficulty ?? 0) > sides) fault(`pool.${name}`, `must be at most ${sides}, the number of sides`)
  const { count } = special ?? {}
  const dialect = dialectFaults({ ...pool, difficulty: success ?? difficulty ?? null, special: typeof count === 'number' ? count : 0 })
  return [...faults, ...dialect.map(({ field, message }) => ({ field: `${path}${field}`, message }))]
}

const poolNames = ({ traits = [], special }: PoolRequest) => [...traits, ...(typeof special?.count === 'string' ? [special.count] : [])]

/** The names in a roll. A notation with invalid names has none, and a fault. */
function namesOf(faults: Fault[], path: string, { notation, pool }: RollRequest): string[] {
  try {
    return [...new Set([...(notation === undefined ? [] : namesIn(notation)), ...(pool ? poolNames(pool) : [])])]
  } catch (error) {
    faults.push(engineFault(error, `${path}notation`))
    return []
  }
}

/** Checks what depends on each other in one roll. A notation with names is parsed when their values are known. */
function checked(faults: Fault[], path: string, roll: RollRequest): RequestedRoll {
  const { notation, pool, target, compare, naturals } = roll
  const fault = (field: string, message: string) => faults.push({ field: `${path}${field}`, message })
  if ((notation === undefined) === (pool === undefined))
    fault(path ? path.slice(0, -1) && 'notation' : 'body', 'must have either notation or pool')
  if (compare !== undefined && target === undefined) fault('compare', 'needs a target')
  if (naturals && target === undefined) fault('naturals', 'needs a target')
  if (naturals && pool) fault('naturals', 'needs a notation')
  if (pool) faults.push(...poolFaults(path, pool))
  if (pool && target !== undefined && (pool.difficulty ?? pool.success) !== undefined)
    fault('target', 'must not be sent for a pool with a difficulty: pool.needed is the number of successes that it needs')
  const before = faults.length
  const names = namesOf(faults, path, roll)
  if (notation !== undefined && names.length === 0 && faults.length === before) {
    const term = parseInto(faults, path, notation)
    if (term && naturals) refuseNaturals(faults, path, term)
  }
  return { ...roll, path, names }
}

/** Adds a fault if a notation has no d20 whose natural faces can count. */
export function refuseNaturals(faults: Fault[], path: string, term: Term): void {
  if (!hasNatural(term))
    faults.push({ field: `${path}naturals`, message: 'needs a notation with a single d20 that counts, such as 1d20+5 or 2d20kh1' })
}

/** Checks the fields of a request that depend on each other, before anything is looked up. */
export function checkRequest(body: RollBody): Requested {
  const faults: Fault[] = []
  const { rolls, repeat, target, compare, naturals, notation, pool } = body
  if (!rolls) {
    const roll = checked(faults, '', body)
    if (body.manual && repeat !== undefined) faults.push({ field: 'manual', message: 'must not be sent together with repeat' })
    if (faults.length) invalid(faults)
    return { rolls: [roll], repeat: repeat ?? 1, isGroup: repeat !== undefined }
  }
  for (const [field, value] of Object.entries({ notation, pool, target, compare, naturals }))
    if (value !== undefined) faults.push({ field, message: 'belongs to each of the rolls' })
  if (body.manual) faults.push({ field: 'manual', message: 'must not be sent together with rolls' })
  const all = rolls.map((roll, i) => checked(faults, `rolls.${i}.`, roll))
  if (faults.length) invalid(faults)
  return { rolls: all, repeat: repeat ?? 1, isGroup: true }
}

/** Rejects a request whose rolls have too many dice together. The largest reply stays below its limit. */
export function refuseManyDice(dice: number): void {
  if (dice > MAX_DICE)
    invalid([{ field: 'body', message: `must have at most ${MAX_DICE.toLocaleString('en')} dice in all rolls together, but has ${dice}` }])
}

/** Rolling more dice keeps the process busy for several milliseconds. */
const MAX_LIGHT_DICE = 100

const NAMED_COUNT = /\}\s*d/i

/** The number of dice that a roll may take. A number of dice that is a name is not known yet, and may be large. */
function diceOf({ notation, pool }: RollRequest): number {
  if (pool) return (pool.dice ?? 10) * (pool.again?.length ? 2 : 1)
  if (notation !== undefined && NAMED_COUNT.test(notation)) return MAX_DICE
  const term = tryParse(notation)
  return term === null ? 0 : weightIn(term)
}

/** Returns true for rolls of which only a few run at once. */
export function isHeavy({ rolls, repeat = 1, ...roll }: RollBody): boolean {
  const dice = rolls ? rolls.slice(0, MAX_ROLLS).reduce((sum, one) => sum + diceOf(one), 0) : diceOf(roll)
  return dice * Math.min(repeat, MAX_REPEAT) > MAX_LIGHT_DICE
}
