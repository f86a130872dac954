import type { Die } from './evaluate.ts'
import { DiceFault } from './fault.ts'
import type { Outcome } from './pool.ts'
import type { Aim } from './reached.ts'
import type { StoredPool } from './stored-pool.ts'
import { MAX_DICE, MAX_SIDES } from './term.ts'

/** The proof of a roll, as `GET .../dice-rolls/{roll_id}/proof` returns it. */
export interface Proof {
  roll_id: string
  commitment: string
  client_seed: string
  nonce: number
  words: number[]
  /** Null until the seed is revealed. */
  server_seed: string | null
}

/** The fields of a roll that its dice and its result follow from, and those that follow. */
export interface ProvenRoll extends Aim {
  id: string
  notation: string | null
  pool: StoredPool | null
  dice: Die[]
  net: number | null
  total: number | null
  outcome: Outcome | null
  /** Earlier versions stored no margin of a pool. */
  margin?: number | null | undefined
  settlement?: string | null | undefined
  /** The result by a ruleset, if the roll was made by its name in one. */
  ruleset?: StatedVerdict | null | undefined
}

/** The result of a roll in the words of its game. */
export interface StatedVerdict {
  score: number | null
  margin: number | null
  code: string | null
  label: string | null
}

/** Thrown if a value is not a proof, or not a roll, so that there is nothing to verify. */
export class ProofFault extends DiceFault {
  override readonly name: string = 'ProofFault'
  readonly subject: 'proof' | 'roll'
  /** The end of a sentence that begins with the name of the value, such as that of its file. */
  readonly detail: string
  constructor(subject: 'proof' | 'roll', detail: string) {
    super(`This ${detail}`)
    this.subject = subject
    this.detail = detail
  }
}

const PROOF_PATH = 'GET .../dice-rolls/{roll_id}/proof'

export const notAProof = (reason: string): never => {
  throw new ProofFault('proof', `is not a proof: ${reason}. Get one with ${PROOF_PATH}.`)
}
export const notARoll = (reason: string): never => {
  throw new ProofFault('roll', `is not a roll: ${reason}. Get it with GET .../dice-rolls/{roll_id}.`)
}

interface Check {
  isValid(value: unknown): boolean
  /** Completes the sentence `name must be`. */
  expected: string
  isOptional?: true
}
type Checks<T> = { [name in keyof T]-?: Check }

const TEXT: Check = { isValid: (value) => typeof value === 'string', expected: 'a text' }
const FLAG: Check = { isValid: (value) => typeof value === 'boolean', expected: 'true or false' }
const matching = (pattern: RegExp, expected: string): Check => ({
  isValid: (value) => typeof value === 'string' && pattern.test(value),
  expected,
})
const whole = (min: number = Number.MIN_SAFE_INTEGER, max: number = Number.MAX_SAFE_INTEGER): Check => ({
  isValid: (value) => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max,
  expected: `a whole number${min === Number.MIN_SAFE_INTEGER ? '' : ` from ${min} to ${max}`}`,
})
const nullable = ({ isValid, expected }: Check): Check => ({
  isValid: (value) => value === null || isValid(value),
  expected: `${expected}, or null`,
})
const optional = (check: Check): Check => ({ ...nullable(check), isOptional: true })
const listOf = ({ isValid }: Check, items: string, max: number): Check => ({
  isValid: (value) => Array.isArray(value) && value.length <= max && value.every(isValid),
  expected: `a list of at most ${max} ${items}`,
})

type Fields = Record<string, unknown>
const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the first fault of the fields of a value. */
function faultIn<T>(value: unknown, checks: Checks<T>, path = ''): string | undefined {
  if (!isObject(value)) return path ? `${path.slice(0, -1)} must be an object` : 'it is not an object'
  for (const [name, { isValid, expected, isOptional }] of Object.entries<Check>(checks)) {
    if (value[name] === undefined && isOptional) continue
    if (value[name] === undefined) return `${path}${name} is missing`
    if (!isValid(value[name])) return `${path}${name} must be ${expected}`
  }
  return undefined
}
const objectOf = <T>(checks: Checks<T>, expected: string): Check => ({ isValid: (value) => faultIn(value, checks) === undefined, expected })

const MAX_WORDS = 100_000
const PROOF: Checks<Proof> = {
  roll_id: TEXT,
  commitment: TEXT,
  client_seed: matching(/^[\w-]{1,64}$/, '1 to 64 characters of A-Z a-z 0-9 _ -'),
  nonce: whole(1, 2 ** 31 - 1),
  words: listOf(whole(0, 2 ** 32 - 1), '32-bit words', MAX_WORDS),
  server_seed: nullable(matching(/^[0-9a-f]{64}$/, '64 lowercase hex digits')),
}

const DIE: Checks<Die> = {
  kind: TEXT,
  sides: whole(2, MAX_SIDES),
  value: whole(),
  flags: listOf(TEXT, 'flags', 20),
  term: optional(whole()),
  counts_as: optional(whole()),
}
const FACES = optional(listOf(whole(), 'faces', MAX_SIDES))
const POOL: Checks<StoredPool> = {
  sides: whole(2, MAX_SIDES),
  dice: whole(-1e7, 1e7),
  modifier: whole(-1e7, 1e7),
  difficulty: nullable(whole()),
  desperation_dice: whole(0, MAX_DICE),
  double: FACES,
  ones: optional(TEXT),
  again: FACES,
  needed: optional(whole()),
  special: optional(objectOf({ count: whole(0, MAX_DICE) }, 'special dice with a count')),
  chance: optional(FLAG),
}
const ROLL: Checks<ProvenRoll> = {
  id: TEXT,
  notation: nullable(TEXT),
  pool: nullable({ isValid: isObject, expected: 'an object' }),
  dice: listOf(objectOf(DIE, ''), 'dice', MAX_DICE),
  net: nullable(whole()),
  total: nullable(whole()),
  outcome: nullable(TEXT),
  margin: optional(whole()),
  settlement: optional(TEXT),
  target: optional(whole()),
  compare: optional(TEXT),
  naturals: optional(FLAG),
  ruleset: optional({ isValid: isObject, expected: 'an object' }),
}

const VERDICT: Checks<StatedVerdict> = { score: nullable(whole()), margin: nullable(whole()), code: nullable(TEXT), label: nullable(TEXT) }

/** Returns true for a value that seems to be a roll, also if it is damaged. */
export const isRoll = (value: unknown): boolean => isObject(value) && TEXT.isValid(value.id) && Array.isArray(value.dice)

/** Returns the value as a proof, or throws a ProofFault that says why it is none. */
export function checkedProof(value: unknown): Proof {
  if (isRoll(value)) throw new ProofFault('proof', `is a roll, not a proof. Get its proof with ${PROOF_PATH}.`)
  const fault = faultIn(value, PROOF)
  return fault ? notAProof(fault) : (value as Proof)
}

/** Returns the value as a roll, or throws a ProofFault that says why it is none. */
export function checkedRoll(value: unknown): ProvenRoll {
  // A list leaves out the dice of a roll with many.
  if (isRoll(value) && (value as Fields).truncated === true && (value as unknown as ProvenRoll).dice.length === 0)
    notARoll('it comes from a list, which leaves out its dice')
  const fault = faultIn(value, ROLL)
  if (fault) notARoll(fault)
  const roll = value as ProvenRoll
  const partFault = (roll.pool && faultIn(roll.pool, POOL, 'pool.')) ?? (roll.ruleset && faultIn(roll.ruleset, VERDICT, 'ruleset.'))
  return partFault ? notARoll(partFault) : roll
}
