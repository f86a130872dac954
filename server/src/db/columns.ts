import type { TObject, TSchema } from 'typebox'
import { longTextsOf, MAX_LISTED_TEXT } from '../core/excerpt.ts'
import { type Sql, sql } from './sql.ts'

type Field = TSchema & { format?: string }

/** The fields of a schema as columns: the row is the reply. */
export const columnsOf = (schema: TObject, from?: string): Sql =>
  sql.join(
    Object.keys(schema.properties).map((name) => (from ? sql`${sql.id(from)}.${sql.id(name)}` : sql.id(name))),
    ', ',
  )

/** What is selected instead of a large field, and whether that is less than the whole. */
export interface Cut {
  value: Sql
  isCut: Sql
}

/** `substr` reads only the beginning of a text that is stored out of line; `char_length` would read all of it. */
const cutText = (column: Sql, max: number): Cut => ({
  value: sql`left(${column}, ${sql.number(max)})`,
  isCut: sql`substr(${column}, ${sql.number(max + 1)}, 1) <> ''`,
})

/** The columns of an `Excerpt` of a schema, each with its value. `cuts` are of fields that are large in another way than a text. */
function excerptsOf(schema: TObject, from: string, max: number, cuts: Record<string, Cut> = {}): [name: string, value: Sql][] {
  const column = (name: string) => sql`${sql.id(from)}.${sql.id(name)}`
  const texts = longTextsOf(schema, max).map((name) => [name, cutText(column(name), max)])
  const all: Record<string, Cut> = { ...Object.fromEntries(texts), ...cuts }
  const values = Object.keys(schema.properties).map((name): [string, Sql] => [name, all[name]?.value ?? column(name)])
  const isCut = Object.values(all).map((cut) => cut.isCut)
  return isCut.length === 0 ? values : [...values, ['truncated', sql`coalesce(${sql.join(isCut, ' OR ')}, false)`]]
}

/** The columns of an `Excerpt` of a schema. What is cut is cut in the database, so that the rest never reaches this process. */
export const excerptColumnsOf = (schema: TObject, from: string, cuts?: Record<string, Cut>): Sql =>
  longTextsOf(schema).length === 0 && !cuts
    ? sql`${sql.id(from)}.*`
    : sql.join(
        excerptsOf(schema, from, MAX_LISTED_TEXT, cuts).map(([name, value]) => sql`${value} AS ${sql.id(name)}`),
        ', ',
      )

/** An `Excerpt` of a row as one JSON object, with timestamps as they are on the wire: for rows that come inside another. */
export const jsonExcerptOf = (schema: TObject, from: string, max: number): Sql =>
  sql`json_build_object(${sql.join(
    excerptsOf(schema, from, max).map(([name, value]) =>
      (schema.properties[name] as Field | undefined)?.format === 'date-time'
        ? sql`${sql.text(name)}, to_char(${value} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
        : sql`${sql.text(name)}, ${value}`,
    ),
    ', ',
  )})`
