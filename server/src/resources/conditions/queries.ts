import { conflict, invalid, notFound } from '../../core/problem.ts'
import type { Tx } from '../../db/client.ts'
import { sightIn } from '../campaigns/path-resource.ts'
import type { InCampaign } from '../characters/hidden-sheets.ts'
import { characterFor, characters } from '../characters/queries.ts'
import { refuseBroken } from '../characters/ruled-sheet.ts'
import { type CharacterRow, MAX_CONDITIONS } from '../characters/schema.ts'
import { publishedRuleset } from '../ruleset-versions/compiled.ts'
import { followSheet } from '../trackers/ruled.ts'

interface Context extends InCampaign {
  character: { id: string }
}

/** Returns the highest level of a condition. */
async function highestOf(db: Tx, { actor, campaign }: Context, name: string): Promise<number> {
  if (!campaign.ruleset_version_id) return conflict('no_ruleset', 'The campaign has no ruleset, which would name its conditions.')
  const { document } = await publishedRuleset(db, { company_id: actor.company_id, id: campaign.ruleset_version_id })
  const { conditions = {} } = document
  return Object.hasOwn(conditions, name) ? (conditions[name]?.most ?? 1) : notFound('Condition')
}

/** Sets the level of a condition. */
export async function setCondition(db: Tx, context: Context, name: string, level: number) {
  const most = await highestOf(db, context, name)
  if (level > most) invalid([{ field: 'level', message: `must be 0 to ${most}` }])
  return writeLevel(db, context, name, level)
}

/** Ends a condition that the character has. */
export async function endCondition(db: Tx, context: Context, name: string) {
  await highestOf(db, context, name)
  return writeLevel(db, context, name, 0, ({ conditions }) => Object.hasOwn(conditions, name) || notFound('Condition'))
}

/** Writes a level. Level 0 is stored as no level. */
async function writeLevel(db: Tx, context: Context, name: string, level: number, check?: (row: CharacterRow) => unknown) {
  const { actor, campaign, character } = context
  const scope = { company_id: actor.company_id, campaign_id: campaign.id, id: character.id }
  const conditions = { [name]: level === 0 ? null : level } as Record<string, number>
  const refuse = (row: CharacterRow) => {
    check?.(row)
    if (level > 0 && !Object.hasOwn(row.conditions, name) && Object.keys(row.conditions).length >= MAX_CONDITIONS)
      conflict('too_many_conditions', `The character already has ${MAX_CONDITIONS} conditions, which is the maximum. End one first.`)
  }
  const change = await characters.seenBy(sightIn(context)).update(db, scope, { conditions }, refuse)
  await refuseBroken(db, context, change.before, change.after)
  return { ...change, reply: characterFor(context, change.after), sideEvents: await followSheet(db, context, change.after) }
}
