import { conflict, notFound } from '../../core/problem.ts'
import type { Tx } from '../../db/client.ts'
import { seen } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { SecretRow } from '../../events/record.ts'
import { sightIn } from '../campaigns/path-resource.ts'
import { type SheetOwner, secretSheetOf } from '../characters/hidden-sheets.ts'
import type { CampaignContext } from '../characters/queries.ts'
import { namedIn, refuseNpcs } from './rules.ts'
import { type Award, MAX_RECIPIENTS } from './schema.ts'

/** A recipient of an award. `user_id` is the player of a character. */
export interface Recipient {
  user_id: string
  character_id: string | null
  amount: number
  /** The sheet of the character, which its award is part of. */
  sheet?: SecretRow | undefined
}

interface Found {
  id: string
  user_id: string | null
  character_id: string | null
  /** Null for a user. */
  sheet_visibility: SheetOwner['sheet_visibility'] | null
}

/**
 * Joins the campaign, if experience in it still belongs to what it belonged to when the caller was identified. The pipeline holds the
 * campaign, so after this statement that cannot change before the transaction ends.
 */
const joinCampaign = ({ actor, campaign }: CampaignContext) => sql`
  JOIN campaigns campaign ON campaign.company_id = ${actor.company_id} AND campaign.id = ${campaign.id}
    AND campaign.experience_per = ${campaign.experience_per}`

/** Selects live users, either the named ones or all members, and keeps them from being archived. */
const selectUsers = (context: CampaignContext, ids: string[] | undefined): Sql => {
  const { company_id } = context.actor
  const isLive = sql`u.company_id = ${company_id} AND u.date_archived IS NULL`
  const columns = sql`u.id, u.id AS user_id, NULL::uuid AS character_id, NULL AS sheet_visibility`
  return ids
    ? sql`SELECT ${columns} FROM users u ${joinCampaign(context)} WHERE ${isLive} AND u.id = ANY (${ids}::uuid[])
        ORDER BY u.id FOR KEY SHARE OF u`
    : sql`SELECT ${columns} FROM members m JOIN users u ON ${isLive} AND u.id = m.user_id ${joinCampaign(context)}
        WHERE m.company_id = ${company_id} AND m.campaign_id = ${context.campaign.id}
        ORDER BY m.user_id LIMIT ${sql.number(MAX_RECIPIENTS + 1)} FOR KEY SHARE OF u`
}

/** Selects live characters, either the named ones or all ACTIVE player characters, and keeps them from being archived. */
const selectCharacters = (context: CampaignContext, ids: string[] | undefined): Sql => {
  const { actor, campaign } = context
  const isChosen = ids ? sql`c.id = ANY (${ids}::uuid[])` : sql`c.type = 'PLAYER' AND c.status = 'ACTIVE'`
  return sql`
    SELECT c.id, c.user_id, c.id AS character_id, c.sheet_visibility FROM characters c ${joinCampaign(context)}
    WHERE c.company_id = ${actor.company_id} AND c.campaign_id = ${campaign.id} AND c.date_archived IS NULL AND ${isChosen}
      AND ${seen(sightIn(context), sql`c.visibility`)}
    ORDER BY c.id LIMIT ${sql.number(MAX_RECIPIENTS + 1)} FOR KEY SHARE OF c`
}

/**
 * Finds the recipients of an award, in the order of the request, and holds them live until the transaction ends. Returns undefined if
 * `experience_per` has changed since the caller was identified.
 */
export async function holdRecipients(db: Tx, context: CampaignContext, body: Award): Promise<Recipient[] | undefined> {
  const named = namedIn(body)
  const ids = named?.map(({ id }) => id)
  const isPerCharacter = context.campaign.experience_per === 'CHARACTER'
  const found = await db.query<Found>((isPerCharacter ? selectCharacters : selectUsers)(context, ids))
  if (found.length < (ids?.length ?? 1)) {
    if ((await experiencePerOf(db, context)) !== context.campaign.experience_per) return undefined
    return ids ? notFound(isPerCharacter ? 'Character' : 'User') : refuseNobody(isPerCharacter)
  }
  if (found.length > MAX_RECIPIENTS) refuseTooMany(isPerCharacter)
  refuseNpcs(found)
  const byId = new Map(found.map((one) => [one.id, one]))
  const all = named ?? found.map(({ id }) => ({ id, amount: body.amount as number }))
  return all.map(({ id, amount }) => {
    const { user_id, character_id, sheet_visibility } = byId.get(id) as Found
    const sheet = sheet_visibility ? secretSheetOf({ sheet_visibility, user_id }) : undefined
    return { user_id: user_id as string, character_id, amount, sheet }
  })
}

/** The current owner of experience in the campaign, which may have changed since the caller was identified. */
export async function experiencePerOf(db: Tx, { actor, campaign }: CampaignContext) {
  const [found] = await db.query<{ experience_per: CampaignContext['campaign']['experience_per'] }>(
    sql`SELECT experience_per FROM campaigns WHERE company_id = ${actor.company_id} AND id = ${campaign.id}`,
  )
  return found?.experience_per ?? notFound('Campaign')
}

const refuseNobody = (isPerCharacter: boolean) =>
  conflict(
    'no_recipients',
    isPerCharacter
      ? 'The campaign has no ACTIVE player character. Create one, or name the characters in awards.'
      : 'The campaign has no member. Add one, or name the users in user_ids.',
  )

const refuseTooMany = (isPerCharacter: boolean) =>
  conflict(
    'too_many_recipients',
    `The campaign has more than ${MAX_RECIPIENTS} ${isPerCharacter ? 'ACTIVE player characters' : 'members'}. Name at most ${MAX_RECIPIENTS} in ${isPerCharacter ? 'awards' : 'user_ids or awards'}, in several requests.`,
  )
