import type pg from 'pg'
import type { Static, TObject } from 'typebox'
import { timeOf } from '../core/ids.ts'
import { isSameJson, mergePatch } from '../core/json.ts'
import { conflict, notFound } from '../core/problem.ts'
import { fold, MAX_TEXT_KEY } from '../core/text.ts'
import type { Tx } from './client.ts'
import { counting } from './counters.ts'
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

const UNIQUE_VIOLATION = '23505'

/** A value in its form on the wire; an absent one is null. */
const wireValue = (value: unknown) => (value instanceof Date ? value.toISOString() : (value ?? null))

/** The folded forms that searches read: of the name or title, and of the long texts. */
function searchKeys(changed: Fields, row: Fields, texts: string[]): Record<string, string | null> {
  const name = changed.name ?? changed.title
  const text = texts.map((field) => row[field]).filter((value) => typeof value === 'string' && value !== '')
  return {
    ...(typeof name === 'string' && { name_key: fold(name) }),
    ...(texts.some((field) => field in changed) && { text_key: text.length ? fold(text.join('\n'), MAX_TEXT_KEY) : null }),
  }
}

/** The columns to write, sorted by name: statements are prepared by their text, so the order of a request's fields must not matter. */
const cellsOf = ({ texts }: TableSpec, values: Fields, row = values): [string, unknown][] =>
  Object.entries({ ...values, ...searchKeys(values, row, texts) }).sort(([a], [b]) => (a < b ? -1 : 1))

const refuseDuplicate =
  ({ conflicts }: TableSpec) =>
  ({ code, constraint }: Pick<pg.DatabaseError, 'code' | 'constraint'>) => {
    const message = code === UNIQUE_VIOLATION && conflicts[constraint ?? '']
    if (message) conflict('duplicate', message)
  }

async function oneRow<S extends TObject>({ spec }: View<S>, tx: Tx, query: Sql): Promise<Static<S>> {
  const [row] = await tx.query<Static<S>>(query).catch((error) => {
    refuseDuplicate(spec)(error)
    throw error
  })
  return row ?? notFound(spec.noun)
}

/** Locks the row until the transaction ends, so that the facts that were checked stay true. */
const lockRow = <S extends TObject>(view: View<S>, tx: Tx, conditions: Sql[], mode = sql`NO KEY UPDATE`) =>
  oneRow(view, tx, sql`SELECT ${view.spec.columns} FROM ${view.spec.from} WHERE ${and(conditions)} FOR ${mode}`)

/** The statement that counts a row which becomes live or stops being so, if the table is counted. */
function counterChange({ counts, name }: TableSpec, scope: object, by: 1 | -1): Sql[] {
  const { company_id, id } = scope as { company_id: string; id: string }
  return counts ? [counting(name, company_id, id, by)] : []
}

function writeRow<S extends TObject>(view: View<S>, tx: Tx, scope: Scope<Static<S>>, cells: [string, unknown][], alongside: Sql[] = []) {
  const { columns, from } = view.spec
  const sets = cells.map(([key, value]) => sql`${sql.id(key)} = ${value}`)
  return together(tx, alongside, (prefix) =>
    oneRow(
      view,
      tx,
      sql`${prefix}UPDATE ${from} SET ${sql.join(sets, ', ')}, version = version + 1, date_modified = ${tx.now()}
          WHERE ${and(inScope(view, scope))} RETURNING ${columns}`,
    ),
  )
}

export const holdRow = <S extends TObject>(view: View<S>, tx: Tx, scope: Scope<Static<S>>): Promise<Static<S>> =>
  lockRow(view, tx, [...inScope(view, scope), ...isLive(view)], sql`KEY SHARE`)

export async function insertRow<S extends TObject>(
  view: View<S>,
  tx: Tx,
  values: Scope<Static<S>> & Fields,
  alongside: (id: string) => Sql[],
): Promise<Change<Static<S>> & { after: Static<S> }> {
  const { spec } = view
  const given = values as Fields
  const id = (given.id as string | undefined) ?? tx.newId()
  const created = timeOf(id)
  const cells = cellsOf(spec, { ...given, id, date_created: created, date_modified: created })
  const names = cells.map(([name]) => sql.id(name))
  const cellValues = cells.map(([, value]) => sql`${value}`)
  const others = [...counterChange(spec, { ...given, id }, 1), ...alongside(id)]
  const insert = sql`INSERT INTO ${spec.from} (${sql.join(names, ', ')}) VALUES (${sql.join(cellValues, ', ')})`
  if (!spec.isKnownFromValues) {
    const after = await together(tx, others, (prefix) => oneRow(view, tx, sql`${prefix}${insert} RETURNING ${spec.columns}`))
    return { before: null, after }
  }
  together(tx, others, (prefix) => tx.send(sql`${prefix}${insert}`, refuseDuplicate(spec)))
  const row = Object.fromEntries(Object.keys(spec.schema.properties).map((name) => [name, wireValue(given[name])]))
  const date = wireValue(created)
  return { before: null, after: { ...row, id, version: 1, date_created: date, date_modified: date } as Static<S> }
}

export async function updateRow<S extends TObject>(
  view: View<S>,
  tx: Tx,
  scope: Scope<Static<S>>,
  patch: Patch<Static<S>>,
  check?: Check<Static<S>>,
): Promise<Change<Static<S>> & { before: Static<S>; after: Static<S> }> {
  const before = await lockRow(view, tx, [...inScope(view, scope), ...isLive(view)])
  await check?.(before)
  const current = before as Fields
  const merged = Object.entries(typeof patch === 'function' ? patch(before) : patch).map(
    ([key, value]) => [key, mergePatch(current[key], value)] as const,
  )
  const changes = Object.fromEntries(merged.filter(([key, value]) => !isSameJson(value ?? null, current[key] ?? null)))
  if (Object.keys(changes).length === 0) return { before, after: before }
  return { before, after: await writeRow(view, tx, scope, cellsOf(view.spec, changes, { ...current, ...changes })) }
}

export async function archiveRow<S extends TObject>(
  view: View<S>,
  tx: Tx,
  scope: Scope<Static<S>>,
  check?: Check<Static<S>>,
): Promise<Change<Static<S>>> {
  // Waits for transactions that write below the row: they hold it live until they end.
  const before = await lockRow(view, tx, [...inScope(view, scope), ...isNotPurged(view)], sql`UPDATE`)
  await check?.(before)
  if ((before as Fields).date_archived) return { before, after: before }
  const cells = cellsOf(view.spec, { date_archived: tx.now() })
  return { before, after: await writeRow(view, tx, scope, cells, counterChange(view.spec, scope, -1)) }
}

export async function restoreRow<S extends TObject>(
  view: View<S>,
  tx: Tx,
  scope: Scope<Static<S>>,
  check: Check<Static<S>> | undefined,
  values: Fields,
): Promise<Change<Static<S>> & { after: Static<S> }> {
  const before = await lockRow(view, tx, [...inScope(view, scope), ...isNotPurged(view)])
  await check?.(before)
  if (!(before as Fields).date_archived) return { before, after: before }
  const cells = cellsOf(view.spec, { ...values, date_archived: null })
  return { before, after: await writeRow(view, tx, scope, cells, counterChange(view.spec, scope, 1)) }
}

export async function removeRow<S extends TObject>(
  view: View<S>,
  tx: Tx,
  scope: Scope<Static<S>>,
  where: Sql[],
): Promise<Change<Static<S>>> {
  const { columns, from } = view.spec
  const conditions = [...inScope(view, scope), ...where]
  return { before: await oneRow(view, tx, sql`DELETE FROM ${from} WHERE ${and(conditions)} RETURNING ${columns}`), after: null }
}
