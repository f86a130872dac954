import { MAX_METADATA_KEYS } from '../core/fields.ts'
import { timeOf } from '../core/ids.ts'
import { isSameJson, mergePatch } from '../core/json.ts'
import { invalid, notFound } from '../core/problem.ts'
import { fold, MAX_TEXT_KEY } from '../core/text.ts'
import type { Tx } from './client.ts'
import { orderedColumn } from './columns.ts'
import { counting } from './counters.ts'
import { refuseDuplicate } from './duplicate.ts'
import { type Sql, sql } from './sql.ts'
import { and, inScope, isLive, isNotPurged, type Scope, type TableSpec, type View } from './table-spec.ts'
import { together } from './together.ts'

/** The effect of a write. The event, the reply, the ETag and the check of If-Match are all derived from it. */
export interface Change<Row> {
  before: Row | null
  after: Row | null
}

/** Throws if the locked row may not be changed. */
export type Check<Row> = (row: Row) => unknown
/** A merge patch, or a function that computes one from the locked row. */
export type Patch<Row> = Partial<Row> | ((row: Row) => Partial<Row>)
export type Values<Row> = Partial<Row> & Record<string, unknown>

type Fields = Record<string, unknown>

/** A value in its form on the wire; an absent one is null. */
const wireValue = (value: unknown) => (value instanceof Date ? value.toISOString() : (value ?? null))

/** The folded forms that searches read: of the name or title, and of the long texts, each on a line of its own. */
function searchKeys(changed: Fields, row: Fields, { named, texts }: Pick<TableSpec, 'named' | 'texts'>): Record<string, string | null> {
  const name = named ? changed[named] : (changed.name ?? changed.title)
  const text = texts.flatMap((field) => row[field]).filter((value) => typeof value === 'string' && value !== '')
  return {
    ...(typeof name === 'string' && { name_key: fold(name) }),
    ...(texts.some((field) => field in changed) && { text_key: text.length ? fold(text.join('\n'), MAX_TEXT_KEY) : null }),
  }
}

/** The values of ordered fields, for the columns that keep them as they were sent. */
const orderedCopies = (values: Fields, { ordered }: TableSpec): Fields =>
  Object.fromEntries(ordered.flatMap((name) => (name in values ? [[orderedColumn(name), values[name]]] : [])))

/** The columns to write, sorted by name: statements are prepared by their text, so the order of a request's fields must not matter. */
const cellsOf = (spec: TableSpec, values: Fields, row = values): [string, unknown][] =>
  Object.entries({ ...values, ...orderedCopies(values, spec), ...searchKeys(values, row, spec) }).sort(([a], [b]) => (a < b ? -1 : 1))

/** Explains a failed write of this row. */
const explain =
  ({ spec, conditions }: View, row: Fields) =>
  (error: Parameters<typeof refuseDuplicate>[1]) =>
    refuseDuplicate(spec, error, () => ({ ...row, ...searchKeys(row, row, { named: spec.named, texts: [] }) }), conditions)

/** Runs a statement on one row. `written` are the values that it writes. */
async function oneRow<Row>(view: View, tx: Tx, query: Sql, written: Fields = {}): Promise<Row> {
  const [row] = await tx.query<Row>(query).catch((error) => {
    explain(view, written)(error)
    throw error
  })
  return row ?? notFound(view.spec.noun)
}

/** Locks the row until the transaction ends, so that the facts that were checked stay true. */
const lockRow = <Row>(view: View, tx: Tx, conditions: Sql[], mode = sql`NO KEY UPDATE`) =>
  oneRow<Row>(view, tx, sql`SELECT ${view.spec.columns} FROM ${view.spec.from} WHERE ${and(conditions)} FOR ${mode}`)

/** The statement that counts a row which becomes live or stops being so, if the table is counted. */
function counterChange({ counts, name }: TableSpec, scope: object, by: 1 | -1): Sql[] {
  const { company_id, id } = scope as { company_id: string; id: string }
  return counts ? [counting(name, company_id, id, by)] : []
}

function writeRow<Row>(view: View, tx: Tx, scope: object, before: Row, cells: [string, unknown][], alongside: Sql[] = []) {
  const { columns, from } = view.spec
  const sets = cells.map(([key, value]) => sql`${sql.id(key)} = ${value}`)
  return together(tx, alongside, (prefix) =>
    oneRow<Row>(
      view,
      tx,
      sql`${prefix}UPDATE ${from} SET ${sql.join(sets, ', ')}, version = version + 1, date_modified = ${tx.now()}
          WHERE ${and(inScope(view, scope))} RETURNING ${columns}`,
      { ...(before as Fields), ...Object.fromEntries(cells) },
    ),
  )
}

export const holdRow = <Row>(view: View, tx: Tx, scope: Scope<Row>): Promise<Row> =>
  lockRow<Row>(view, tx, [...inScope(view, scope), ...isLive(view)], sql`KEY SHARE`)

/** The statement that inserts a row, the statements that belong to it, and its values. */
function insertionOf({ spec }: View, tx: Tx, values: Fields, alongside: Alongside) {
  const given: Fields = { ...spec.defaults, ...values }
  const id = (given.id as string | undefined) ?? tx.newId()
  const created = timeOf(id)
  const cells = cellsOf(spec, { ...given, id, date_created: created, date_modified: created })
  const names = cells.map(([name]) => sql.id(name))
  const cellValues = cells.map(([, value]) => sql`${value}`)
  const others = [...counterChange(spec, { ...given, id }, 1), ...alongside(id)]
  const insert = sql`INSERT INTO ${spec.from} (${sql.join(names, ', ')}) VALUES (${sql.join(cellValues, ', ')})`
  return { id, created, given, others, insert }
}

/** Statements that become part of an insert, made from the id of the row. */
export type Alongside = (id: string) => Sql[]

export async function insertRow<Row>(
  view: View,
  tx: Tx,
  values: Scope<Row> & Fields,
  alongside: Alongside,
): Promise<Change<Row> & { after: Row }> {
  const { spec } = view
  const { id, created, given, others, insert } = insertionOf(view, tx, values, alongside)
  if (!spec.isKnownFromValues) {
    const after = await together(tx, others, (prefix) => oneRow<Row>(view, tx, sql`${prefix}${insert} RETURNING ${spec.columns}`, given))
    return { before: null, after }
  }
  together(tx, others, (prefix) => tx.send(sql`${prefix}${insert}`, explain(view, given)))
  const row = Object.fromEntries(Object.keys(spec.schema.properties).map((name) => [name, wireValue(given[name])]))
  const date = wireValue(created)
  return { before: null, after: { ...row, id, version: 1, date_created: date, date_modified: date } as Row }
}

/**
 * Inserts a row, unless a live row has its external id; then it returns null. It waits for concurrent transactions that insert the same external id.
 * The other statements follow, because PostgreSQL would run them even if the insert does nothing.
 */
export async function insertIfNew<Row>(
  view: View,
  tx: Tx,
  values: Scope<Row> & Fields,
  alongside: Alongside,
): Promise<(Change<Row> & { after: Row }) | null> {
  const { others, insert } = insertionOf(view, tx, values, alongside)
  const [after] = await tx.query<Row>(sql`
    ${insert} ON CONFLICT (company_id, external_id) WHERE date_archived IS NULL AND external_id IS NOT NULL DO NOTHING
    RETURNING ${view.spec.columns}`)
  if (!after) return null
  for (const other of others) tx.send(other)
  return { before: null, after }
}

/** Rejects a patch that adds too many keys to those that are there. */
function refuseTooManyKeys(metadata: unknown): void {
  if (Object.keys(metadata ?? {}).length > MAX_METADATA_KEYS)
    invalid([{ field: 'metadata', message: `must have at most ${MAX_METADATA_KEYS} keys in total` }])
}

export async function updateRow<Row>(
  view: View,
  tx: Tx,
  scope: Scope<Row>,
  patch: Patch<Row>,
  check?: Check<Row>,
): Promise<Change<Row> & { before: Row; after: Row }> {
  const before = await lockRow<Row>(view, tx, [...inScope(view, scope), ...isLive(view)])
  await check?.(before)
  const current = before as Fields
  const merged = Object.entries(typeof patch === 'function' ? patch(before) : patch).map(
    ([key, value]) => [key, mergePatch(current[key], value)] as const,
  )
  const changes = Object.fromEntries(merged.filter(([key, value]) => !isSameJson(value ?? null, current[key] ?? null)))
  if (Object.keys(changes).length === 0) return { before, after: before }
  refuseTooManyKeys(changes.metadata)
  return { before, after: await writeRow(view, tx, scope, before, cellsOf(view.spec, changes, { ...current, ...changes })) }
}

export async function archiveRow<Row>(view: View, tx: Tx, scope: Scope<Row>, check?: Check<Row>): Promise<Change<Row>> {
  // Waits for transactions that write below the row: they hold it live until they end.
  const before = await lockRow<Row>(view, tx, [...inScope(view, scope), ...isNotPurged(view)], sql`UPDATE`)
  await check?.(before)
  if ((before as Fields).date_archived) return { before, after: before }
  const cells = cellsOf(view.spec, { date_archived: tx.now() })
  return { before, after: await writeRow(view, tx, scope, before, cells, counterChange(view.spec, scope, -1)) }
}

export async function restoreRow<Row>(
  view: View,
  tx: Tx,
  scope: Scope<Row>,
  check: Check<Row> | undefined,
  values: Fields,
): Promise<Change<Row> & { after: Row }> {
  const before = await lockRow<Row>(view, tx, [...inScope(view, scope), ...isNotPurged(view)])
  await check?.(before)
  if (!(before as Fields).date_archived) return { before, after: before }
  const cells = cellsOf(view.spec, { ...values, date_archived: null })
  return { before, after: await writeRow(view, tx, scope, before, cells, counterChange(view.spec, scope, 1)) }
}

export async function removeRow<Row>(view: View, tx: Tx, scope: Scope<Row>, where: Sql[]): Promise<Change<Row>> {
  const { columns, from } = view.spec
  const conditions = [...inScope(view, scope), ...where]
  return { before: await oneRow<Row>(view, tx, sql`DELETE FROM ${from} WHERE ${and(conditions)} RETURNING ${columns}`), after: null }
}
