import type { Ruleset } from '@guildhall/rules/ruleset/compile'
import type { Tx } from '../../db/client.ts'
import type { InCampaign } from '../characters/hidden-sheets.ts'
import { createCharacter } from '../characters/queries.ts'
import { type CharacterCreate, MAX_TRAITS_BYTES } from '../characters/schema.ts'
import { followSheet } from '../trackers/ruled.ts'

/** Traits as they are stored. Where a sheet has no room for all, those with their default values are left out: they mean the same. */
function storedTraits(ruleset: Ruleset, traits: Readonly<Record<string, number>>): Record<string, number> {
  const all = Object.entries(traits)
  const kept =
    JSON.stringify(traits).length <= MAX_TRAITS_BYTES ? all : all.filter(([name, value]) => value !== ruleset.traits.get(name)?.default)
  return Object.fromEntries(kept)
}

/** Creates a character that the rules of its campaign made, with the trackers of the ruleset. */
export async function createByRules(
  db: Tx,
  context: InCampaign,
  ruleset: Ruleset,
  { traits, ...body }: Omit<CharacterCreate, 'status' | 'details' | 'sheet_visibility'>,
) {
  const created = await createCharacter(db, context, {
    ...body,
    traits: storedTraits(ruleset, traits),
    status: 'ACTIVE',
    details: {},
    sheet_visibility: 'EVERYONE',
  })
  return { ...created, sideEvents: [...created.sideEvents, ...(await followSheet(db, context, created.after))] }
}
