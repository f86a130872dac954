import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type as Typebox } from 'typebox'
import { Type } from './type.ts'

/** Builds schemas with every builder, nested and optional. */
const schemasOf = (type: typeof Type) => {
  const fields = {
    name: type.String({ minLength: 1 }),
    count: type.Optional(type.Integer({ minimum: 0 })),
    rate: type.Number({ description: 'A rate' }),
    live: type.Boolean(),
    nothing: type.Null(),
    kind: type.Enum(['a', 'b'], { description: 'A kind' }),
    version: type.Literal(1),
    given: type.Unsafe<string | null>({ type: ['string', 'null'] }),
    optional: type.Unsafe<string>(type.Optional(type.String())),
    spread: type.Unsafe<string>({ ...type.Optional(type.String()), default: '' }),
    parts: type.Array(type.Object({ a: type.String() }), { maxItems: 2 }),
    either: type.Union([type.String(), type.Optional(type.Null())]),
  }
  const object = type.Object(fields, { title: 'All', additionalProperties: false })
  const partial = type.Partial(object, { title: 'Some' })
  const omitted = type.Omit(object, ['name', 'count'], { title: 'Fewer' })
  return [object, partial, omitted, type.Object({ ...partial.properties, name: fields.name }), type.Object({}), type.Optional(object)]
}

test('the builders of schemas give the same as those of typebox', () => {
  // As text, because the order of the fields is that of openapi.json.
  assert.equal(JSON.stringify(schemasOf(Type), null, 2), JSON.stringify(schemasOf(Typebox), null, 2))
})
