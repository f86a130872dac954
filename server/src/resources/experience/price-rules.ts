import type { Ruleset } from '@guildhall/rules/ruleset/compile'
import type { Price, PriceRefusal } from '@guildhall/rules/ruleset/price'
import { unknownTrait } from '@guildhall/rules/ruleset/traits'
import { conflict, invalid } from '../../core/problem.ts'
import type { CampaignAccess } from '../campaigns/path-resource.ts'
import { MAX_AMOUNT, type Spend } from './schema.ts'

/** Requires an amount of 1 or more, except where a ruleset has a price for the trait. */
export function refuseUnfitAmount(
  { amount, trait }: Pick<Spend, 'amount' | 'trait'>,
  { ruleset_version_id }: Pick<CampaignAccess, 'ruleset_version_id'>,
): void {
  if (ruleset_version_id && trait) return
  if (amount === undefined) invalid([{ field: 'amount', message: 'is required' }])
  else if (amount < 1) invalid([{ field: 'amount', message: 'must be >= 1' }])
}

/** Rejects the raise of a trait that the ruleset has no price for. */
export function refuseUnpriced({ code, message }: PriceRefusal, { traits }: Ruleset, trait: string): never {
  if (code === 'unknown_trait') return invalid([{ field: 'trait.name', message: unknownTrait(traits, trait) }])
  if (code === 'out_of_range') return invalid([{ field: 'trait.to', message: `is not accepted: ${message}` }])
  if (code === 'not_raised') return conflict('trait_not_raised', `${message}. Name a higher value.`)
  if (code === 'not_for_experience') return conflict('not_for_experience', `${message}.`)
  return conflict('needs_not_met', `${message}.`)
}

/** Rejects a price that no entry can have. Only many steps at once come to that much. */
export function refuseTooMuch({ cost }: Price): void {
  if (Math.abs(cost) > MAX_AMOUNT)
    invalid([{ field: 'trait.to', message: `costs more than ${MAX_AMOUNT} at once: raise the trait in smaller steps` }])
}

/**
 * Returns what a raise costs, below 0 if it gives experience. A client that showed another price to a player gets a conflict, so that nobody pays more than they
 * were shown. Storytellers may ask for any amount, and so may everybody where the ruleset only advises.
 */
export function agreedCost(
  name: string,
  { from, to, cost }: Price,
  amount: number | undefined,
  { isStoryteller, ruleset_mode }: Pick<CampaignAccess, 'isStoryteller' | 'ruleset_mode'>,
): number {
  if (amount === undefined || amount === cost) return cost
  if (amount >= 0 && (isStoryteller || ruleset_mode === 'ADVISORY')) return amount
  return conflict('price_changed', `${name} from ${from} to ${to} costs ${cost}, not ${amount}. Read costs again.`)
}
