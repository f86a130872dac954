import { type Static, type TObject, type TSchema, Type } from '@guildhall/rules/type'
import { Flag } from './fields.ts'

/** Lists show at most this many characters of a text, so that a page of 100 items stays small. */
export const MAX_LISTED_TEXT = 1000

/** Formats a number as in 1,000. The first `toLocaleString` of a process takes 24 ms, which would delay every start. */
export const grouped = (count: number) => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

/** `x-follows` names the text that a field follows from: if that is cut, so is what follows. */
type Field = TSchema & { type?: string | string[]; maxLength?: number; description?: string; 'x-follows'?: string }

/** The fields of a schema that may hold more than `max` characters. */
export const longTextsOf = (schema: TObject, max = MAX_LISTED_TEXT): string[] =>
  Object.entries(schema.properties as Record<string, Field>).flatMap(([name, { type, maxLength = 0, 'x-follows': follows }]) =>
    [type].flat().includes('string') && maxLength > max && !follows ? [name] : [],
  )

/** Returns true if the rows of a schema have metadata. */
export const hasMetadata = (schema: TObject): boolean => 'metadata' in schema.properties

/** The maximum size in bytes of the metadata in a list whose texts have up to `max` characters. Larger metadata is left out. */
export const maxMetadataBytes = (max: number) => 4 * max

/**
 * A schema whose long texts are cut to `max` characters, and whose large metadata is left out, with a field `truncated` that is true if any was.
 * A schema without either is returned unchanged; one that already has a field `truncated` keeps it. `excerptColumnsOf` and `jsonExcerptOf`
 * select the matching columns.
 */
export function Excerpt<S extends TObject>(schema: S, suffix = 'ListItem', max = MAX_LISTED_TEXT) {
  type Item = Static<S> & { truncated?: boolean }
  const long = longTextsOf(schema, max)
  if (long.length === 0 && !hasMetadata(schema)) return Type.Unsafe<Item>(schema)
  const characters = `${grouped(max)} characters`
  const fields = schema.properties as Record<string, Field>
  const cut = long.map((name): [string, object] => {
    const { description, ...field } = fields[name] as Field
    return [name, { ...field, maxLength: max, description: `${description}; its first ${characters} in a list` }]
  })
  if (hasMetadata(schema)) {
    const { description, ...field } = fields.metadata as Field
    const bytes = maxMetadataBytes(max)
    cut.push([
      'metadata',
      { ...field, 'x-max-bytes': bytes, description: `${description}; empty in a list if it takes more than ${grouped(bytes)} bytes` },
    ])
  }
  const { title, description } = schema as TObject & { title?: string; description?: string }
  const truncated =
    fields.truncated ??
    Flag(
      long.length
        ? `True if ${long.join(' or ')} was cut after ${characters}${hasMetadata(schema) ? ', or large metadata was left out' : ''}; the resource itself has all of it`
        : 'True if large metadata was left out; the resource itself has it',
    )
  return Type.Unsafe<Item>(
    Type.Object(
      { ...schema.properties, ...Object.fromEntries(cut), truncated },
      { title: `${title}${suffix}`, ...(description && { description }) },
    ),
  )
}
