import { idAt } from '../core/ids.ts'
import type { Listed } from '../core/page.ts'
import { afterPrefix, anywhere, fold, trigramIn } from '../core/text.ts'
import type { Db } from './client.ts'
import { type Sql, sql } from './sql.ts'

export interface Source {
  columns: Sql
  /** The columns of the page, if not all of `columns`. They are evaluated for the page only, not for the rows before it. */
  shown?: Sql
  from: Sql
  where: Sql[]
  /** The folded name that `q` searches and `sort=name` orders by. */
  name?: Sql
  /** The expressions of other sort orders. `date_created` is needed only if it is not the order of ids. */
  orders?: Record<string, Sql>
  id?: Sql
  /** The time of the last change, which `modified_since` filters and `sort=date_modified` orders by, if it is not the column `date_modified`. */
  modified?: Sql
  /** False if no index has the rows in the order of their last change. Not used if the total has to be counted. */
  isOrderedByChange?: boolean
  /** Columns that are computed, and tables that are joined, for the rows of the page only. They refer to those rows as `page`. */
  extras?: { page: string; columns?: Sql; join?: Sql }
  /** An aggregate of all rows, not only of those of the page. */
  aggregate?: Sql
  /** The total, if it is known without counting. Not used with `q`, `ids` and `modified_since`. */
  total?: Sql | undefined
}

export interface Page<Row, Aggregate = undefined> {
  items: Row[]
  limit: number
  offset: number
  total: number
  aggregate?: Aggregate
}

/** The conditions on ids that were made in a span of time. Ids sort by creation. */
export const between = (id: Sql, from?: string, to?: string): Sql[] => [
  ...(from ? [sql`${id} >= ${idAt(new Date(from))}`] : []),
  ...(to ? [sql`${id} < ${idAt(new Date(to))}`] : []),
]

/** The archived rows that the caller may restore: all, none, or those of a condition. */
export type Restorable = boolean | Sql

/** With `archived=true`, a list shows only the rows that the caller may restore. */
export const restorableOnly = ({ archived }: Listed, restorable: Restorable): Sql[] =>
  !archived || restorable === true ? [] : [restorable === false ? sql`false` : sql`(${restorable})`]

/** The condition on the external id that a list names, if it names one. */
export const withExternalId = ({ external_id }: Listed, column: Sql = sql`external_id`): Sql[] =>
  external_id === undefined ? [] : [sql`${column} = ${external_id}`]

/** Returns true if `q` is too short for the trigram index, and so finds names by their beginning. */
export const isPrefix = (q: string | undefined): boolean => q !== undefined && !trigramIn(fold(q))

/**
 * The condition on the names that `q` finds: names that contain it, through the trigram index; or, if it is too short for that, names that
 * begin with it, through the index that sorts by name. A lone accent folds to nothing and is in no name.
 */
export function nameMatches(name: Sql, folded: string): Sql {
  if (folded === '') return sql`false`
  if (trigramIn(folded)) return sql`${name} LIKE ${anywhere(folded)}`
  const after = afterPrefix(folded)
  return after === undefined ? sql`${name} >= ${folded}` : sql`${name} >= ${folded} AND ${name} < ${after}`
}

/** The conditions that every list understands: `q`, `ids` and `modified_since`. */
function matchesOf({ q, ids, modified_since }: Listed, name: Sql | undefined, id: Sql, modified: Sql): Sql[] {
  return [
    ...(q && name ? [nameMatches(name, fold(q))] : []),
    ...(ids ? [sql`${id} = ANY (${ids}::uuid[])`] : []),
    // Nothing is older than the service, and PostgreSQL has no year 0.
    ...(modified_since ? [sql`${modified} >= ${new Date(Math.max(0, Date.parse(modified_since)))}`] : []),
  ]
}

/**
 * True if all matching rows are to be found first, and then sorted. Without this fence (OFFSET 0) a plan may walk through the rows in their
 * order until it has found enough, and read a whole company for the few that changed since yesterday. Finding all of them costs no more than
 * counting them, which is done anyway. Where the total is known without counting, an index has the rows in the order of their last change.
 */
const isFencedOff = ({ modified_since }: Listed, order: string, isIndexed: boolean) =>
  modified_since !== undefined || (order === 'date_modified' && !isIndexed)

/** Returns one page and the exact total, from one statement and so from one snapshot, even if the page is empty. */
export async function list<Row, Aggregate = undefined>(db: Db, source: Source, listed: Listed): Promise<Page<Row, Aggregate>> {
  const { columns, shown, from, where, name, orders, id = sql`id`, modified = sql`date_modified`, extras, aggregate, total } = source
  const { limit, offset, sort = '' } = listed
  const matches = matchesOf(listed, name, id, modified)
  const order = sort.replace(/^-/, '')
  // Always true: only statements that say so can use the indexes by the time of the change (migration 0021).
  const byChange = order === 'date_modified' || listed.modified_since ? [sql`${modified} > '-infinity'`] : []
  const condition = sql.join([...where, ...matches, ...byChange], ' AND ')
  const key = { name, date_modified: modified, ...orders }[order || 'date_created']
  const direction = sort.startsWith('-') ? sql` DESC` : sql``
  const page = sql.id(extras?.page ?? 'page')
  // The outer query sorts again: a join need not keep the order of the inner one.
  const [innerOrder, hidden, outerOrder] = key
    ? [sql`${key}${direction}, ${id}${direction}`, sql`, ${key} AS _key`, sql`_key${direction}, ${page}.id${direction}`]
    : [sql`${id}${direction}`, sql``, sql`${page}.id${direction}`]
  const knownTotal = matches.length > 0 ? undefined : total
  const rows = sql`SELECT ${columns}${hidden} FROM ${from} WHERE ${condition}`
  const isFenced = isFencedOff(listed, order, knownTotal !== undefined && source.isOrderedByChange !== false)
  const found = await db.query<Row & { id: string | null; _total: number; _aggregate: Aggregate }>(sql`
    SELECT counted.*, ${shown ?? sql`${page}.*`}${extras?.columns ? sql`, ${extras.columns}` : sql``}
    FROM (${knownTotal ? sql`SELECT ${knownTotal} AS _total` : sql`SELECT count(*) AS _total${aggregate ? sql`, ${aggregate} AS _aggregate` : sql``} FROM ${from} WHERE ${condition}`}) counted
    LEFT JOIN (
      ${isFenced ? sql`SELECT * FROM (${rows} OFFSET 0) page ORDER BY ${key ? sql`_key${direction}, ` : sql``}page.id${direction}` : sql`${rows} ORDER BY ${innerOrder}`} LIMIT ${limit} OFFSET ${offset}
    ) ${page} ON true ${extras?.join ?? sql``}
    ORDER BY ${outerOrder}`)
  const items = found[0]?.id == null ? [] : found
  return { items, limit, offset, total: found[0]?._total ?? 0, ...(aggregate && { aggregate: found[0]?._aggregate as Aggregate }) }
}
