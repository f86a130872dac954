import type pg from 'pg'
import type { Static, TObject, TSchema } from 'typebox'
import { timeOf } from '../core/ids.ts'
import { mergePatch, same } from '../core/json.ts'
import type { Listed } from '../core/page.ts'
import { conflict, notFound } from '../core/problem.ts'
import { fold, MAX_TEXT_KEY } from '../core/text.ts'
import type { Db, Tx } from './client.ts'
import { columnsOf, excerptColumnsOf } from './columns.ts'
import { counting, totalOf } from './counters.ts'
import { isPrefix, list } from './list.ts'
import { type Sight, seen } from './sight.ts'
import { type Sql, sql } from './sql.ts'

/** What a write did. The event, the reply, the ETag and the check of If-Match are all read off it. */
export interface Change<Row> {
  before: Row | null
  after: Row | null
}

type Check<Row> = (row: Row) => unknown
/** A merge patch, or how to make one of the row as it is, which is held meanwhile: what it counts, it counts exactly. */
type Patch<Row> = Partial<Row> | ((row: Row) => Partial<Row>)

/** What every read and write must name: the tenant where the table has one, else the row. */
export type Scope<Row> = Row extends { company_id: string } ? { company_id: string } & Partial<Row> : Partial<Row>

interface Options {
  /** As in `User not found`. */
  noun: string
  /** What to tell a client that breaks a unique index, by the index's name. */
  conflicts?: Record<string, string>
  /** Fields whose folded text is searched, kept together in `text_key`. */
  texts?: string[]
  /** Whether rows stay when they are purged: marked so, they are not there any more. */
  purges?: boolean
  /** Whether a company may have so many that their number is kept. */
  counts?: boolean
}

/** What is searched is kept beside the row in its folded form: name or title, and the long texts. */
function folded(changed: Record<string, unknown>, row: Record<string, unknown>, texts: string[]): Record<string, string | null> {
  const name = changed.name ?? changed.title
  const text = texts.map((field) => row[field]).filter((value) => typeof value === 'string' && value !== '')
  return {
    ...(typeof name === 'string' && { name_key: fold(name) }),
    ...(texts.some((field) => field in changed) && { text_key: text.length ? fold(text.join('\n'), MAX_TEXT_KEY) : null }),
  }
}

/** From here on it is worth while to count the rows before a page first, and then to look at its own. */
const DEEP = 1000

/** Whether an index alone can find the ids of a page that lies among many rows, so that only its own rows are read. */
const isFar = ({ offset, q }: Listed) => offset >= DEEP || isPrefix(q)

const SCALARS = new Set<string | undefined>(['string', 'integer', 'number', 'boolean', 'null'])

/** A value as it is shown; what was not given is null. */
const shown = (value: unknown) => (value instanceof Date ? value.toISOString() : (value ?? null))

/**
 * The verbs that are the same for every resource. The schema's keys are the columns, so a field is written once.
 * Anything cleverer is plain SQL in the resource's queries.ts.
 */
export const table = <S extends TObject>(name: string, schema: S, options: Options) =>
  verbs(name, schema, selectionsOf(name, schema), options, [])

/**
 * The same for a table with a `visibility`: its rows are reached only through somebody's eyes, and what those may not
 * see is as if it were not there.
 */
export function secretTable<S extends TObject>(name: string, schema: S, options: Options & { author?: string }) {
  const author = options.author ? sql.id(options.author) : undefined
  const selections = selectionsOf(name, schema)
  return {
    columns: selections.columns,
    insert: verbs(name, schema, selections, options, []).insert,
    /** `beside` are further columns of what is read, worked out for each row that is shown. */
    seenBy: (sight: Sight, beside?: Sql) => verbs(name, schema, selections, options, [seen(sight, sql`visibility`, author)], beside),
  }
}

/** What is selected of a table: whole rows, and excerpts of them where a list names its rows `page`, `far` or as the table. */
const selectionsOf = (name: string, schema: TObject) => ({
  columns: columnsOf(schema),
  page: excerptColumnsOf(schema, 'page'),
  far: excerptColumnsOf(schema, 'far'),
  own: excerptColumnsOf(schema, name),
})

function verbs<S extends TObject>(
  name: string,
  schema: S,
  { columns, ...excerpts }: ReturnType<typeof selectionsOf>,
  { noun, conflicts = {}, texts = [], purges = false, counts = false }: Options,
  always: Sql[],
  beside?: Sql,
) {
  type Row = Static<S>
  type Values = Partial<Row> & Record<string, unknown>
  const from = sql.id(name)
  const fields = schema.properties as Record<string, TSchema>
  const archives = 'date_archived' in fields
  /** What is inserted is known without asking for it; not JSON, which the database writes in its own way. Columns have no defaults. */
  const plain = Object.values(fields).every((field) => [(field as { type?: string }).type].flat().every((type) => SCALARS.has(type)))

  const where = (scope: object) => [...Object.entries(scope).map(([key, value]) => sql`${sql.id(key)} = ${value}`), ...always]
  const live = archives ? [sql`date_archived IS NULL`] : []
  /** Live or archived; what is live was not purged. */
  const there = (scope: object) => [...where(scope), ...(purges ? [sql`date_purged IS NULL`] : [])]
  const and = (conditions: Sql[]) => sql.join(conditions, ' AND ')
  /** What goes into a row, in one order whatever that of the values: statements are prepared by their text. */
  const cells = (values: Values, row = values): [string, unknown][] =>
    Object.entries({ ...values, ...folded(values, row, texts) }).sort(([a], [b]) => (a < b ? -1 : 1))

  const refuseDuplicate = ({ code, constraint }: Pick<pg.DatabaseError, 'code' | 'constraint'>) => {
    const sentence = code === '23505' && conflicts[constraint ?? '']
    if (sentence) conflict('duplicate', sentence)
  }
  const one = async (db: Db, query: Sql): Promise<Row> => {
    const [row] = await db.query<Row>(query).catch((error) => {
      refuseDuplicate(error)
      throw error
    })
    return row ?? notFound(noun)
  }
  /** Holds the row until the transaction ends, so that what was checked stays true. */
  const lock = (db: Tx, conditions: Sql[], how = sql`NO KEY UPDATE`) =>
    one(db, sql`SELECT ${columns} FROM ${from} WHERE ${and(conditions)} FOR ${how}`)
  /** What keeps the number of live rows, where it is kept. */
  const counted = (scope: object, by: 1 | -1): Sql[] => {
    const { company_id, id } = scope as { company_id: string; id: string }
    return counts ? [counting(name, company_id, id, by)] : []
  }
  const write = (db: Tx, scope: Scope<Row>, values: Values, row?: Values, along: Sql[] = []) => {
    const sets = cells(values, row).map(([key, value]) => sql`${sql.id(key)} = ${value}`)
    return one(
      db,
      sql`${sql.along(along)}UPDATE ${from} SET ${sql.join(sets, ', ')}, version = version + 1, date_modified = ${db.now()}
          WHERE ${and(where(scope))} RETURNING ${columns}`,
    )
  }

  /**
   * The rows of a page by their ids: those before it are only counted, which an index can do without looking at them. The fence
   * (OFFSET 0) keeps the plan from beginning with all the rows instead.
   */
  const fromFar = (company_id: unknown) => ({
    columns: sql`id`,
    shown: excerpts.far,
    beside: {
      page: 'page',
      join: sql`LEFT JOIN LATERAL (SELECT ${columns} FROM ${from} WHERE company_id = ${company_id} AND id = page.id OFFSET 0) far ON true`,
    },
  })

  return {
    columns,

    list: (db: Db, scope: Scope<Row>, listed: Listed, ...also: Sql[]) => {
      const state = archives ? [listed.archived ? sql`date_archived IS NOT NULL` : sql`date_archived IS NULL`] : []
      const all = [...(listed.archived ? there(scope) : where(scope)), ...state, ...also]
      const unfiltered = counts && Object.keys(scope).length === 1 && also.length === 0 && !listed.archived
      const total = unfiltered ? totalOf(name, (scope as { company_id: string }).company_id) : undefined
      const shown = beside ? excerpts.own : excerpts.page
      const source = { columns, shown, from, where: all.length ? all : [sql`true`], name: sql`name_key`, total }
      if (beside) return list<Row>(db, { ...source, beside: { page: name, columns: beside } }, listed)
      return list<Row>(db, 'company_id' in scope && isFar(listed) ? { ...source, ...fromFar(scope.company_id) } : source, listed)
    },

    get: (db: Db, scope: Scope<Row>, ...also: Sql[]): Promise<Row> =>
      one(db, sql`SELECT ${columns}${beside ? sql`, ${beside}` : sql``} FROM ${from} WHERE ${and([...where(scope), ...live, ...also])}`),

    /** The same of a row that stays live until the transaction ends. */
    hold: (db: Tx, scope: Scope<Row>): Promise<Row> => lock(db, [...where(scope), ...live], sql`KEY SHARE`),

    /** `also` is done in the same statement. */
    async insert(
      db: Tx,
      values: Scope<Row> & Record<string, unknown>,
      also: (id: string) => Sql[] = () => [],
    ): Promise<Change<Row> & { after: Row }> {
      const id = (values as { id?: string }).id ?? db.newId()
      const made = timeOf(id)
      const row = cells({ ...values, id, date_created: made, date_modified: made } as Values)
      const keys = row.map(([key]) => sql.id(key))
      const given = row.map(([, value]) => sql`${value}`)
      const along = sql.along([...counted({ ...values, id }, 1), ...also(id)])
      const insert = sql`${along}INSERT INTO ${from} (${sql.join(keys, ', ')}) VALUES (${sql.join(given, ', ')})`
      if (!plain) return { before: null, after: await one(db, sql`${insert} RETURNING ${columns}`) }
      db.send(insert, refuseDuplicate)
      const after = Object.fromEntries(Object.keys(fields).map((name) => [name, shown((values as Values)[name])]))
      return { before: null, after: { ...after, id, version: 1, date_created: shown(made), date_modified: shown(made) } as Row }
    },

    /** A JSON Merge Patch. One that changes nothing writes nothing. */
    async update(db: Tx, scope: Scope<Row>, patch: Patch<Row>, check?: Check<Row>): Promise<Change<Row> & { before: Row; after: Row }> {
      const before = await lock(db, [...where(scope), ...live])
      await check?.(before)
      const merged = Object.entries(typeof patch === 'function' ? patch(before) : patch).map(
        ([key, value]) => [key, mergePatch((before as Values)[key], value)] as const,
      )
      const changes = Object.fromEntries(merged.filter(([key, value]) => !same(value ?? null, (before as Values)[key] ?? null)))
      if (Object.keys(changes).length === 0) return { before, after: before }
      const after = await write(db, scope, changes as Values, { ...(before as Values), ...changes })
      return { before, after }
    },

    async archive(db: Tx, scope: Scope<Row>, check?: Check<Row>): Promise<Change<Row>> {
      // Waits for those who write under it, who hold it live until they are done.
      const before = await lock(db, there(scope), sql`UPDATE`)
      await check?.(before)
      if ((before as Values).date_archived) return { before, after: before }
      return { before, after: await write(db, scope, { date_archived: db.now() } as unknown as Values, undefined, counted(scope, -1)) }
    },

    async restore(db: Tx, scope: Scope<Row>, check?: Check<Row>, values: Values = {}): Promise<Change<Row> & { after: Row }> {
      const before = await lock(db, there(scope))
      await check?.(before)
      if (!(before as Values).date_archived) return { before, after: before }
      return {
        before,
        after: await write(db, scope, { ...values, date_archived: null } as unknown as Values, undefined, counted(scope, 1)),
      }
    },

    /** For what is removed outright: no trace is left but its event. */
    async remove(db: Tx, scope: Scope<Row>, ...also: Sql[]): Promise<Change<Row>> {
      const before = await one(db, sql`DELETE FROM ${from} WHERE ${and([...where(scope), ...also])} RETURNING ${columns}`)
      return { before, after: null }
    },
  }
}
