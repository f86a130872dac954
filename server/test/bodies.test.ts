import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { assertProblem, call, db, newDeveloper } from './harness.ts'

// Texts that a JSON parser must accept, must reject, or may do either with. Each is sent as a body and as the value of a field.

const words = (text: string) => text.split(' ')
/** Writes each character as one byte, for bytes that are not valid UTF-8. */
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

/** Valid JSON that is not a valid value of the field. */
const INVALID_VALUES = [
  ...words('0 -0 1 -1 42 1.5 -0.25 1e2 1E2 1e+2 1e-2 1.5e300 0e1 0e+1 0.0 1e-400 123456789012345678901234567890'),
  ...words('true false [] {} [[]] [{}] [1,2] [null] [true,false] {"a":1} {"a":{"b":[]}} {"":0} {"a":1,"a":2} {"a\\u0062":1}'),
  '[ 1 ,\t2\r\n]',
  ' \t\r\n{ "a" : 1 }\n ',
  nested(20),
]

/** Valid JSON, and the value that the field has then. */
const VALID_VALUES: [string, string | null][] = [
  ['null', null],
  ['""', ''],
  ['" "', ' '],
  ['"a"', 'a'],
  ['\n"a"\t', 'a'],
  ['"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\/\b\f\n\r\t'],
  ['"\\u0061\\u00e9\\u00E9"', 'aéé'],
  ['"\\u0001\\u001f\\u007f"', '\u0001\u001f\u007f'],
  ['"\u007f\u0080\u00a0"', '\u007f\u0080\u00a0'],
  ['"\\ud83c\\udfb2"', '🎲'],
  ['"🎲"', '🎲'],
  ['"\\u2028\\u2029\u2028\u2029"', '\u2028\u2029\u2028\u2029'],
  ['"\\ufeff\ufeff"', '\ufeff\ufeff'],
  ['"\\uffff\\ufffe\uffff"', '\uffff\ufffe\uffff'],
  ['"\\udbff\\udfff\u{10ffff}"', '\u{10ffff}\u{10ffff}'],
  ['"\\\\u0000"', '\\u0000'],
  ['"// no comment"', '// no comment'],
  ['"[1,2}"', '[1,2}'],
  ['"e\\u0301 é"', 'e\u0301 é'],
]

/** Texts that are not JSON, neither as a body nor as a value. */
const NOT_JSON: (string | Buffer)[] = [
  ...words('+1 01 -01 -012 00 0x10 0b1 0o7 1. .5 -.5 -. . - -- +- 1e 1e+ 1e- 1.e1 0e 0.1.2 1_000 1,000 1e1.5 0.e1 ++1 -1x 2.e3 1a 1f'),
  ...words('NaN -NaN nan Infinity -Infinity inf undefined True TRUE False Null nul tru fals nulll truefalse None nil'),
  ...words('\'a\' `a` a name $ # @ & ; , : * \\ / // /**/ 1// 1/**/ <a/> () (1) [1; [1,, [,1] [1,] [,] [1:2] ["a":1] [1}'),
  ...words('[ ] { } [[ [1 [1, ["a [" ["a", [1,[2] {"a {"a" {"a": {"a":1 {"a":1, {"a":1,} {,"a":1} {,} {:1} {"a":} {"a",1} {"a" 1} {"a"}'),
  ...words(
    '{a:1} {\'a\':1} {1:1} {null:1} {"a":1,b:2} {"a"::1} {"a":1;"b":2} {"a":1]} {"a":1,,"b":2} {["a"]:1} {{"a":1}} {"a":1}} []] "a"} ""]',
  ),
  ...words('" "a a" "\\" "\\x41" "\\a" "\\0" "\\u" "\\u1" "\\u12" "\\u123" "\\u123g" "\\uD83C\\u" "\\U0041" "\\u{41}" \\"a\\" "a"b "a""b"'),
  '1 2',
  '"a" "b"',
  '[] []',
  '{"a":1} {"b":2}',
  '{"a":1} // end',
  '{"a":1} garbage',
  '"a\nb"',
  '"a\tb"',
  '"a\u0000b"',
  '"a\u001fb"',
  '\u00a01',
  '1\u00a0',
  '\u20281',
  '\u000b1',
  '\f1',
  '1\u0000',
  '\u0000',
  '“a”',
  '１',
  '"\\🎲"',
  '🎲',
  '<!-- -->',
  '#!/bin/sh',
  '='.repeat(1000),
  '['.repeat(100_000),
  '{"a":'.repeat(50_000),
  '[{"a":'.repeat(30_000),
  '-'.repeat(100_000),
  `"${'\\'.repeat(100_001)}`,
  latin1('"\xff"'),
  latin1('"\x80"'),
  latin1('"\xc3"'),
  latin1('"\xc0\xaf"'),
  latin1('"\xe0\x80\xaf"'),
  latin1('"\xf0\x80\x80\xaf"'),
  latin1('"\xed\xa0\x80"'),
  latin1('"\xf4\x90\x80\x80"'),
  latin1('"\xf8\x88\x80\x80\x80"'),
  latin1('"Zo\xeb"'),
  latin1('\xe5'),
  latin1('[1]\xff'),
]

/** Bodies that are not JSON. */
const NOT_JSON_BODIES: (string | Buffer)[] = [
  ' ',
  '\n\t\r ',
  '\ufeff',
  '\ufeff\ufeff{"name":"a"}',
  'name=a',
  '{"name":"a"}{"name":"b"}',
  '{"name":"a"}\u0000',
  ')]}\',\n{"name":"a"}',
  'callback({"name":"a"})',
  '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\na\r\n--x--',
  '<company><name>a</name></company>',
  'name: a\n',
  Buffer.from('{"name":"a"}', 'utf16le'),
  Buffer.concat([latin1('\xff\xfe'), Buffer.from('{"name":"a"}', 'utf16le')]),
  Buffer.concat([latin1('\xfe\xff'), Buffer.from('{"name":"a"}', 'utf16le').swap16()]),
  latin1('\x1f\x8b\x08\x00'),
]

/** Bodies that may be accepted or rejected, but never cause an error of the server. */
const EITHER: (string | Buffer)[] = [
  '',
  '\ufeff{"name":"Marked"}',
  '{"name":"First","name":"Last"}',
  '{"name":"a","description":"\\u0000"}',
  '{"name":"a","description":"\\ud800"}',
  '{"name":"a","description":"\\udfb2\\ud83c"}',
  '{"name":"a","description":"\\ud83c\\ud83c\\udfb2"}',
  '{"name":"a","\\u0000":1}',
  '{"name":"a","\\ud800":1}',
  '{"name":"a","":1}',
  '{"name":"a","__proto__":null}',
  '{"name":"a","__proto__":{"description":"inherited"}}',
  '{"name":"a","constructor":{"prototype":{"name":"b"}}}',
  '{"name":"a","toString":1,"hasOwnProperty":2,"valueOf":3}',
  '{"__proto__":{"name":"a"}}',
  '{"name":"a","settings":{"__proto__":{"campaign_creation":"STORYTELLER"}}}',
  '{"name":"a","settings":{"campaign_creation":1e400}}',
  '{"name":1e400}',
  '{"name":-1e400}',
  `{"name":${'9'.repeat(100_000)}}`,
  `{"name":1e${'9'.repeat(1000)}}`,
  `{"name":0.${'0'.repeat(100_000)}1}`,
  `{"name":"a","description":${nested(31)}}`,
  `{"name":"a","description":${nested(33)}}`,
  `{"name":"a","description":${nested(100_000)}}`,
  nested(100_000),
  `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`,
  `{"name":"${'\\u0061'.repeat(100)}"}`,
  `{"name":"a","description":"${'🎲'.repeat(10_000)}"}`,
  `{"name":"a",${Array.from({ length: 20_000 }, (_, i) => `"k${i}":0`).join()}}`,
  `{"name":"a"${',"name":"a"'.repeat(10_000)}}`,
  `[${'0,'.repeat(100_000)}0]`,
  `${' '.repeat(200_000)}{"name":"Far away"}`,
]

/** The message for a body that is not JSON: it has the position of the error, and no part of the body. */
const NOT_JSON_MESSAGE =
  /^must be valid JSON(: unexpected (character|end of the text) at line [1-9]\d*, column [1-9]\d*| in UTF-8: its bytes are not UTF-8)$/

/** Bodies that are not JSON, and the position of the error, or null for bytes that are not UTF-8. */
const POSITIONS: [string | Buffer, string | null][] = [
  ['{', 'end of the text at line 1, column 2'],
  ['{"name": "a"', 'end of the text at line 1, column 13'],
  ['{"name": "a",}', 'character at line 1, column 14'],
  ['{\n  "name": "a"\n  "email": null\n}', 'character at line 3, column 3'],
  ['{\r\n  "name": "a",\r\n  email: null\r\n}', 'character at line 3, column 3'],
  ['{\r"name": tru}', 'character at line 2, column 12'],
  ['{"name": "a\nb"}', 'character at line 1, column 12'],
  ['{"name": "🎲🎲" x}', 'character at line 1, column 15'],
  ['{"name": "\\x"}', 'character at line 1, column 12'],
  ['{"name": "\\u12"}', 'character at line 1, column 15'],
  ["{'name': 1}", 'character at line 1, column 2'],
  ['{"name": 01}', 'character at line 1, column 11'],
  ['{"name": 1.}', 'character at line 1, column 12'],
  ['[1, 2', 'end of the text at line 1, column 6'],
  ['{"name": "a"}\n{"name": "b"}', 'character at line 2, column 1'],
  ['\n\n', 'end of the text at line 3, column 1'],
  [`${'\n'.repeat(50_000)}${' '.repeat(50_000)}x`, 'character at line 50001, column 50001'],
  [latin1('{"name": "\xff"}'), null],
]

const json = { 'content-type': 'application/json' }
const asValue = (text: string | Buffer) =>
  Buffer.concat([Buffer.from('{"name":"Bodies","description":'), Buffer.from(text), Buffer.from('}')])
const excerpt = (text: string | Buffer) => JSON.stringify(text.toString('latin1')).slice(0, 80)

async function sender() {
  const { id, key } = await newDeveloper()
  const send = (body: string | Buffer) => call('POST', '/api/v1/companies', { key, body, headers: json })
  const countCompanies = async () => (await call('GET', '/api/v1/companies?limit=0', { key })).body.total
  const countEvents = async () => (await db.query(sql`SELECT 1 FROM events WHERE developer_id = ${id}`)).length
  return { send, countCompanies, countEvents }
}

test('reads valid JSON as JSON, and stores strings with their escapes decoded', async () => {
  const { send } = await sender()
  for (const text of [...INVALID_VALUES, ...VALID_VALUES.map(([text]) => text)]) {
    const reply = await send(text)
    assertProblem(reply, 400)
    assert.doesNotMatch(reply.text, /valid JSON/, excerpt(text))
  }
  for (const text of INVALID_VALUES) {
    const { body } = await send(asValue(text))
    assert.deepEqual(body.invalid_parameters, [{ field: 'description', message: 'must be of type string or null' }], excerpt(text))
  }
  for (const [text, value] of VALID_VALUES) {
    const { status, body } = await send(asValue(text))
    assert.deepEqual([status, body.description], [201, value], excerpt(text))
  }
})

test('answers 400 to a body that is not JSON, and writes nothing', async () => {
  const { send, countCompanies, countEvents } = await sender()
  for (const body of [...NOT_JSON, ...NOT_JSON.map(asValue), ...NOT_JSON_BODIES]) {
    const reply = await send(body)
    assert.equal(reply.status, 400, `${excerpt(body)} got ${reply.text}`)
    assertProblem(reply, 400, 'Validation failed for one or more fields.')
    const [first, ...others] = reply.body.invalid_parameters
    assert.deepEqual([first?.field, others], ['body', []], excerpt(body))
    assert.match(first?.message ?? '', NOT_JSON_MESSAGE, excerpt(body))
  }
  assert.deepEqual([await countCompanies(), await countEvents()], [0, 0])
})

test('names the line and column of the error in a body that is not JSON, and does not repeat the body', async () => {
  const { send } = await sender()
  for (const [text, position] of POSITIONS) {
    const { body } = await send(text)
    const message = position ? `must be valid JSON: unexpected ${position}` : 'must be valid JSON in UTF-8: its bytes are not UTF-8'
    assert.deepEqual(body.invalid_parameters, [{ field: 'body', message }], excerpt(text))
  }
})

test('accepts or rejects bodies on which JSON parsers differ, and writes only the accepted ones', async () => {
  const { send, countCompanies, countEvents } = await sender()
  let accepted = 0
  for (const body of EITHER) {
    const reply = await send(body)
    if (reply.status === 201) accepted++
    else assertProblem(reply, 400, 'Validation failed for one or more fields.')
  }
  assert.deepEqual([await countCompanies(), await countEvents()], [accepted, accepted])
})

test('uses the last value of a repeated field, and ignores a byte order mark', async () => {
  const { send } = await sender()
  assert.equal((await send('{"name":"First","name":"Last"}')).body.name, 'Last')
  assert.equal((await send('\ufeff{"name":"Marked"}')).body.name, 'Marked')
})

test('answers deeply nested and long bodies within two seconds', async () => {
  const { send } = await sender()
  for (const body of ['['.repeat(260_000), nested(130_000), '{"a":'.repeat(52_000), `"${'\\u0000'.repeat(40_000)}"`]) {
    const startedAt = performance.now()
    assertProblem(await send(body), 400)
    assert.ok(performance.now() - startedAt < 2000, excerpt(body))
  }
})
