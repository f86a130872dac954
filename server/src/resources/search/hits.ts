import { anywhere, swaps } from '../../core/text.ts'
import { nameMatches } from '../../db/list.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Kind } from './kinds.ts'
import type { HitType } from './schema.ts'

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
  /** The text to search for, folded. */
  folded: string
  /** Three letters or digits of it. The index must recognize them as such. */
  trigram: string | undefined
}

const union = (branches: Sql[]) => sql.join(branches, ' UNION ALL ')

const rowsOf = ({ company_id, types }: SearchTerms, { type, table }: Kind, match: Sql) => sql`
  SELECT * FROM ${sql.id(table)}
  WHERE company_id = ${company_id} AND date_archived IS NULL AND ${sql.text(type)} = ANY (${types}::text[]) AND ${match}`

/** Always true: only statements that say so can use the index by name of the whole company (migration 0021). */
const byName = sql`name_key >= ''`

/** Ranks the first matches of a kind that the caller may see. Rows are found through an index and then filtered; no further rows are read. */
const tier = ({ type, where }: Kind, rows: Sql, rank: Sql) => sql`(
  SELECT ${sql.text(type)} AS type, id, rank FROM (
    SELECT x.id, (${rank})::real AS rank FROM (${rows} OFFSET 0) x WHERE ${where} LIMIT ${MAX_RANKED}) ranked
  ORDER BY rank DESC, id LIMIT ${MAX_HITS})`

/** True if the database recognizes the letters of the trigram. With LC_CTYPE C it knows only a to z, and its indexes contain no other letters. */
export const isIndexed = (trigram: string | undefined) => (trigram === undefined ? sql`true` : sql`show_trgm(${trigram}::text) <> '{}'`)

/** The common table expression `hits`, with its own: the hits of all kinds, with their rank. */
export const hits = (all: Kind[], terms: SearchTerms): Sql =>
  terms.trigram === undefined ? hitsByPrefix(all, terms) : hitsAnywhere(all, { ...terms, trigram: terms.trigram })

/** Rows whose name begins with a text that is too short for the trigram index, by name. The index by name has them in this order. */
function hitsByPrefix(all: Kind[], terms: SearchTerms): Sql {
  const match = sql`${nameMatches(sql`name_key`, terms.folded)} AND ${byName}`
  const branches = all.map(
    (kind) => sql`(
    SELECT ${sql.text(kind.type)} AS type, x.id, x.name_key FROM (${rowsOf(terms, kind, match)} ORDER BY name_key, id OFFSET 0) x
    WHERE ${kind.where} LIMIT ${MAX_HITS})`,
  )
  return sql`hits AS MATERIALIZED (
    SELECT type, id, -row_number() OVER (ORDER BY name_key, id) AS rank FROM (${union(branches)}) found)`
}

/**
 * Rows with the text in the name, rows with a similar name if no name of the kind contains it, and rows with it in their own text.
 * Each kind and each way to match is a branch of its own, so that each uses its own index.
 */
function hitsAnywhere(all: Kind[], { folded, ...terms }: SearchTerms & { trigram: string }): Sql {
  const q = sql`${folded}::text`
  const pattern = sql`${anywhere(folded)}::text`
  // Two neighboring letters swapped: the one typing error that may leave no trigram in common.
  const swapped = sql`${swaps(folded).map(anywhere)}::text[]`
  const rows = (kind: Kind, match: Sql) => rowsOf({ folded, ...terms }, kind, sql`${isIndexed(terms.trigram)} AND ${match}`)
  const noneNamed = ({ type }: Kind) => sql`NOT EXISTS (SELECT FROM named WHERE type = ${sql.text(type)})`
  const inName = sql`name_key LIKE ${pattern}`
  // A branch of its own, because the exact name may lie beyond the first matches that are ranked. For every type it would take 10 ms more.
  const exact = all.filter(({ exactly }) => exactly).map((kind) => tier(kind, rows(kind, sql`name_key = ${q}`), sql`4`))
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
