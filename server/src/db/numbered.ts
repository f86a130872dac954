import type { Static, TObject } from 'typebox'
import type { Listed } from '../core/page.ts'
import { invalid, notFound } from '../core/problem.ts'
import type { Db, Tx } from './client.ts'
import { columnsOf, excerptColumnsOf } from './columns.ts'
import { list, type Restorable, restorableOnly } from './list.ts'
import { type Sql, sql } from './sql.ts'
import { type Change, table } from './table.ts'

/** The distance between new positions: it can be halved 32 times before the rows have to be spread again. */
const GAP = sql`4294967296`

interface Options {
  noun: string
  texts: string[]
  /** The table of the parents, and the column that refers to it. */
  parent: { table: string; column: string }
  partOf: Record<string, string>
}

/** The parent whose rows are numbered. */
interface Parent {
  company_id: string
  parent_id: string
}

/**
 * Rows that are numbered 1 to n inside a parent, without gaps. The table stores sparse positions; the number is computed when a row is read, so
 * nothing is renumbered when a row is archived. A transaction that assigns a position locks the row of the parent.
 */
export function numbered<S extends TObject>(name: string, stored: S, { noun, texts, parent: { table: parents, column }, partOf }: Options) {
  type Row = Static<S>
  type Numbered = Row & { number: number | null }
  const rows = table(name, stored, { noun, texts, partOf })
  const from = sql.id(name)
  const columns = sql`${columnsOf(stored)}, number`
  const shown = sql`${excerptColumnsOf(stored, 'page')}, page.number`
  const inOrder = sql`row_number() OVER (ORDER BY position, id)`
  const isIn = ({ company_id, parent_id }: Parent) => sql`company_id = ${company_id} AND ${sql.id(column)} = ${parent_id}`
  const isLiveIn = (parent: Parent) => sql`${isIn(parent)} AND date_archived IS NULL`
  const scopeOf = ({ company_id, parent_id }: Parent, id: string) => ({ company_id, [column]: parent_id, id }) as never

  const numberedRows = (parent: Parent, archived = false) =>
    archived
      ? sql`(SELECT *, NULL::bigint AS number FROM ${from} WHERE ${isIn(parent)} AND date_archived IS NOT NULL) numbered`
      : sql`(SELECT *, ${inOrder} AS number FROM ${from} WHERE ${isLiveIn(parent)}) numbered`

  const lockParent = (tx: Tx, { company_id, parent_id }: Parent) =>
    tx.query(sql`SELECT id FROM ${sql.id(parents)} WHERE company_id = ${company_id} AND id = ${parent_id} FOR NO KEY UPDATE`)

  /** Finds a live row. Its number is the count of live rows up to its position. */
  const find = async (db: Db, parent: Parent, id: string, lock = sql``): Promise<Numbered | null> => {
    const [row] = await db.query<Numbered>(sql`
      SELECT ${columnsOf(stored)},
        (SELECT count(*) FROM ${from} y
          WHERE y.company_id = x.company_id AND y.${sql.id(column)} = x.${sql.id(column)} AND y.date_archived IS NULL
            AND (y.position, y.id) <= (x.position, x.id)) AS number
      FROM ${from} x WHERE ${isIn(parent)} AND id = ${id} AND date_archived IS NULL ${lock}`)
    return row ?? null
  }
  const get = async (db: Db, parent: Parent, id: string) => (await find(db, parent, id)) ?? notFound(noun)
  const lockRow = async (tx: Tx, parent: Parent, id: string) => (await find(tx, parent, id, sql`FOR NO KEY UPDATE`)) ?? notFound(noun)

  /** The position behind all live rows. The parent must be locked. */
  const lastPosition = (parent: Parent): Sql => sql`(SELECT coalesce(max(position), 0) + ${GAP} FROM ${from} WHERE ${isLiveIn(parent)})`

  /** Returns a position between the future neighbors, or null if there is none. It is text, because it may exceed a JavaScript number. */
  const positionFor = async (tx: Tx, parent: Parent, id: string, number: number): Promise<string | null> => {
    const [found] = await tx.query<{ position: string | null }>(sql`
      WITH others AS (
        SELECT position, ${inOrder} AS number FROM ${from} WHERE ${isLiveIn(parent)} AND id <> ${id}
      )
      SELECT (CASE
          WHEN low IS NULL AND high IS NULL THEN ${GAP}
          WHEN low IS NULL THEN high - ${GAP}
          WHEN high IS NULL THEN low + ${GAP}
          WHEN high - low > 1 THEN low + (high - low) / 2
        END)::text AS position
      FROM (SELECT (SELECT position FROM others WHERE number = ${number}::bigint - 1) AS low,
                   (SELECT position FROM others WHERE number = ${number}::bigint) AS high) neighbors`)
    return found?.position ?? null
  }

  /** Spreads the positions of all live rows, in their order. */
  const spread = (tx: Tx, parent: Parent) =>
    tx.query(sql`
      UPDATE ${from} SET position = number * ${GAP}
      FROM (SELECT id AS ordered_id, ${inOrder} AS number FROM ${from} WHERE ${isLiveIn(parent)}) ordered
      WHERE ${isIn(parent)} AND id = ordered_id`)

  const countLive = async (tx: Tx, parent: Parent): Promise<number> => {
    const [counted] = await tx.query<{ count: number }>(sql`SELECT count(*) AS count FROM ${from} WHERE ${isLiveIn(parent)}`)
    return counted?.count ?? 0
  }

  return {
    list: (db: Db, parent: Parent, listed: Listed, { restorable }: { restorable: Restorable }) => {
      const [where = sql`true`] = restorableOnly(listed, restorable)
      const source = { columns, shown, from: numberedRows(parent, listed.archived), where: [where], name: sql`name_key` }
      return list<Numbered>(db, { ...source, orders: { number: sql`number` } }, listed)
    },
    get,
    async create(tx: Tx, parent: Parent, values: Partial<Row>) {
      await lockParent(tx, parent)
      const { company_id, parent_id } = parent
      const { after } = await rows.insert(tx, { ...values, company_id, [column]: parent_id, position: lastPosition(parent) } as never)
      const reply = await get(tx, parent, (after as { id: string }).id)
      return { before: null, after: reply, reply }
    },
    async update(tx: Tx, parent: Parent, id: string, patch: Partial<Row>) {
      const change = await rows.update(tx, scopeOf(parent, id), patch)
      return { ...change, reply: await get(tx, parent, id) }
    },
    /** Locks the parent, too: a concurrent move relies on the number of live rows. */
    async archive(tx: Tx, parent: Parent, id: string): Promise<Change<Row>> {
      await lockParent(tx, parent)
      const live = await find(tx, parent, id)
      const { before, after } = await rows.archive(tx, scopeOf(parent, id))
      return before === after ? { before, after } : { before: { ...before, number: live?.number } as Row, after }
    },
    /** Live rows keep their numbers; the restored row becomes the last. */
    async restore(tx: Tx, parent: Parent, id: string) {
      await lockParent(tx, parent)
      const { before, after } = await rows.restore(tx, scopeOf(parent, id), undefined, { position: lastPosition(parent) } as never)
      const reply = await get(tx, parent, id)
      return { before, after: before === after ? after : reply, reply }
    },
    async move(tx: Tx, parent: Parent, id: string, number: number): Promise<Change<Numbered> & { reply: Numbered }> {
      await lockParent(tx, parent)
      const before = await lockRow(tx, parent, id)
      if (before.number === number) return { before, after: before, reply: before }
      const count = await countLive(tx, parent)
      if (number > count) invalid([{ field: 'number', message: `must be at most ${count}, the number of the last` }])
      let position = await positionFor(tx, parent, id, number)
      if (position === null) {
        await spread(tx, parent)
        position = await positionFor(tx, parent, id, number)
      }
      await tx.query(sql`
        UPDATE ${from} SET position = ${position}, version = version + 1, date_modified = ${tx.now()}
        WHERE ${isIn(parent)} AND id = ${id}`)
      const after = await get(tx, parent, id)
      return { before, after, reply: after }
    },
  }
}

export type NumberedTable = ReturnType<typeof numbered>
