import { NOBODY } from '../../core/ids.ts'
import type { Sight } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Actor, Caller } from '../../http/caller.ts'
import { jsonOf, pathResource, USER } from '../../http/path.ts'
import { enter, mayWrite } from './membership.ts'
import type { Campaign } from './schema.ts'

/** The access of the acting user to a campaign. */
export interface CampaignAccess {
  id: string
  /** The owner of the campaign. */
  user_id: string
  /** The acting user is a storyteller of the campaign, or an ADMIN. */
  isStoryteller: boolean
  /** The acting user is a member of the campaign. */
  isMember: boolean
  joining: 'OPEN' | 'INVITE'
  /** The owner of experience in the campaign: each user, or each character. */
  experience_per: Campaign['experience_per']
  /** The users besides storytellers who change the traits of a player character. */
  trait_changes: Campaign['trait_changes']
  /** The version of a ruleset that the campaign is played by, and how strictly. */
  ruleset_version_id: Campaign['ruleset_version_id']
  ruleset_mode: Campaign['ruleset_mode']
}

/**
 * True if a user is a storyteller of a campaign: they own it or are a STORYTELLER member of it, and their role in the company is at least
 * STORYTELLER; ADMINs always are. Reads the row `campaign`, and `member` for the membership.
 */
export const isStoryteller = (role: Sql, user_id: Sql) =>
  sql`(${role} = 'ADMIN' OR (${role} = 'STORYTELLER' AND (campaign.user_id = ${user_id} OR member.role IS NOT DISTINCT FROM 'STORYTELLER')))`

/** Joins the membership of a user in the row `campaign`, if there is one. */
export const joinMembership = (company_id: string, user_id: Sql) => sql`
  LEFT JOIN members member
    ON member.company_id = ${company_id} AND member.campaign_id = campaign.id AND member.user_id = ${user_id}`

/**
 * True if the row `campaign` exists for a user: every campaign does for ADMINs, a private one only for its members, and the owner is one of
 * them. Reads `member` for the membership. A row that belongs to no campaign exists, too.
 */
export const isReachable = (all: boolean | Sql) =>
  sql`((${all})::boolean OR campaign.access IS DISTINCT FROM 'MEMBERS' OR member.user_id IS NOT NULL)`

/** A campaign that exists for the acting user. Whoever writes below it becomes a member, if the campaign is open. */
export const campaign = pathResource(USER, 'campaigns', {
  name: 'campaign',
  table: 'campaigns',
  join: (id, company_id) =>
    sql`LEFT JOIN campaigns campaign ON campaign.company_id = ${company_id} AND campaign.id = ${id} AND campaign.date_purged IS NULL
      ${joinMembership(company_id, sql`u.id`)}`,
  row: jsonOf<CampaignAccess>(
    sql`CASE WHEN campaign.id IS NOT NULL AND ${isReachable(sql`u.role = 'ADMIN'`)} THEN json_build_object('id', campaign.id, 'user_id', campaign.user_id,
    'isStoryteller', ${isStoryteller(sql`u.role`, sql`u.id`)}, 'isMember', member.user_id IS NOT NULL, 'joining', campaign.joining,
    'experience_per', campaign.experience_per, 'trait_changes', campaign.trait_changes,
    'ruleset_version_id', campaign.ruleset_version_id, 'ruleset_mode', campaign.ruleset_mode,
    'archived', campaign.date_archived IS NOT NULL) END`,
  ),
  writers: { may: mayWrite, emits: ['member.added'], enter },
})

/** The sight of the acting user within one campaign. */
export const sightIn = ({ actor, campaign }: { actor: Actor; campaign: CampaignAccess }): Sight => ({
  all: actor.role === 'ADMIN',
  isStoryteller: campaign.isStoryteller,
  user_id: actor.id,
})

/** The sight of a caller across campaigns, which depends on the row `campaign`. Without an acting user, the key's permission decides. */
export const sightAcross = ({ actor, permission }: Pick<Caller, 'actor' | 'permission'>): Sight => ({
  all: actor ? actor.role === 'ADMIN' : permission === 'ADMIN' || permission === 'OWNER',
  isStoryteller: actor ? isStoryteller(sql`${actor.role}::text`, sql`${actor.id}::uuid`) : false,
  user_id: actor?.id ?? NOBODY,
})
