import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { divide } from './divide.ts'

test('divisions round down, up, or to the nearest with halves up', () => {
  for (const [a, b, floor, ceil, round] of [
    [7, 2, 3, 4, 4],
    [-7, 2, -4, -3, -3],
    [7, -2, -4, -3, -3],
    [-7, -2, 3, 4, 4],
    [6, 2, 3, 3, 3],
    [-6, 2, -3, -3, -3],
    [1, 3, 0, 1, 0],
    [2, 3, 0, 1, 1],
    [-1, 3, -1, 0, 0],
    [-2, 3, -1, 0, -1],
    [0, 5, 0, 0, 0],
    [1, 2, 0, 1, 1],
    [-1, 2, -1, 0, 0],
  ] as const)
    assert.deepEqual([divide('floor', a, b), divide('ceil', a, b), divide('round', a, b)], [floor, ceil, round], `${a}/${b}`)
})

test('divisions are exact for all safe integers', () => {
  const exact = (rounding: 'floor' | 'ceil' | 'round', a: bigint, b: bigint): bigint => {
    if (rounding === 'round') return exact('floor', 2n * a + b, 2n * b)
    if (rounding === 'ceil') return -exact('floor', -a, b)
    const quotient = a / b
    return quotient * b !== a && a < 0n !== b < 0n ? quotient - 1n : quotient
  }
  const whole = fc.oneof(
    fc.maxSafeInteger(),
    fc.integer({ min: -20, max: 20 }),
    fc.integer({ min: 0, max: 9 }).map((n) => Number.MAX_SAFE_INTEGER - n),
    fc.integer({ min: 0, max: 9 }).map((n) => n - Number.MAX_SAFE_INTEGER),
  )
  fc.assert(
    fc.property(fc.constantFrom('floor', 'ceil', 'round'), whole, whole, (rounding, a, b) => {
      fc.pre(b !== 0)
      const result = divide(rounding, a, b)
      assert.equal(BigInt(result), exact(rounding, BigInt(a), BigInt(b)))
      assert.ok(!Object.is(result, -0))
    }),
    { numRuns: 20_000, seed: 1 },
  )
})
