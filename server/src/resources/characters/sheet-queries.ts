import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Ruleset } from '@guildhall/rules/ruleset/compile'
import type { Static } from '@guildhall/rules/type'
import { MAX_LISTED_TEXT } from '../../core/excerpt.ts'
import { invalid } from '../../core/problem.ts'
import { unique } from '../../core/unique.ts'
import type { Db } from '../../db/client.ts'
import { jsonExcerptOf } from '../../db/columns.ts'
import type { Page } from '../../db/list.ts'
import { type Sight, seen, seesSheet } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { sightIn } from '../campaigns/path-resource.ts'
import { listBalances } from '../experience/queries.ts'
import { areOnCharacter } from '../notes/queries.ts'
import { publishedRuleset } from '../ruleset-versions/compiled.ts'
import { shownTo } from '../trackers/rules.ts'
import { TrackerRow } from '../trackers/schema.ts'
import { type CampaignContext, characters } from './queries.ts'
import { ruledSheet } from './ruled-sheet.ts'
import {
  LIST_LIMITS,
  type ListedPart,
  type ListedSheet,
  limitWith,
  PARTS,
  type Part,
  type PartLimits,
  SHEET_LIMITS,
  type Sheet,
  type SheetsQuery,
} from './sheet-schema.ts'
import { neededBy, type Surroundings, selectSurroundings } from './surroundings.ts'

/**
 * Selects the first rows of a part of each row of `characters`, and their number. OFFSET 0 is an optimization fence: without it, the LIMIT
 * makes the planner scan the rows of the whole company in order to find the few of this character.
 */
const partColumns = (name: Part, { rows, text, schemas }: PartLimits, where: Sql, isSeen = sql`true`) => sql`
  CASE WHEN ${isSeen} THEN (SELECT coalesce(json_agg(${jsonExcerptOf(schemas[name], 'x', text)} ORDER BY x.id), '[]')
    FROM (SELECT * FROM (SELECT * FROM ${sql.id(name)} x WHERE ${where} OFFSET 0) x ORDER BY x.id LIMIT ${sql.number(rows)}) x) END AS ${sql.id(name)},
  CASE WHEN ${isSeen} THEN (SELECT count(*) FROM ${sql.id(name)} x WHERE ${where}) END AS ${sql.id(`${name}_total`)}`

/** True for the rows of `characters` whose sheet the reader sees: the parts of the sheet are null in the others. */
const inSeenSheet = (sight: Sight) => seesSheet(sight, sql`characters`)

/** The trackers of each row of `characters`, of which there are at most 100. Values that the reader does not see are left out of the reply. */
const trackersColumn = (company_id: string, sight: Sight): Sql => sql`
  CASE WHEN ${inSeenSheet(sight)} THEN (SELECT coalesce(json_agg(${jsonExcerptOf(TrackerRow, 'x', MAX_LISTED_TEXT)} ORDER BY x.id), '[]') FROM trackers x
    WHERE x.company_id = ${company_id} AND x.parent_id = characters.id AND ${seen(sight, sql`x.visibility`)}) END AS trackers`

const columnsOfPart = (name: Part, company_id: string, limits: PartLimits, sight: Sight): Sql =>
  name === 'inventory'
    ? partColumns(
        name,
        limits,
        sql`x.company_id = ${company_id} AND x.character_id = characters.id AND x.date_archived IS NULL`,
        inSeenSheet(sight),
      )
    : partColumns(name, limits, areOnCharacter(company_id, sight))

/** The columns of the parts. A sheet is computed from the row and its surroundings, if the campaign has a ruleset. */
function columnsOfParts(context: CampaignContext, include: ListedPart[], limits: PartLimits, ruleset: Ruleset | null): Sql | undefined {
  const { actor } = context
  const sight = sightIn(context)
  // The order of PARTS, not of the request: statements are prepared by their text.
  const columns = PARTS.filter((name) => include.includes(name)).map((name) => columnsOfPart(name, actor.company_id, limits, sight))
  if (include.includes('trackers')) columns.push(trackersColumn(actor.company_id, sight))
  if (ruleset)
    columns.push(
      sql`CASE WHEN ${inSeenSheet(sight)} THEN ${selectSurroundings(context, sql`characters`, neededBy(ruleset))} END AS surroundings`,
    )
  return columns.length ? sql.join(columns, ', ') : undefined
}

type WithSurroundings<Row> = Row & { surroundings?: Surroundings | null }

/** So many sheets are computed before other requests get their turn: the most expensive ruleset takes about 2 ms for each. */
const SHEETS_AT_ONCE = 5

/** The ruleset of the campaign, if sheets are asked for and there is one. */
function rulesetFor(db: Db, { actor, campaign: { ruleset_version_id: id } }: CampaignContext, include: ListedPart[]) {
  return include.includes('sheet') && id ? publishedRuleset(db, { company_id: actor.company_id, id }) : null
}

/** Computes the sheets of rows that were read with their surroundings. */
async function withSheets<Row extends Sheet | ListedSheet>(
  rows: WithSurroundings<Row>[],
  ruleset: Ruleset | null,
  { campaign }: CampaignContext,
): Promise<Row[]> {
  if (!ruleset) return rows.map((row) => ({ ...row, sheet: null }))
  const id = campaign.ruleset_version_id as string
  const computed: Row[] = []
  for (const { surroundings, ...row } of rows) {
    if (computed.length && computed.length % SHEETS_AT_ONCE === 0) await nextTurn()
    const { type, traits, choices, conditions } = row
    const isSeen = surroundings && traits && choices && conditions
    computed.push({ ...row, sheet: isSeen ? ruledSheet(ruleset, id, { type, traits, choices, conditions }, surroundings) : null } as Row)
  }
  return computed
}

/** Adds the balances that spends of characters are taken from, all by one statement. */
async function withBalances<Row extends Sheet | ListedSheet>(db: Db, context: CampaignContext, rows: Row[]): Promise<Row[]> {
  const isPerCharacter = context.campaign.experience_per === 'CHARACTER'
  const holderOf = ({ id, user_id }: Row) => (isPerCharacter ? id : user_id)
  const ids = unique(rows.map(holderOf))
  const { items } = await listBalances(db, context, { limit: ids.length, offset: 0, ids })
  const balances = new Map(items.map((balance) => [isPerCharacter ? balance.character_id : balance.user_id, balance]))
  return rows.map((row) => ({ ...row, experience: balances.get(holderOf(row)) ?? null }))
}

/** Adds the parts that are not columns of the rows, and leaves out the values of trackers that the reader does not see. */
async function withParts<Row extends Sheet | ListedSheet>(
  db: Db,
  context: CampaignContext,
  rows: Row[],
  include: ListedPart[],
  ruleset: Ruleset | null,
): Promise<Row[]> {
  const shown = shownTo(context.campaign)
  let items = rows
  if (include.includes('trackers'))
    items = items.map((row) => ({ ...row, trackers: (row.trackers as TrackerRow[] | null)?.map(shown) ?? null }))
  if (include.includes('experience')) items = await withBalances(db, context, items)
  return include.includes('sheet') ? withSheets(items, ruleset, context) : items
}

/** Rejects a page that might exceed the size of a response. */
function refuseTooManySheets({ include = [], limit }: Static<typeof SheetsQuery>): void {
  const lower = limitWith(include)
  if (lower && limit > lower.max) invalid([{ field: 'limit', message: `must be at most ${lower.max} with include=${lower.large}` }])
}

export async function listSheets(db: Db, context: CampaignContext, query: Static<typeof SheetsQuery>): Promise<Page<ListedSheet>> {
  refuseTooManySheets(query)
  const { actor, campaign } = context
  const { type, status, player_id, include = [] } = query
  const scope = {
    company_id: actor.company_id,
    campaign_id: campaign.id,
    ...(type && { type }),
    ...(status && { status }),
    ...(player_id && { user_id: player_id }),
  }
  const restorable = sql`user_id = ${actor.id} OR ${campaign.isStoryteller}::boolean`
  const ruleset = await rulesetFor(db, context, include)
  const seen = characters.seenBy(sightIn(context), columnsOfParts(context, include, LIST_LIMITS, ruleset))
  const page = (await seen.list(db, scope, query, { restorable })) as Page<ListedSheet>
  return { ...page, items: await withParts(db, context, page.items, include, ruleset) }
}

export async function getSheet(db: Db, context: CampaignContext, id: string, include: ListedPart[]): Promise<Sheet> {
  const { actor, campaign } = context
  const ruleset = await rulesetFor(db, context, include)
  const seen = characters.seenBy(sightIn(context), columnsOfParts(context, include, SHEET_LIMITS, ruleset))
  const row = await seen.get(db, { company_id: actor.company_id, campaign_id: campaign.id, id })
  return (await withParts(db, context, [row], include, ruleset))[0] as Sheet
}
