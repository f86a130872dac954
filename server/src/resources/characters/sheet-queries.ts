import type { Static } from 'typebox'
import type { Db } from '../../db/client.ts'
import { jsonExcerptOf } from '../../db/columns.ts'
import type { Page } from '../../db/list.ts'
import { type Sight, seesSheet } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { sightIn } from '../campaigns/path-resource.ts'
import { areOnCharacter } from '../notes/queries.ts'
import { type CampaignContext, characters } from './queries.ts'
import {
  LIST_LIMITS,
  type ListedSheet,
  PARTS,
  type Part,
  type PartLimits,
  SHEET_LIMITS,
  type Sheet,
  type SheetsQuery,
} from './sheet-schema.ts'

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

const partsColumns = (company_id: string, include: Part[] | undefined, limits: PartLimits, sight: Sight): Sql | undefined =>
  include &&
  sql.join(
    // The order of PARTS, not of the request: statements are prepared by their text.
    PARTS.filter((name) => include.includes(name)).map((name) =>
      name === 'inventory'
        ? partColumns(
            name,
            limits,
            sql`x.company_id = ${company_id} AND x.character_id = characters.id AND x.date_archived IS NULL`,
            inSeenSheet(sight),
          )
        : partColumns(name, limits, areOnCharacter(company_id, sight)),
    ),
    ', ',
  )

export function listSheets(db: Db, context: CampaignContext, query: Static<typeof SheetsQuery>): Promise<Page<ListedSheet>> {
  const { actor, campaign } = context
  const { type, status, player_id, include } = query
  const scope = {
    company_id: actor.company_id,
    campaign_id: campaign.id,
    ...(type && { type }),
    ...(status && { status }),
    ...(player_id && { user_id: player_id }),
  }
  const sight = sightIn(context)
  const restorable = sql`user_id = ${actor.id} OR ${campaign.isStoryteller}::boolean`
  const rows = characters.seenBy(sight, partsColumns(actor.company_id, include, LIST_LIMITS, sight)).list(db, scope, query, { restorable })
  return rows as Promise<Page<ListedSheet>>
}

export function getSheet(db: Db, context: CampaignContext, id: string, include?: Part[]): Promise<Sheet> {
  const { actor, campaign } = context
  const sight = sightIn(context)
  return characters
    .seenBy(sight, partsColumns(actor.company_id, include, SHEET_LIMITS, sight))
    .get(db, { company_id: actor.company_id, campaign_id: campaign.id, id })
}
