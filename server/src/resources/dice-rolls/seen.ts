import { NOBODY } from '../../core/ids.ts'
import { type Sight, seen, seesSheet } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Actor, Caller } from '../../http/caller.ts'
import { isReachable, joinMembership, sightAcross } from '../campaigns/path-resource.ts'
import { COUNTED } from './tally-statements.ts'

/**
 * Joins a row that a roll refers to, looked up roll by roll. Without the fence (OFFSET 0) a plan may begin with all rows of the company: it
 * is made once for all companies, and the average one has few.
 */
const joinFenced = (company_id: string, table: string, as: 'campaign' | 'subject', columns: string[]): Sql => sql`
  LEFT JOIN LATERAL (
    SELECT ${sql.join(columns.map(sql.id), ', ')} FROM ${sql.id(table)} t
    WHERE t.company_id = ${company_id} AND t.id = x.${as === 'campaign' ? sql`campaign_id` : sql`character_id`} OFFSET 0
  ) ${sql.id(as)} ON true`

/** Joins the rows that decide which users see the rolls, or tallies of rolls, `x`: the campaign, the membership in it, and the character. */
export const joinVisibility = ({ company_id, id }: Actor) => sql`
  ${joinFenced(company_id, 'campaigns', 'campaign', ['id', 'user_id', 'access', 'joining', 'date_archived'])}
  ${joinMembership(company_id, sql`${id}`)}
  ${joinFenced(company_id, 'characters', 'subject', ['id', 'user_id', 'visibility', 'sheet_visibility'])}`

/** The condition on those rows: the campaign is live and exists for the actor, and neither the character nor the roll is hidden from the actor. */
export function visibleRolls(actor: Actor): Sql {
  const sight = sightAcross({ actor, permission: null })
  return sql`campaign.date_archived IS NULL AND ${isReachable(sight.all)}
    AND (subject.id IS NULL OR ${seen(sight, sql`subject.visibility`)}) AND ${seen(sight, sql`x.visibility`, sql`x.user_id`)}`
}

/** The condition on those rows that the actor sees the traits of the roll: there is no character, or its sheet is not hidden. */
export const showsTraits = (actor: Actor): Sql => isSheetShown(sightAcross({ actor, permission: null }))
const isSheetShown = (sight: Sight) => sql`(subject.id IS NULL OR ${seesSheet(sight, sql`subject`)})`

/**
 * Selects tallies that are added to the result (1), subtracted from it (-1), or neither (0). Their traits have a sign of their own: the rolls for
 * a character count for everybody who sees them, and the traits in them only for those who see the sheet.
 */
const selectTallies = (sign: 1 | 0 | -1, ofTraits = sql.number(sign)) =>
  sql`SELECT x.id, ${sql.number(sign)} AS sign, ${ofTraits} AS trait_sign, ${sql.join(
    COUNTED.map((name) => sql`x.${sql.id(name)}`),
    ', ',
  )}`

const oneIf = (condition: Sql) => sql`CASE WHEN ${condition} THEN 1 ELSE 0 END`

/** The tallies of one user, campaign or character. A tally is visible to the users who see its rolls. */
export const visibleTalliesWhere = (
  actor: Actor,
  condition: Sql,
) => sql`${selectTallies(1, oneIf(showsTraits(actor)))} FROM dice_tallies x ${joinVisibility(actor)}
  WHERE x.company_id = ${actor.company_id} AND ${condition} AND ${visibleRolls(actor)}`

/** The pieces of SQL that the fragments below share, for one caller. */
interface Viewer {
  company_id: string
  user_id: Sql
  /** True for the row `campaign` if the caller is its storyteller. */
  isStoryteller: Sql
  joinCampaign: Sql
  /** True for the row `subject` if the caller sees the sheet of that character. */
  showsSheet: Sql
}

/** The callers for whom these fragments are made do not see everything. */
const REACHABLE = isReachable(sql`false`)

/** Tallies of one user in one campaign, as opposed to those of the whole company. */
const isOfOneUser = ({ company_id }: Viewer) => sql`x.company_id = ${company_id} AND x.user_id IS NOT NULL`
const joinCharacter = ({ company_id }: Viewer) =>
  sql`LEFT JOIN characters subject ON subject.company_id = ${company_id} AND subject.id = x.character_id`

/** The tallies of the whole company, which exist once per visibility. */
const companyTallies = ({ company_id }: Viewer, visibility: Sql) =>
  sql`${selectTallies(1)} FROM dice_tallies x WHERE x.company_id = ${company_id} AND x.user_id IS NULL ${visibility}`

/** Rolls in archived campaigns count for nobody. */
const minusArchivedCampaigns = (viewer: Viewer, visibility: Sql) =>
  sql`UNION ALL ${selectTallies(-1)} FROM dice_tallies x ${viewer.joinCampaign}
    WHERE ${isOfOneUser(viewer)} AND campaign.date_archived IS NOT NULL ${visibility}`

/** Rolls in private campaigns count for their members only. */
const minusPrivateCampaigns = (viewer: Viewer) =>
  sql`UNION ALL ${selectTallies(-1)} FROM dice_tallies x ${viewer.joinCampaign}
    WHERE ${isOfOneUser(viewer)} AND x.visibility = 'PUBLIC' AND campaign.access = 'MEMBERS' AND campaign.date_archived IS NULL AND NOT ${REACHABLE}`

/** Secret rolls in campaigns that the caller runs. */
function plusCampaignsTheyRun(viewer: Viewer): Sql {
  const { company_id, user_id, isStoryteller, joinCampaign } = viewer
  const runByCaller = sql`x.campaign_id IN (SELECT id FROM campaigns WHERE company_id = ${company_id} AND user_id = ${user_id}
    UNION SELECT campaign_id FROM members WHERE company_id = ${company_id} AND user_id = ${user_id} AND role = 'STORYTELLER')`
  return sql`UNION ALL ${selectTallies(1)} FROM dice_tallies x ${joinCampaign}
    WHERE ${isOfOneUser(viewer)} AND x.visibility <> 'PUBLIC' AND ${runByCaller} AND campaign.date_archived IS NULL AND ${isStoryteller}`
}

/** Secret rolls that the caller made in campaigns of others that exist for them, unless for a hidden character. */
const plusOwnSecretRolls = (viewer: Viewer) => sql`
    UNION ALL ${selectTallies(1, oneIf(viewer.showsSheet))} FROM dice_tallies x ${viewer.joinCampaign} ${joinCharacter(viewer)}
    WHERE ${isOfOneUser(viewer)} AND x.visibility = 'STORYTELLER' AND x.user_id = ${viewer.user_id}
      AND (subject.id IS NULL OR subject.visibility = 'OPEN') AND campaign.date_archived IS NULL AND ${REACHABLE} AND NOT ${viewer.isStoryteller}`

/** Public rolls for characters that have been hidden since. */
const minusHiddenSince = (viewer: Viewer) => sql`
    UNION ALL ${selectTallies(-1)} FROM dice_tallies x ${viewer.joinCampaign} ${joinCharacter(viewer)}
    WHERE ${isOfOneUser(viewer)} AND x.visibility = 'PUBLIC' AND subject.visibility <> 'OPEN'
      AND campaign.date_archived IS NULL AND ${REACHABLE} AND NOT ${viewer.isStoryteller}`

/** The traits in public rolls for characters whose sheets are hidden from the caller, in campaigns that exist for them. */
const minusTraitsOfHiddenSheets = (viewer: Viewer) => sql`
    UNION ALL ${selectTallies(0, sql.number(-1))} FROM dice_tallies x ${viewer.joinCampaign} ${joinCharacter(viewer)}
    WHERE ${isOfOneUser(viewer)} AND x.visibility = 'PUBLIC' AND subject.visibility = 'OPEN' AND subject.sheet_visibility <> 'EVERYONE'
      AND campaign.date_archived IS NULL AND ${REACHABLE} AND NOT ${viewer.showsSheet}`

/**
 * The tallies of all rolls in a company that the caller may see. Callers who see everything get the tallies of the company without
 * archived campaigns; all others get the public ones of those, and the differences that concern them.
 */
export function visibleTallies({ actor, permission }: Pick<Caller, 'actor' | 'permission'>, company_id: string): Sql {
  const sight = sightAcross({ actor, permission })
  const { all, isStoryteller } = sight
  const user_id = sql`${actor?.id ?? NOBODY}::uuid`
  const joinCampaign = sql`JOIN campaigns campaign ON campaign.company_id = ${company_id} AND campaign.id = x.campaign_id
    ${joinMembership(company_id, user_id)}`
  const viewer: Viewer = {
    company_id,
    user_id,
    isStoryteller: sql`(${isStoryteller})::boolean`,
    joinCampaign,
    showsSheet: isSheetShown(sight),
  }
  if (all) return sql`${companyTallies(viewer, sql``)} ${minusArchivedCampaigns(viewer, sql``)}`
  const isPublic = sql`AND x.visibility = 'PUBLIC'`
  return sql`${companyTallies(viewer, isPublic)} ${minusArchivedCampaigns(viewer, isPublic)} ${minusPrivateCampaigns(viewer)}
    ${actor?.role === 'STORYTELLER' ? plusCampaignsTheyRun(viewer) : sql``} ${plusOwnSecretRolls(viewer)} ${minusHiddenSince(viewer)}
    ${minusTraitsOfHiddenSheets(viewer)}`
}
