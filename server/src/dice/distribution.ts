/** Probabilities of the whole numbers from `min` on. */
export interface Distribution {
  min: number
  p: Float64Array
}

/** Too much to work out: what was asked is refused with the limit. */
export class TooMuch extends Error {}

/** How many multiplications an answer may cost, chosen to take well under 50 ms. */
export const MOST_STEPS = 2_000_000
/** How far apart the lowest and the highest result may lie. */
export const WIDEST = 5_000

/** Counts the work of one answer, and ends it when it is too much. */
export class Budget {
  #left = MOST_STEPS
  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0)
      throw new TooMuch(`would take more than ${MOST_STEPS.toLocaleString('en')} steps to work out: ask for fewer dice or sides`)
  }
}

const empty = (min: number, max: number): Distribution => {
  if (max - min + 1 > WIDEST) throw new TooMuch(`has results that lie more than ${WIDEST.toLocaleString('en')} apart, which is the limit`)
  return { min, p: new Float64Array(max - min + 1) }
}

export const certain = (value: number): Distribution => ({ min: value, p: Float64Array.of(1) })

const maxOf = ({ min, p }: Distribution) => min + p.length - 1
const add = (to: Distribution, value: number, probability: number) => {
  to.p[value - to.min] = (to.p[value - to.min] as number) + probability
}

/** A distribution from what each value is worth. */
export function spread(pairs: [value: number, probability: number][]): Distribution {
  const values = pairs.map(([value]) => value)
  const made = empty(Math.min(...values), Math.max(...values))
  for (const [value, probability] of pairs) add(made, value, probability)
  return made
}

export function* entries({ min, p }: Distribution): Generator<[value: number, probability: number]> {
  for (let i = 0; i < p.length; i++) if (p[i] !== 0) yield [min + i, p[i] as number]
}

/** The sum of two independent results. */
export function plus(a: Distribution, b: Distribution, budget: Budget): Distribution {
  budget.spend(a.p.length * b.p.length)
  const made = empty(a.min + b.min, maxOf(a) + maxOf(b))
  const [from, with_, to] = [a.p, b.p, made.p]
  for (let i = 0; i < from.length; i++) {
    const p = from[i] as number
    if (p !== 0) for (let j = 0; j < with_.length; j++) to[i + j] = (to[i + j] as number) + p * (with_[j] as number)
  }
  return made
}

export const negative = (of: Distribution): Distribution => ({ min: -maxOf(of), p: of.p.toReversed() })

/** The product of two independent results. */
export function product(a: Distribution, b: Distribution, budget: Budget): Distribution {
  budget.spend(a.p.length * b.p.length)
  const corners = [a.min * b.min, a.min * maxOf(b), maxOf(a) * b.min, maxOf(a) * maxOf(b)]
  const made = empty(Math.min(...corners), Math.max(...corners))
  for (const [x, px] of entries(a)) for (const [y, py] of entries(b)) add(made, x * y, px * py)
  return made
}

/** The sum of so many independent results alike. */
export function times(one: Distribution, count: number, budget: Budget): Distribution {
  let sum = certain(0)
  for (let i = 0; i < count; i++) sum = plus(sum, one, budget)
  return sum
}

const binomials: number[][] = [[1]]
function binomial(n: number): number[] {
  for (let row = binomials.length; row <= n; row++) {
    const above = binomials[row - 1] as number[]
    binomials.push(Array.from({ length: row + 1 }, (_, k) => (above[k - 1] ?? 0) + (above[k] ?? 0)))
  }
  return binomials[n] as number[]
}

/** What the powers of a probability cost, in multiplications. */
const POWERS = 40

interface Face {
  probability: number
  /** What a kept die of this face adds. */
  worth: number
}

/**
 * The sum over the best `keep` of `count` dice, where faces come best first: face after face it is asked how many of the
 * remaining dice show it. A state is how many dice are left, and what those kept so far came to; since dice are kept best
 * first, how many are kept follows from how many are left.
 */
export function best(faces: Face[], count: number, keep: number, budget: Budget): Distribution {
  const worths = faces.map(({ worth }) => worth)
  const [low, high] = [Math.min(0, ...worths) * keep, Math.max(0, ...worths) * keep]
  const begin = empty(low, high)
  add(begin, 0, 1)
  let states = new Map<number, Distribution>([[count, begin]])
  let remaining = 1
  for (const [i, { probability, worth }] of faces.entries()) {
    // Whatever is left shows the last face: rounding must not lose it.
    const share = i === faces.length - 1 ? 1 : Math.min(1, probability / remaining)
    remaining -= probability
    const next = new Map<number, Distribution>()
    for (const [left, sums] of states) {
      const ways = binomial(left)
      budget.spend((left + 1) * (sums.p.length + POWERS))
      for (let shown = 0; shown <= left; shown++) {
        const chance = (ways[shown] as number) * share ** shown * (1 - share) ** (left - shown)
        if (chance === 0) continue
        const kept = Math.max(0, Math.min(shown, keep - (count - left)))
        const to = next.get(left - shown) ?? empty(low, high)
        next.set(left - shown, to)
        const shift = sums.min + kept * worth - to.min
        for (let at = 0; at < sums.p.length; at++) {
          const p = sums.p[at] as number
          if (p !== 0) to.p[at + shift] = (to.p[at + shift] as number) + p * chance
        }
      }
    }
    states = next
  }
  return trimmed(states.get(0) ?? certain(0))
}

/** Without the impossible at either end. */
function trimmed({ min, p }: Distribution): Distribution {
  let [first, last] = [0, p.length]
  while (first < last - 1 && p[first] === 0) first++
  while (last > first + 1 && p[last - 1] === 0) last--
  return { min: min + first, p: p.slice(first, last) }
}

export function momentsOf(of: Distribution): { mean: number; deviation: number } {
  let mean = 0
  for (const [value, p] of entries(of)) mean += value * p
  let variance = 0
  for (const [value, p] of entries(of)) variance += (value - mean) ** 2 * p
  return { mean, deviation: Math.sqrt(variance) }
}
