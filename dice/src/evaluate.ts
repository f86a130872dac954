import type { Draw } from './draw.ts'
import { compute, countedAs, type Dice, facesOf, meets, naturalDiceOf, spareOf, type Term } from './term.ts'

export const FLAGS = [
  'kept',
  'dropped',
  'exploded',
  'rerolled',
  'adjusted',
  'success',
  'critical',
  'botch',
  'natural_max',
  'natural_min',
] as const
export type Flag = (typeof FLAGS)[number]

/** A rolled die. */
export interface Die {
  kind: 'NORMAL' | 'SPECIAL' | 'DESPERATION'
  sides: number
  value: number
  flags: Flag[]
  /** The index of its term in the notation. Dice of pools have none, and neither have those of earlier versions. */
  term?: number
  /** The value that the die counts as, if that is not the value it shows. */
  counts_as?: number
}

/** A term at the top level of a notation, with its result before the sign. */
export interface RolledTerm {
  notation: string
  label: string | null
  sign: '+' | '-'
  subtotal: number
}

/** The dice of one part of a notation, such as `4d6kh3`, and where it stands in the text. */
export interface DiceSlice {
  start: number
  end: number
  dice: Die[]
}

/** Draws the dice of a roll again, so that it falls as before. */
export function sameDraw(dice: Pick<Die, 'value'>[]): Draw {
  let next = 0
  return (_, lowest = 1) => (dice[next++]?.value ?? lowest) - lowest
}

/**
 * Rolls a parsed notation. Returns every die in the order in which it was rolled, the result, the terms that add up to it, and the
 * dice of each part of the text. Never rejects a roll because of its dice: a rejection would reveal their values. After the thousandth die nothing explodes or is rerolled any more.
 */
export function evaluate(whole: Term, draw: Draw): { dice: Die[]; value: number; terms: RolledTerm[]; slices: DiceSlice[] } {
  const dice: Die[] = []
  const slices: DiceSlice[] = []
  const terms: RolledTerm[] = []
  const natural = naturalDiceOf(whole)
  let spare = spareOf(whole)

  const rollDie = ({ sides, fudge }: Dice): Die => {
    const die: Die = { kind: 'NORMAL', sides, value: draw(sides, fudge ? -1 : 1) + (fudge ? -1 : 1), flags: [], term: terms.length }
    dice.push(die)
    return die
  }
  /** Returns true if one more die may be rolled. The parser has reserved room for dice that are rolled once more. */
  const hasRoom = (once: boolean) => once || spare-- > 0

  /** Rolls one die of a term, with its rerolls and explosions, and adds the dice that count. */
  const rollOne = (term: Dice, counted: Die[]): void => {
    let die = rollDie(term)
    while (term.reroll && meets(die.value, term.reroll) && hasRoom(term.reroll.once)) {
      die.flags.push('rerolled')
      die = rollDie(term)
      if (term.reroll.once) break
    }
    counted.push(die)
    if (!term.explode) return
    const [, highest] = facesOf(term)
    while (die.value === highest && hasRoom(term.explode === 'once')) {
      die.flags.push('exploded')
      die = rollDie(term)
      counted.push(die)
      if (term.explode === 'once') break
    }
  }

  const roll = (term: Dice): number => {
    const counted: Die[] = []
    const first = dice.length
    for (let i = 0; i < term.count; i++) rollOne(term, counted)
    slices.push({ start: term.position, end: term.end, dice: dice.slice(first) })
    for (const die of counted) adjust(term, die)
    const kept = term.keep && new Set(keptOf(term.keep, counted))
    let value = 0
    for (const die of counted) {
      const isKept = !kept || kept.has(die)
      die.flags.push(isKept ? 'kept' : 'dropped')
      if (!isKept) continue
      value += worth(term, die)
      if (term === natural && die.value === term.sides) die.flags.push('natural_max')
      if (term === natural && die.value === 1) die.flags.push('natural_min')
    }
    return value
  }

  let value = 0
  for (const { operand, notation, label, sign } of whole.addends) {
    // Adding 0 turns -0 into 0.
    const subtotal = compute(operand, roll) + 0
    value += sign === '-' ? -subtotal : subtotal
    terms.push({ notation, label, sign, subtotal })
  }
  return { dice, value, terms, slices }
}

/** Applies the minimum and the maximum to a die that counts. */
function adjust(term: Dice, die: Die): void {
  const counts_as = countedAs(term, die.value)
  if (counts_as === die.value) return
  die.counts_as = counts_as
  die.flags.push('adjusted')
}

const countOf = ({ value, counts_as = value }: Die) => counts_as

/** Returns the dice that are kept. Of equal dice the earlier one comes first, so that the same roll keeps the same dice. */
function keptOf(keep: NonNullable<Dice['keep']>, dice: Die[]): Die[] {
  const best = [...dice].sort((a, b) => (keep.highest ? countOf(b) - countOf(a) : countOf(a) - countOf(b)))
  return keep.drop ? best.slice(keep.count) : best.slice(0, keep.count)
}

/** Returns the value of a kept die: its pips, or 1 for a success and -1 for a failure. */
function worth({ success, failure }: Dice, die: Die): number {
  const value = countOf(die)
  if (!success) return value
  const [won, lost] = [meets(value, success), failure !== undefined && meets(value, failure)]
  if (won) die.flags.push('success')
  if (lost) die.flags.push('botch')
  return Number(won) - Number(lost)
}
