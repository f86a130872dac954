import type { Ruleset } from '@guildhall/rules/ruleset/compile'
import { labelOf } from '@guildhall/rules/ruleset/labels'
import { isRefused, nextSteps, type PriceStep, pricedSteps } from '@guildhall/rules/ruleset/price'
import type { Sheet } from '@guildhall/rules/ruleset/sheet'
import { unknownTrait } from '@guildhall/rules/ruleset/traits'
import { invalid } from '../../core/problem.ts'
import type { Cost, Costs, CostsQuery } from './schema.ts'

type TraitStep = PriceStep & { trait: string }

/** Returns the steps that a query asks for. A trait that already has the value has none, and one that experience does not raise only the refused one. */
function stepsOf(ruleset: Ruleset, sheet: Sheet, { trait, to }: CostsQuery): TraitStep[] {
  if (trait === undefined)
    return to === undefined ? nextSteps(ruleset, sheet) : invalid([{ field: 'trait', message: 'is required with to' }])
  if (!ruleset.traits.has(trait)) invalid([{ field: 'trait', message: unknownTrait(ruleset.traits, trait) }])
  const next = () => nextSteps(ruleset, sheet).filter((step) => step.trait === trait)
  if (to === undefined) return next()
  const steps = pricedSteps(ruleset, sheet, trait, to)
  if (!isRefused(steps)) return steps.map((step) => ({ trait, ...step }))
  if (steps.code === 'out_of_range') invalid([{ field: 'to', message: `is not accepted: ${steps.message}` }])
  return steps.code === 'not_for_experience' ? next() : []
}

/** Lists the prices of steps. The steps of one trait are paid together, so each needs those before it. */
export function costsOf(ruleset: Ruleset, sheet: Sheet, query: CostsQuery): Costs {
  const { earned = 0, spent = 0 } = sheet.xp ?? {}
  const available = earned - spent
  const { traits } = ruleset.document
  let before = 0
  const items = stepsOf(ruleset, sheet, query).map(({ trait, from, to, cost, refusal }): Cost => {
    const { label = labelOf(trait), group } = traits[trait] as { label?: string; group: string }
    const total = before + (cost ?? 0)
    if (query.trait !== undefined) before = total
    const affordable = cost !== null && total <= available
    return { trait, label, group, from, to, cost, affordable, refused: refusal && `${refusal.message}.` }
  })
  return { available, items: items.filter(({ affordable }) => query.affordable === undefined || affordable === query.affordable) }
}
