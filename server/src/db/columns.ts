import type { TObject, TSchema } from '@guildhall/rules/type'
import { hasMetadata, longTextsOf, MAX_LISTED_TEXT, maxMetadataBytes } from '../core/excerpt.ts'
import { type Sql, sql } from './sql.ts'

type Field = TSchema & { format?: string; 'x-ordered'?: boolean }

/** The json column in which an ordered field is stored as it was sent. */
export const orderedColumn = (name: string) => `${name}_ordered`

/** The fields of a schema whose keys keep their order. */
export const orderedFieldsOf = (schema: TObject): string[] =>
  Object.entries(schema.properties as Record<string, Field>).flatMap(([name, field]) => (field['x-ordered'] ? [name] : []))

/**
 * Returns the value of a field. jsonb sorts keys, so that of an ordered field comes from its json column, while both have the same value: processes of the previous
 * version write the jsonb column alone.
 */
function fieldValueOf({ properties }: TObject, name: string, from?: string): Sql {
  const column = (id: string) => (from ? sql`${sql.id(from)}.${sql.id(id)}` : sql.id(id))
  const [value, ordered] = [column(name), column(orderedColumn(name))]
  const isOrdered = (properties[name] as Field)['x-ordered']
  return isOrdered ? sql`CASE WHEN ${ordered}::jsonb = ${value} THEN ${ordered} ELSE ${value}::json END` : value
}

const columnOf = (schema: TObject, name: string, from?: string): Sql =>
  (schema.properties[name] as Field)['x-ordered']
    ? sql`${fieldValueOf(schema, name, from)} AS ${sql.id(name)}`
    : fieldValueOf(schema, name, from)

/** Returns the fields of a schema as columns: the row is the reply. */
export const columnsOf = (schema: TObject, from?: string): Sql =>
  sql.join(
    Object.keys(schema.properties).map((name) => columnOf(schema, name, from)),
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
      fields.includes(name) ? sql`${masked(fieldValueOf(schema, name), isSeen(sql.id(from)))} AS ${sql.id(name)}` : columnOf(schema, name),
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
