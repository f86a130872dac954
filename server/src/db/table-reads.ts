import type { Listed } from '../core/page.ts'
import { notFound } from '../core/problem.ts'
import type { Db } from './client.ts'
import { totalOf } from './counters.ts'
import { isPrefix, list, type Page, type Restorable, restorableOnly, withExternalId } from './list.ts'
import { type Sql, sql } from './sql.ts'
import { and, columnsIn, inScope, isLive, isNotPurged, type Scope, type View } from './table-spec.ts'

interface Conditions {
  where?: Sql[]
  /** True if `q` searches the texts of the table, too. */
  searchesTexts?: boolean
}

/** The options of a list. If rows can be archived, the caller must say which ones it may restore: `archived=true` lists only those. */
export type ListOptions<Row> = 'date_archived' extends keyof Row
  ? [options: Conditions & { restorable: Restorable }]
  : [options?: Conditions]

/** From this offset on it is faster to find the ids of a page first, and then to read its rows. */
const MIN_DISTANT_OFFSET = 1000

/** Returns true if an index alone can find the ids of a page among many rows, so that only the rows of the page are read. */
const isDistant = ({ offset, q }: Listed) => offset >= MIN_DISTANT_OFFSET || isPrefix(q)

export function listRows<Row>(
  view: View,
  db: Db,
  scope: Scope<Row>,
  listed: Listed,
  { where = [], searchesTexts = false, restorable = true }: Conditions & { restorable?: Restorable } = {},
): Promise<Page<Row>> {
  const { spec, computed, mask } = view
  const { name, from, columns, excerptOf } = spec
  const filters = [...where, ...withExternalId(listed)]
  const isCounted = spec.counts && Object.keys(scope).length === 1 && filters.length === 0 && !listed.archived
  const source = {
    columns,
    from,
    where: [...inScope(view, scope), ...inListedState(view, listed), ...restorableOnly(listed, restorable), ...filters],
    name: sql`name_key`,
    text: searchesTexts ? sql`text_key` : undefined,
    total: isCounted ? totalOf(name, (scope as { company_id: string }).company_id) : undefined,
  }
  if (source.where.length === 0) source.where.push(sql`true`)
  if (computed) return list(db, { ...source, shown: excerptOf(name, mask), extras: { page: name, columns: computed } }, listed)
  if (!('company_id' in scope) || !isDistant(listed)) return list(db, { ...source, shown: excerptOf('page', mask) }, listed)
  return list(db, { ...source, ...distantPage(view, scope.company_id) }, listed)
}

function inListedState(view: View, { archived }: Listed): Sql[] {
  if (!archived) return isLive(view)
  return [...isNotPurged(view), ...(view.spec.archives ? [sql`date_archived IS NOT NULL`] : [])]
}

/**
 * Selects the rows of a page by their ids: the rows before it are only counted, for which an index is enough. The fence (OFFSET 0) keeps
 * the plan from reading all rows first.
 */
const distantPage = ({ spec: { columns, excerptOf, from }, mask }: View, company_id: unknown) => ({
  columns: sql`id`,
  shown: excerptOf('far', mask),
  extras: {
    page: 'page',
    join: sql`LEFT JOIN LATERAL (SELECT ${columns} FROM ${from} WHERE company_id = ${company_id} AND id = page.id OFFSET 0) far ON true`,
  },
})

export async function getRow<Row>(view: View, db: Db, scope: Scope<Row>, where: Sql[]): Promise<Row> {
  const { spec, computed } = view
  const conditions = [...inScope(view, scope), ...isLive(view), ...where]
  const [row] = await db.query<Row>(
    sql`SELECT ${columnsIn(view)}${computed ? sql`, ${computed}` : sql``} FROM ${spec.from} WHERE ${and(conditions)}`,
  )
  return row ?? notFound(spec.noun)
}
