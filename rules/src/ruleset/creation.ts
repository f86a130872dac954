import { own } from '../own.ts'
import type { Ruleset } from './compile.ts'
import type { CompiledMethod } from './compile-creation.ts'
import { type Sheet, SheetValues } from './sheet.ts'

/** The answer to a step: an option, or values of traits. */
export type StepAnswer = string | Readonly<Record<string, number>>

export const traitsIn = ({ groups }: CompiledMethod): string[] => [...new Set(groups.flatMap(({ traits }) => traits))]

/** The range of a trait in a step: that of the step within that of the trait. */
export function rangeIn(ruleset: Ruleset, { method }: CompiledMethod, trait: string): { min: number; max: number } {
  const { min, max } = ruleset.traits.get(trait) ?? { min: 0, max: 0 }
  return { min: Math.max(min, method.min ?? min), max: Math.min(max, method.max ?? max) }
}

/** Prices of values in a step. What follows from the sheet is computed once. */
export function pricesIn(ruleset: Ruleset, { costs }: CompiledMethod, sheet: Sheet): (trait: string, value: number) => number {
  const values = new SheetValues(ruleset, sheet)
  return (trait, value) => {
    values.set('value', value)
    return costs.get(trait)?.(values) ?? value
  }
}

const descending = (numbers: Iterable<number>) => [...numbers].sort((a, b) => b - a)
const listed = (numbers: Iterable<number>) => descending(numbers).join(', ')

/** The sum of a group above the lowest values of its traits. */
const dotsIn = (ruleset: Ruleset, traits: readonly string[], current: (trait: string) => number) =>
  traits.reduce((sum, trait) => sum + current(trait) - (ruleset.traits.get(trait)?.min ?? 0), 0)

/** An answer with all traits of its step. One that is left out has its lowest value if values cost points, and else its default. */
export function wholeAnswer(ruleset: Ruleset, method: CompiledMethod, answer: Readonly<Record<string, number>>): Record<string, number> {
  const isPriced = method.method.kind === 'points'
  const omitted = (trait: string) => (isPriced ? rangeIn(ruleset, method, trait).min : (ruleset.traits.get(trait)?.default ?? 0))
  return Object.fromEntries(traitsIn(method).map((trait) => [trait, own(answer, trait) ?? omitted(trait)]))
}

/** Returns the faults of an answer to a step. `rolled` are the values of its dice. */
export function faultsOfAnswer(
  ruleset: Ruleset,
  method: CompiledMethod,
  sheet: Sheet,
  answer: StepAnswer,
  rolled: readonly number[] = [],
): string[] {
  const { kind, slot = '', values: given = [], budget = 0, pools = [], keep_order } = method.method
  if (kind === 'choose') {
    const options = Object.keys(ruleset.document.choices?.[slot]?.options ?? {})
    return typeof answer === 'string' && options.includes(answer) ? [] : [`must be one of ${options.join(', ')}`]
  }
  if (typeof answer === 'string') return ['must be values of traits']
  const traits = traitsIn(method)
  const unknown = Object.keys(answer).filter((trait) => !traits.includes(trait))
  if (unknown.length) return unknown.map((trait) => `${trait} is not set in this step`)
  const whole = wholeAnswer(ruleset, method, answer)
  const current = (trait: string) => own(whole, trait) ?? 0
  const outside = traits.filter((trait) => {
    const { min, max } = rangeIn(ruleset, method, trait)
    return !Number.isInteger(current(trait)) || current(trait) < min || current(trait) > max
  })
  if (outside.length)
    return outside.map((trait) => {
      const { min, max } = rangeIn(ruleset, method, trait)
      return `${trait} must be ${min} to ${max}`
    })
  if (kind === 'points') {
    const price = pricesIn(ruleset, method, sheet)
    const spent = traits.reduce((sum, trait) => sum + price(trait, current(trait)), 0)
    return spent > budget ? [`costs ${spent} of ${budget}`] : []
  }
  if (kind === 'priority') {
    const dots = method.groups.map((group) => dotsIn(ruleset, group.traits, current))
    return listed(dots) === listed(pools) ? [] : [`must be ${listed(pools)} dots in the groups, in any order, and is ${dots.join(', ')}`]
  }
  const expected = kind === 'array' ? given : rolled
  if (keep_order) {
    const isKept = traits.every((trait, i) => current(trait) === expected[i])
    return isKept ? [] : [`must be ${expected.join(', ')}, in this order`]
  }
  return listed(traits.map(current)) === listed(expected) ? [] : [`must be ${listed(expected)}, in any order`]
}

/** Returns a whole number from 0 up to, and without, the given one. */
export type Random = (below: number) => number

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const result = [...items]
  for (let i = result.length - 1; i > 0; i--) {
    const j = random(i + 1)
    ;[result[i], result[j]] = [result[j] as Item, result[i] as Item]
  }
  return result
}

/** Finds out whether the options that a sheet has chosen favor a trait. */
function favoredBy(ruleset: Ruleset, { choices = {} }: Sheet): (trait: string) => boolean {
  const slots = ruleset.document.choices ?? {}
  const favored = new Set(Object.entries(choices).flatMap(([slot, option]) => own(own(slots, slot)?.options, option)?.favours ?? []))
  return (trait) => favored.has(trait)
}

/** Three of four steps go to traits that are favored, as long as one of them can be raised: the others are not left out. */
const FAVORED_OF_FOUR = 3

/** Picks the trait to raise next. */
function pickOpen(open: readonly string[], isFavored: (trait: string) => boolean, random: Random): string {
  const favored = open.filter(isFavored)
  const picked = favored.length > 0 && random(4) < FAVORED_OF_FOUR ? favored : open
  return picked[random(picked.length)] as string
}

/** Traits that the chosen options favor come first, each part in random order. */
function inRandomOrder(ruleset: Ruleset, sheet: Sheet, traits: readonly string[], random: Random): string[] {
  const isFavored = favoredBy(ruleset, sheet)
  return [
    ...shuffled(traits.filter(isFavored), random),
    ...shuffled(
      traits.filter((trait) => !isFavored(trait)),
      random,
    ),
  ]
}

/** Answers a step at random, by its own rules. `rolled` are the values of its dice. */
export function randomAnswer(
  ruleset: Ruleset,
  method: CompiledMethod,
  sheet: Sheet,
  random: Random,
  rolled: readonly number[] = [],
): StepAnswer {
  const { kind, slot = '', values = [], keep_order } = method.method
  if (kind === 'choose') {
    const options = Object.keys(ruleset.document.choices?.[slot]?.options ?? {})
    return options[random(options.length)] as string
  }
  const traits = traitsIn(method)
  if (kind === 'points') return spendPoints(ruleset, method, sheet, random)
  if (kind === 'priority') return dealDots(ruleset, method, sheet, random)
  if (keep_order) return Object.fromEntries(traits.map((trait, i) => [trait, rolled[i] as number]))
  const given = descending(kind === 'array' ? values : rolled)
  return Object.fromEntries(inRandomOrder(ruleset, sheet, traits, random).map((trait, i) => [trait, given[i] as number]))
}

/** The most steps that a budget is spent on at random, whatever they cost. What is left of a larger one is not spent. */
const MAX_POINT_STEPS = 1000

/** Spends a budget one affordable step at a time. Steps that pay are never taken: they are burdens, which players choose themselves. */
function spendPoints(ruleset: Ruleset, method: CompiledMethod, sheet: Sheet, random: Random): Record<string, number> {
  const price = pricesIn(ruleset, method, sheet)
  const ranges = new Map(traitsIn(method).map((trait) => [trait, rangeIn(ruleset, method, trait)]))
  const values = new Map([...ranges].map(([trait, { min }]) => [trait, min]))
  let left = [...values].reduce((sum, [trait, value]) => sum - price(trait, value), method.method.budget ?? 0)
  const isFavored = favoredBy(ruleset, sheet)
  let open = [...values.keys()]
  for (let steps = 0; steps < MAX_POINT_STEPS && open.length > 0; ) {
    const trait = pickOpen(open, isFavored, random)
    const value = values.get(trait) as number
    const step = value < (ranges.get(trait)?.max ?? value) ? price(trait, value + 1) - price(trait, value) : 0
    if (step > 0 && step <= left) {
      left -= step
      values.set(trait, value + 1)
      steps++
    } else {
      // The price of its next step stays, and less is left each time: it never becomes affordable.
      open = open.filter((one) => one !== trait)
    }
  }
  return Object.fromEntries(values)
}

function dealDots(ruleset: Ruleset, method: CompiledMethod, sheet: Sheet, random: Random): Record<string, number> {
  const values = new Map(traitsIn(method).map((trait) => [trait, ruleset.traits.get(trait)?.min ?? 0]))
  const isFavored = favoredBy(ruleset, sheet)
  const current = (trait: string) => values.get(trait) as number
  for (const [i, { traits }] of shuffled(method.groups, random).entries())
    for (let left = method.method.pools?.[i] ?? 0; left > 0; left--) {
      const open = traits.filter((trait) => current(trait) < rangeIn(ruleset, method, trait).max)
      if (open.length === 0) break
      const trait = pickOpen(open, isFavored, random)
      values.set(trait, current(trait) + 1)
    }
  return Object.fromEntries(values)
}
