import type { Draw } from './draw.ts'
import { type Dice, facesOf, meets, spareOf, type Term } from './notation.ts'

export const FLAGS = ['kept', 'dropped', 'exploded', 'rerolled', 'success', 'critical', 'botch'] as const
export type Flag = (typeof FLAGS)[number]

/** A die as it fell. */
export interface Die {
  kind: 'NORMAL' | 'DESPERATION'
  sides: number
  value: number
  flags: Flag[]
}

/**
 * Rolls what the notation says: every die in the order it fell, and what it comes to. Whatever the dice show, it is never
 * refused: a refusal would tell what they would have shown. Where the thousandth die has fallen, nothing explodes or is
 * rerolled any more.
 */
export function evaluate(term: Term, draw: Draw): { dice: Die[]; value: number } {
  const dice: Die[] = []
  let spare = spareOf(term)

  const fall = ({ sides, fudge }: Dice): Die => {
    const die: Die = { kind: 'NORMAL', sides, value: draw(sides) + (fudge ? -1 : 1), flags: [] }
    dice.push(die)
    return die
  }
  /** Whether one more may fall; for those that may fall only once more, there is always room. */
  const room = (once: boolean) => once || spare-- > 0

  /** One die of the term, rolled again where it must be, and what its explosions add: they join those that have fallen. */
  const one = (of: Dice, fallen: Die[]): void => {
    let die = fall(of)
    while (of.reroll && meets(die.value, of.reroll) && room(of.reroll.once)) {
      die.flags.push('rerolled')
      die = fall(of)
      if (of.reroll.once) break
    }
    fallen.push(die)
    if (!of.explode) return
    const [, highest] = facesOf(of)
    while (die.value === highest && room(of.explode === 'once')) {
      die.flags.push('exploded')
      die = fall(of)
      fallen.push(die)
      if (of.explode === 'once') break
    }
  }

  const roll = (of: Dice): number => {
    const fallen: Die[] = []
    for (let i = 0; i < of.count; i++) one(of, fallen)
    const kept = of.keep && new Set(keptOf(of.keep, fallen))
    let value = 0
    for (const die of fallen) {
      const isKept = !kept || kept.has(die)
      die.flags.push(isKept ? 'kept' : 'dropped')
      if (isKept) value += worth(of, die)
    }
    return value
  }

  const walk = (node: Term): number => {
    switch (node.kind) {
      case 'number':
        return node.value
      case 'negative':
        return -walk(node.of)
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

/** Of equal dice the earlier goes first, so that the same fall keeps the same dice. */
function keptOf(keep: NonNullable<Dice['keep']>, fallen: Die[]): Die[] {
  const best = [...fallen].sort((a, b) => (keep.highest ? b.value - a.value : a.value - b.value))
  return keep.drop ? best.slice(keep.count) : best.slice(0, keep.count)
}

/** What a kept die adds: its pips, or one for a success and one less for a failure. */
function worth({ success, failure }: Dice, die: Die): number {
  if (!success) return die.value
  const [won, lost] = [meets(die.value, success), failure !== undefined && meets(die.value, failure)]
  if (won) die.flags.push('success')
  if (lost) die.flags.push('botch')
  return Number(won) - Number(lost)
}
