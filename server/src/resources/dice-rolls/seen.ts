import { type Sight, seen, seesSheet } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { actorIdOf, campaignsToldBy, seesCampaign, type Viewer } from '../campaigns/across.ts'
import { joinMembership, sightAcross } from '../campaigns/path-resource.ts'
import { COUNTED } from './tally-counts.ts'
import { queuedColumns } from './tally-queue.ts'

const CAMPAIGN = sql`campaign`

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
export const joinVisibility = (viewer: Viewer) => sql`
  ${joinFenced(viewer.company_id, 'campaigns', 'campaign', ['id', 'user_id', 'access', 'joining', 'date_archived'])}
  ${joinMembership(viewer.company_id, sql`${actorIdOf(viewer)}`)}
  ${joinFenced(viewer.company_id, 'characters', 'subject', ['id', 'user_id', 'visibility', 'sheet_visibility'])}`

/** The condition on those rows: the viewer sees the campaign, and neither the character nor the roll is hidden from them. */
export function visibleRolls(viewer: Viewer): Sql {
  const sight = sightAcross(viewer)
  return sql`${seesCampaign(viewer, CAMPAIGN)}
    AND (subject.id IS NULL OR ${seen(sight, sql`subject.visibility`)}) AND ${seen(sight, sql`x.visibility`, sql`x.user_id`)}`
}

/** The condition on those rows that the viewer sees the traits of the roll: there is no character, or its sheet is not hidden. */
export const showsTraits = (viewer: Viewer): Sql => isSheetShown(sightAcross(viewer))
const isSheetShown = (sight: Sight) => sql`(subject.id IS NULL OR ${seesSheet(sight, sql`subject`)})`

/**
 * Selects tallies that are added to the result (1), subtracted from it (-1), or neither (0). Their traits have a sign of their own: the rolls for
 * a character count for everybody who sees them, and the traits in them only for those who see the sheet.
 */
const selectTallies = (sign: 1 | 0 | -1, ofTraits = sql.number(sign)) =>
  sql`SELECT x.id, NULL::date AS day, NULL::jsonb AS faces, NULL::jsonb AS traits, ${sql.number(sign)} AS sign, ${ofTraits} AS trait_sign, ${sql.join(
    COUNTED.map((name) => sql`x.${sql.id(name)}`),
    ', ',
  )}`

const oneIf = (condition: Sql) => sql`CASE WHEN ${condition} THEN 1 ELSE 0 END`

/** The additions that are not in the tallies yet, as tallies of their own: with their day, faces and traits, which stored tallies have in other tables. */
const plusQueued = (viewer: Viewer, condition: Sql) =>
  sql`UNION ALL SELECT x.id, x.day, x.faces, x.traits, 1 AS sign, ${oneIf(showsTraits(viewer))} AS trait_sign, ${queuedColumns}
  FROM tally_queue x ${joinVisibility(viewer)}
  WHERE x.company_id = ${viewer.company_id} AND ${condition} AND ${visibleRolls(viewer)}`

/** The tallies of one user, campaign or character. A tally is visible to the users who see its rolls. */
export const visibleTalliesWhere = (viewer: Viewer, condition: Sql) =>
  sql`${selectTallies(1, oneIf(showsTraits(viewer)))} FROM dice_tallies x ${joinVisibility(viewer)}
  WHERE x.company_id = ${viewer.company_id} AND ${condition} AND ${visibleRolls(viewer)} ${plusQueued(viewer, condition)}`

/** The pieces of SQL that the fragments below share, for one viewer. */
interface Pieces {
  company_id: string
  user_id: Sql
  /** The viewer sees the row `campaign`. */
  isSeen: Sql
  /** True for the row `campaign` if the viewer is its storyteller. */
  isStoryteller: Sql
  joinCampaign: Sql
  /** True for the row `subject` if the viewer sees the sheet of that character. */
  showsSheet: Sql
}

/** Tallies of one user in one campaign, as opposed to those of the whole company. */
const isOfOneUser = ({ company_id }: Pieces) => sql`x.company_id = ${company_id} AND x.user_id IS NOT NULL`
const joinCharacter = ({ company_id }: Pieces) =>
  sql`LEFT JOIN characters subject ON subject.company_id = ${company_id} AND subject.id = x.character_id`

/** The tallies of the whole company, which exist once per visibility. */
const companyTallies = ({ company_id }: Pieces, visibility: Sql) =>
  sql`${selectTallies(1)} FROM dice_tallies x WHERE x.company_id = ${company_id} AND x.user_id IS NULL ${visibility}`

/** Rolls in archived campaigns count for nobody. */
const minusArchivedCampaigns = (pieces: Pieces, visibility: Sql) =>
  sql`UNION ALL ${selectTallies(-1)} FROM dice_tallies x ${pieces.joinCampaign}
    WHERE ${isOfOneUser(pieces)} AND campaign.date_archived IS NOT NULL ${visibility}`

/** Rolls in private campaigns count for their members. This is a branch of its own, so that an index finds these campaigns. */
const minusPrivateCampaigns = (pieces: Pieces, visibility: Sql) =>
  sql`UNION ALL ${selectTallies(-1)} FROM dice_tallies x ${pieces.joinCampaign}
    WHERE ${isOfOneUser(pieces)} AND campaign.access = 'MEMBERS' AND campaign.date_archived IS NULL AND NOT (${pieces.isSeen}) ${visibility}`

/** Secret rolls in campaigns that the viewer runs. */
const plusCampaignsTheyRun = (pieces: Pieces, told: Sql) =>
  sql`UNION ALL ${selectTallies(1)} FROM dice_tallies x ${pieces.joinCampaign}
    WHERE ${isOfOneUser(pieces)} AND x.visibility <> 'PUBLIC' AND x.campaign_id IN (${told}) AND ${pieces.isSeen} AND ${pieces.isStoryteller}`

/** Secret rolls that the viewer made in campaigns of others, unless for a hidden character. */
const plusOwnSecretRolls = (pieces: Pieces) => sql`
    UNION ALL ${selectTallies(1, oneIf(pieces.showsSheet))} FROM dice_tallies x ${pieces.joinCampaign} ${joinCharacter(pieces)}
    WHERE ${isOfOneUser(pieces)} AND x.visibility = 'STORYTELLER' AND x.user_id = ${pieces.user_id}
      AND (subject.id IS NULL OR subject.visibility = 'OPEN') AND ${pieces.isSeen} AND NOT ${pieces.isStoryteller}`

/** Public rolls for characters that have been hidden since. */
const minusHiddenSince = (pieces: Pieces) => sql`
    UNION ALL ${selectTallies(-1)} FROM dice_tallies x ${pieces.joinCampaign} ${joinCharacter(pieces)}
    WHERE ${isOfOneUser(pieces)} AND x.visibility = 'PUBLIC' AND subject.visibility <> 'OPEN'
      AND ${pieces.isSeen} AND NOT ${pieces.isStoryteller}`

/** The traits in public rolls for characters whose sheets are hidden from the viewer, in campaigns that exist for them. */
const minusTraitsOfHiddenSheets = (pieces: Pieces) => sql`
    UNION ALL ${selectTallies(0, sql.number(-1))} FROM dice_tallies x ${pieces.joinCampaign} ${joinCharacter(pieces)}
    WHERE ${isOfOneUser(pieces)} AND x.visibility = 'PUBLIC' AND subject.visibility = 'OPEN' AND subject.sheet_visibility <> 'EVERYONE'
      AND ${pieces.isSeen} AND NOT ${pieces.showsSheet}`

/**
 * The tallies of all rolls in a company that the viewer may see. Viewers who see everything get the tallies of the company without
 * archived campaigns; all others get the public ones of those, and the differences that concern them.
 */
export function visibleTallies(viewer: Viewer): Sql {
  const { company_id, actor } = viewer
  const sight = sightAcross(viewer)
  const user_id = sql`${actorIdOf(viewer)}::uuid`
  const joinCampaign = sql`JOIN campaigns campaign ON campaign.company_id = ${company_id} AND campaign.id = x.campaign_id
    ${joinMembership(company_id, user_id)}`
  const [isSeen, isStoryteller] = [seesCampaign(viewer, CAMPAIGN), sql`(${sight.isStoryteller})::boolean`]
  const pieces: Pieces = { company_id, user_id, isSeen, isStoryteller, joinCampaign, showsSheet: isSheetShown(sight) }
  const queued = plusQueued(viewer, sql`true`)
  if (sight.all) return sql`${companyTallies(pieces, sql``)} ${minusArchivedCampaigns(pieces, sql``)} ${queued}`
  const isPublic = sql`AND x.visibility = 'PUBLIC'`
  return sql`${companyTallies(pieces, isPublic)} ${minusArchivedCampaigns(pieces, isPublic)} ${minusPrivateCampaigns(pieces, isPublic)}
    ${actor?.role === 'STORYTELLER' ? plusCampaignsTheyRun(pieces, campaignsToldBy(viewer)) : sql``} ${plusOwnSecretRolls(pieces)} ${minusHiddenSince(pieces)}
    ${minusTraitsOfHiddenSheets(pieces)} ${queued}`
}
