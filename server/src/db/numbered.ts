import type { Static, TObject } from '@guildhall/rules/type'
import type { Listed, ListPlace } from '../core/page.ts'
import { invalid, notFound } from '../core/problem.ts'
import type { Db, Tx } from './client.ts'
import { columnsOf, excerptColumnsOf } from './columns.ts'
import { list, type Restorable, restorableOnly, withExternalId } from './list.ts'
import { declareTable } from './registry.ts'
import { type Sql, sql } from './sql.ts'
import { type Change, table } from './table.ts'
import { asValue } from './together.ts'

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
 * nothing is renumbered when a row is archived. A transaction that assigns a position locks the row of the parent, so no two live rows of a parent have
 * the same one.
 *
 * If there is no position left between two rows, all rows of the parent are spread: they get new positions, in the same order. The table `<name>_spreads`
 * keeps the positions that each spread replaced, so that a cursor from before it still leads to its place.
 */
export const numbered = <S extends TObject>(name: string, stored: S, options: Options) => new NumberedTable(name, stored, options)

type Numbered<Row> = Row & { number: number | null }

/** Returns further columns of a row that is read, by the alias of the row. */
export type Include = (row: Sql) => Sql

const IN_ORDER = sql`row_number() OVER (ORDER BY position, id)`

export class NumberedTable<S extends TObject = TObject> {
  readonly #rows
  readonly #noun: string
  readonly #from: Sql
  readonly #spreads: Sql
  readonly #parents: Sql
  readonly #column: string
  readonly #columns: Sql
  readonly #excerpt: Sql

  constructor(name: string, stored: S, { noun, texts, parent, partOf }: Options) {
    this.#rows = table(name, stored, { noun, texts, partOf })
    this.#noun = noun
    this.#from = sql.id(name)
    declareTable(`${name}_spreads`, undefined, { partOf: { [parent.table]: parent.column } })
    this.#spreads = sql.id(`${name}_spreads`)
    this.#parents = sql.id(parent.table)
    this.#column = parent.column
    this.#columns = columnsOf(stored)
    this.#excerpt = sql`${excerptColumnsOf(stored, 'page')}, page.number`
  }

  list(db: Db, parent: Parent, listed: Listed, { restorable, include }: { restorable: Restorable; include?: Include | undefined }) {
    const columns = sql`${this.#columns}, number`
    const where = [sql`true`, ...restorableOnly(listed, restorable), ...withExternalId(listed)]
    const source = { columns, shown: this.#excerpt, from: this.#numberedRows(parent, listed.archived), where, name: sql`name_key` }
    const extras = include && { page: 'page', columns: include(sql`page`) }
    // Not the number itself, which changes when another row is moved or archived. Archived rows have none, and are in the order of ids.
    const orders = listed.archived ? {} : { number: sql`position` }
    const carried = {
      number: {
        text: sql`page._key || ' ' || (${this.#lastSpread(parent)})`,
        isAfter: (place: ListPlace, isDescending: boolean) =>
          sql`position ${isDescending ? sql`<` : sql`>`} (${this.#positionAt(parent, place, isDescending)})`,
      },
    }
    return list<Numbered<Static<S>>>(db, { ...source, orders, carried, ...(extras && { extras }) }, listed)
  }

  /** The number of the last spread of the rows of a parent, or 0. */
  #lastSpread(parent: Parent): Sql {
    return sql`SELECT coalesce(max(s.number), 0) FROM ${this.#spreads} s WHERE ${this.#isIn(parent, sql`s.`)}`
  }

  /**
   * The position that divides the rows which were listed up to a cursor from the others, and that follows from the cursor alone: its row may have been moved,
   * archived or purged since. Between two spreads, a row that stays in its place keeps its position. A spread gives the first k rows the positions up to
   * k * GAP, so the k rows on one side of the old position are on the same side of the new one. In ascending order that side includes the position itself,
   * in descending order it does not.
   */
  #positionAt(parent: Parent, { key }: ListPlace, isDescending: boolean): Sql {
    const [position, spread] = (key as string).split(' ')
    const excluded = isDescending ? sql`1` : sql`0`
    return sql`
      WITH RECURSIVE divide (spread, position) AS (
        SELECT ${spread}::integer, ${position}::bigint
        UNION ALL
        SELECT s.number, width_bucket(divide.position - ${excluded}, s.positions) * ${GAP} + ${excluded}
        FROM divide JOIN ${this.#spreads} s ON ${this.#isIn(parent, sql`s.`)} AND s.number = divide.spread + 1
      )
      SELECT position FROM divide ORDER BY spread DESC LIMIT 1`
  }

  async get(db: Db, parent: Parent, id: string, include?: Include): Promise<Numbered<Static<S>>> {
    return (await this.#find(db, parent, id, { include })) ?? notFound(this.#noun)
  }

  async create(tx: Tx, parent: Parent, values: Partial<Static<S>>) {
    await this.#lockParent(tx, parent)
    const { company_id, parent_id } = parent
    const position = await asValue(tx, this.#lastPosition(parent))
    const { after } = await this.#rows.insert(tx, { ...values, company_id, [this.#column]: parent_id, position } as never)
    const reply = await this.get(tx, parent, (after as Record<string, string>).id as string)
    return { before: null, after: reply, reply }
  }

  async update(tx: Tx, parent: Parent, id: string, patch: Partial<Static<S>>) {
    const change = await this.#rows.update(tx, this.#scopeOf(parent, id), patch)
    return { ...change, reply: await this.get(tx, parent, id) }
  }

  /** Locks the parent, too: a concurrent move relies on the number of live rows. */
  async archive(tx: Tx, parent: Parent, id: string): Promise<Change<Static<S>>> {
    await this.#lockParent(tx, parent)
    const live = await this.#find(tx, parent, id)
    const { before, after } = await this.#rows.archive(tx, this.#scopeOf(parent, id))
    return before === after ? { before, after } : { before: { ...before, number: live?.number } as Static<S>, after }
  }

  /** Live rows keep their numbers; the restored row becomes the last. */
  async restore(tx: Tx, parent: Parent, id: string) {
    await this.#lockParent(tx, parent)
    const position = await asValue(tx, this.#lastPosition(parent))
    const { before, after } = await this.#rows.restore(tx, this.#scopeOf(parent, id), undefined, { position } as never)
    const reply = await this.get(tx, parent, id)
    return { before, after: before === after ? after : reply, reply }
  }

  async move(tx: Tx, parent: Parent, id: string, number: number): Promise<Change<Static<S>> & { reply: Numbered<Static<S>> }> {
    await this.#lockParent(tx, parent)
    const before = (await this.#find(tx, parent, id, { lock: sql`FOR NO KEY UPDATE` })) ?? notFound(this.#noun)
    if (before.number === number) return { before, after: before, reply: before }
    const count = await this.#countLive(tx, parent)
    if (number > count) invalid([{ field: 'number', message: `must be at most ${count}, the number of the last` }])
    let position = await this.#positionFor(tx, parent, id, number)
    if (position === null) {
      await this.#spread(tx, parent)
      position = await this.#positionFor(tx, parent, id, number)
    }
    await tx.query(sql`
      UPDATE ${this.#from} SET position = ${position}, version = version + 1, date_modified = ${tx.now()}
      WHERE ${this.#isIn(parent)} AND id = ${id}`)
    const after = await this.get(tx, parent, id)
    return { before, after, reply: after }
  }

  #isIn({ company_id, parent_id }: Parent, alias = sql``): Sql {
    return sql`${alias}company_id = ${company_id} AND ${alias}${sql.id(this.#column)} = ${parent_id}`
  }

  #isLiveIn(parent: Parent): Sql {
    return sql`${this.#isIn(parent)} AND date_archived IS NULL`
  }

  #scopeOf({ company_id, parent_id }: Parent, id: string) {
    return { company_id, [this.#column]: parent_id, id } as never
  }

  #numberedRows(parent: Parent, archived = false): Sql {
    return archived
      ? sql`(SELECT *, NULL::bigint AS number FROM ${this.#from} WHERE ${this.#isIn(parent)} AND date_archived IS NOT NULL) numbered`
      : sql`(SELECT *, ${IN_ORDER} AS number FROM ${this.#from} WHERE ${this.#isLiveIn(parent)}) numbered`
  }

  #lockParent(tx: Tx, { company_id, parent_id }: Parent) {
    return tx.query(sql`SELECT id FROM ${this.#parents} WHERE company_id = ${company_id} AND id = ${parent_id} FOR NO KEY UPDATE`)
  }

  /** Finds a live row. Its number is the count of live rows up to its position. */
  async #find(
    db: Db,
    parent: Parent,
    id: string,
    { lock = sql``, include }: { lock?: Sql; include?: Include | undefined } = {},
  ): Promise<Numbered<Static<S>> | null> {
    const column = sql.id(this.#column)
    const [row] = await db.query<Numbered<Static<S>>>(sql`
      SELECT ${this.#columns},
        (SELECT count(*) FROM ${this.#from} y
          WHERE y.company_id = ${parent.company_id} AND y.${column} = ${parent.parent_id} AND y.date_archived IS NULL
            AND (y.position, y.id) <= (x.position, x.id)) AS number${include ? sql`, ${include(sql`x`)}` : sql``}
      FROM ${this.#from} x
      WHERE x.company_id = ${parent.company_id} AND x.${column} = ${parent.parent_id} AND x.id = ${id} AND x.date_archived IS NULL ${lock}`)
    return row ?? null
  }

  /** The position behind all live rows. The parent must be locked. */
  #lastPosition(parent: Parent): Sql {
    return sql`SELECT coalesce(max(position), 0) + ${GAP} FROM ${this.#from} WHERE ${this.#isLiveIn(parent)}`
  }

  /** Returns a position between the future neighbors, or null if there is none. It is text, because it may exceed a JavaScript number. */
  async #positionFor(tx: Tx, parent: Parent, id: string, number: number): Promise<string | null> {
    const [found] = await tx.query<{ position: string | null }>(sql`
      WITH others AS (
        SELECT position, ${IN_ORDER} AS number FROM ${this.#from} WHERE ${this.#isLiveIn(parent)} AND id <> ${id}
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

  /** Spreads the positions of all live rows, in their order, and keeps the present ones. The parent must be locked. */
  async #spread(tx: Tx, parent: Parent) {
    const [present] = await tx.query<{ number: number; positions: string }>(sql`
      SELECT (${this.#lastSpread(parent)}) + 1 AS number, array_agg(position ORDER BY position)::text AS positions
      FROM ${this.#from} WHERE ${this.#isLiveIn(parent)}`)
    const { number, positions } = present as { number: number; positions: string }
    tx.send(sql`
      INSERT INTO ${this.#spreads} (company_id, id, ${sql.id(this.#column)}, number, positions)
      VALUES (${parent.company_id}, ${tx.newId()}, ${parent.parent_id}, ${number}, ${positions}::bigint[])`)
    await tx.query(sql`
      UPDATE ${this.#from} SET position = number * ${GAP}
      FROM (SELECT id AS ordered_id, ${IN_ORDER} AS number FROM ${this.#from} WHERE ${this.#isLiveIn(parent)}) ordered
      WHERE ${this.#isIn(parent)} AND id = ordered_id`)
  }

  async #countLive(tx: Tx, parent: Parent): Promise<number> {
    const [counted] = await tx.query<{ count: number }>(sql`SELECT count(*) AS count FROM ${this.#from} WHERE ${this.#isLiveIn(parent)}`)
    return counted?.count ?? 0
  }
}
