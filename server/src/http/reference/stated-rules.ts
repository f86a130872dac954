type Json = Record<string, unknown>

interface Alternative {
  requires: string[]
  allows?: string[]
  allowsFalse?: string[]
}

/** The keywords of our schemas that clients have no use for. */
const OWN_KEYWORDS = [
  'x-trim',
  'x-lowercase',
  'x-max-bytes',
  'x-max-items-with',
  'x-ordered',
  'x-private',
  'x-default',
  'x-alternatives',
  'x-unique',
  'x-follows',
]

const isEmpty = (value: unknown) => value === null || (typeof value === 'object' && Object.keys(value).length === 0)

/** The value that applies if a field is left out, in words. That there is nothing then needs none. */
export const defaultInWords = ({ default: preset }: { default?: unknown }): string | undefined =>
  preset === undefined || isEmpty(preset) ? undefined : `Default: ${JSON.stringify(preset)}`

/**
 * Says the default of a field in its description. Only parameters keep the keyword: several generators take a field of a body that has it for one that is always
 * there, so that a client would have to send it.
 */
export function withDefaultInWords({ default: preset, ...field }: Json): Json {
  const description = typeof field.description === 'string' ? field.description : undefined
  if (preset === undefined || (description && /\bdefault\b/i.test(description))) return field
  const text = [description?.replace(/\.$/, ''), defaultInWords({ default: preset })].filter(Boolean).join('. ')
  const shown = 'examples' in field || '$ref' in field || isEmpty(preset) ? {} : { examples: [preset] }
  return { ...field, ...(text && { description: text }), ...shown }
}

/** Rewrites the keywords of our own in a schema as JSON Schema. */
export function inJsonSchema(schema: Json): Json {
  const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !OWN_KEYWORDS.includes(keyword)))
  return {
    ...kept,
    // A name is trimmed before its length is checked.
    ...(schema['x-trim'] === true && !schema.pattern && { pattern: '\\S' }),
    ...(schema['x-unique'] === true && { uniqueItems: true }),
    ...('x-default' in schema && { default: schema['x-default'] }),
  }
}

const isNull = (schema: Json) => schema.type === 'null'

/** The schema without null. */
function withoutNull(schema: Json): Json {
  const { anyOf, type, examples, ...rest } = schema as Json & { anyOf?: Json[]; examples?: unknown[] }
  const shown = examples?.filter((one) => one !== null)
  const kept = { ...rest, ...(shown?.length && { examples: shown }) }
  if (anyOf) return anyOf.length === 2 && anyOf.some(isNull) ? { ...kept, ...anyOf.find((one) => !isNull(one)) } : { ...kept, anyOf }
  return { ...kept, ...(type !== undefined && { type: Array.isArray(type) ? type.find((one) => one !== 'null') : type }) }
}

const allowsNull = ({ type, anyOf }: Json) => [type].flat().includes('null') || Boolean((anyOf as Json[] | undefined)?.some(isNull))
const nullOnly = ({ description }: Json): Json => ({ type: 'null', description, examples: [null] })

const falseOnly = (field: Json): Json => ({ ...field, enum: allowsNull(field) ? [false, null] : [false], examples: [false] })

/** The fields of one way to fill in a body. A field of another way may be null where the body allows that. */
function fieldsOf(
  properties: Record<string, Json>,
  { requires, allows = [], allowsFalse = [] }: Alternative,
  governed: Set<string>,
): Record<string, Json> {
  const fields = Object.entries(properties).flatMap(([name, field]): [string, Json][] => {
    if (requires.includes(name)) return [[name, withoutNull(field)]]
    if (!governed.has(name) || allows.includes(name)) return [[name, field]]
    if (allowsFalse.includes(name)) return [[name, falseOnly(field)]]
    return allowsNull(field) ? [[name, nullOnly(field)]] : []
  })
  return Object.fromEntries(fields)
}

/** The schemas of the ways to fill in a body, by the name of each. */
export function waysOf(schema: Json): [name: string, schema: Json][] {
  const ways = schema['x-alternatives'] as Record<string, Alternative>
  const {
    title,
    description,
    properties,
    required = [],
    dependentRequired,
    dependentSchemas,
    examples: _,
    ...rest
  } = inJsonSchema(schema) as Json & {
    properties: Record<string, Json>
    required?: string[]
    dependentRequired?: Record<string, string[]>
    dependentSchemas?: Record<string, Json>
  }
  const governed = new Set(Object.values(ways).flatMap(({ requires, allows = [] }) => [...requires, ...allows]))
  return Object.entries(ways).map(([name, way]) => {
    const fields = fieldsOf(properties, way, governed)
    /** The conditions on fields that can have a value here. */
    const stated = (keyword: string, conditions: Record<string, unknown> = {}): Json => {
      const entries = Object.entries(conditions).filter(([field]) => field in fields && !isNull(fields[field] as Json))
      return entries.length ? { [keyword]: Object.fromEntries(entries) } : {}
    }
    const chosen = way.requires.map((field) => `\`${field}\``).join(' and ')
    const variant = {
      ...rest,
      title: `${title}${name}`,
      description: `${description}, with ${chosen}`,
      properties: fields,
      required: [...required, ...way.requires],
      ...stated('dependentRequired', dependentRequired),
      ...stated('dependentSchemas', dependentSchemas),
    }
    return [variant.title, variant]
  })
}
