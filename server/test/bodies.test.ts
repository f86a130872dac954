import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { assertProblem, call, db, newDeveloper } from './harness.ts'

// What a parser of JSON must take, must refuse, and may do either with. Each text is sent as it is, and as the value of a field.

const words = (text: string) => text.split(' ')
/** Characters as bytes, one each: so are texts written that no UTF-8 could hold. */
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

/** Must be read as JSON; no field takes it. */
const READ = [
  ...words('0 -0 1 -1 42 1.5 -0.25 1e2 1E2 1e+2 1e-2 1.5e300 0e1 0e+1 0.0 1e-400 123456789012345678901234567890'),
  ...words('true false [] {} [[]] [{}] [1,2] [null] [true,false] {"a":1} {"a":{"b":[]}} {"":0} {"a":1,"a":2} {"a\\u0062":1}'),
  '[ 1 ,\t2\r\n]',
  ' \t\r\n{ "a" : 1 }\n ',
  nested(20),
]

/** Must be read, and say this. */
const SAID: [string, string | null][] = [
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

/** Must be refused as no JSON, alone and as a value. */
const REFUSED: (string | Buffer)[] = [
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

/** The same where only a whole body can be so. */
const REFUSED_WHOLE: (string | Buffer)[] = [
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

/** May be taken or refused, but is judged. */
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

/** What a refusal says: where the text is wrong, and nothing of the text. */
const FAULT =
  /^must be valid JSON(: unexpected (character|end of the text) at line [1-9]\d*, column [1-9]\d*| in UTF-8: its bytes are not UTF-8)$/

/** Texts and where they are wrong: line and column, or null for bytes that are not UTF-8. */
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
const shown = (text: string | Buffer) => JSON.stringify(text.toString('latin1')).slice(0, 80)

async function sender() {
  const { id, key } = await newDeveloper()
  const send = (body: string | Buffer) => call('POST', '/api/v1/companies', { key, body, headers: json })
  const kept = async () => (await call('GET', '/api/v1/companies?limit=0', { key })).body.total
  const told = async () => (await db.query(sql`SELECT 1 FROM events WHERE developer_id = ${id}`)).length
  return { send, kept, told }
}

test('what is JSON is read as JSON, and text as the text it says', async () => {
  const { send } = await sender()
  for (const text of [...READ, ...SAID.map(([text]) => text)]) {
    const reply = await send(text)
    assertProblem(reply, 400)
    assert.doesNotMatch(reply.text, /valid JSON/, shown(text))
  }
  for (const text of READ) {
    const { body } = await send(asValue(text))
    assert.deepEqual(body.invalid_parameters, [{ field: 'description', message: 'must be of type string or null' }], shown(text))
  }
  for (const [text, said] of SAID) {
    const { status, body } = await send(asValue(text))
    assert.deepEqual([status, body.description], [201, said], shown(text))
  }
})

test('what is not JSON is 400, says so, and nothing is written', async () => {
  const { send, kept, told } = await sender()
  for (const body of [...REFUSED, ...REFUSED.map(asValue), ...REFUSED_WHOLE]) {
    const reply = await send(body)
    assert.equal(reply.status, 400, `${shown(body)} got ${reply.text}`)
    assertProblem(reply, 400, 'Validation failed for one or more fields.')
    const [fault, ...more] = reply.body.invalid_parameters
    assert.deepEqual([fault?.field, more], ['body', []], shown(body))
    assert.match(fault?.message ?? '', FAULT, shown(body))
  }
  assert.deepEqual([await kept(), await told()], [0, 0])
})

test('what is not JSON is told by line and column, and never repeated', async () => {
  const { send } = await sender()
  for (const [text, where] of POSITIONS) {
    const { body } = await send(text)
    const message = where ? `must be valid JSON: unexpected ${where}` : 'must be valid JSON in UTF-8: its bytes are not UTF-8'
    assert.deepEqual(body.invalid_parameters, [{ field: 'body', message }], shown(text))
  }
})

test('what is JSON to some is taken or refused, never our fault, and what is refused is not written', async () => {
  const { send, kept, told } = await sender()
  let taken = 0
  for (const body of EITHER) {
    const reply = await send(body)
    if (reply.status === 201) taken++
    else assertProblem(reply, 400, 'Validation failed for one or more fields.')
  }
  assert.deepEqual([await kept(), await told()], [taken, taken])
})

test('of a name given twice the last counts, a byte order mark is not part of the text', async () => {
  const { send } = await sender()
  assert.equal((await send('{"name":"First","name":"Last"}')).body.name, 'Last')
  assert.equal((await send('\ufeff{"name":"Marked"}')).body.name, 'Marked')
})

test('deep and long bodies are answered at once', async () => {
  const { send } = await sender()
  for (const body of ['['.repeat(260_000), nested(130_000), '{"a":'.repeat(52_000), `"${'\\u0000'.repeat(40_000)}"`]) {
    const begun = performance.now()
    assertProblem(await send(body), 400)
    assert.ok(performance.now() - begun < 2000, shown(body))
  }
})
