import { Budget, best, certain, type Distribution, entries, negative, plus, product, spread, TooMuch, times } from './distribution.ts'
import { type Dice, facesOf, meets, type Term } from './notation.ts'
import { OUTCOMES, type Outcome, outcomeOf, type Pool, worth } from './pool.ts'

/** One die of a term, face by face: how likely it is, rerolled once where it must be. */
function facesWithOdds(dice: Dice): { value: number; probability: number }[] {
  const [low, high] = facesOf(dice)
  const { reroll } = dice
  const values = Array.from({ length: high - low + 1 }, (_, i) => low + i)
  const again = reroll ? values.filter((value) => meets(value, reroll)).length / values.length : 0
  return values.map((value) => ({ value, probability: ((reroll && meets(value, reroll) ? 0 : 1) + again) / values.length }))
}

function oddsOfDice(dice: Dice, budget: Budget): Distribution {
  const { count, explode, reroll, keep, success, failure } = dice
  if (explode === 'ever') throw new TooMuch('explodes without end: only !o, which explodes once, has odds here')
  if (reroll && !reroll.once) throw new TooMuch('is rerolled without end: only ro, which rerolls once, has odds here')
  if (explode && keep) throw new TooMuch('keeps or drops among exploding dice, of which no odds are worked out')
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
  // The highest face brings another die, once, which is rerolled no more.
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

/** Either one of these, or, with what probability is left, the other. */
function either(pairs: [number, number][], other: Distribution, weight: number): Distribution {
  return spread([...pairs, ...[...entries(other)].map(([value, p]) => [value, p * weight] as [number, number])])
}

/** The exact distribution of what notation comes to. */
export function oddsOf(term: Term, budget = new Budget()): Distribution {
  switch (term.kind) {
    case 'number':
      return certain(term.value)
    case 'dice':
      return oddsOfDice(term, budget)
    case 'negative':
      return negative(oddsOf(term.of, budget))
    case 'sum':
      return plus(oddsOf(term.left, budget), oddsOf(term.right, budget), budget)
    case 'difference':
      return plus(oddsOf(term.left, budget), negative(oddsOf(term.right, budget)), budget)
    case 'product':
      return product(oddsOf(term.left, budget), oddsOf(term.right, budget), budget)
  }
}

/** The same of a pool. */
export function oddsOfPool({ sides, dice, difficulty, desperation_dice }: Pool, budget = new Budget()): Distribution {
  const values = Array.from({ length: sides }, (_, i) => i + 1)
  const one = spread(values.map((value) => [difficulty === null ? value : worth(value, sides, difficulty), 1 / sides]))
  return times(one, dice + desperation_dice, budget)
}

export function outcomesOf(net: Distribution, dice: number): { outcome: Outcome; probability: number }[] {
  const odds = new Map<Outcome, number>(OUTCOMES.map((outcome) => [outcome, 0]))
  for (const [value, p] of entries(net)) odds.set(outcomeOf(value, dice), (odds.get(outcomeOf(value, dice)) as number) + p)
  return [...odds].map(([outcome, p]) => ({ outcome, probability: Math.min(1, p) }))
}
