import type { Static, TObject } from 'typebox'
import type { Db } from '../../db/client.ts'
import { jsonExcerptOf } from '../../db/columns.ts'
import type { Page } from '../../db/list.ts'
import type { Sight } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { sightIn } from '../campaigns/place.ts'
import { Item } from '../inventory/schema.ts'
import { onCharacter } from '../notes/queries.ts'
import { Note } from '../notes/schema.ts'
import { characters, type Here } from './queries.ts'
import { PARTS, type Part, type Share, type Sheet, type SheetsQuery, WITH_EACH, WITH_ONE } from './sheet-schema.ts'

/**
 * What comes with a row of `characters`: the first of each, and how many there are. OFFSET 0 keeps the LIMIT from
 * tempting the planner to walk the whole company in order, looking for the few of this character.
 */
const part = (name: Part, schema: TObject, { rows, text }: Share, where: Sql) => sql`
  (SELECT coalesce(json_agg(${jsonExcerptOf(schema, 'x', text)} ORDER BY x.id), '[]')
    FROM (SELECT * FROM (SELECT * FROM ${sql.id(name)} x WHERE ${where} OFFSET 0) x ORDER BY x.id LIMIT ${sql.number(rows)}) x) AS ${sql.id(name)},
  (SELECT count(*) FROM ${sql.id(name)} x WHERE ${where}) AS ${sql.id(`${name}_total`)}`

const parts = (include: Part[] | undefined, share: Share, sight: Sight): Sql | undefined =>
  include &&
  sql.join(
    // In one order however they were named: statements are prepared by their text.
    PARTS.filter((name) => include.includes(name)).map((name) =>
      name === 'inventory'
        ? part(name, Item, share, sql`x.company_id = characters.company_id AND x.character_id = characters.id AND x.date_archived IS NULL`)
        : part(name, Note, share, onCharacter(sight)),
    ),
    ', ',
  )

export function listSheets(db: Db, here: Here, query: Static<typeof SheetsQuery>): Promise<Page<Sheet>> {
  const { actor, campaign } = here
  const { type, status, user_id, include } = query
  const scope = {
    company_id: actor.company_id,
    campaign_id: campaign.id,
    ...(type && { type }),
    ...(status && { status }),
    ...(user_id && { user_id }),
  }
  const sight = sightIn(here)
  const restorable = sql`user_id = ${actor.id} OR ${campaign.tells}::boolean`
  return characters.seenBy(sight, parts(include, WITH_EACH, sight)).list(db, scope, query, { restorable })
}

export function getSheet(db: Db, here: Here, id: string, include?: Part[]): Promise<Sheet> {
  const { actor, campaign } = here
  const sight = sightIn(here)
  return characters.seenBy(sight, parts(include, WITH_ONE, sight)).get(db, { company_id: actor.company_id, campaign_id: campaign.id, id })
}
