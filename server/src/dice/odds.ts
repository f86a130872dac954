import {
  Budget,
  best,
  certain,
  type Distribution,
  entries,
  negative,
  OddsTooComplex,
  plus,
  product,
  spread,
  times,
} from './distribution.ts'
import { type Dice, facesOf, meets, type Term } from './notation.ts'

/** Returns the probability of each face of one die, including one reroll. */
function facesWithOdds(dice: Dice): { value: number; probability: number }[] {
  const [low, high] = facesOf(dice)
  const { reroll } = dice
  const values = Array.from({ length: high - low + 1 }, (_, i) => low + i)
  const again = reroll ? values.filter((value) => meets(value, reroll)).length / values.length : 0
  return values.map((value) => ({ value, probability: ((reroll && meets(value, reroll) ? 0 : 1) + again) / values.length }))
}

function oddsOfDice(dice: Dice, budget: Budget): Distribution {
  const { count, explode, reroll, keep, success, failure } = dice
  if (explode === 'always') throw new OddsTooComplex('explodes without end: odds are computed only for !o, which explodes once')
  if (reroll && !reroll.once) throw new OddsTooComplex('is rerolled without end: odds are computed only for ro, which rerolls once')
  if (explode && keep) throw new OddsTooComplex('keeps or drops among exploding dice: odds are computed only for one or the other')
  const value = (face: number) => (success ? Number(meets(face, success)) - Number(failure ? meets(face, failure) : false) : face)
  const faces = facesWithOdds(dice)
  budget.spend(faces.length)
  if (keep) {
    const sorted = [...faces].sort((a, b) => (keep.highest === keep.drop ? a.value - b.value : b.value - a.value))
    const kept = keep.drop ? count - keep.count : keep.count
    return best(
      sorted.map(({ value: face, probability }) => ({ probability, worth: value(face) })),
      count,
      kept,
      budget,
    )
  }
  const one = spread(faces.map(({ value: face, probability }) => [value(face), probability]))
  if (!explode) return times(one, count, budget)
  // The highest face adds another die, once, which is not rerolled.
  const [low, highest] = facesOf(dice)
  const flat = 1 / (highest - low + 1)
  const second = spread(faces.map(({ value: face }) => [value(highest) + value(face), flat]))
  const others = faces.filter(({ value: face }) => face !== highest)
  const top = faces.find(({ value: face }) => face === highest)?.probability ?? 0
  return times(
    either(
      others.map(({ value: face, probability }) => [value(face), probability]),
      second,
      top,
    ),
    count,
    budget,
  )
}

/** Returns the distribution of one of these values, or with the given probability of the other result. */
function either(pairs: [number, number][], other: Distribution, weight: number): Distribution {
  return spread([...pairs, ...[...entries(other)].map(([value, p]) => [value, p * weight] as [number, number])])
}

/** Returns the exact distribution of the result of a notation. */
export function oddsOf(term: Term, budget = new Budget()): Distribution {
  switch (term.kind) {
    case 'number':
      return certain(term.value)
    case 'dice':
      return oddsOfDice(term, budget)
    case 'negative':
      return negative(oddsOf(term.operand, budget))
    case 'sum':
      return plus(oddsOf(term.left, budget), oddsOf(term.right, budget), budget)
    case 'difference':
      return plus(oddsOf(term.left, budget), negative(oddsOf(term.right, budget)), budget)
    case 'product':
      return product(oddsOf(term.left, budget), oddsOf(term.right, budget), budget)
  }
}
