import { idAt } from '../core/ids.ts'
import type { Listed } from '../core/page.ts'
import { afterPrefix, anywhere, fold, trigramIn } from '../core/text.ts'
import type { Db } from './client.ts'
import { type Sql, sql } from './sql.ts'

export interface Source {
  columns: Sql
  /** What is shown of the page's rows, if not all of `columns`: evaluated for the page only, not for rows that it skips. */
  shown?: Sql
  from: Sql
  where: Sql[]
  /** The folded name that `q` searches and `sort=name` orders by. */
  name?: Sql
  /** What other sorts order by; `date_created` only where it is not simply the order of ids. */
  orders?: Record<string, Sql>
  id?: Sql
  /** What is worked out for the rows of the page only, which it knows by this name; and what it joins to them for that. */
  beside?: { page: string; columns?: Sql; join?: Sql }
  /** What is worked out of all rows, not only those of the page. */
  along?: Sql
  /** The total, where it is known without counting; not of what `q` finds. */
  total?: Sql | undefined
}

export interface Page<Row, Along = undefined> {
  items: Row[]
  limit: number
  offset: number
  total: number
  along?: Along
}

/** The span of time of some ids, which are made in its order. */
export const between = (id: Sql, from?: string, to?: string): Sql[] => [
  ...(from ? [sql`${id} >= ${idAt(new Date(from))}`] : []),
  ...(to ? [sql`${id} < ${idAt(new Date(to))}`] : []),
]

/** The archived rows that the caller may restore: all, none, or those of a condition. */
export type Restorable = boolean | Sql

/** With `archived=true` a list shows only what the caller may restore. */
export const restorableOnly = ({ archived }: Listed, restorable: Restorable): Sql[] =>
  !archived || restorable === true ? [] : [restorable === false ? sql`false` : sql`(${restorable})`]

/** Whether `q` finds names by their beginning: it has too little for the trigram index. */
export const isPrefix = (q: string | undefined): boolean => q !== undefined && !trigramIn(fold(q))

/**
 * The names that `q` finds: those that contain it, through the trigram index; or, where it has too little to be found by that, those that
 * begin with it, through the index that orders by name. A lone accent folds to nothing and is in no name.
 */
function nameMatches(name: Sql, folded: string): Sql {
  if (folded === '') return sql`false`
  if (trigramIn(folded)) return sql`${name} LIKE ${anywhere(folded)}`
  const after = afterPrefix(folded)
  return after === undefined ? sql`${name} >= ${folded}` : sql`${name} >= ${folded} AND ${name} < ${after}`
}

/** One page and the exact total, from one statement and so from one snapshot, also when the page is empty. */
export async function list<Row, Along = undefined>(
  db: Db,
  { columns, shown, from, where, name, orders, id = sql`id`, beside, along, total }: Source,
  listed: Listed,
): Promise<Page<Row, Along>> {
  const { limit, offset, q, sort = '' } = listed
  const rows = sql.join([...where, ...(q && name ? [nameMatches(name, fold(q))] : [])], ' AND ')
  const order = sort.replace(/^-/, '')
  const key = order === 'name' ? name : orders?.[order || 'date_created']
  const direction = sort.startsWith('-') ? sql` DESC` : sql``
  const page = sql.id(beside?.page ?? 'page')
  // The outer order is that of the inner: a join is not bound to keep it.
  const [within, hidden, outside] = key
    ? [sql`${key}${direction}, ${id}${direction}`, sql`, ${key} AS _key`, sql`_key${direction}, ${page}.id${direction}`]
    : [sql`${id}${direction}`, sql``, sql`${page}.id${direction}`]
  const known = q && name ? undefined : total
  const found = await db.query<Row & { id: string | null; _total: number; _along: Along }>(sql`
    SELECT counted.*, ${shown ?? sql`${page}.*`}${beside?.columns ? sql`, ${beside.columns}` : sql``}
    FROM (${known ? sql`SELECT ${known} AS _total` : sql`SELECT count(*) AS _total${along ? sql`, ${along} AS _along` : sql``} FROM ${from} WHERE ${rows}`}) counted
    LEFT JOIN (
      SELECT ${columns}${hidden} FROM ${from} WHERE ${rows} ORDER BY ${within} LIMIT ${limit} OFFSET ${offset}
    ) ${page} ON true ${beside?.join ?? sql``}
    ORDER BY ${outside}`)
  const items = found[0]?.id == null ? [] : found
  return { items, limit, offset, total: found[0]?._total ?? 0, ...(along && { along: found[0]?._along as Along }) }
}
