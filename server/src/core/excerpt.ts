import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { Flag } from './fields.ts'

/** Lists show at most this many characters of a text, so that a page of 100 items stays small. */
export const MAX_LISTED_TEXT = 1000

/** Formats a number as in 1,000. The first `toLocaleString` of a process takes 24 ms, which would delay every start. */
export const grouped = (count: number) => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

type Field = TSchema & { type?: string | string[]; maxLength?: number; description?: string }

/** The fields of a schema that may hold more than `max` characters. */
export const longTextsOf = (schema: TObject, max = MAX_LISTED_TEXT): string[] =>
  Object.entries(schema.properties as Record<string, Field>).flatMap(([name, { type, maxLength = 0 }]) =>
    [type].flat().includes('string') && maxLength > max ? [name] : [],
  )

/**
 * A schema whose long texts are cut to `max` characters, with a field `truncated` that is true if any was.
 * A schema without long texts is returned unchanged; one that already has a field `truncated` keeps it. `excerptColumnsOf` and `jsonExcerptOf`
 * select the matching columns.
 */
export function Excerpt<S extends TObject>(schema: S, suffix = 'ListItem', max = MAX_LISTED_TEXT) {
  type Item = Static<S> & { truncated?: boolean }
  const long = longTextsOf(schema, max)
  if (long.length === 0) return Type.Unsafe<Item>(schema)
  const characters = `${grouped(max)} characters`
  const fields = schema.properties as Record<string, Field>
  const cut = long.map((name) => {
    const { description, ...field } = fields[name] as Field
    return [name, { ...field, maxLength: max, description: `${description}; its first ${characters} in a list` }]
  })
  const { title, description } = schema as TObject & { title?: string; description?: string }
  const truncated =
    fields.truncated ?? Flag(`True if ${long.join(' or ')} was cut after ${characters}; the resource itself has the whole text`)
  return Type.Unsafe<Item>(
    Type.Object(
      { ...schema.properties, ...Object.fromEntries(cut), truncated },
      { title: `${title}${suffix}`, ...(description && { description }) },
    ),
  )
}
