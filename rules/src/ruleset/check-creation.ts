import { parse } from '@guildhall/dice/notation'
import { boundsOf } from '@guildhall/dice/term'
import type { Ruleset } from './compile.ts'
import type { CompiledMethod } from './compile-creation.ts'
import { pricesIn, rangeIn, traitsIn } from './creation.ts'
import type { Fault, Faults } from './faults.ts'

/** So many prices are computed. A real game has some hundred. */
const MAX_PRICES = 2000

type Check = (method: CompiledMethod, field: string) => void

/** Calls a function for every method of creating a character, with its place in the document. */
function forMethods({ creation, document }: Ruleset, check: Check): void {
  for (const [i, { methods }] of creation.entries())
    for (const [j, method] of methods.entries()) check(method, `creation.steps.${i}${document.creation?.steps[i]?.any ? `.any.${j}` : ''}`)
}

/** Finds options that favor unknown traits, and steps that nobody could answer by the values that they give. */
export function checkCreation(ruleset: Ruleset, faults: Faults): void {
  for (const [slot, { options }] of Object.entries(ruleset.document.choices ?? {}))
    for (const [option, { favours = [] }] of Object.entries(options))
      for (const [i, trait] of favours.entries())
        if (!ruleset.traits.has(trait))
          faults.add(
            `choices.${slot}.options.${option}.favours.${i}`,
            `there is no trait ${trait}${faults.suggest(trait, ruleset.traits.keys())}`,
          )
  if (faults.list.length) return
  forMethods(ruleset, (method, field) => {
    const { dice, values = [] } = method.method
    const ranges = traitsIn(method).map((trait) => ({ trait, ...rangeIn(ruleset, method, trait) }))
    for (const [i, value] of values.entries())
      if (!ranges.some(({ min, max }) => value >= min && value <= max)) faults.add(`${field}.values.${i}`, `fits none of the traits`)
    if (dice === undefined) return
    const [lowest, highest] = boundsOf(parse(dice))
    const tight = ranges.find(({ min, max }) => lowest < min || highest > max)
    if (!tight) return
    const { trait, min, max } = tight
    const outside = lowest < min ? lowest : Number.isFinite(highest) ? highest : max + 1
    faults.add(`${field}.dice`, `can come to ${outside}, and ${trait} must be ${min} to ${max}`)
  })
}

/** Finds budgets that are too small for any answer, or can never be spent. Prices that follow from a sheet are those of an empty one. */
export function warningsOfCreation(ruleset: Ruleset): Fault[] {
  const warnings: Fault[] = []
  let left = MAX_PRICES
  forMethods(ruleset, (method, field) => {
    const { budget } = method.method
    const traits = traitsIn(method)
    left -= 2 * traits.length
    if (budget === undefined || left < 0) return
    const price = pricesIn(ruleset, method, {})
    const prices = traits.map((trait) => {
      const { min, max } = rangeIn(ruleset, method, trait)
      return [price(trait, min), price(trait, max)] as const
    })
    const cheapest = prices.reduce((sum, ends) => sum + Math.min(...ends), 0)
    const dearest = prices.reduce((sum, ends) => sum + Math.max(...ends), 0)
    if (cheapest > budget) warnings.push({ field: `${field}.budget`, message: `the lowest values cost ${cheapest} of ${budget} already` })
    if (dearest < budget)
      warnings.push({ field: `${field}.budget`, message: `the highest values cost ${dearest}, so that not all of it can be spent` })
  })
  return warnings
}
