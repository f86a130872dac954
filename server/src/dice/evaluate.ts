import type { Draw } from './draw.ts'
import { type Dice, facesOf, meets, spareOf, type Term } from './notation.ts'

export const FLAGS = ['kept', 'dropped', 'exploded', 'rerolled', 'success', 'critical', 'botch'] as const
export type Flag = (typeof FLAGS)[number]

/** A rolled die. */
export interface Die {
  kind: 'NORMAL' | 'SPECIAL' | 'DESPERATION'
  sides: number
  value: number
  flags: Flag[]
}

/**
 * Rolls a parsed notation. Returns every die in the order in which it was rolled, and the result. Never rejects a roll because of its
 * dice: a rejection would reveal their values. After the thousandth die nothing explodes or is rerolled any more.
 */
export function evaluate(term: Term, draw: Draw): { dice: Die[]; value: number } {
  const dice: Die[] = []
  let spare = spareOf(term)

  const rollDie = ({ sides, fudge }: Dice): Die => {
    const die: Die = { kind: 'NORMAL', sides, value: draw(sides) + (fudge ? -1 : 1), flags: [] }
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
    for (let i = 0; i < term.count; i++) rollOne(term, counted)
    const kept = term.keep && new Set(keptOf(term.keep, counted))
    let value = 0
    for (const die of counted) {
      const isKept = !kept || kept.has(die)
      die.flags.push(isKept ? 'kept' : 'dropped')
      if (isKept) value += worth(term, die)
    }
    return value
  }

  const walk = (node: Term): number => {
    switch (node.kind) {
      case 'number':
        return node.value
      case 'negative':
        return -walk(node.operand)
      case 'dice':
        return roll(node)
      case 'sum':
        return walk(node.left) + walk(node.right)
      case 'difference':
        return walk(node.left) - walk(node.right)
      case 'product':
        return walk(node.left) * walk(node.right)
    }
  }

  const value = walk(term)
  return { dice, value: value === 0 ? 0 : value }
}

/** Returns the dice that are kept. Of equal dice the earlier one comes first, so that the same roll keeps the same dice. */
function keptOf(keep: NonNullable<Dice['keep']>, dice: Die[]): Die[] {
  const best = [...dice].sort((a, b) => (keep.highest ? b.value - a.value : a.value - b.value))
  return keep.drop ? best.slice(keep.count) : best.slice(0, keep.count)
}

/** Returns the value of a kept die: its pips, or 1 for a success and -1 for a failure. */
function worth({ success, failure }: Dice, die: Die): number {
  if (!success) return die.value
  const [won, lost] = [meets(die.value, success), failure !== undefined && meets(die.value, failure)]
  if (won) die.flags.push('success')
  if (lost) die.flags.push('botch')
  return Number(won) - Number(lost)
}
