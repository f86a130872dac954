import {
  Budget,
  best,
  certain,
  type Distribution,
  entries,
  mapped,
  negative,
  OddsTooComplex,
  plus,
  probabilityOf,
  product,
  spread,
  times,
} from './distribution.ts'
import { divide } from './divide.ts'
import { countedAs, type Dice, facesOf, keptCountOf, meets, naturalDiceOf, type Operand } from './term.ts'

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
  const value = (face: number) => {
    const counted = countedAs(dice, face)
    return success ? Number(meets(counted, success)) - Number(failure ? meets(counted, failure) : false) : counted
  }
  const faces = facesWithOdds(dice)
  budget.spend(faces.length)
  if (keep) {
    // In this order they are also sorted by what they count as.
    const sorted = [...faces].sort((a, b) => (keep.highest === keep.drop ? a.value - b.value : b.value - a.value))
    return best(
      sorted.map(({ value: face, probability }) => ({ probability, worth: value(face) })),
      count,
      keptCountOf(dice),
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
export const oddsOf = (term: Operand, budget: Budget = new Budget()): Distribution =>
  combine(term, (dice) => oddsOfDice(dice, budget), budget)

/** Combines the distributions of the dice of a notation. Each occurs once, so the result is linear in each of them. */
function combine(operand: Operand, oddsOfOne: (dice: Dice) => Distribution, budget: Budget): Distribution {
  const inner = (part: Operand) => combine(part, oddsOfOne, budget)
  switch (operand.kind) {
    case 'number':
      return certain(operand.value)
    case 'dice':
      return oddsOfOne(operand)
    case 'negative':
      return negative(inner(operand.operand))
    case 'product':
      return product(inner(operand.left), inner(operand.right), budget)
    case 'quotient':
      return mapped(inner(operand.dividend), (value) => divide(operand.rounding, value, operand.divisor), budget)
    case 'sum': {
      const parts = operand.addends.map(({ sign, operand: part }) => (sign === '-' ? negative(inner(part)) : inner(part)))
      return parts.reduce((sum, part) => plus(sum, part, budget))
    }
  }
}

/** The results with a natural 20, with a natural 1, and all others. Their probabilities add up to 1 together. */
export interface NaturalOdds {
  max: Distribution
  min: Distribution
  other: Distribution
}

/** Returns the exact distributions of the result of a notation that has a natural (see hasNatural), by what its d20 shows. */
export function oddsWithNaturals(term: Operand, budget: Budget = new Budget()): NaturalOdds {
  const natural = naturalDiceOf(term)
  if (!natural) throw new Error('The notation has no single d20 that counts.')
  const faces = facesWithOdds(natural)
  const chances = new Map<number, number>()
  for (const { value, probability } of faces) {
    const counted = countedAs(natural, value)
    chances.set(counted, (chances.get(counted) ?? 0) + probability)
  }
  const results = oddsOfDice(natural, budget)
  // The choice among dice that count the same does not depend on what they show, so the kept die shows each of these faces as often as any.
  const shown = faces.map(({ value: face, probability }) => {
    const value = countedAs(natural, face)
    return { face, value, probability: (probabilityOf(results, value) * probability) / (chances.get(value) as number) }
  })
  const only = (isShown: (face: number) => boolean) => {
    const pairs = shown.map(({ face, value, probability }): [number, number] => [value, isShown(face) ? probability : 0])
    return combine(term, (dice) => (dice === natural ? spread(pairs) : oddsOfDice(dice, budget)), budget)
  }
  const { sides } = natural
  return {
    max: only((face) => face === sides),
    min: only((face) => face === 1),
    other: only((face) => face !== sides && face !== 1),
  }
}
