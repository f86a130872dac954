import type { Draw } from '../dice-seeds/draw.ts'
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

  const fall = (of: Dice): Die => {
    const die: Die = { kind: 'NORMAL', sides: of.sides, value: draw(of.sides) + facesOf(of)[0], flags: [] }
    dice.push(die)
    return die
  }
  /** Whether one more may fall; for those that may fall only once more, there is always room. */
  const room = (once: boolean) => once || spare-- > 0

  /** One die of the term: rolled again where it must be, and what its explosions add. */
  const one = (of: Dice): Die[] => {
    let die = fall(of)
    while (of.reroll && meets(die.value, of.reroll) && room(of.reroll.once)) {
      die.flags.push('rerolled')
      die = fall(of)
      if (of.reroll.once) break
    }
    const fallen = [die]
    const [, highest] = facesOf(of)
    while (of.explode && die.value === highest && room(of.explode === 'once')) {
      die.flags.push('exploded')
      die = fall(of)
      fallen.push(die)
      if (of.explode === 'once') break
    }
    return fallen
  }

  const roll = (of: Dice): number => {
    const fallen = Array.from({ length: of.count }, () => one(of)).flat()
    const kept = new Set(keptOf(of, fallen))
    let value = 0
    for (const die of fallen) {
      die.flags.push(kept.has(die) ? 'kept' : 'dropped')
      if (kept.has(die)) value += worth(of, die)
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
function keptOf({ keep }: Dice, fallen: Die[]): Die[] {
  if (!keep) return fallen
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
