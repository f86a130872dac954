import { mergePatch } from '../../core/json.ts'
import { forbidden, notFound } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { seesSheet as isSheetSeen, seen } from '../../db/sight.ts'
import { sql } from '../../db/sql.ts'
import { secretTable } from '../../db/table.ts'
import type { EventDraft } from '../../events/record.ts'
import type { Actor } from '../../http/caller.ts'
import { addMember } from '../campaigns/membership.ts'
import { type CampaignAccess, sightIn } from '../campaigns/path-resource.ts'
import { holdUser } from '../users/queries.ts'
import { cutDetails, recordedChange } from './details.ts'
import { refuseBroken } from './ruled-sheet.ts'
import { deathOf, refuseTraitsOnCreate, refuseUnfit, seesSheet } from './rules.ts'
import { type Character, type CharacterCreate, type CharacterPatch, CharacterRow, SHEET_FIELDS } from './schema.ts'

export const characters = secretTable('characters', CharacterRow, {
  noun: 'Character',
  texts: ['concept', 'biography'],
  hides: { fields: SHEET_FIELDS, unless: isSheetSeen },
  cuts: (row) => ({ details: cutDetails(row) }),
  references: { users: 'user_id' },
  partOf: { campaigns: 'campaign_id' },
  purges: true,
})

/** The acting user and the campaign of the path. */
export interface CampaignContext {
  actor: Actor
  campaign: CampaignAccess
}

const keyOf = ({ actor, campaign }: CampaignContext, id: string) => ({ company_id: actor.company_id, campaign_id: campaign.id, id })

/** A row as the acting user sees it: the reply to a write. */
export const characterFor = (context: CampaignContext, row: CharacterRow): Character =>
  seesSheet(context, row) ? row : { ...row, traits: null, details: null, choices: null, conditions: null }

/** Checks, before a stored reply with a sheet is replayed, that the acting user still sees the character and its sheet. */
export async function refuseSheetReplay(db: Db, context: CampaignContext, { id, traits }: Character): Promise<void> {
  if (traits === null) return
  const sight = sightIn(context)
  const [found] = await db.query<Record<'isSeen' | 'seesSheet', boolean>>(sql`
    SELECT ${seen(sight, sql`x.visibility`)} AS "isSeen", ${isSheetSeen(sight, sql`x`)} AS "seesSheet" FROM characters x
    WHERE x.company_id = ${context.actor.company_id} AND x.id = ${id}`)
  if (found && !found.isSeen) notFound('Character')
  if (!found?.seesSheet) forbidden({ reason: 'hidden_sheet' })
}

/** Adds the player of a character to the members of the campaign, unless they are one. An NPC has no player. */
async function addPlayer(db: Tx, { actor, campaign }: CampaignContext, user_id: string | null): Promise<EventDraft<'member.added'>[]> {
  if (user_id === null) return []
  if (user_id !== actor.id) await holdUser(db, actor.company_id, user_id)
  return addMember(db, { company_id: actor.company_id, campaign_id: campaign.id, user_id, role: 'PLAYER' })
}

export async function createCharacter(db: Tx, context: CampaignContext, body: CharacterCreate) {
  const { actor, campaign } = context
  refuseTraitsOnCreate(context, body)
  const user_id = body.user_id === undefined && body.type === 'PLAYER' ? actor.id : (body.user_id ?? null)
  const values = { ...body, user_id, date_died: deathOf(null, body.status, db.now()) }
  refuseUnfit(values)
  const sideEvents = await addPlayer(db, context, user_id)
  const change = await characters.seenBy(sightIn(context)).insert(db, { ...values, company_id: actor.company_id, campaign_id: campaign.id })
  await refuseBroken(db, context, null, change.after)
  return { ...change, sideEvents, reply: characterFor(context, change.after) }
}

export async function updateCharacter(db: Tx, context: CampaignContext, id: string, patch: CharacterPatch) {
  let sideEvents: EventDraft<'member.added'>[] = []
  const change = await characters.seenBy(sightIn(context)).update(
    db,
    keyOf(context, id),
    (before) => ({ ...(patch as Partial<CharacterRow>), date_died: deathOf(before, patch.status ?? before.status, db.now()) }),
    async (before) => {
      const traits = mergePatch(before.traits, patch.traits ?? {}) as CharacterRow['traits']
      const details = mergePatch(before.details, patch.details ?? {}) as CharacterRow['details']
      const choices = mergePatch(before.choices, patch.choices ?? {}) as CharacterRow['choices']
      const after = { ...before, ...patch, traits, details, choices }
      refuseUnfit(after)
      if (after.user_id !== before.user_id) sideEvents = await addPlayer(db, context, after.user_id)
    },
  )
  if (patch.traits || patch.choices) await refuseBroken(db, context, change.before, change.after)
  const hasDied = change.before.status !== 'DEAD' && change.after.status === 'DEAD'
  const event = hasDied ? ('character.died' as const) : ('character.updated' as const)
  return { ...recordedChange(change), sideEvents, event, reply: characterFor(context, change.after) }
}

/** Sets a trait of a character, or removes it with null. `check` reads the locked character and may reject the change. */
export async function setTrait(
  db: Tx,
  context: CampaignContext,
  id: string,
  name: string,
  value: number | null,
  check: (character: CharacterRow) => void | Promise<void>,
) {
  const seen = characters.seenBy(sightIn(context))
  const change = await seen.update(db, keyOf(context, id), { traits: { [name]: value } } as never, async (before) => {
    await check(before)
    refuseUnfit({ ...before, traits: mergePatch(before.traits, { [name]: value }) as CharacterRow['traits'] })
  })
  await refuseBroken(db, context, change.before, change.after)
  return change
}

/** Reads a live character and keeps it live until the transaction ends. */
export const holdCharacter = (db: Tx, context: CampaignContext, id: string) =>
  characters.seenBy(sightIn(context)).hold(db, keyOf(context, id))

export const archiveCharacter = (db: Tx, context: CampaignContext, id: string) =>
  characters.seenBy(sightIn(context)).archive(db, keyOf(context, id))

export async function restoreCharacter(db: Tx, context: CampaignContext, id: string) {
  const change = await characters.seenBy(sightIn(context)).restore(db, keyOf(context, id))
  return { ...change, reply: characterFor(context, change.after) }
}
