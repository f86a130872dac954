import type { TObject, TSchema } from 'typebox'
import { type Sql, sql } from './sql.ts'

type Field = TSchema & { format?: string }

/** The fields of a schema as columns: the row is the reply. */
export const columnsOf = (schema: TObject, from?: string): Sql =>
  sql.join(
    Object.keys(schema.properties).map((name) => (from ? sql`${sql.id(from)}.${sql.id(name)}` : sql.id(name))),
    ', ',
  )

/** The same as one JSON object, with timestamps as they are on the wire: for rows that come inside another. */
export const jsonOf = (schema: TObject, from: string): Sql =>
  sql`json_build_object(${sql.join(
    Object.entries(schema.properties as Record<string, Field>).map(([name, { format }]) => {
      const column = sql`${sql.id(from)}.${sql.id(name)}`
      const key = sql.text(name)
      return format === 'date-time'
        ? sql`${key}, to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
        : sql`${key}, ${column}`
    }),
    ', ',
  )})`
