import type { Sight } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Actor, Caller, Place } from '../../http/operation.ts'

/** How the acting user stands to a campaign. */
export interface Standing {
  id: string
  /** Who owns it. */
  user_id: string
  /** Whether it is one of the acting user's own campaigns to tell, or they are an ADMIN. */
  tells: boolean
}

/**
 * Whether a user tells a campaign: they own it or are a STORYTELLER member of it, while their role in the company allows
 * that. Reads the row `campaign`, and `member` for their membership.
 */
export const tells = (role: Sql, user_id: Sql) =>
  sql`(${role} = 'ADMIN' OR (${role} = 'STORYTELLER' AND (campaign.user_id = ${user_id} OR member.role IS NOT DISTINCT FROM 'STORYTELLER')))`

/** The membership of a user in the row `campaign`, if there is one. */
export const membership = (user_id: Sql) => sql`
  LEFT JOIN members member
    ON member.company_id = campaign.company_id AND member.campaign_id = campaign.id AND member.user_id = ${user_id}`

/** Every user of the company may see every campaign. */
export const campaign: Place<'campaign', Standing> = {
  name: 'campaign',
  table: 'campaigns',
  join: (id) =>
    sql`LEFT JOIN campaigns campaign ON campaign.company_id = c.id AND campaign.id = ${id} AND campaign.date_purged IS NULL ${membership(sql`u.id`)}`,
  row: sql`CASE WHEN campaign.id IS NOT NULL THEN json_build_object('id', campaign.id, 'user_id', campaign.user_id,
    'tells', ${tells(sql`u.role`, sql`u.id`)}, 'archived', campaign.date_archived IS NOT NULL) END`,
}

/** What the acting user sees of what is in a campaign. */
export const sightIn = ({ actor, campaign }: { actor: Actor; campaign: Standing }): Sight => ({
  all: actor.role === 'ADMIN',
  tells: campaign.tells,
  user_id: actor.id,
})

/** The same across campaigns, where it depends on the row `campaign`. Without an actor the key decides. */
export const sightAcross = ({ actor, permission }: Pick<Caller, 'actor' | 'permission'>): Sight => ({
  all: actor ? actor.role === 'ADMIN' : permission === 'ADMIN' || permission === 'OWNER',
  tells: actor ? tells(sql`${actor.role}::text`, sql`${actor.id}::uuid`) : false,
  user_id: actor?.id ?? null,
})
