import assert from 'node:assert/strict'
import { test } from 'node:test'
import { negotiate } from './encoding.ts'

const OFFERED = ['br', 'gzip'] as const

test('the content coding follows from Accept-Encoding', () => {
  const cases: [string | undefined, 'br' | 'gzip' | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['deflate', undefined],
    ['zstd, deflate', undefined],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0.5, gzip;q=0.5', 'br'],
    ['gzip;q=1.0, br;q=1', 'br'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, *', 'gzip'],
    ['br;q=0,gzip;q=0,*', undefined],
    ['gzip;q=0', undefined],
    ['gzip;q=0.000', undefined],
    ['gzip;q=0.001', 'gzip'],
    ['gzip;q=.5', 'gzip'],
    // Identity wins only if it is preferred by name.
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip', 'gzip'],
    ['identity, gzip', 'gzip'],
    ['identity;q=0', undefined],
    ['identity;q=0, *', 'br'],
    // The first of two weights counts.
    ['gzip;q=0, gzip', undefined],
    // Invalid elements are ignored, and the others count.
    ['gzip;q=2', undefined],
    ['gzip;q=-1', undefined],
    ['gzip;q=', undefined],
    ['gzip;q=a, br', 'br'],
    ['gzip;q=1;q=0', 'gzip'],
    ['gzip ; Q = 0.5 ; x=y', 'gzip'],
    [' , ,;, gzip', 'gzip'],
    ['gzip br', undefined],
    ['"gzip"', undefined],
    ['gzip;x="a,br"', 'gzip'],
    ['gzip;x="a,br', 'gzip'],
    ['__proto__, constructor', undefined],
  ]
  for (const [header, coding] of cases) assert.equal(negotiate(header, OFFERED), coding, header)
  assert.equal(negotiate('br, gzip', ['gzip', 'br']), 'gzip', 'the order of the offer decides between equals')
  assert.equal(negotiate('br', ['gzip']), undefined)
  assert.equal(negotiate('br', []), undefined)
})

// A quadratic scan would take minutes. A header has at most 16 kB.
test('a long Accept-Encoding is read in one pass', { timeout: 20_000 }, () => {
  const length = 200_000
  for (const part of [',', ';', ' ', '"', '\\', '"\\', 'a;q=0.1,', 'gzip;q=0,', ';q', '=', 'q=0.', '0', '"a",'])
    assert.equal(negotiate(part.repeat(length / part.length), OFFERED), undefined, part)
  assert.equal(negotiate(`${'deflate;q=0.5,'.repeat(15_000)}gzip`, OFFERED), 'gzip')
  assert.equal(negotiate(`gzip;q=0.${'0'.repeat(length)}1`, OFFERED), undefined)
})
