import { idAt } from '../core/ids.ts'
import type { Listed, ListPlace } from '../core/page.ts'
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
  /** The folded texts that `q` searches, too, each on a line of its own. */
  text?: Sql | undefined
  /** The expressions of other sort orders, which are never null. `date_created` is needed only if it is not the order of ids. */
  orders?: Record<string, Sql>
  /** The orders whose keys can change although nobody changes the row. */
  carried?: Record<string, CarriedKey>
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

interface CarriedKey {
  /** The text that a cursor carries instead of the key. It refers to the row as `page`, and to the key as `_key`. */
  text: Sql
  /** The condition on the rows that are after the place of such a text now. */
  isAfter(place: ListPlace, isDescending: boolean): Sql
}

export interface Page<Row, Aggregate = undefined> {
  items: Row[]
  limit: number
  offset: number
  total: number
  /** The place of the last item, if there are further ones. */
  next_cursor: ListPlace | null
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

/** The condition on the texts that contain `q`, or that have a line which begins with it, if it is too short for the trigram index. */
function textMatches(text: Sql, folded: string): Sql {
  if (folded === '') return sql`false`
  const pattern = anywhere(trigramIn(folded) ? folded : `\n${folded}`)
  return trigramIn(folded) ? sql`${text} LIKE ${pattern}` : sql`E'\\n' || ${text} LIKE ${pattern}`
}

/** The conditions that every list understands: `q`, `ids` and `modified_since`. */
function matchesOf({ q, ids, modified_since }: Listed, { name, text }: Pick<Source, 'name' | 'text'>, id: Sql, modified: Sql): Sql[] {
  const inText = q && text ? [textMatches(text, fold(q))] : []
  return [
    ...(q && name ? [sql`(${sql.join([nameMatches(name, fold(q)), ...inText], ' OR ')})`] : []),
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

/**
 * The condition on the rows after a place. The comparison of rows is the order of the list: in the same direction, and with the collation of the
 * column. An index that has the rows in this order begins at the place, and reads nothing before it.
 */
function isAfter(place: ListPlace, key: Sql | undefined, id: Sql, isDescending: boolean, carried?: CarriedKey): Sql {
  const compared = isDescending ? sql`<` : sql`>`
  if (!key) return sql`${id} ${compared} ${place.id}`
  if (carried) return carried.isAfter(place, isDescending)
  return sql`(${key}, ${id}) ${compared} (${place.key}, ${place.id})`
}

/** Returns one page and the exact total, from one statement and so from one snapshot, even if the page is empty. */
export async function list<Row, Aggregate = undefined>(db: Db, source: Source, listed: Listed): Promise<Page<Row, Aggregate>> {
  const { columns, shown, from, where, name, orders, id = sql`id`, modified = sql`date_modified`, extras, aggregate, total } = source
  const { limit, offset, after, sort = '' } = listed
  const matches = matchesOf(listed, source, id, modified)
  const order = sort.replace(/^-/, '')
  // Always true: only statements that say so can use the indexes by the time of the change (migration 0021).
  const byChange = order === 'date_modified' || listed.modified_since ? [sql`${modified} > '-infinity'`] : []
  const condition = sql.join([...where, ...matches, ...byChange], ' AND ')
  const key = { name, date_modified: modified, ...orders }[order || 'date_created']
  const carried = source.carried?.[order]
  const isDescending = sort.startsWith('-')
  const direction = isDescending ? sql` DESC` : sql``
  const page = sql.id(extras?.page ?? 'page')
  // The outer query sorts again: a join need not keep the order of the inner one.
  const [innerOrder, hidden, outerOrder, place] = key
    ? [
        sql`${key}${direction}, ${id}${direction}`,
        sql`, ${key} AS _key`,
        sql`_key${direction}, ${page}.id${direction}`,
        sql`, ${carried?.text ?? sql`${page}._key::text`} AS _place`,
      ]
    : [sql`${id}${direction}`, sql``, sql`${page}.id${direction}`, sql``]
  const knownTotal = matches.length > 0 ? undefined : total
  const beyond = after ? sql` AND ${isAfter(after, key, id, isDescending, carried)}` : sql``
  const rows = sql`SELECT ${columns}${hidden} FROM ${from} WHERE ${condition}${beyond}`
  const isFenced = isFencedOff(listed, order, knownTotal !== undefined && source.isOrderedByChange !== false)
  // After a place, the total does not tell if there is a next page: a row more than asked for does.
  const size = after && limit > 0 ? limit + 1 : limit
  const found = await db.query<Row & { id: string | null; _total: number; _aggregate: Aggregate; _place?: string }>(sql`
    SELECT counted.*, ${shown ?? sql`${page}.*`}${place}${extras?.columns ? sql`, ${extras.columns}` : sql``}
    FROM (${knownTotal ? sql`SELECT ${knownTotal} AS _total` : sql`SELECT count(*) AS _total${aggregate ? sql`, ${aggregate} AS _aggregate` : sql``} FROM ${from} WHERE ${condition}`}) counted
    LEFT JOIN (
      ${isFenced ? sql`SELECT * FROM (${rows} OFFSET 0) page ORDER BY ${key ? sql`_key${direction}, ` : sql``}page.id${direction}` : sql`${rows} ORDER BY ${innerOrder}`} LIMIT ${size} OFFSET ${offset}
    ) ${page} ON true ${extras?.join ?? sql``}
    ORDER BY ${outerOrder}`)
  const items = found[0]?.id == null ? [] : found.slice(0, limit)
  const count = found[0]?._total ?? 0
  const last = items.at(-1)
  const hasMore = after ? found.length > limit : offset + items.length < count
  const next_cursor = last && hasMore ? { key: last._place ?? null, id: last.id as string } : null
  return { items, limit, offset, total: count, next_cursor, ...(aggregate && { aggregate: found[0]?._aggregate as Aggregate }) }
}
