import type { Static } from 'typebox'
import { NOBODY } from '../../core/ids.ts'
import { invalid } from '../../core/problem.ts'
import { anywhere, fold, swaps, trigramIn } from '../../core/text.ts'
import type { Db } from '../../db/client.ts'
import type { Page } from '../../db/list.ts'
import type { Sight } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Caller } from '../../http/caller.ts'
import { sightAcross } from '../campaigns/path-resource.ts'
import { type Kind, kinds, type Reach } from './kinds.ts'
import { type Ids, pathOf } from './path.ts'
import { type Hit, type HitType, type SearchQuery, TYPES } from './schema.ts'
import { snippetOf, type Window, windowOf } from './snippet.ts'

/** Of each kind, hits beyond this number are neither counted nor listed. */
const MAX_HITS = sql.number(1000)
/**
 * Of each kind, only this many matching rows are ranked. Rows that the caller may not see do not count, so that no secret row takes the place
 * of a hit.
 */
const MAX_RANKED = sql.number(20_000)

interface SearchTerms {
  company_id: string
  types: HitType[]
  /** Three letters or digits of `q`. The index must recognize them as such. */
  trigram: string
  q: Sql
  pattern: Sql
  /** The patterns of `q` with two neighboring letters swapped, the one typing error that may leave no trigram in common. */
  swapped: Sql
}

/** Ranks the first matches of a kind that the caller may see. Rows are found through an index and then filtered; no further rows are read. */
const tier = ({ type, where }: Kind, rows: Sql, rank: Sql) => sql`(
  SELECT ${sql.text(type)} AS type, id, rank FROM (
    SELECT x.id, (${rank})::real AS rank FROM (${rows} OFFSET 0) x WHERE ${where} LIMIT ${MAX_RANKED}) ranked
  ORDER BY rank DESC, id LIMIT ${MAX_HITS})`

/** True if the database recognizes the letters of the trigram. With LC_CTYPE C it knows only a to z, and its indexes contain no other letters. */
const isIndexed = (trigram: string) => sql`show_trgm(${trigram}::text) <> '{}'`

/**
 * All hits: rows with `q` in the name, rows with a similar name if no name of the kind contains it, and rows with `q` in the text.
 * Each kind and each way to match is a branch of its own, so that each uses its own index.
 */
function hits(all: Kind[], { company_id, types, trigram, q, pattern, swapped }: SearchTerms): Sql {
  const rows = ({ type, table }: Kind, match: Sql) => sql`
    SELECT * FROM ${sql.id(table)}
    WHERE company_id = ${company_id} AND date_archived IS NULL AND ${sql.text(type)} = ANY (${types}::text[]) AND ${isIndexed(trigram)} AND ${match}`
  const union = (branches: Sql[]) => sql.join(branches, ' UNION ALL ')
  const noneNamed = ({ type }: Kind) => sql`NOT EXISTS (SELECT FROM named WHERE type = ${sql.text(type)})`
  const inName = sql`name_key LIKE ${pattern}`
  // A branch of its own, because the exact name may lie beyond the first matches that are ranked.
  const exact = all.filter(({ byName }) => byName).map((kind) => tier(kind, rows(kind, sql`name_key = ${q}`), sql`4`))
  const named = all.map((kind) => tier(kind, rows(kind, inName), sql`3 + char_length(${q})::real / char_length(x.name_key)`))
  const mistyped = all.map((kind) =>
    tier(
      kind,
      sql`SELECT x.* FROM unnest(${swapped}) swap CROSS JOIN LATERAL (${rows(kind, sql`name_key LIKE swap AND ${noneNamed(kind)}`)} OFFSET 0) x`,
      sql`2`,
    ),
  )
  const alike = all.map((kind) =>
    tier(kind, rows(kind, sql`name_key %> ${q} AND ${noneNamed(kind)}`), sql`1 + word_similarity(${q}, x.name_key)`),
  )
  const inText = all
    .filter(({ texts }) => texts)
    .map((kind) => tier(kind, rows(kind, sql`text_key LIKE ${pattern} AND NOT ${inName}`), sql`0`))
  return sql`
    named AS MATERIALIZED (${union([...exact, ...named])}),
    found AS (SELECT type, id, max(rank) AS rank FROM (TABLE named UNION ALL ${union([...mistyped, ...alike, ...inText])}) each_way GROUP BY type, id),
    hits AS MATERIALIZED (
      SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY type ORDER BY rank DESC, id) AS place FROM found) placed WHERE place <= ${MAX_HITS})`
}

const columnsOfHit = ({ type, table, texts, name, text, ids }: Kind, company_id: string, q: Sql, typed: Sql) => sql`
  SELECT ${name} AS name, snippet.*, ${ids}
  FROM ${sql.id(table)} x CROSS JOIN LATERAL (${windowOf(text, texts ? sql`x.text_key` : sql`NULL::text`, q, typed)}) snippet
  WHERE hit.type = ${sql.text(type)} AND x.company_id = ${company_id} AND x.id = hit.id`

interface HitRow extends Ids, Window {
  id: string | null
  type: HitType
  name: string
  _total: number
  _indexed: boolean
}

/** The sight of the caller across campaigns. The campaigns of a storyteller (`told`) and of a member (`joined`) are selected once, not for each row. */
function sightOf(caller: Pick<Caller, 'actor' | 'permission'>, company_id: string): { storytellerCampaigns: Sql; sight: Sight & Reach } {
  const across = sightAcross(caller)
  const isReachable = (campaign: Sql) =>
    sql`(${across.all}::boolean OR ${campaign}.access = 'COMPANY' OR ${campaign}.id IN (SELECT id FROM joined))`
  const sight = { ...across, isReachable }
  const { actor } = caller
  if (sight.all || actor?.role !== 'STORYTELLER')
    return { storytellerCampaigns: sql`SELECT NULL::uuid AS id`, sight: { ...sight, isStoryteller: false } }
  const storytellerCampaigns = sql`SELECT id FROM campaigns WHERE company_id = ${company_id} AND user_id = ${actor.id}
    UNION SELECT campaign_id FROM members WHERE company_id = ${company_id} AND user_id = ${actor.id} AND role = 'STORYTELLER'`
  return { storytellerCampaigns, sight: { ...sight, isStoryteller: sql`x.campaign_id IN (SELECT id FROM told)` } }
}

const refuse = (message: string) => invalid([{ field: 'q', message }])

export async function search(
  db: Db,
  caller: Pick<Caller, 'actor' | 'permission'>,
  company_id: string,
  { q, type = [...TYPES], limit, offset }: Static<typeof SearchQuery>,
): Promise<Page<Hit>> {
  const folded = fold(q)
  const trigram = trigramIn(folded) ?? refuse('must contain three letters or digits in a row')
  const typed = sql`${q}::text`
  const terms = {
    company_id,
    types: type,
    trigram,
    q: sql`${folded}::text`,
    pattern: sql`${anywhere(folded)}::text`,
    swapped: sql`${swaps(folded).map(anywhere)}::text[]`,
  }
  const { storytellerCampaigns, sight } = sightOf(caller, company_id)
  const all = kinds(company_id, sight)
  const found = await db.query<HitRow>(sql`
    WITH told AS MATERIALIZED (${storytellerCampaigns}), joined AS MATERIALIZED (
      SELECT campaign_id AS id FROM members WHERE company_id = ${company_id} AND user_id = ${caller.actor?.id ?? NOBODY}
    ), ${hits(all, terms)}
    SELECT _total, ${isIndexed(trigram)} AS _indexed, hit.type, hit.id, shown.*
    FROM (SELECT count(*) AS _total FROM hits) counted
    LEFT JOIN (SELECT * FROM hits ORDER BY rank DESC, id LIMIT ${limit} OFFSET ${offset}) hit ON true
    LEFT JOIN LATERAL (${sql.join(
      all.map((kind) => columnsOfHit(kind, company_id, terms.q, typed)),
      ' UNION ALL ',
    )}) shown ON true
    ORDER BY hit.rank DESC, hit.id`)
  if (found[0]?._indexed === false)
    refuse('must contain three of a to z and 0 to 9 in a row, because this database indexes no other letters')
  const items = found.flatMap(({ id, type, name, ...row }): Hit[] =>
    id === null ? [] : [{ type, id, name, snippet: snippetOf(row, folded), path: pathOf(company_id, caller.actor?.id, type, id, row) }],
  )
  return { items, limit, offset, total: found[0]?._total ?? 0 }
}
