import { NOBODY } from '../../core/ids.ts'
import { forbidden, invalid, notFound } from '../../core/problem.ts'
import type { Db } from '../../db/client.ts'
import { type Sight, seen, seesSheet } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { actorIdOf, type Viewer } from '../campaigns/across.ts'
import { type CampaignAccess, isReachable, joinMembership, sightAcross } from '../campaigns/path-resource.ts'
import type { Requested } from './request-rules.ts'
import type { DiceRollCreate } from './request-schema.ts'
import { type Nameable, type NamedTracker, namedValue, namesWithoutSheet, sheetNamesOf, trackerKeysOf, unknownNames } from './values.ts'

/** The campaign and the character of a roll, as far as a viewer sees them. */
export interface SheetContext extends Pick<CampaignAccess, 'isMember' | 'joining'> {
  /** The campaign, if it exists for the viewer. */
  campaign_id: string | null
  /** The owner of the campaign. */
  owner_id: string
  desperation: number | null
  /** True if the acting user is a storyteller of the campaign. */
  tells: boolean | null
  /** The character, if it is in the campaign and the viewer may see it. */
  character_id: string | null
  character_name: string
  player_id: string | null
  traits: Record<string, number> | null
  /** The trackers that the roll names, as far as the viewer sees their values. Those of the character come first. */
  trackers: NamedTracker[] | null
  hidden: boolean
  /** True if the viewer sees the sheet of the character. */
  seesSheet: boolean
  /** True if the sheet of the character is hidden from some users. */
  isSheetHidden: boolean | null
}

/** The fields of a body that say where its names are looked up. */
export type Place = Pick<DiceRollCreate, 'campaign_id' | 'character_id'>
export type NamingBody = Place & Pick<DiceRollCreate, 'values' | 'missing'>

/** The trackers of the row `subject`, and of the row `campaign`, whose values the viewer sees: all, or those with these keys. */
function visibleTrackers(company_id: string, sight: Sight, keys: string[] | undefined): Sql {
  const sees = sql`${seen(sight, sql`t.visibility`)} AND (t.visibility <> 'NAME_ONLY' OR (${sight.all})::boolean OR (${sight.isStoryteller})::boolean)`
  return sql`(SELECT json_agg(json_build_object('key', t.key, 'value', t.value, 'maximum', t.maximum, 'isOpen', t.visibility = 'OPEN')
      ORDER BY t.character_id IS NULL, t.key)
    FROM trackers t WHERE t.company_id = ${company_id} AND t.parent_id IN (subject.id, campaign.id)
      AND (t.character_id IS NULL OR ${seesSheet(sight, sql`subject`)}) AND ${sees}${keys ? sql` AND t.key = ANY (${keys}::text[])` : sql``})`
}

interface Selection {
  /** The keys of the trackers to read; undefined for all. */
  keys: string[] | undefined
  /** Archived campaigns and characters are found, too. */
  archived?: boolean
}

/** Selects a SheetContext. It is one row, whatever exists. */
export function selectSheet(viewer: Viewer, { campaign_id = null, character_id = null }: Nulled, { keys, archived }: Selection): Sql {
  const { company_id } = viewer
  const sight = sightAcross(viewer)
  const trackers = keys?.length === 0 ? sql`NULL::json` : visibleTrackers(company_id, sight, keys)
  const isLive = (row: Sql) => (archived ? sql`${row}.date_purged IS NULL` : sql`${row}.date_archived IS NULL`)
  return sql`
      SELECT CASE WHEN ${isReachable(sight.all)} THEN campaign.id END AS campaign_id, campaign.desperation, (${sight.isStoryteller})::boolean AS tells,
        campaign.user_id AS owner_id, member.user_id IS NOT NULL AS "isMember", campaign.joining,
        CASE WHEN ${isReachable(sight.all)} AND subject.campaign_id = campaign.id AND ${seen(sight, sql`subject.visibility`)} THEN subject.id END AS character_id,
        subject.name AS character_name, subject.user_id AS player_id, subject.traits, ${trackers} AS trackers, subject.visibility <> 'OPEN' AS hidden,
        ${seesSheet(sight, sql`subject`)} AS "seesSheet", subject.sheet_visibility <> 'EVERYONE' AS "isSheetHidden"
      FROM (SELECT 1) one
      LEFT JOIN characters subject ON subject.company_id = ${company_id} AND subject.id = ${character_id ?? NOBODY} AND ${isLive(sql`subject`)}
      LEFT JOIN campaigns campaign ON campaign.company_id = ${company_id} AND ${isLive(sql`campaign`)}
        AND campaign.id = coalesce(${campaign_id}::uuid, subject.campaign_id)
      ${joinMembership(company_id, sql`${actorIdOf(viewer)}`)}`
}
type Nulled = { [Name in keyof Place]: Place[Name] | null }

/** Rejects a campaign or a character that does not exist for the viewer. */
export function refuseUnseen({ campaign_id, character_id }: Place, context: SheetContext): void {
  if (campaign_id && !context.campaign_id) notFound('Campaign')
  if (character_id && !context.character_id) notFound('Character')
}

/** Rejects names of a sheet that is hidden from the viewer: the result, or the 400 for too many dice, would reveal the traits. */
export function refuseHiddenSheet({ character_id }: Place, { seesSheet }: SheetContext, names: string[]): void {
  if (character_id && names.length > 0 && !seesSheet) forbidden({ reason: 'hidden_sheet' })
}

export const nameableIn = ({ values }: NamingBody, { traits, trackers }: SheetContext): Nameable => ({
  inputs: values ?? {},
  traits: traits ?? {},
  trackers: trackers ?? [],
})

/** Rejects names that stand for nothing that the viewer sees, and suggests what was meant. */
export async function refuseUnknownNames(
  db: Db,
  viewer: Viewer,
  body: NamingBody,
  requested: Requested,
  context: SheetContext,
): Promise<void> {
  const known = nameableIn(body, context)
  if (body.missing === 'ZERO' || sheetNamesOf(requested, known.inputs).every((name) => namedValue(known, name))) return
  // Only now are all trackers needed. In a roll, the transaction is rolled back, with the nonces.
  const all = await readSheet(db, viewer, body, { keys: undefined })
  invalid(unknownNames(requested, nameableIn(body, { ...context, trackers: all.trackers })))
}

export async function readSheet(db: Db, viewer: Viewer, place: Place, selection: Selection): Promise<SheetContext> {
  const [context] = await db.query<SheetContext>(selectSheet(viewer, place, selection))
  return context as SheetContext
}

/** Reads everything that the names of a request stand for, without rolling. Inputs alone need no statement, and no campaign or character. */
export async function readNamed(db: Db, viewer: Viewer, body: NamingBody, requested: Requested): Promise<Nameable> {
  const inputs = body.values ?? {}
  const names = sheetNamesOf(requested, inputs)
  if (names.length === 0 || !(body.campaign_id || body.character_id)) {
    const faults = namesWithoutSheet(requested, body)
    return faults.length ? invalid(faults) : { inputs, traits: {}, trackers: [] }
  }
  const context = await readSheet(db, viewer, body, { keys: trackerKeysOf(requested) })
  refuseUnseen(body, context)
  refuseHiddenSheet(body, context, names)
  await refuseUnknownNames(db, viewer, body, requested, context)
  return nameableIn(body, context)
}

/** Checks that the viewer still sees what the names of a request stood for, before a stored reply is replayed. */
export async function refuseNamedReplay(db: Db, viewer: Viewer, body: NamingBody, requested: Requested): Promise<void> {
  const names = sheetNamesOf(requested, body.values ?? {})
  if (names.length === 0 || !(body.campaign_id || body.character_id)) return
  const context = await readSheet(db, viewer, body, { keys: [], archived: true })
  refuseUnseen(body, context)
  refuseHiddenSheet(body, context, names)
}
