import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_RESPONSE_BYTES, refuseTooLarge } from '../src/http/request/response-size.ts'
import { operations } from '../src/resources/index.ts'

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  maxProperties?: number
  items?: Schema
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  propertyNames?: Schema
  'x-max-bytes'?: number
  /** The most items that a list with this field has. Several such fields share it. */
  'x-max-items-with'?: number
}

/** JSON writes a control character as \\u0001; every other character takes at most four bytes in UTF-8. */
const BYTES_PER_CHARACTER = 6
/** The longest number in JSON, such as -1.2345678901234567e-308. */
const MAX_NUMBER_BYTES = 25
/** Every time in a reply is written like 2026-11-15T18:30:00.000Z. */
const BYTES_OF_TIME = 24

function bytesOfString({ format, pattern, maxLength = Number.POSITIVE_INFINITY }: Schema): number {
  if (format === 'date-time') return 2 + BYTES_OF_TIME
  const isAscii = pattern !== undefined || format === 'uuid' || format === 'date'
  return 2 + maxLength * (isAscii ? 1 : BYTES_PER_CHARACTER)
}

function bytesOfNumber({ minimum, maximum }: Schema, isInteger: boolean): number {
  if (!isInteger || minimum === undefined || maximum === undefined) return MAX_NUMBER_BYTES
  return Math.max(String(minimum).length, String(maximum).length)
}

function bytesOfObject({ properties = {}, additionalProperties, propertyNames, maxProperties }: Schema): number {
  // Four bytes for the quotes, the colon and the comma.
  const declared = Object.entries(properties).map(([name, field]) => name.length + 4 + maxBytes(field))
  const additional =
    typeof additionalProperties === 'object'
      ? (maxProperties ?? Number.POSITIVE_INFINITY) * (bytesOfString(propertyNames ?? {}) + 2 + maxBytes(additionalProperties))
      : 0
  return 2 + declared.reduce((sum, bytes) => sum + bytes, additional)
}

const subsetsOf = <T>([first, ...rest]: T[]): T[][] =>
  first === undefined ? [[]] : subsetsOf(rest).flatMap((subset) => [subset, [first, ...subset]])

/** A list may have fewer items with some fields than without them. */
function bytesOfArray({ items = {}, maxItems = Number.POSITIVE_INFINITY }: Schema): number {
  const fields = Object.entries(items.properties ?? {})
  const isLarge = ([, field]: (typeof fields)[number]) => field['x-max-items-with'] !== undefined
  const sizes = subsetsOf(fields.filter(isLarge)).map((large) => {
    const lengths = large.map(([, field]) => field['x-max-items-with'] as number)
    const length = large.length ? Math.floor(Math.min(...lengths) / large.length) : maxItems
    const shown = fields.filter((field) => !isLarge(field) || large.includes(field))
    return length * (maxBytes(items.properties ? { ...items, properties: Object.fromEntries(shown) } : items) + 1)
  })
  return 2 + Math.max(...sizes)
}

/** Returns the size of the largest JSON that a schema allows. */
function maxBytes(schema: Schema): number {
  if (schema['x-max-bytes'] !== undefined) return schema['x-max-bytes']
  if (schema.enum) return Math.max(...schema.enum.map((value) => JSON.stringify(value).length))
  if (schema.anyOf) return Math.max(...schema.anyOf.map(maxBytes))
  const sizes = [schema.type].flat().map((type) => {
    if (type === 'null') return 4
    if (type === 'boolean') return 5
    if (type === 'integer' || type === 'number') return bytesOfNumber(schema, type === 'integer')
    if (type === 'string') return bytesOfString(schema)
    if (type === 'array') return bytesOfArray(schema)
    return type === 'object' ? bytesOfObject(schema) : Number.POSITIVE_INFINITY
  })
  return Math.max(...sizes)
}

test('the largest reply that the schema of an operation allows is within the limit', (t) => {
  const sizes = operations.flatMap(({ id, reply: [, schema] }) => (schema ? [{ id, bytes: maxBytes(schema as Schema) }] : []))
  for (const { id, bytes } of sizes.sort((a, b) => b.bytes - a.bytes).slice(0, 8)) t.diagnostic(`${id}: ${(bytes / 1e6).toFixed(2)} MB`)
  for (const { id, bytes } of sizes) assert.ok(bytes <= MAX_RESPONSE_BYTES, `${id} may take ${bytes} bytes`)
})

test('rejects a reply that is larger than the limit', () => {
  refuseTooLarge('x'.repeat(MAX_RESPONSE_BYTES))
  refuseTooLarge('語'.repeat(Math.floor(MAX_RESPONSE_BYTES / 3)))
  for (const body of ['x'.repeat(MAX_RESPONSE_BYTES + 1), '語'.repeat(Math.ceil(MAX_RESPONSE_BYTES / 3))])
    assert.throws(() => refuseTooLarge(body), { status: 400, code: 'response_too_large', message: /8 MB/ })
})
