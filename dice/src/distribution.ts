import { DiceFault } from './fault.ts'

/** The probabilities of whole numbers: `p[i]` is that of `min + i`. */
export interface Distribution {
  min: number
  p: Float64Array
}

/** Thrown if the exact odds would take too long to compute. The message names the limit. */
export class OddsTooComplex extends DiceFault {
  override readonly name: string = 'OddsTooComplex'
}

/** The maximum number of multiplications for one answer, which take well under 50 ms. */
const MAX_STEPS = 2_000_000
/** The maximum distance between the lowest and the highest result. */
export const MAX_RESULT_RANGE = 5_000

/** Counts the steps of one answer, and throws when they exceed the limit. */
export class Budget {
  #left = MAX_STEPS
  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0)
      throw new OddsTooComplex(`takes more than ${MAX_STEPS.toLocaleString('en')} steps to compute: use fewer dice or sides`)
  }
}

const empty = (min: number, max: number): Distribution => {
  if (max - min + 1 > MAX_RESULT_RANGE)
    throw new OddsTooComplex(
      `has results more than ${MAX_RESULT_RANGE.toLocaleString('en')} apart: use fewer dice, fewer sides or a smaller factor`,
    )
  return { min, p: new Float64Array(max - min + 1) }
}

export const certain = (value: number): Distribution => ({ min: value, p: Float64Array.of(1) })

const maxOf = ({ min, p }: Distribution) => min + p.length - 1
const add = (target: Distribution, value: number, probability: number) => {
  target.p[value - target.min] = (target.p[value - target.min] as number) + probability
}

/** Makes a distribution from values and their probabilities. */
export function spread(pairs: [value: number, probability: number][]): Distribution {
  const values = pairs.map(([value]) => value)
  const result = empty(Math.min(...values), Math.max(...values))
  for (const [value, probability] of pairs) add(result, value, probability)
  return result
}

export function* entries({ min, p }: Distribution): Generator<[value: number, probability: number]> {
  for (let i = 0; i < p.length; i++) if (p[i] !== 0) yield [min + i, p[i] as number]
}

export const probabilityOf = ({ min, p }: Distribution, value: number): number => p[value - min] ?? 0

/** Returns the distribution of a function of a result. */
export function mapped(result: Distribution, mapping: (value: number) => number, budget: Budget): Distribution {
  budget.spend(result.p.length)
  return spread(Array.from(result.p, (probability, i) => [mapping(result.min + i), probability]))
}

/** Returns the distribution of the sum of two independent results. */
export function plus(a: Distribution, b: Distribution, budget: Budget): Distribution {
  budget.spend(a.p.length * b.p.length)
  const result = empty(a.min + b.min, maxOf(a) + maxOf(b))
  const [left, right, sums] = [a.p, b.p, result.p]
  for (let i = 0; i < left.length; i++) {
    const p = left[i] as number
    if (p !== 0) for (let j = 0; j < right.length; j++) sums[i + j] = (sums[i + j] as number) + p * (right[j] as number)
  }
  return result
}

export const negative = (result: Distribution): Distribution => ({ min: -maxOf(result), p: result.p.slice().reverse() })

/** Returns the distribution of a result with a number added to it. */
export const shifted = ({ min, p }: Distribution, by: number): Distribution => ({ min: min + by, p })

/** Joins distributions whose probabilities add up to 1 together, because one of them comes to pass. */
export const sumOf = (cases: Distribution[]): Distribution => spread(cases.flatMap((one) => [...entries(one)]))

/** Returns the distribution of the product of two independent results. */
export function product(a: Distribution, b: Distribution, budget: Budget): Distribution {
  budget.spend(a.p.length * b.p.length)
  const corners = [a.min * b.min, a.min * maxOf(b), maxOf(a) * b.min, maxOf(a) * maxOf(b)]
  const result = empty(Math.min(...corners), Math.max(...corners))
  for (const [x, px] of entries(a)) for (const [y, py] of entries(b)) add(result, x * y, px * py)
  return result
}

/** Returns the distribution of the sum of `count` independent results. */
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

/** The cost of the powers of a probability, in multiplications. */
const POWER_STEPS = 40

interface Face {
  probability: number
  /** The value that a kept die with this face adds. */
  worth: number
}

/**
 * Returns the distribution of the sum of the best `keep` of `count` dice. Faces come best first. For each face, the algorithm considers how
 * many of the remaining dice show it. A state is the number of dice that are left and the sum of those kept so far; since dice are kept
 * best first, the number of kept dice follows from the number that is left.
 */
export function best(faces: Face[], count: number, keep: number, budget: Budget): Distribution {
  const worths = faces.map(({ worth }) => worth)
  const [low, high] = [Math.min(0, ...worths) * keep, Math.max(0, ...worths) * keep]
  const begin = empty(low, high)
  add(begin, 0, 1)
  let states = new Map<number, Distribution>([[count, begin]])
  let remaining = 1
  for (const [i, { probability, worth }] of faces.entries()) {
    // All remaining dice show the last face: rounding must not lose any.
    const share = i === faces.length - 1 ? 1 : Math.min(1, probability / remaining)
    remaining -= probability
    const next = new Map<number, Distribution>()
    for (const [left, sums] of states) {
      const ways = binomial(left)
      budget.spend((left + 1) * (sums.p.length + POWER_STEPS))
      for (let shown = 0; shown <= left; shown++) {
        const chance = (ways[shown] as number) * share ** shown * (1 - share) ** (left - shown)
        if (chance === 0) continue
        const kept = Math.max(0, Math.min(shown, keep - (count - left)))
        const target = next.get(left - shown) ?? empty(low, high)
        next.set(left - shown, target)
        const shift = sums.min + kept * worth - target.min
        for (let i = 0; i < sums.p.length; i++) {
          const p = sums.p[i] as number
          if (p !== 0) target.p[i + shift] = (target.p[i + shift] as number) + p * chance
        }
      }
    }
    states = next
  }
  return trimmed(states.get(0) ?? certain(0))
}

/** Removes impossible results at both ends. */
function trimmed({ min, p }: Distribution): Distribution {
  let [first, last] = [0, p.length]
  while (first < last - 1 && p[first] === 0) first++
  while (last > first + 1 && p[last - 1] === 0) last--
  return { min: min + first, p: p.slice(first, last) }
}

export function momentsOf(result: Distribution): { mean: number; deviation: number } {
  let mean = 0
  for (const [value, p] of entries(result)) mean += value * p
  let variance = 0
  for (const [value, p] of entries(result)) variance += (value - mean) ** 2 * p
  return { mean, deviation: Math.sqrt(variance) }
}
