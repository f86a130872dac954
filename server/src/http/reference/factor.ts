import { ref } from './openapi-parts.ts'
import { inJsonSchema, waysOf, withDefaultInWords } from './stated-rules.ts'

type Json = Record<string, unknown>
type Components = Record<string, Json>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
/** `CampaignStatus` as words: campaign status. */
const wordsOf = (name: string) => name.replace(/(?<=[a-z])[A-Z]/g, ' $&').toLowerCase()

const isSchema = (value: Json) => 'type' in value || 'x-trim' in value
const withoutTitle = ({ title: _, ...value }: Json): Json => value
const withoutAbsent = (value: Json): Json => Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined))

/** The descriptions of schemas that follow from their names. */
const DERIVED: [pattern: RegExp, description: (words: string) => string][] = [
  [/^(.+)Create$/, (words) => `The fields of a new ${words}`],
  [/^(.+)Patch$/, (words) => `The fields of a ${words} that change`],
  [/^(.+)Page$/, (words) => `A page of a list: ${words}`],
  [/^(.+)ListItem$/, (words) => `A ${words} as lists show it: long texts are cut`],
]
export const descriptionOf = (title: string): string | undefined => {
  for (const [pattern, describe] of DERIVED) {
    const [, name] = pattern.exec(title) ?? []
    if (name) return describe(wordsOf(name))
  }
  return undefined
}

/** Returns the most frequent of some texts. */
function usual(texts: string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0]
}

/** Describes a schema as most of its uses do, and takes the examples from those that have the same. They keep their descriptions, which editors show. */
function shareWords(schema: Json, uses: Json[]): void {
  const plain = uses.filter((use) => '$ref' in use)
  for (const keyword of ['description', 'examples']) {
    const text = usual((plain.length ? plain : uses).flatMap((use) => (keyword in use ? [JSON.stringify(use[keyword])] : [])))
    if (text === undefined) continue
    schema[keyword] = JSON.parse(text)
    if (keyword === 'examples') for (const use of uses) if (JSON.stringify(use.examples) === text) delete use.examples
  }
}

/**
 * Turns every enumeration with a name and every object with a title into a component, and its uses into references, so that a generated client has one
 * type for each of them. An object without fields, which maps names to values, is described at each use, as an enumeration is.
 */
export function hoist<T extends object>(tree: T) {
  const schemas: Components = {}
  const maps = new Map<string, Json[]>()
  const referenceToMap = (
    title: string,
    { type: _, description, examples, default: given, ...schema }: Json,
    isNullable: boolean,
  ): Json => {
    const plain = { title, type: 'object', ...schema }
    const known = schemas[title]
    if (known && JSON.stringify(known) !== JSON.stringify(plain)) throw new Error(`Two schemas have the title ${title}`)
    const use = withoutAbsent({ description, examples, default: given })
    maps.set(title, [...(maps.get(title) ?? []), use])
    schemas[title] = plain
    return Object.assign(use, isNullable ? { anyOf: [ref('schemas', title), { type: 'null' }] } : ref('schemas', title))
  }
  const referenceTo = (name: string, schema: Json, use: Json, isNullable: boolean): Json => {
    schemas[name] = { description: descriptionOf(name), ...schemas[name], ...schema }
    const $ref = ref('schemas', name)
    return isNullable ? { ...use, anyOf: [$ref, { type: 'null' }] } : { ...use, ...$ref }
  }
  /** Names a schema, or the ways to fill it in and their union. */
  const named = (title: string, schema: Json): Json => {
    if (!('x-alternatives' in schema)) return inJsonSchema(schema)
    const described: Json = { ...schema, description: schema.description ?? descriptionOf(title) }
    const oneOf = waysOf(described).map(([name, way]) => referenceTo(name, way, {}, false))
    const { description, examples } = described
    return { title, description, oneOf, ...(examples !== undefined && { examples }) }
  }
  const document = JSON.parse(JSON.stringify(tree), (_key, value) => {
    if (!isObject(value)) return value
    const types = [value.type].flat()
    const isNullable = types.includes('null')
    if (typeof value['x-enum'] === 'string') {
      const { 'x-enum': name, type: _, enum: values, ...use } = inJsonSchema(value) as Json & { 'x-enum': string; enum: unknown[] }
      const all = values.filter((item) => item !== null)
      const schema = { title: name, type: 'string', enum: all, description: `Values of ${wordsOf(name)}`, examples: [all[0]] }
      return referenceTo(name, schema, use, isNullable)
    }
    if (!types.includes('object') || typeof value.title !== 'string') return isSchema(value) ? inJsonSchema(value) : value
    const { title } = value
    if (!('properties' in value)) return referenceToMap(title, inJsonSchema(withoutTitle(value)), isNullable)
    if (!isNullable) return referenceTo(title, named(title, value), {}, false)
    const { description, examples, 'x-default': given, ...schema } = value
    const use = { description, examples, default: given }
    return referenceTo(title, named(title, { description, ...schema, type: 'object' }), withoutAbsent(use), true)
  }) as T
  for (const [title, uses] of maps) shareWords(schemas[title] as Json, uses)
  for (const { properties } of Object.values(schemas))
    if (isObject(properties))
      for (const [name, field] of Object.entries(properties)) if (isObject(field)) properties[name] = withDefaultInWords(field)
  return { document, schemas }
}

/** Gives a name to each of some values that occur more than once, and replaces them by references to components of this kind. */
function share(kind: string, uses: { value: Json; name: string; replace: (reference: Json) => void }[]): Json {
  const counts = new Map<string, number>()
  const texts = uses.map(({ value }) => JSON.stringify(value))
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  const names = new Map<string, string>()
  const components: Json = {}
  for (const [i, { value, name, replace }] of uses.entries()) {
    const text = texts[i] as string
    if ((counts.get(text) ?? 0) < 2) continue
    let unused = names.get(text)
    for (let n = 1; unused === undefined; n++) {
      const candidate = n === 1 ? name : `${name}${n}`
      if (!(candidate in components)) unused = candidate
    }
    names.set(text, unused)
    components[unused] = value
    replace(ref(kind, unused))
  }
  return components
}

interface Documented {
  parameters?: Json[]
  requestBody?: { content: Record<string, Json> }
  responses: Record<string, Json>
}

const nameOf = (schema: unknown): string | undefined =>
  isObject(schema)
    ? String(schema.$ref ?? '')
        .split('/')
        .at(-1)
    : undefined
const STATUS_NAMES: Record<string, string> = { 204: 'Done', 304: 'NotModified', 409: 'Conflict' }

/** Shares what many operations have in common: parameters, responses and examples. Once all references are resolved, the document says the same. */
export function factor(paths: Record<string, Record<string, object>>): Components {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods)) as Documented[]
  const parameters = operations.flatMap(({ parameters: list = [] }) =>
    list.flatMap((parameter, i) => {
      if ('$ref' in parameter) return []
      // The parameter says it already.
      const { description, ...schema } = parameter.schema as Json
      const value = description === parameter.description ? { ...parameter, schema } : parameter
      list[i] = value
      return [{ value, name: String(parameter.name), replace: (reference: Json) => (list[i] = reference) }]
    }),
  )
  const media = operations.flatMap(({ requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].flatMap((part) =>
      Object.values((part as { content?: Record<string, Json> })?.content ?? {}),
    ),
  )
  const examples = media.flatMap(({ schema, examples: all }) =>
    Object.entries((all ?? {}) as Record<string, Json>).map(([key, value]) => ({
      value,
      name: nameOf(schema) || 'Example',
      replace: (reference: Json) => ((all as Record<string, Json>)[key] = reference),
    })),
  )
  const sharedExamples = share('examples', examples)
  const responses = operations.flatMap(({ responses: all }) =>
    Object.entries(all).flatMap(([status, value]) => {
      if ('$ref' in value) return []
      const [content] = Object.values((value.content ?? {}) as Record<string, Json>)
      const name = STATUS_NAMES[status] ?? `${nameOf(content?.schema) || ''}${status === '201' ? 'Created' : 'Reply'}`
      return [{ value, name, replace: (reference: Json) => (all[status] = reference) }]
    }),
  )
  return { parameters: share('parameters', parameters), examples: sharedExamples, responses: share('responses', responses) }
}
