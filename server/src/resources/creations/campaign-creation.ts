import type { Ruleset } from '@guildhall/rules/ruleset/compile'
import { conflict, type Fault, invalid } from '../../core/problem.ts'
import type { Db } from '../../db/client.ts'
import type { InCampaign } from '../characters/hidden-sheets.ts'
import { publishedRuleset } from '../ruleset-versions/compiled.ts'

export const CREATION_CONFLICTS = {
  no_ruleset: 'The campaign has no ruleset',
  no_creation: 'The ruleset of the campaign does not say how a character is created',
}

/** Returns the ruleset of a campaign, if characters can be created by it. */
export async function creationRuleset(db: Db, { actor, campaign }: InCampaign): Promise<{ ruleset: Ruleset; version_id: string }> {
  const version_id = campaign.ruleset_version_id
  if (!version_id) return conflict('no_ruleset', 'The campaign has no ruleset, by which characters would be created.')
  const ruleset = await publishedRuleset(db, { company_id: actor.company_id, id: version_id })
  if (ruleset.creation.length === 0)
    conflict('no_creation', 'The ruleset of the campaign has no `creation`, which says how a character is created.')
  return { ruleset, version_id }
}

const oneOf = (names: string[], none: string) => (names.length ? `must be one of ${names.join(', ')}` : `must not be sent: ${none}`)

/** Rejects options and tiers that the ruleset does not have, naming those that it has. */
export function refuseUnknown({ document }: Ruleset, { choices = {}, tier }: { choices?: Record<string, string>; tier?: string }): void {
  const { choices: slots = {}, creation: { tiers = {} } = {} } = document
  const faults: Fault[] = []
  for (const [slot, option] of Object.entries(choices)) {
    const field = `choices.${slot}`
    if (!Object.hasOwn(slots, slot)) faults.push({ field, message: `is no choice of the ruleset. ${listed(Object.keys(slots))}` })
    else if (!Object.hasOwn(slots[slot]?.options ?? {}, option))
      faults.push({ field, message: oneOf(Object.keys(slots[slot]?.options ?? {}), 'it has no options') })
  }
  if (tier !== undefined && !Object.hasOwn(tiers, tier))
    faults.push({ field: 'tier', message: oneOf(Object.keys(tiers), 'the ruleset has no tiers') })
  if (faults.length) invalid(faults)
}

const listed = (names: string[]) => (names.length ? `It has ${names.join(', ')}` : 'It has none')
