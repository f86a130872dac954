import type { Static, TObject, TSchema } from 'typebox'
import { timeOf } from '../core/ids.ts'
import { canonical, mergePatch } from '../core/json.ts'
import type { Listed } from '../core/page.ts'
import { conflict, notFound } from '../core/problem.ts'
import { fold } from '../core/text.ts'
import type { Db } from './client.ts'
import { list } from './list.ts'
import { type Sql, sql } from './sql.ts'

/** What a write did. The event, the reply, the ETag and the check of If-Match are all read off it. */
export interface Change<Row> {
  before: Row | null
  after: Row | null
}

type Check<Row> = (row: Row) => unknown

/** What every read and write must name: the tenant where the table has one, else the row. */
export type Scope<Row> = Row extends { company_id: string } ? { company_id: string } & Partial<Row> : Partial<Row>

interface Options {
  /** As in `User not found`. */
  noun: string
  /** What to tell a client that breaks a unique index, by the index's name. */
  conflicts?: Record<string, string>
}

/**
 * The verbs that are the same for every resource. The schema's keys are the columns, so a field is written once.
 * Anything cleverer is plain SQL in the resource's queries.ts.
 */
export function table<S extends TObject>(name: string, schema: S, { noun, conflicts = {} }: Options) {
  type Row = Static<S>
  type Values = Partial<Row> & Record<string, unknown>
  const from = sql.id(name)
  const fields = schema.properties as Record<string, TSchema>
  const columns = sql.join(Object.keys(fields).map(sql.id), ', ')
  const archives = 'date_archived' in fields

  const where = (scope: object) => Object.entries(scope).map(([key, value]) => sql`${sql.id(key)} = ${value}`)
  const live = archives ? [sql`date_archived IS NULL`] : []
  const and = (conditions: Sql[]) => sql.join(conditions, ' AND ')
  /** What goes into a row, in one order whatever that of the values: statements are prepared by their text. */
  const cells = (values: Values): [string, unknown][] =>
    Object.entries({ ...values, ...(typeof values.name === 'string' && { name_key: fold(values.name) }) }).sort(([a], [b]) =>
      a < b ? -1 : 1,
    )

  const one = async (db: Db, query: Sql): Promise<Row> => {
    const [row] = await db.query<Row>(query).catch((error: { code?: string; constraint?: string }) => {
      const sentence = error.code === '23505' && conflicts[error.constraint ?? '']
      if (sentence) return conflict('duplicate', sentence)
      throw error
    })
    return row ?? notFound(noun)
  }
  /** Holds the row until the transaction ends, so that what was checked stays true. */
  const lock = (db: Db, conditions: Sql[]) => one(db, sql`SELECT ${columns} FROM ${from} WHERE ${and(conditions)} FOR NO KEY UPDATE`)
  const write = (db: Db, scope: Scope<Row>, values: Values) => {
    const sets = cells(values).map(([key, value]) => sql`${sql.id(key)} = ${value}`)
    return one(
      db,
      sql`UPDATE ${from} SET ${sql.join(sets, ', ')}, version = version + 1, date_modified = ${db.now()}
          WHERE ${and(where(scope))} RETURNING ${columns}`,
    )
  }

  return {
    columns,

    list: (db: Db, scope: Scope<Row>, listed: Listed, ...also: Sql[]) => {
      const state = archives ? [listed.archived ? sql`date_archived IS NOT NULL` : sql`date_archived IS NULL`] : []
      const all = [...where(scope), ...state, ...also]
      return list<Row>(db, { columns, from, where: all.length ? all : [sql`true`], name: sql`name_key` }, listed)
    },

    get: (db: Db, scope: Scope<Row>, ...also: Sql[]): Promise<Row> =>
      one(db, sql`SELECT ${columns} FROM ${from} WHERE ${and([...where(scope), ...live, ...also])}`),

    async insert(db: Db, values: Scope<Row> & Record<string, unknown>): Promise<Change<Row> & { after: Row }> {
      const id = (values as { id?: string }).id ?? db.newId()
      const made = timeOf(id)
      const row = cells({ ...values, id, date_created: made, date_modified: made } as Values)
      const keys = row.map(([key]) => sql.id(key))
      const given = row.map(([, value]) => sql`${value}`)
      const after = await one(db, sql`INSERT INTO ${from} (${sql.join(keys, ', ')}) VALUES (${sql.join(given, ', ')}) RETURNING ${columns}`)
      return { before: null, after }
    },

    /** A JSON Merge Patch. One that changes nothing writes nothing. */
    async update(db: Db, scope: Scope<Row>, patch: Partial<Row>, check?: Check<Row>): Promise<Change<Row>> {
      const before = await lock(db, [...where(scope), ...live])
      await check?.(before)
      const merged = Object.entries(patch).map(([key, value]) => [key, mergePatch((before as Values)[key], value)] as const)
      const changed = merged.filter(([key, value]) => canonical(value) !== canonical((before as Values)[key]))
      const after = changed.length ? await write(db, scope, Object.fromEntries(changed) as Values) : before
      return { before, after }
    },

    async archive(db: Db, scope: Scope<Row>, check?: Check<Row>): Promise<Change<Row>> {
      const before = await lock(db, where(scope))
      if ((before as Values).date_archived) return { before, after: before }
      await check?.(before)
      return { before, after: await write(db, scope, { date_archived: db.now() } as unknown as Values) }
    },

    async restore(db: Db, scope: Scope<Row>): Promise<Change<Row>> {
      const before = await lock(db, where(scope))
      if (!(before as Values).date_archived) return { before, after: before }
      return { before, after: await write(db, scope, { date_archived: null } as unknown as Values) }
    },

    /** For what is removed outright: no trace is left but its event. */
    async remove(db: Db, scope: Scope<Row>, ...also: Sql[]): Promise<Change<Row>> {
      const before = await one(db, sql`DELETE FROM ${from} WHERE ${and([...where(scope), ...also])} RETURNING ${columns}`)
      return { before, after: null }
    },
  }
}
