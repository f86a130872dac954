import type { TObject, TSchema } from '@guildhall/rules/type'
import { hasMetadata, longTextsOf, MAX_LISTED_TEXT, maxMetadataBytes } from '../core/excerpt.ts'
import { type Sql, sql } from './sql.ts'

type Field = TSchema & { format?: string }

/** Returns the fields of a schema as columns: the row is the reply. */
export const columnsOf = (schema: TObject, from?: string): Sql =>
  sql.join(
    Object.keys(schema.properties).map((name) => (from ? sql`${sql.id(from)}.${sql.id(name)}` : sql.id(name))),
    ', ',
  )

/** The replacement for a large field in lists. */
export interface Cut {
  value: Sql
  /** True for rows whose value is shortened. */
  isCut: Sql
}

/** Fields that a reader sees only in some rows. They are null in all others. */
export interface Mask {
  fields: readonly string[]
  /** True for the rows in which the reader sees them. */
  isSeen: (row: Sql) => Sql
}

const masked = (column: Sql, isSeen: Sql) => sql`CASE WHEN ${isSeen} THEN ${column} END`

/** Returns the fields of a schema as columns of the table `from`, without the values that the mask hides. */
export const maskedColumnsOf = (schema: TObject, from: string, { fields, isSeen }: Mask): Sql =>
  sql.join(
    Object.keys(schema.properties).map((name) =>
      fields.includes(name) ? sql`${masked(sql.id(name), isSeen(sql.id(from)))} AS ${sql.id(name)}` : sql.id(name),
    ),
    ', ',
  )

/** Cuts a text. `substr` reads only the beginning of a text that is stored out of line; `char_length` would read all of it. */
const cutText = (column: Sql, max: number): Cut => ({
  value: sql`left(${column}, ${sql.number(max)})`,
  isCut: sql`substr(${column}, ${sql.number(max + 1)}, 1) <> ''`,
})

/** Leaves out large metadata. */
const cutMetadata = (column: Sql, max: number): Cut => {
  const isLarge = sql`octet_length(${column}::text) > ${sql.number(maxMetadataBytes(max))}`
  return { value: sql`CASE WHEN ${isLarge} THEN '{}' ELSE ${column} END`, isCut: isLarge }
}

/** Returns the columns of an `Excerpt` of a schema, each with its value. `cuts` shorten large fields that are not texts. */
function excerptsOf(schema: TObject, from: string, max: number, cuts: Record<string, Cut> = {}, mask?: Mask): [name: string, value: Sql][] {
  const column = (name: string) => sql`${sql.id(from)}.${sql.id(name)}`
  const texts = longTextsOf(schema, max).map((name) => [name, cutText(column(name), max)])
  const metadata = hasMetadata(schema) && { metadata: cutMetadata(column('metadata'), max) }
  const all: Record<string, Cut> = { ...Object.fromEntries(texts), ...metadata, ...cuts }
  const isSeen = (name: string) => (mask?.fields.includes(name) ? mask.isSeen(sql.id(from)) : undefined)
  const values = Object.keys(schema.properties).map((name): [string, Sql] => {
    const [value, condition] = [all[name]?.value ?? column(name), isSeen(name)]
    return [name, condition ? masked(value, condition) : value]
  })
  // That a hidden value is long is hidden, too.
  const isCut = Object.entries(all).map(([name, cut]) => {
    const condition = isSeen(name)
    return condition ? sql`(${condition} AND ${cut.isCut})` : cut.isCut
  })
  return isCut.length === 0 ? values : [...values, ['truncated', sql`coalesce(${sql.join(isCut, ' OR ')}, false)`]]
}

/** Returns the columns of an `Excerpt` of a schema. Values are cut in the database, so that the rest never reaches this process. */
export const excerptColumnsOf = (schema: TObject, from: string, cuts?: Record<string, Cut>, mask?: Mask): Sql =>
  longTextsOf(schema).length === 0 && !hasMetadata(schema) && !cuts && !mask
    ? sql`${sql.id(from)}.*`
    : sql.join(
        excerptsOf(schema, from, MAX_LISTED_TEXT, cuts, mask).map(([name, value]) => sql`${value} AS ${sql.id(name)}`),
        ', ',
      )

/** Returns an `Excerpt` of a row as one JSON object, with timestamps in their wire format: for rows that are nested in another. */
export const jsonExcerptOf = (schema: TObject, from: string, max: number): Sql =>
  sql`json_build_object(${sql.join(
    excerptsOf(schema, from, max).map(([name, value]) =>
      (schema.properties[name] as Field | undefined)?.format === 'date-time'
        ? sql`${sql.text(name)}, to_char(${value} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
        : sql`${sql.text(name)}, ${value}`,
    ),
    ', ',
  )})`
