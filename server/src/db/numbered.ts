import type { Static, TObject } from 'typebox'
import type { Listed } from '../core/page.ts'
import { invalid, notFound } from '../core/problem.ts'
import type { Db, Tx } from './client.ts'
import { columnsOf, excerptColumnsOf } from './columns.ts'
import { list, type Restorable, restorableOnly } from './list.ts'
import { type Sql, sql } from './sql.ts'
import { type Change, table } from './table.ts'

/** Room between neighbours: as many halvings before anything has to be spread anew. */
const GAP = sql`4294967296`

interface Options {
  noun: string
  texts: string[]
  /** The table and the column of what the rows are numbered in. */
  parent: { table: string; column: string }
  partOf: Record<string, string>
}

/**
 * Rows numbered 1 to n inside a parent, without gaps. What is stored is a sparse position, and the number is counted when
 * read: nothing is renumbered when a row goes. Whoever gives a position holds the row of the parent.
 */
export function numbered<S extends TObject>(name: string, stored: S, { noun, texts, parent, partOf }: Options) {
  type Row = Static<S>
  type Numbered = Row & { number: number | null }
  type Place = { company_id: string; parent_id: string }
  const rows = table(name, stored, { noun, texts, partOf })
  const columns = sql`${columnsOf(stored)}, number`
  const shown = sql`${excerptColumnsOf(stored, 'page')}, page.number`
  const inParent = ({ company_id, parent_id }: Place) => sql`company_id = ${company_id} AND ${sql.id(parent.column)} = ${parent_id}`
  const inOrder = sql`row_number() OVER (ORDER BY position, id)`
  const scope = ({ company_id, parent_id }: Place, id: string) => ({ company_id, [parent.column]: parent_id, id }) as never

  const from = (place: Place, archived = false) =>
    archived
      ? sql`(SELECT *, NULL::bigint AS number FROM ${sql.id(name)} WHERE ${inParent(place)} AND date_archived IS NOT NULL) numbered`
      : sql`(SELECT *, ${inOrder} AS number FROM ${sql.id(name)} WHERE ${inParent(place)} AND date_archived IS NULL) numbered`

  const hold = (db: Tx, { company_id, parent_id }: Place) =>
    db.query(sql`SELECT id FROM ${sql.id(parent.table)} WHERE company_id = ${company_id} AND id = ${parent_id} FOR NO KEY UPDATE`)

  /** One live row; its number is a count of those up to it. `how` may hold it. */
  const find = async (db: Db, place: Place, id: string, how = sql``): Promise<Numbered | null> => {
    const [row] = await db.query<Numbered>(sql`
      SELECT ${columnsOf(stored)},
        (SELECT count(*) FROM ${sql.id(name)} y
          WHERE y.company_id = x.company_id AND y.${sql.id(parent.column)} = x.${sql.id(parent.column)} AND y.date_archived IS NULL
            AND (y.position, y.id) <= (x.position, x.id)) AS number
      FROM ${sql.id(name)} x WHERE ${inParent(place)} AND id = ${id} AND date_archived IS NULL ${how}`)
    return row ?? null
  }
  const get = async (db: Db, place: Place, id: string, how?: Sql) => (await find(db, place, id, how)) ?? notFound(noun)

  /** Behind all that are live; the parent must be held. */
  const last = (place: Place): Sql =>
    sql`(SELECT coalesce(max(position), 0) + ${GAP} FROM ${sql.id(name)} WHERE ${inParent(place)} AND date_archived IS NULL)`

  /** A position between the neighbours-to-be; null where there is no room. As text: it has more digits than a number. */
  const between = async (db: Db, place: Place, id: string, number: number): Promise<string | null> => {
    const [found] = await db.query<{ position: string | null }>(sql`
      WITH others AS (
        SELECT position, ${inOrder} AS number FROM ${sql.id(name)} WHERE ${inParent(place)} AND date_archived IS NULL AND id <> ${id}
      )
      SELECT (CASE
          WHEN low IS NULL AND high IS NULL THEN ${GAP}
          WHEN low IS NULL THEN high - ${GAP}
          WHEN high IS NULL THEN low + ${GAP}
          WHEN high - low > 1 THEN low + (high - low) / 2
        END)::text AS position
      FROM (SELECT (SELECT position FROM others WHERE number = ${number}::bigint - 1) AS low,
                   (SELECT position FROM others WHERE number = ${number}::bigint) AS high) neighbours`)
    return found?.position ?? null
  }

  /** Gives all of them room again, in the order they have. */
  const spread = (db: Tx, place: Place) =>
    db.query(sql`
      UPDATE ${sql.id(name)} SET position = number * ${GAP}
      FROM (SELECT id AS ordered_id, ${inOrder} AS number FROM ${sql.id(name)} WHERE ${inParent(place)} AND date_archived IS NULL) ordered
      WHERE ${inParent(place)} AND id = ordered_id`)

  return {
    list: (db: Db, place: Place, listed: Listed, { restorable }: { restorable: Restorable }) => {
      const [where = sql`true`] = restorableOnly(listed, restorable)
      const source = {
        columns,
        shown,
        from: from(place, listed.archived),
        where: [where],
        name: sql`name_key`,
        orders: { number: sql`number` },
      }
      return list<Numbered>(db, source, listed)
    },
    get,
    async create(db: Tx, place: Place, values: Partial<Row>) {
      await hold(db, place)
      const { company_id, parent_id } = place
      const { after } = await rows.insert(db, { ...values, company_id, [parent.column]: parent_id, position: last(place) } as never)
      const reply = await get(db, place, (after as { id: string }).id)
      return { before: null, after: reply, reply }
    },
    async update(db: Tx, place: Place, id: string, patch: Partial<Row>) {
      const change = await rows.update(db, scope(place, id), patch)
      return { ...change, reply: await get(db, place, id) }
    },
    /** Holds the parent as well: who moves another must know how many there are. */
    async archive(db: Tx, place: Place, id: string): Promise<Change<Row>> {
      await hold(db, place)
      const live = await find(db, place, id)
      const { before, after } = await rows.archive(db, scope(place, id))
      return before === after ? { before, after } : { before: { ...before, number: live?.number } as Row, after }
    },
    /** What was live stays where it is; what comes back is the last. */
    async restore(db: Tx, place: Place, id: string) {
      await hold(db, place)
      const { before, after } = await rows.restore(db, scope(place, id), undefined, { position: last(place) } as never)
      const reply = await get(db, place, id)
      return { before, after: before === after ? after : reply, reply }
    },
    async move(db: Tx, place: Place, id: string, number: number): Promise<Change<Numbered> & { reply: Numbered }> {
      await hold(db, place)
      const before = await get(db, place, id, sql`FOR NO KEY UPDATE`)
      if (before.number === number) return { before, after: before, reply: before }
      const [{ count } = { count: 0 }] = await db.query<{ count: number }>(
        sql`SELECT count(*) AS count FROM ${sql.id(name)} WHERE ${inParent(place)} AND date_archived IS NULL`,
      )
      if (number > count) invalid([{ field: 'number', message: `must be at most ${count}, the number of the last` }])
      let position = await between(db, place, id, number)
      if (position === null) {
        await spread(db, place)
        position = await between(db, place, id, number)
      }
      await db.query(sql`
        UPDATE ${sql.id(name)} SET position = ${position}, version = version + 1, date_modified = ${db.now()}
        WHERE ${inParent(place)} AND id = ${id}`)
      const after = await get(db, place, id)
      return { before, after, reply: after }
    },
  }
}

export type NumberedTable = ReturnType<typeof numbered>
