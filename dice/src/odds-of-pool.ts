import { Budget, certain, type Distribution, entries, plus, spread } from './distribution.ts'
import { chanceRules, diceAtStart, isChancePool, OUTCOMES, type Outcome, outcomeOf, type Pool, worth } from './pool.ts'

/**
 * Dice may explode without end. A die's chain ends at the length that is less likely than this, and the tail of the results that only long
 * chains reach is cut where all of it together is less likely. For the largest pool this adds up to an error far below 1e-12.
 */
const MAX_CUT = 1e-15

type DieRules = Parameters<typeof worth>[1]

/** Cuts the unlikely results at the ends that explosions extend. Pools without explosions keep every result. */
function withoutTails({ min, p }: Distribution, again: number[]): Distribution {
  let [first, last] = [0, p.length - 1]
  if (again.some((added) => added > 0)) for (let tail = p[last] as number; tail < MAX_CUT && last > 0; tail += p[last] as number) last--
  if (again.some((added) => added < 0))
    for (let tail = p[first] as number; tail < MAX_CUT && first < last; tail += p[first] as number) first++
  return { min: min + first, p: p.slice(first, last + 1) }
}

/** Returns the distribution of one die with all the dice that its explosions add. */
function oddsOfDie(rules: DieRules, budget: Budget): Distribution {
  const { sides, again = [] } = rules
  const pairs = (values: number[]) => values.map((value): [number, number] => [worth(value, rules), 1 / sides])
  const faces = Array.from({ length: sides }, (_, i) => i + 1)
  const once = spread(pairs(faces))
  if (again.length === 0) return once
  const exploding = spread(pairs(again))
  const others = pairs(faces.filter((face) => !again.includes(face)))
  let die = once
  for (let chance = again.length / sides; chance >= MAX_CUT; chance *= again.length / sides)
    die = withoutTails(spread([...others, ...entries(plus(exploding, die, budget))]), worths(rules))
  return die
}

const worths = (rules: DieRules) => (rules.again ?? []).map((face) => worth(face, rules))

/**
 * Returns the distribution of the net successes of a pool, or of its total without a difficulty. It is exact; with `again`, to within 1e-12.
 * The limit of a thousand dice is left out: a pool reaches it too rarely to matter.
 */
export function oddsOfPool(pool: Pool, budget: Budget = new Budget()): Distribution {
  const isChance = isChancePool(pool)
  const [die, exploding] = [oddsOfDie(pool, budget), worths(pool)]
  let sum = isChance ? oddsOfDie(chanceRules(pool), budget) : certain(0)
  for (let i = isChance ? 1 : 0; i < diceAtStart(pool); i++) sum = withoutTails(plus(sum, die, budget), exploding)
  return sum
}

/** Returns the probability of each outcome of a pool with a difficulty, from the distribution of its net successes. */
export function outcomesOfPool(pool: Pool, net: Distribution): { outcome: Outcome; probability: number }[] {
  const odds = new Map<Outcome, number>(OUTCOMES.map((outcome) => [outcome, 0]))
  for (const [value, p] of entries(net)) {
    const outcome = outcomeOf(value, diceAtStart(pool), pool.needed)
    odds.set(outcome, (odds.get(outcome) as number) + p)
  }
  return [...odds].map(([outcome, p]) => ({ outcome, probability: Math.min(1, p) }))
}
