import { divide, type Rounding } from './divide.ts'

/** A parsed notation: the terms that are added or subtracted at its top level. A sum in parentheses has the same form. */
export interface Term {
  kind: 'sum'
  addends: Addend[]
}

export interface Addend {
  sign: '+' | '-'
  operand: Operand
  /** The text of the operand, without its sign and label. */
  notation: string
  label: string | null
}

export type Operand =
  | { kind: 'number'; value: number }
  | { kind: 'negative'; operand: Operand }
  | { kind: 'product'; left: Operand; right: Operand }
  | { kind: 'quotient'; rounding: Rounding; dividend: Operand; divisor: number }
  | Term
  | Dice

export type Comparison = { sign: '>=' | '>' | '<=' | '<' | '='; than: number }

export interface Dice {
  kind: 'dice'
  /** The index of its first character in the text, and of the one after its last modifier. */
  position: number
  end: number
  count: number
  sides: number
  /** Fudge dice have three sides, and show -1, 0 and 1. */
  fudge: boolean
  reroll?: Comparison & { once: boolean }
  explode?: 'always' | 'once'
  /** A die that shows less counts as this. */
  minimum?: number
  /** A die that shows more counts as this. */
  maximum?: number
  keep?: { highest: boolean; drop: boolean; count: number }
  success?: Comparison
  failure?: Comparison
}

export const MAX_DICE = 1000
export const MAX_SIDES = 10_000

export const meets = (value: number, { sign, than }: Comparison): boolean =>
  sign === '>=' ? value >= than : sign === '>' ? value > than : sign === '<=' ? value <= than : sign === '<' ? value < than : value === than

/** Returns the lowest and the highest face of a die. */
export const facesOf = ({ sides, fudge }: Pick<Dice, 'sides' | 'fudge'>): [number, number] => (fudge ? [-1, 1] : [1, sides])

/** Returns the value that a face counts as. */
export const countedAs = ({ minimum = -Infinity, maximum = Infinity }: Dice, face: number): number =>
  face < minimum ? minimum : face > maximum ? maximum : face

/** Returns the number of dice that are kept, if none explodes. */
export const keptCountOf = ({ count, keep }: Dice): number => (!keep ? count : keep.drop ? count - keep.count : keep.count)

/** Returns the number of dice to reserve for a term, without endless rerolls and explosions: a die that may be rolled once more counts twice. */
export function weightOf({ count, reroll, explode }: Dice): number {
  return count * (1 + Number(reroll?.once ?? false) + Number(explode === 'once'))
}

/** Returns the dice terms of a notation, from left to right. */
export function diceIn(operand: Operand): Dice[] {
  switch (operand.kind) {
    case 'number':
      return []
    case 'dice':
      return [operand]
    case 'negative':
      return diceIn(operand.operand)
    case 'quotient':
      return diceIn(operand.dividend)
    case 'product':
      return [...diceIn(operand.left), ...diceIn(operand.right)]
    case 'sum':
      return operand.addends.flatMap((addend) => diceIn(addend.operand))
  }
}

/** Returns the number of dice to reserve for all terms together. */
export const weightIn = (term: Operand): number => diceIn(term).reduce((sum, dice) => sum + weightOf(dice), 0)

/** Returns how many further dice may be rolled for rerolls and explosions without end. */
export const spareOf = (term: Operand): number => MAX_DICE - weightIn(term)

/** Returns true if the result counts successes rather than pips. */
export const countsSuccesses = (term: Operand): boolean => diceIn(term).some(({ success }) => success !== undefined)

/** Returns the dice of the only d20 of a notation, of which one die counts as it is. Otherwise no single die is the natural 20 or 1. */
export function naturalDiceOf(term: Operand): Dice | null {
  const [dice, another] = diceIn(term).filter(({ sides }) => sides === 20)
  return dice && !another && !dice.explode && !dice.success && keptCountOf(dice) === 1 ? dice : null
}

/** Returns true if a roll of the notation can have a natural 20 or 1. */
export const hasNatural = (term: Operand): boolean => naturalDiceOf(term) !== null

/** Computes the value of an operand. Dice are rolled from left to right. */
export function compute(operand: Operand, roll: (dice: Dice) => number): number {
  switch (operand.kind) {
    case 'number':
      return operand.value
    case 'dice':
      return roll(operand)
    case 'negative':
      return -compute(operand.operand, roll)
    case 'product':
      return compute(operand.left, roll) * compute(operand.right, roll)
    case 'quotient':
      return divide(operand.rounding, compute(operand.dividend, roll), operand.divisor)
    case 'sum':
      return operand.addends.reduce((sum, addend) => sum + (addend.sign === '-' ? -1 : 1) * compute(addend.operand, roll), 0)
  }
}

/** Returns a bound for the absolute value of a result. It is not finite if a value to be divided could be inexact. */
export function largest(operand: Operand): number {
  switch (operand.kind) {
    case 'number':
      return operand.value
    case 'negative':
      return largest(operand.operand)
    case 'dice':
      return MAX_DICE * Math.max(operand.sides, operand.minimum ?? 0)
    case 'product':
      return largest(operand.left) * largest(operand.right)
    case 'quotient': {
      const dividend = largest(operand.dividend)
      return dividend <= Number.MAX_SAFE_INTEGER ? dividend : Infinity
    }
    case 'sum':
      return operand.addends.reduce((sum, addend) => sum + largest(addend.operand), 0)
  }
}

/** Returns the lowest and the highest result of dice. Those that explode have no highest one. */
function boundsOfDice(dice: Dice): [number, number] {
  const { reroll, explode, success, failure } = dice
  const [lowest, highest] = facesOf(dice)
  const kept = keptCountOf(dice)
  const most = explode === 'always' ? Infinity : kept * (explode === 'once' ? 2 : 1)
  if (success) return [failure ? -most : 0, most]
  const isLeft = (face: number) => !reroll || reroll.once || !meets(face, reroll)
  let [low, high] = [lowest, highest]
  while (low < highest && !isLeft(low)) low++
  while (high > low && !isLeft(high)) high--
  const [least, best] = [countedAs(dice, low), countedAs(dice, high)]
  return [least < 0 ? least * most : least * kept, best > 0 ? best * most : best * kept]
}

/** Returns bounds that no result of a notation exceeds, which plain sums of dice reach. */
export function boundsOf(operand: Operand): [number, number] {
  switch (operand.kind) {
    case 'number':
      return [operand.value, operand.value]
    case 'dice':
      return boundsOfDice(operand)
    case 'negative': {
      const [low, high] = boundsOf(operand.operand)
      return [-high, -low]
    }
    case 'product': {
      const ends = boundsOf(operand.left).flatMap((left) => boundsOf(operand.right).map((right) => left * right || 0))
      return [Math.min(...ends), Math.max(...ends)]
    }
    case 'quotient': {
      const [low, high] = boundsOf(operand.dividend).map((end) =>
        Number.isFinite(end) ? divide(operand.rounding, end, operand.divisor) : end,
      ) as [number, number]
      return [low, high]
    }
    case 'sum':
      return operand.addends.reduce<[number, number]>(
        ([low, high], addend) => {
          const [least, most] = boundsOf(addend.operand)
          return addend.sign === '-' ? [low - most, high - least] : [low + least, high + most]
        },
        [0, 0],
      )
  }
}
