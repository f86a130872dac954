import { NOBODY } from '../../core/ids.ts'
import type { Sight } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Actor, Caller } from '../../http/caller.ts'
import { sightAcross } from './path-resource.ts'

/** A caller who reads rows of many campaigns of a company: an acting user, or a key without one. */
export interface Viewer extends Pick<Caller, 'actor' | 'permission'> {
  company_id: string
  /**
   * A member whose memberships open private campaigns to the acting user, who is nobody in particular: what several players in the same campaigns see.
   * Nobody is a storyteller because of it.
   */
  member_id?: string
}

/** Describes operations on a company that need no acting user. */
export const WITHOUT_USER =
  'With On-Behalf-Of, lists what this user may see. Without it, a key with permission ADMIN sees everything, and a key with permission USER sees what a player who is in no campaign may see.'

/** The viewer that an acting user is, whatever the permission of the key. */
export const viewerOf = (actor: Actor): Viewer => ({ company_id: actor.company_id, actor, permission: null })

/** The id of the acting user, or that of nobody. */
export const actorIdOf = ({ actor }: Viewer): string => actor?.id ?? NOBODY

/** The id of the user whose memberships open private campaigns to the viewer. */
export const memberIdOf = (viewer: Viewer): string => viewer.member_id ?? actorIdOf(viewer)

/** The condition that a row of `campaigns` is not a private one of others: `isReachable` for statements that do not join the membership. */
export const reaches = (
  viewer: Viewer,
  campaign: Sql,
): Sql => sql`((${sightAcross(viewer).all})::boolean OR ${campaign}.access IS DISTINCT FROM 'MEMBERS'
  OR EXISTS (SELECT FROM members own WHERE own.company_id = ${viewer.company_id} AND own.campaign_id = ${campaign}.id AND own.user_id = ${memberIdOf(viewer)}))`

/**
 * The condition that a row of `campaigns` exists for a viewer. Every read across campaigns asks it: lists, totals, rolls, tallies and search.
 * It is also true if the row was joined to something that is in no campaign.
 */
export const seesCampaign = (viewer: Viewer, campaign: Sql): Sql => sql`${campaign}.date_archived IS NULL AND ${reaches(viewer, campaign)}`

/**
 * The condition that the campaign with this id exists for a viewer; true without an id. This is a subquery for each row instead of a join, so
 * that it runs only for rows that pass the cheaper conditions, and stops when enough rows are found.
 */
export const seesCampaignOf = (viewer: Viewer, campaign_id: Sql): Sql => sql`coalesce((
  SELECT ${seesCampaign(viewer, sql`campaign`)} FROM campaigns campaign
  WHERE campaign.company_id = ${viewer.company_id} AND campaign.id = ${campaign_id}), true)`

/** Selects the campaigns that a user is a member of, archived ones too. The owner of a campaign is always a member. */
export const campaignsOf = ({ company_id, id }: Actor): Sql =>
  sql`SELECT joined.campaign_id FROM members joined WHERE joined.company_id = ${company_id} AND joined.user_id = ${id}`

/** Selects the campaigns in which the viewer sees what storytellers see, if the role of the acting user lets them be a storyteller. */
export function campaignsToldBy({ company_id, actor }: Viewer): Sql {
  if (actor?.role !== 'STORYTELLER') return sql`SELECT NULL::uuid AS id`
  return sql`SELECT own.id FROM campaigns own WHERE own.company_id = ${company_id} AND own.user_id = ${actor.id}
    UNION SELECT told.campaign_id FROM members told WHERE told.company_id = ${company_id} AND told.user_id = ${actor.id} AND told.role = 'STORYTELLER'`
}

/**
 * The sight of a viewer on rows of many campaigns, by the campaign id of the row: for statements that do not join the row `campaign`, which
 * `sightAcross` needs. `told` selects the campaigns of a storyteller, which is done once for all rows.
 */
export function sightBy(viewer: Viewer, campaign_id: Sql, told = campaignsToldBy(viewer)): Sight {
  const { actor } = viewer
  return { ...sightAcross(viewer), isStoryteller: actor?.role === 'STORYTELLER' ? sql`${campaign_id} IN (${told})` : false }
}
