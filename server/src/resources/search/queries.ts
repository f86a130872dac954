import type { Static } from 'typebox'
import { anywhere, fold } from '../../core/text.ts'
import type { Db } from '../../db/client.ts'
import type { Page } from '../../db/list.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Caller } from '../../http/operation.ts'
import { sightAcross } from '../campaigns/place.ts'
import { type Kind, kinds } from './kinds.ts'
import { type Ids, pathOf } from './path.ts'
import { type Hit, type HitType, type SearchQuery, TYPES } from './schema.ts'

/** Hits beyond these are neither counted nor listed. */
const MOST = sql.number(1000)
const BEFORE = 60
const SNIPPET = 200

interface Wanted {
  company_id: string
  types: HitType[]
  q: Sql
  pattern: Sql
}

/**
 * The hits of one kind, best first: those with `q` in the name; where there is none, those with a name like it; and those
 * with it in the text. Each is found through an index of its own and then held against the predicate of the kind, before
 * anything is counted.
 */
function hitsOf({ type, table, texts, join, where }: Kind, { company_id, types, q, pattern }: Wanted): Sql {
  const tier = (match: Sql, rank: Sql) => sql`
    SELECT x.id, (${rank})::real AS rank
    FROM (SELECT * FROM ${sql.id(table)}
      WHERE company_id = ${company_id} AND date_archived IS NULL AND ${sql.text(type)} = ANY (${types}::text[]) AND ${match} OFFSET 0) x
    ${join} WHERE ${where} LIMIT ${MOST}`
  const inName = sql`name_key LIKE ${pattern}`
  const named = tier(inName, sql`2 + char_length(${q})::real / char_length(x.name_key)`)
  const alike = tier(sql`name_key %> ${q} AND NOT EXISTS (SELECT FROM named)`, sql`1 + word_similarity(${q}, x.name_key)`)
  const inText = tier(sql`text_key LIKE ${pattern} AND NOT ${inName} AND id NOT IN (SELECT alike.id FROM alike)`, sql`0`)
  return sql`(
    WITH named AS MATERIALIZED (${named}), alike AS MATERIALIZED (${alike})
    SELECT ${sql.text(type)} AS type, id, rank
    FROM (TABLE named UNION ALL TABLE alike${texts ? sql` UNION ALL (${inText})` : sql``}) tiers LIMIT ${MOST})`
}

const shownOf = ({ type, table, texts, name, text, ids }: Kind, company_id: string) => sql`
  SELECT ${name} AS name, ${text} AS text, ${texts ? sql`x.text_key` : sql`NULL::text`} AS text_key, ${ids}
  FROM ${sql.id(table)} x WHERE hit.type = ${sql.text(type)} AND x.company_id = ${company_id} AND x.id = hit.id`

interface Found extends Ids {
  id: string | null
  type: HitType
  name: string
  snippet: string | null
  cut_before: boolean
  cut_after: boolean
  _total: number
}

export async function search(
  db: Db,
  caller: Pick<Caller, 'actor' | 'permission'>,
  company_id: string,
  { q, type = [...TYPES], limit, offset }: Static<typeof SearchQuery>,
): Promise<Page<Hit>> {
  const folded = fold(q)
  // What folds to nothing, lone accents, is in no name and no text.
  const types = folded.trim() ? type : []
  const wanted = { company_id, types, q: sql`${folded}::text`, pattern: sql`${anywhere(folded)}::text` }
  const all = kinds(sightAcross(caller))
  const begin = sql`greatest(1, strpos(text_key, ${wanted.q}) - ${sql.number(BEFORE)})`
  const found = await db.query<Found>(sql`
    WITH hits AS MATERIALIZED (${sql.join(
      all.map((kind) => hitsOf(kind, wanted)),
      ' UNION ALL ',
    )})
    SELECT _total, hit.type, hit.id, name, campaign_id, book_id, chapter_id, character_id,
      substr(text, ${begin}, ${sql.number(SNIPPET)}) AS snippet,
      ${begin} > 1 AS cut_before, char_length(text) > ${begin} + ${sql.number(SNIPPET - 1)} AS cut_after
    FROM (SELECT count(*) AS _total FROM hits) counted
    LEFT JOIN (SELECT * FROM hits ORDER BY rank DESC, id LIMIT ${limit} OFFSET ${offset}) hit ON true
    LEFT JOIN LATERAL (${sql.join(
      all.map((kind) => shownOf(kind, company_id)),
      ' UNION ALL ',
    )}) shown ON true
    ORDER BY hit.rank DESC, hit.id`)
  const items = found.flatMap(({ id, type, name, snippet, cut_before, cut_after, _total, ...ids }) => {
    if (id === null) return []
    const around = snippet && `${cut_before ? '… ' : ''}${snippet}${cut_after ? ' …' : ''}`
    return [{ type, id, name, snippet: around || null, path: pathOf(company_id, caller.actor?.id, type, id, ids) }]
  })
  return { items, limit, offset, total: found[0]?._total ?? 0 }
}
