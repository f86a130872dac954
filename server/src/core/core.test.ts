import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOf, looksLikeApiKey, newApiKey } from './api-key.ts'
import { readConfig } from './config.ts'
import { idAt, idMaker, isId, timeOf } from './ids.ts'
import { canonical, mergePatch } from './json.ts'
import { randomCopy, randomSlice } from './random.ts'
import { afterPrefix, fold } from './text.ts'

test('ids are UUIDv7, grow with every call, and contain the time they were made', () => {
  let now = 1_800_000_000_000
  const next = idMaker(() => new Date(now))
  const ids = Array.from({ length: 10_000 }, next)
  assert.deepEqual([...ids].sort(), ids)
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids.slice(0, 100)) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(timeOf(ids[0] as string).getTime(), now)
  now -= 60_000
  assert.ok(next() > (ids.at(-1) as string), 'ids grow even if the clock goes back')
  now += 3_600_000
  const later = next()
  assert.ok(later >= idAt(new Date(now)) && later < idAt(new Date(now + 1)))
  assert.ok(isId(later) && isId(idAt(new Date(0))) && !isId('x') && !isId(`${later}0`) && !isId(null))
})

test('an API key is recognized by its checksum', () => {
  const { key, key_hash, prefix, last_four } = newApiKey()
  assert.match(key, /^glh_[0-9A-Za-z]{36}$/)
  assert.ok(looksLikeApiKey(key))
  assert.deepEqual([key_hash, prefix, last_four], [hashOf(key), key.slice(0, 8), key.slice(-4)])
  for (let i = 4; i < key.length; i++) {
    const typo = key.slice(0, i) + (key[i] === 'a' ? 'b' : 'a') + key.slice(i + 1)
    assert.equal(looksLikeApiKey(typo), false, `a typo at ${i}`)
  }
  for (const text of ['', 'glh_', `${key} `, key.slice(1), key.toLowerCase()]) assert.equal(looksLikeApiKey(text), false)
})

test('canonical JSON does not depend on the order of keys', () => {
  assert.equal(canonical({ b: [1, { d: 1, c: null }], a: 'ü' }), '{"a":"ü","b":[1,{"c":null,"d":1}]}')
  assert.notEqual(canonical({ a: 1 }), canonical({ a: '1' }))
  assert.notEqual(canonical([1, 2]), canonical([2, 1]))
})

test('a merge patch does what RFC 7396 says', () => {
  const cases: [unknown, unknown, unknown][] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    ['text', null, null],
  ]
  for (const [target, patch, result] of cases) assert.deepEqual(mergePatch(target, patch), result)
})

test('a merge patch may contain the key __proto__', () => {
  const text = '{"__proto__":"a","constructor":"b"}'
  const merged = mergePatch({ other: 'c' }, JSON.parse(text))
  assert.equal(JSON.stringify(merged), '{"other":"c","__proto__":"a","constructor":"b"}')
  assert.equal(JSON.stringify(mergePatch(merged, JSON.parse('{"__proto__":null,"constructor":null}'))), '{"other":"c"}')
})

test('names fold without accents, case and ligatures', () => {
  assert.equal(fold('ZOË'), 'zoe')
  assert.equal(fold('Ångström ﬁ'), 'angstrom fi')
  assert.equal(fold('İstanbul'), fold('istanbul'))
  assert.equal(fold('Straße'), fold('STRASSE'))
  assert.equal(fold('STRAẞE'), fold('strasse'))
  assert.ok(fold('ΟΔΟΣΑ').includes(fold('ΟΔΟΣ')))
  assert.equal(fold('\u0301'), '')
})

test('a long text folds piece by piece to the same result as in one piece, up to a limit', () => {
  const pieces = ['a', 'É', 'ß', 'Σ', 'ς ', '한', 'ﷺ', '😀', 'e\u0301', 'İ', 'ŉ', '\u1100\u1161', 'ﬁ', '𝔄', '\u0345']
  const whole = (text: string) => Array.from(text, (character) => fold(character)).join('')
  for (let shift = 0; shift < 3; shift++) {
    const text = 'x'.repeat(shift) + Array.from({ length: 3000 }, (_, i) => pieces[(i * 7 + shift) % pieces.length]).join('')
    const folded = fold(text, Number.POSITIVE_INFINITY)
    assert.equal(folded, whole(text))
    for (const max of [1, 1000, 5001, 5002, 5003]) {
      const cut = fold(text, max)
      assert.ok(folded.startsWith(cut) && cut.length <= max && cut.length >= max - 1 && cut.isWellFormed())
    }
  }
  assert.equal(fold('ﷺ'.repeat(20_000), 60_000).length, 60_000)
  assert.ok(fold('ﷺ'.repeat(100)).length <= 400)
})

test('a prefix ends before the next text of its length, in the order of code points', () => {
  for (const [prefix, after] of [
    ['a', 'b'],
    ['az', 'a{'],
    ['\ud7ff', '\ue000'],
    ['😀', '😁'],
    ['a\u{10ffff}', 'b'],
    ['\u{10ffff}', undefined],
  ] as const)
    assert.equal(afterPrefix(prefix), after)
})

test('an invalid setting is refused with a diagnosis and the expected form', () => {
  for (const env of [
    { PORT: 'x' },
    { PORT: '70000' },
    { PORT: '1.5' },
    { LOG_LEVEL: 'loud' },
    { RATE_LIMIT: 'no' },
    { DATABASE_URL: 'mysql://x' },
    { DATABASE_READERS: '0' },
    { TRUST_PROXY: 'banana' },
    { TRUST_PROXY: '10.0.0.0/99' },
    { CORS_ORIGINS: 'example.com' },
    { CORS_ORIGINS: 'https://a.example/' },
    { CORS_ORIGINS: '*.example' },
    { RATE_LIMIT_USER_BURST: '0' },
  ]) {
    assert.throws(() => readConfig(env), { name: 'Error', message: /^[A-Z_]+ (is|contains) .+\. Expected .+\.$/ })
  }
  const config = readConfig({ PORT: '9000', CORS_ORIGINS: 'https://a.example, https://b.example', TRUST_PROXY: '10.0.0.0/8' }, true)
  assert.deepEqual([config.port, config.host, config.logFormat, config.trustProxy], [9000, '127.0.0.1', 'pretty', '10.0.0.0/8'])
  assert.deepEqual(config.corsOrigins, ['https://a.example', 'https://b.example'])
  assert.deepEqual(readConfig({ CORS_ORIGINS: '*, https://a.example' }, true).corsOrigins, ['*', 'https://a.example'])
})

test('copied random bytes do not change', () => {
  const kept = randomCopy(32)
  const then = kept.toString('hex')
  for (let i = 0; i < 1000; i++) randomSlice(32)
  assert.equal(kept.toString('hex'), then)
  assert.notEqual(randomCopy(32).toString('hex'), then)
})
