import { own } from '../own.ts'
import type { CompiledRaise, Ruleset } from './compile.ts'
import { type Sheet, SheetValues } from './sheet.ts'
import type { TraitRange } from './traits.ts'

/** The price of raising a trait, step by step. */
export interface Price {
  from: number
  to: number
  cost: number
  steps: { to: number; cost: number }[]
}

/** The reason for which experience does not raise a trait. */
export interface PriceRefusal {
  code: 'unknown_trait' | 'out_of_range' | 'not_raised' | 'not_for_experience' | 'needs_not_met'
  message: string
}

export const MAX_PRICED_STEPS = 100

/** One step of a raise: its cost, or the reason for which it cannot be taken. */
export type PriceStep = { from: number; to: number } & ({ cost: number; refusal: null } | { cost: null; refusal: PriceRefusal })

const rangeOf = (ruleset: Ruleset, trait: string) => ruleset.traits.get(trait) as TraitRange
const effectiveValue = (ruleset: Ruleset, sheet: Sheet, trait: string): number =>
  own(sheet.traits, trait) ?? rangeOf(ruleset, trait).default
const raiseOf = (ruleset: Ruleset, trait: string) => ruleset.raises.find(({ traits }) => traits.has(trait))

/** The reason for which a trait cannot have a value, or is not raised at all. */
function refusalOf(ruleset: Ruleset, trait: string, to: number): PriceRefusal | null {
  const { min, max } = rangeOf(ruleset, trait)
  if (to > max || to < min) return { code: 'out_of_range', message: `${trait} goes from ${min} to ${max}` }
  if (!raiseOf(ruleset, trait)) return { code: 'not_for_experience', message: `${trait} is not raised with experience` }
  return null
}

/** Computes the step of a trait from its value in `values`, which may be those of several traits in turn. */
function stepFrom(ruleset: Ruleset, values: SheetValues, trait: string, from: number): PriceStep {
  const to = from + 1
  const raise = raiseOf(ruleset, trait) as CompiledRaise
  values.set('new', to)
  values.set('current', from)
  const needs = [ruleset.needs.get(trait), raise.needs].filter((one) => one !== undefined)
  if (needs.every((holds) => holds(values))) return { from, to, cost: raise.cost(values), refusal: null }
  return { from, to, cost: null, refusal: { code: 'needs_not_met', message: `${trait} cannot be raised to ${to} yet` } }
}

/** Computes the next step of every trait. The sheet is computed once for all of them. */
export function nextSteps(ruleset: Ruleset, sheet: Sheet): (PriceStep & { trait: string })[] {
  const values = new SheetValues(ruleset, sheet)
  return [...ruleset.traits.keys()].map((trait) => {
    const from = effectiveValue(ruleset, sheet, trait)
    const refusal = refusalOf(ruleset, trait, from + 1)
    return { trait, ...(refusal ? { from, to: from + 1, cost: null, refusal } : stepFrom(ruleset, values, trait, from)) }
  })
}

/** Computes the steps of a raise, each with the trait where the one before put it. They end with the first one that cannot be taken. */
function stepsTo(ruleset: Ruleset, sheet: Sheet, trait: string, to: number): PriceStep[] {
  const steps: PriceStep[] = []
  for (let current = effectiveValue(ruleset, sheet, trait); current < to; current++) {
    const values = new SheetValues(ruleset, { ...sheet, traits: { ...sheet.traits, [trait]: current } })
    const step = stepFrom(ruleset, values, trait, current)
    steps.push(step)
    if (step.refusal) break
  }
  return steps
}

/** Computes the steps of a trait up to a value, or why there are none. */
export function pricedSteps(ruleset: Ruleset, sheet: Sheet, trait: string, to: number): PriceStep[] | PriceRefusal {
  if (!ruleset.traits.has(trait)) return { code: 'unknown_trait', message: `${trait} is no trait of the ruleset` }
  const from = effectiveValue(ruleset, sheet, trait)
  if (to <= from) return { code: 'not_raised', message: `${trait} is at ${from}` }
  const refusal = refusalOf(ruleset, trait, to)
  if (refusal) return refusal
  if (to - from > MAX_PRICED_STEPS) return { code: 'out_of_range', message: `at most ${MAX_PRICED_STEPS} steps are paid at once` }
  return stepsTo(ruleset, sheet, trait, to)
}

/** Computes what it costs to raise a trait to a value, or why it cannot be raised. */
export function priceOf(ruleset: Ruleset, sheet: Sheet, trait: string, to: number): Price | PriceRefusal {
  const found = pricedSteps(ruleset, sheet, trait, to)
  if (isRefused(found)) return found
  const steps: Price['steps'] = []
  for (const step of found) {
    if (step.refusal) return step.refusal
    steps.push({ to: step.to, cost: step.cost })
  }
  return { from: effectiveValue(ruleset, sheet, trait), to, cost: steps.reduce((sum, { cost }) => sum + cost, 0), steps }
}

export const isRefused = (price: object): price is PriceRefusal => 'code' in price
