import type { Static } from '@guildhall/rules/type'
import { invalid } from '../../core/problem.ts'
import { fold, trigramIn } from '../../core/text.ts'
import type { Db } from '../../db/client.ts'
import type { Page } from '../../db/list.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { campaignsToldBy, type Viewer } from '../campaigns/across.ts'
import { hits, isIndexed } from './hits.ts'
import { type Kind, kinds, kindsIn } from './kinds.ts'
import { type Ids, pathOf } from './path.ts'
import { type Hit, type HitType, type SearchQuery, TYPES } from './schema.ts'
import { snippetOf, type Window, windowOf } from './snippet.ts'

/** The columns of a hit. The snippet is around the hit in the text, or at its beginning if only names are searched (`texts` is false). */
const columnsOfHit = (
  { type, table, name, text, ids, campaign_id, ...kind }: Kind,
  company_id: string,
  texts: boolean,
  q: Sql,
  typed: Sql,
) => sql`
  SELECT ${name} AS name, snippet.*, ${ids}, ${campaign_id ?? sql`NULL::uuid`} AS campaign_id
  FROM ${sql.id(table)} x CROSS JOIN LATERAL (${windowOf(text, texts && kind.texts ? sql`x.text_key` : sql`NULL::text`, q, typed)}) snippet
  WHERE hit.type = ${sql.text(type)} AND x.company_id = ${company_id} AND x.id = hit.id`

interface HitRow extends Ids, Window {
  id: string | null
  type: HitType
  name: string
  _total: number
  _indexed: boolean
}

const refuse = (message: string) => invalid([{ field: 'q', message }])

export async function search(
  db: Db,
  viewer: Viewer,
  { q, type = [...TYPES], campaign_id, limit, offset }: Static<typeof SearchQuery>,
): Promise<Omit<Page<Hit>, 'next_cursor'>> {
  const { company_id, actor } = viewer
  const folded = fold(q)
  if (folded === '') refuse('must contain more than accents')
  const trigram = trigramIn(folded)
  const everyKind = kinds(viewer, sql`SELECT id FROM told`)
  const all = campaign_id ? kindsIn(campaign_id, everyKind) : everyKind
  const found = await db.query<HitRow>(sql`
    WITH told AS MATERIALIZED (${campaignsToldBy(viewer)}), ${hits(all, { company_id, types: type, folded, trigram })}
    SELECT _total, ${isIndexed(trigram)} AS _indexed, hit.type, hit.id, shown.*
    FROM (SELECT count(*) AS _total FROM hits) counted
    LEFT JOIN (SELECT * FROM hits ORDER BY rank DESC, id LIMIT ${limit} OFFSET ${offset}) hit ON true
    LEFT JOIN LATERAL (${sql.join(
      all.map((kind) => columnsOfHit(kind, company_id, trigram !== undefined, sql`${folded}::text`, sql`${q}::text`)),
      ' UNION ALL ',
    )}) shown ON true
    ORDER BY hit.rank DESC, hit.id`)
  if (found[0]?._indexed === false)
    refuse('must contain three of a to z and 0 to 9 in a row, because this database indexes no other letters')
  const items = found.flatMap(({ id, type, name, ...row }): Hit[] =>
    id === null
      ? []
      : [
          {
            type,
            id,
            name,
            campaign_id: row.campaign_id,
            snippet: snippetOf(row, folded),
            path: pathOf(company_id, actor?.id, type, id, row),
          },
        ],
  )
  return { items, limit, offset, total: found[0]?._total ?? 0 }
}
