import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJson } from './parse-json.ts'

test('names are read as they are written, whatever was read before', () => {
  const names = [
    '\\\\',
    '\\u005c',
    '\\n',
    '\\u0000',
    '\\/',
    '\\"',
    '\\\\N',
    '\\\\\\\\',
    'n',
    '\\ud83d\\ude00',
    ':',
    '\\":',
    '__proto__',
    '\\u005f_proto__',
  ]
  for (const [i, first] of names.entries())
    for (const second of names) {
      const read = (name: string) => Object.keys(parseJson(`{"pair ${i} ${second}":[],"${name}" : {"a\\n":"\\"b\\":1"}}`) as object)[1]
      read(first)
      assert.equal(read(second), JSON.parse(`["${second}"]`)[0], `${second} after ${first}`)
    }
})

test('values, their order and the last of equal names are those of JSON.parse', () => {
  for (const text of [
    '{"\\u0061":1,"b":{"\\n":[1,{"\\\\":null}]},"a":2}',
    '{"a":"\\n: \\"c\\": 1","b\\t":"\\\\"}',
    '["\\"", {"\\"x\\":" : ":"}]',
    '"\\n"',
    ' { "\\u0078"\n:\t{} } ',
  ])
    assert.equal(JSON.stringify(parseJson(text)), JSON.stringify(JSON.parse(text)))
  assert.throws(() => parseJson('{"\\n":}'), SyntaxError)
})
