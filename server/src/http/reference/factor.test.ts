import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hoist } from './factor.ts'
import { formatJson } from './format.ts'

const mapOf = (description: string, more: object = {}) => ({
  title: 'Traits',
  type: 'object',
  additionalProperties: { type: 'integer' },
  description,
  examples: [{ wits: 3 }],
  ...more,
})
const $ref = '#/components/schemas/Traits'

test('an object without fields is shared, and keeps at each use what only that says', () => {
  const { document, schemas } = hoist({
    listed: mapOf('Values; empty in a list', { 'x-max-bytes': 100 }),
    one: mapOf('Values'),
    other: mapOf('Values', { default: {}, examples: [{ brawn: 2 }] }),
    third: mapOf('Values'),
    hidden: { ...mapOf('Values, or null'), type: ['object', 'null'] },
  })
  assert.deepEqual(schemas, {
    Traits: {
      title: 'Traits',
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'Values',
      examples: [{ wits: 3 }],
    },
  })
  assert.deepEqual(document, {
    listed: { description: 'Values; empty in a list', $ref },
    one: { description: 'Values', $ref },
    other: { description: 'Values', examples: [{ brawn: 2 }], default: {}, $ref },
    third: { description: 'Values', $ref },
    hidden: { description: 'Values, or null', anyOf: [{ $ref }, { type: 'null' }] },
  })
})

test('two schemas that differ cannot share a title', () => {
  const other = mapOf('Values', { maxProperties: 3 })
  assert.throws(() => hoist({ one: mapOf('Values'), other }), /Two schemas have the title Traits/)
})

test('a line holds as much as fits, and the text is the same JSON', () => {
  const wide = 'x'.repeat(60)
  const value = {
    a: { b: [1, 'two', null] },
    empty: {},
    none: [],
    list: [{ wide }, { wide, more: wide }, { wide, even: wide, more: [wide] }],
  }
  const text = formatJson(value)
  assert.deepEqual(JSON.parse(text), value)
  assert.deepEqual(text.split('\n').slice(0, 5), [
    '{',
    '  "a": { "b": [1, "two", null] },',
    '  "empty": {},',
    '  "none": [],',
    '  "list": [',
  ])
  const lines = text.split('\n')
  assert.ok(
    lines.every((line) => line.length <= 141),
    text,
  )
  // What is on several lines would not fit on one.
  assert.equal(lines.length, 17, text)
})
