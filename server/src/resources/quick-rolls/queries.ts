import { NOBODY } from '../../core/ids.ts'
import type { Listed } from '../../core/page.ts'
import { notFound } from '../../core/problem.ts'
import { fold } from '../../core/text.ts'
import type { Db, Tx } from '../../db/client.ts'
import { seen, seesSheet } from '../../db/sight.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import type { Actor } from '../../http/caller.ts'
import { type CampaignAccess, isReachable, joinMembership, sightAcross } from '../campaigns/path-resource.ts'
import type { CharacterAccess } from '../characters/path-resource.ts'
import { createRolls } from '../dice-rolls/create.ts'
import { mayRestore, overridden, patchedContent, refuseUnfit, replacing } from './rules.ts'
import { CONTENT_FIELDS, QuickRoll, type QuickRollByName, type QuickRollCreate, type QuickRollPatch, type QuickRollRoll } from './schema.ts'

const TAKEN = 'already has a quick roll with this name. Change that one, or choose another name.'

const quickRolls = table('quick_rolls', QuickRoll, {
  noun: 'Quick roll',
  partOf: { users: 'user_id', campaigns: 'campaign_id', characters: 'character_id' },
  conflicts: {
    quick_rolls_name: { columns: ['user_id', 'name_key'], message: `The user ${TAKEN}` },
    quick_rolls_name_of_character: { columns: ['character_id', 'name_key'], message: `The character ${TAKEN}` },
    quick_rolls_name_of_campaign: { columns: ['campaign_id', 'name_key'], message: `The campaign ${TAKEN}` },
  },
})
/** Quick rolls of characters have a campaign, too. */
const ofCampaigns = quickRolls.where(sql`character_id IS NULL`)

/** The acting user, and the character or campaign that has the quick rolls. Without these, it is the user, who reaches only their own. */
export interface QuickRollContext {
  actor: Actor
  campaign?: CampaignAccess
  character?: CharacterAccess & { id: string }
}

function rowsOf({ actor: { company_id, id: user_id }, campaign, character }: QuickRollContext) {
  if (character) return { rows: quickRolls, scope: { company_id, character_id: character.id } }
  return campaign
    ? { rows: ofCampaigns, scope: { company_id, campaign_id: campaign.id } }
    : { rows: quickRolls, scope: { company_id, user_id } }
}

export function listQuickRolls(db: Db, context: QuickRollContext, listed: Listed) {
  const { rows, scope } = rowsOf(context)
  return rows.list(db, scope, listed, { restorable: mayRestore(context) })
}

export function getQuickRoll(db: Db, context: QuickRollContext, id: string) {
  const { rows, scope } = rowsOf(context)
  return rows.get(db, { ...scope, id })
}

export function createQuickRoll(db: Tx, context: QuickRollContext, body: QuickRollCreate) {
  refuseUnfit(body)
  const { rows, scope } = rowsOf(context)
  const unset = Object.fromEntries(CONTENT_FIELDS.map((field) => [field, null]))
  return rows.insert(db, { ...unset, ...body, ...(context.campaign && { campaign_id: context.campaign.id }), ...scope })
}

export async function updateQuickRoll(db: Tx, context: QuickRollContext, id: string, patch: QuickRollPatch) {
  const { rows, scope } = rowsOf(context)
  return rows.update(db, { ...scope, id }, (before) => {
    const content = patchedContent(before, patch)
    refuseUnfit(content)
    const replaced = Object.entries(content).map(([field, value]) => [field, replacing(before[field as keyof QuickRoll], value)])
    return { ...(Object.fromEntries(replaced) as typeof content), ...(patch.name !== undefined && { name: patch.name }) }
  })
}

export function archiveQuickRoll(db: Tx, context: QuickRollContext, id: string) {
  const { rows, scope } = rowsOf(context)
  return rows.archive(db, { ...scope, id })
}

export function restoreQuickRoll(db: Tx, context: QuickRollContext, id: string) {
  const { rows, scope } = rowsOf(context)
  return rows.restore(db, { ...scope, id })
}

function rollSaved(db: Tx, actor: Actor, saved: QuickRoll, body: QuickRollRoll) {
  const { modifier, difficulty, desperation_dice, target, values, missing, ...context } = body
  const comment = context.comment === undefined ? saved.name : context.comment
  const overrides = { modifier, difficulty, desperation_dice, target, values, missing }
  return createRolls(db, actor, { ...context, comment, ...overridden(saved, overrides) })
}

/** Rolls a quick roll. That of a character or campaign is rolled for it. */
export async function rollQuickRoll(db: Tx, context: QuickRollContext, id: string, body: QuickRollRoll) {
  const { actor, campaign, character } = context
  const saved = await getQuickRoll(db, context, id)
  return rollSaved(db, actor, saved, {
    ...body,
    ...(campaign && { campaign_id: campaign.id }),
    ...(character && { character_id: character.id }),
  })
}

/**
 * Finds a quick roll by its name: of the character, of the acting user, or of the campaign, in this order. A character, sheet or campaign that the
 * user does not see has none.
 */
async function findByName(db: Db, actor: Actor, { name, campaign_id, character_id }: QuickRollByName): Promise<QuickRoll> {
  const { company_id } = actor
  const sight = sightAcross({ actor, permission: null })
  const sees = sql`coalesce(subject.campaign_id = campaign.id AND ${seen(sight, sql`subject.visibility`)}, false)`
  const isNamed = sql`q.company_id = ${company_id} AND q.name_key = ${fold(name)} AND q.date_archived IS NULL`
  const [found] = await db.query<QuickRoll>(sql`
    SELECT ${quickRolls.columns} FROM (
      SELECT CASE WHEN ${isReachable(sight.all)} AND ${sees} AND ${seesSheet(sight, sql`subject`)} THEN subject.id END AS of_character,
        CASE WHEN ${isReachable(sight.all)} AND (${campaign_id !== undefined}::boolean OR ${sees}) THEN campaign.id END AS of_campaign
      FROM (SELECT 1) one
      LEFT JOIN characters subject ON subject.company_id = ${company_id} AND subject.id = ${character_id ?? NOBODY} AND subject.date_archived IS NULL
      LEFT JOIN campaigns campaign ON campaign.company_id = ${company_id} AND campaign.date_archived IS NULL
        AND campaign.id = coalesce(${campaign_id ?? null}::uuid, subject.campaign_id)
      ${joinMembership(company_id, sql`${actor.id}`)}
    ) here CROSS JOIN LATERAL (
      SELECT 1 AS rank, q.* FROM quick_rolls q WHERE ${isNamed} AND q.character_id = of_character
      UNION ALL SELECT 2, q.* FROM quick_rolls q WHERE ${isNamed} AND q.user_id = ${actor.id}
      UNION ALL SELECT 3, q.* FROM quick_rolls q WHERE ${isNamed} AND q.campaign_id = of_campaign AND q.character_id IS NULL
    ) found ORDER BY rank LIMIT 1`)
  return found ?? notFound('Quick roll')
}

export async function rollByName(db: Tx, actor: Actor, { name, ...body }: QuickRollByName) {
  return rollSaved(db, actor, await findByName(db, actor, { name, ...body }), body)
}
