import { setImmediate as turn } from 'node:timers/promises'
import type { Static } from 'typebox'
import { anywhere, fold, swaps } from '../../core/text.ts'
import type { Db } from '../../db/client.ts'
import type { Page } from '../../db/list.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Caller } from '../../http/operation.ts'
import { sightAcross } from '../campaigns/place.ts'
import { type Kind, kinds } from './kinds.ts'
import { type Ids, pathOf } from './path.ts'
import { type Hit, type HitType, type SearchQuery, TYPES } from './schema.ts'
import { snippetOf } from './snippet.ts'

/** Hits beyond these are neither counted nor listed. */
const MOST = sql.number(1000)
const LONG = 2000
interface Wanted {
  company_id: string
  types: HitType[]
  q: Sql
  pattern: Sql
  /** The same with two neighbours swapped: the one typing error that leaves no trigrams to know a word by. */
  swapped: Sql
}

/** Rows of a kind that match, as far as they are seen: found through an index first, then held against the predicate. */
const tier = ({ type, join, where }: Kind, rows: Sql, rank: Sql) => sql`(
  SELECT ${sql.text(type)} AS type, x.id, (${rank})::real AS rank FROM (${rows} OFFSET 0) x
  ${join} WHERE ${where} ORDER BY rank DESC, x.id LIMIT ${MOST})`

/**
 * All hits: those with `q` in the name; where none of a kind is called so, those with a name like it; and those with it in the text.
 * Each kind and each way has its own branch, so that each has its own index.
 */
function hits(all: Kind[], { company_id, types, q, pattern, swapped }: Wanted): Sql {
  const rows = ({ type, table }: Kind, match: Sql) => sql`
    SELECT * FROM ${sql.id(table)}
    WHERE company_id = ${company_id} AND date_archived IS NULL AND ${sql.text(type)} = ANY (${types}::text[]) AND ${match}`
  const union = (branches: Sql[]) => sql.join(branches, ' UNION ALL ')
  const nobody = ({ type }: Kind) => sql`NOT EXISTS (SELECT FROM named WHERE type = ${sql.text(type)})`
  const inName = sql`name_key LIKE ${pattern}`
  const named = all.map((kind) => tier(kind, rows(kind, inName), sql`3 + char_length(${q})::real / char_length(x.name_key)`))
  const mistyped = all.map((kind) =>
    tier(
      kind,
      sql`SELECT x.* FROM unnest(${swapped}) swap CROSS JOIN LATERAL (${rows(kind, sql`name_key LIKE swap AND ${nobody(kind)}`)} OFFSET 0) x`,
      sql`2`,
    ),
  )
  const alike = all.map((kind) =>
    tier(kind, rows(kind, sql`name_key %> ${q} AND ${nobody(kind)}`), sql`1 + word_similarity(${q}, x.name_key)`),
  )
  const inText = all
    .filter(({ texts }) => texts)
    .map((kind) => tier(kind, rows(kind, sql`text_key LIKE ${pattern} AND NOT ${inName}`), sql`0`))
  return sql`
    named AS MATERIALIZED (${union(named)}),
    found AS (SELECT type, id, max(rank) AS rank FROM (TABLE named UNION ALL ${union([...mistyped, ...alike, ...inText])}) each_way GROUP BY type, id),
    hits AS MATERIALIZED (
      SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY type ORDER BY rank DESC, id) AS place FROM found) placed WHERE place <= ${MOST})`
}

const shownOf = ({ type, table, texts, name, text, ids }: Kind, company_id: string) => sql`
  SELECT ${name} AS name, ${text} AS text, ${texts ? sql`x.text_key` : sql`NULL::text`} AS text_key, ${ids}
  FROM ${sql.id(table)} x WHERE hit.type = ${sql.text(type)} AND x.company_id = ${company_id} AND x.id = hit.id`

interface Found extends Ids {
  id: string | null
  type: HitType
  name: string
  text: string | null
  /** Where in its folded form what was searched begins; 0 where the name was found instead. */
  at: number
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
  const wanted = {
    company_id,
    types,
    q: sql`${folded}::text`,
    pattern: sql`${anywhere(folded)}::text`,
    swapped: sql`${swaps(folded).map(anywhere)}::text[]`,
  }
  const all = kinds(sightAcross(caller))
  const found = await db.query<Found>(sql`
    WITH ${hits(all, wanted)}
    SELECT _total, hit.type, hit.id, name, text, greatest(0, strpos(text_key, ${wanted.q}) - 1) AS at, author_id, campaign_id, book_id, chapter_id, character_id
    FROM (SELECT count(*) AS _total FROM hits) counted
    LEFT JOIN (SELECT * FROM hits ORDER BY rank DESC, id LIMIT ${limit} OFFSET ${offset}) hit ON true
    LEFT JOIN LATERAL (${sql.join(
      all.map((kind) => shownOf(kind, company_id)),
      ' UNION ALL ',
    )}) shown ON true
    ORDER BY hit.rank DESC, hit.id`)
  const items: Hit[] = []
  for (const { id, type, name, text, at, ...ids } of found) {
    if (id === null) continue
    items.push({ type, id, name, snippet: snippetOf(text, at), path: pathOf(company_id, caller.actor?.id, type, id, ids) })
    // A long text in another script takes a few milliseconds: others have their turn between two of them.
    if (text && text.length > LONG) await turn()
  }
  return { items, limit, offset, total: found[0]?._total ?? 0 }
}
