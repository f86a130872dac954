import { defaultInWords } from '../stated-rules.ts'

/** A JSON Schema, as far as it says something about types. */
export interface JsonSchema {
  $ref?: string
  description?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, JsonSchema | boolean>
  required?: string[]
  items?: JsonSchema | boolean
  additionalProperties?: JsonSchema | boolean
  oneOf?: JsonSchema[]
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
  not?: JsonSchema
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  format?: string
}

/** A doc comment at this indentation. Without text, nothing. */
export function docOf(text: string | undefined, indent = ''): string {
  const lines = (text ?? '').replaceAll('*/', '*\\/').trim().split('\n')
  if (!lines[0]) return ''
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

const PRIMITIVES: Record<string, string> = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' }
const keyOf = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))
const unionOf = (types: string[]) => [...new Set(types)].join(' | ')
const grouped = (type: string) => (/ [|&] /.test(type) ? `(${type})` : type)
const lastOf = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)

const rangeOf = (min: number | undefined, max: number | undefined, unit: string) => {
  const [from, to] = [min, max].map((bound) => bound?.toLocaleString('en-US'))
  if (to === undefined) return from === undefined || from === '0' ? undefined : `At least ${from}${unit}`
  return from === undefined || (from === '0' && unit) ? `At most ${to}${unit}` : `${from} to ${to}${unit}`
}

/** Adds the default and the limits of a value to its description, so that an editor shows them. */
export function withLimits(schema: JsonSchema | boolean): JsonSchema | boolean {
  if (typeof schema === 'boolean') return schema
  const { description, enum: values, format, minimum, maximum, minLength, maxLength, minItems, maxItems } = schema
  const facts = [
    description?.replace(/\.$/, ''),
    defaultInWords(schema),
    rangeOf(minimum, maximum, ''),
    values || format ? undefined : rangeOf(minLength, maxLength, ' characters'),
    rangeOf(minItems, maxItems, ' items'),
  ]
  return { ...schema, description: facts.filter(Boolean).join('. ') }
}

/** The schema of something that a client sends, whose fields say their defaults and limits. */
export const asInput = <Schema extends JsonSchema>({ properties, ...schema }: Schema) => ({
  ...schema,
  ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, withLimits(field)])) }),
})

/** An optional property may be undefined: JSON leaves it out, and a caller need not build the object in steps. */
function propertyOf(name: string, schema: JsonSchema | boolean, isRequired: boolean, indent: string): string {
  const type = typeOf(schema, indent)
  const doc = typeof schema === 'object' ? docOf(schema.description, indent) : ''
  return `${doc}${indent}${keyOf(name)}${isRequired ? '' : '?'}: ${type}${isRequired || type === 'never' ? '' : ' | undefined'}\n`
}

/** The body of an interface, in braces. */
export function objectOf({ properties = {}, required = [] }: JsonSchema, indent = ''): string {
  const lines = Object.entries(properties).map(([name, schema]) => propertyOf(name, schema, required.includes(name), `${indent}  `))
  return lines.length ? `{\n${lines.join('')}${indent}}` : '{}'
}

const isConstraint = (schema: JsonSchema) => !schema.$ref && !schema.type && !schema.enum && !('const' in schema)

/** The names that `not: { required: [name] }` forbids, alone or in any of several. */
const forbiddenBy = ({ not }: JsonSchema): string[] =>
  (not?.anyOf ?? (not ? [not] : [])).flatMap(({ required = [] }) => (required.length === 1 ? required : []))

/** One alternative of an object, which says only what must be there or must not: with the types of the object itself. */
function alternativeOf(base: JsonSchema, branch: JsonSchema, indent: string): string {
  if (!isConstraint(branch)) return typeOf(branch, indent)
  const { required = [], properties = {} } = branch
  const named = Object.fromEntries(required.map((name) => [name, base.properties?.[name] ?? true]))
  const forbidden = Object.fromEntries(forbiddenBy(branch).map((name) => [name, false]))
  const plain = Object.fromEntries(
    Object.entries({ ...properties, ...named, ...forbidden }).map(([name, schema]) => [name, withoutDoc(schema)]),
  )
  return objectOf({ properties: plain, required }, indent)
}

const withoutDoc = (schema: JsonSchema | boolean) => (typeof schema === 'object' ? { ...schema, description: '' } : schema)

function plainTypeOf(schema: JsonSchema, type: string | undefined, indent: string): string {
  if (type === 'array') return `${grouped(typeOf(schema.items ?? true, indent))}[]`
  if (type !== 'object') return PRIMITIVES[type ?? ''] ?? 'unknown'
  if (schema.properties) return objectOf(schema, indent)
  return `Record<string, ${schema.additionalProperties ? typeOf(schema.additionalProperties, indent) : 'unknown'}>`
}

/** The TypeScript type of a schema. */
export function typeOf(schema: JsonSchema | boolean, indent = ''): string {
  if (typeof schema === 'boolean') return schema ? 'unknown' : 'never'
  const { oneOf, anyOf, allOf, ...base } = schema
  const parts: string[] = []
  if (base.$ref) parts.push(lastOf(base.$ref))
  else if ('const' in base) parts.push(JSON.stringify(base.const))
  else if (base.enum) parts.push(unionOf(base.enum.map((value) => JSON.stringify(value))))
  else if (base.type) parts.push(unionOf([base.type].flat().map((type) => plainTypeOf(base, type, indent))))
  for (const part of allOf ?? []) parts.push(alternativeOf(base, part, indent))
  for (const choice of [oneOf, anyOf]) if (choice) parts.push(unionOf(choice.map((part) => alternativeOf(base, part, indent))))
  const useful = parts.filter((part) => part !== '{}')
  if (useful.length > 1) return useful.map(grouped).join(' & ')
  return useful[0] ?? (parts.length ? 'Record<string, unknown>' : 'unknown')
}

/** Forbids in each member of a union what only other members have: otherwise TypeScript accepts an object that mixes them. */
export function exclusive(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const result = { ...schemas }
  for (const { oneOf = [] } of Object.values(schemas)) {
    const names = oneOf.flatMap(({ $ref }) => ($ref ? [lastOf($ref)] : []))
    const fields = names.flatMap((name) => Object.keys(schemas[name]?.properties ?? {}))
    for (const name of names) {
      const { properties = {}, ...member } = result[name] as JsonSchema
      const others = fields.filter((field) => !(field in properties)).map((field): [string, boolean] => [field, false])
      result[name] = { ...member, properties: { ...properties, ...Object.fromEntries(others) } }
    }
  }
  return result
}

/** The declaration of a named schema. */
export function declarationOf(name: string, schema: JsonSchema): string {
  const isInterface = schema.type === 'object' && schema.properties && !schema.oneOf && !schema.anyOf && !schema.allOf
  const body = isInterface ? `interface ${name} ${objectOf(schema)}` : `type ${name} = ${typeOf(schema)}`
  return `${docOf(schema.description)}export ${body}\n`
}
