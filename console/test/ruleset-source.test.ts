import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { formatDocument } from '../src/pages/company/rulesets/format.ts'
import { placeOf, readSource } from '../src/pages/company/rulesets/source.ts'

const folder = new URL('../../packs/', import.meta.url)
const packs = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))

/** The value of a text, or undefined if it is no JSON object. */
function parsed(source: string): unknown {
  try {
    const value = JSON.parse(source)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

const read = (source: string) => {
  const result = readSource(source)
  return 'fault' in result ? undefined : result.document
}
const faultOf = (source: string) => {
  const result = readSource(source)
  return 'fault' in result ? [result.fault.line, result.fault.column, result.fault.message] : undefined
}

test('a text is read as JSON.parse reads it, also with a character that is missing or wrong', () => {
  const hard = '{"a": [1, -0.5e+3, true, false, null, "\\u00e9\\n\\"{[", "\u0085😀", {}, []], "b": {"c": "d"}}'
  for (const source of [hard, '', ' ', '[]', '1', 'null', '{}', '{"a": 01}', '{"a": .5}', '{"a": "\t"}', '{"a":1}}', ...packs])
    assert.deepEqual(read(source), parsed(source), source.slice(0, 80))
  for (let at = 0; at < hard.length; at++)
    for (const sign of ['', '"', ',', '}', '\\', '0', ' ']) {
      const source = hard.slice(0, at) + sign + hard.slice(at + 1)
      assert.deepEqual(read(source), parsed(source), source)
    }
})

test('faults have the line and the column where the text goes wrong', () => {
  assert.deepEqual(faultOf('{\n  "a": 1\n  "b": 2\n}'), [3, 3, 'A comma or } is missing.'])
  assert.deepEqual(faultOf('{\n  "a" 1\n}'), [2, 7, 'A colon is missing after the name.'])
  assert.deepEqual(faultOf('{ "a": 1, "a": 2 }'), [1, 11, '“a” is there twice.'])
  assert.deepEqual(faultOf('{ "a": "b\n" }')?.slice(0, 2), [1, 8])
  assert.deepEqual(faultOf('{} x'), [1, 4, 'There is something after the end of the document.'])
  assert.deepEqual(faultOf('[]'), [1, 1, 'A document begins with { and ends with }.'])
  assert.deepEqual(faultOf(`{"a": ${'['.repeat(100_000)}`)?.[2], 'Parts are nested too deeply.')
})

test('fields are found, and those that are missing lead to the part around them', () => {
  const source = '{ "traits": { "might": { "max": 5 } }, "list": [1, { "name": "x" }] }'
  const result = readSource(source)
  assert.ok('places' in result)
  const at = (field: string) => {
    const place = placeOf(result.places, field)
    return place && source.slice(place.start, place.end)
  }
  assert.equal(at('traits.might.max'), '5')
  assert.equal(at('list.1.name'), '"x"')
  assert.equal(at('traits.might.group'), '{ "max": 5 }')
  assert.equal(at('groups'), undefined)
})

test('a document is formatted without a change, and in lines that can be read', () => {
  for (const pack of packs) {
    const formatted = formatDocument(JSON.parse(pack))
    assert.equal(JSON.stringify(JSON.parse(formatted)), JSON.stringify(JSON.parse(pack)))
    assert.equal(formatDocument(JSON.parse(formatted)), formatted)
  }
  assert.equal(formatDocument({ a: {}, b: [] }), '{\n  "a": {},\n  "b": []\n}')
})
