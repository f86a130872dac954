import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chiSquare, daysUntil, mean, percentages } from './rules.ts'

test('percentages add up to 100, and each is less than 0.1 off', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 8 }), (counts) => {
      const sum = counts.reduce((all, count) => all + count, 0)
      const shares = percentages(counts)
      assert.equal(
        shares.reduce((all, share) => all + Math.round(share * 10), 0),
        sum === 0 ? 0 : 1000,
      )
      shares.forEach((share, i) => {
        if (sum > 0) assert.ok(Math.abs(share - ((counts[i] as number) * 100) / sum) < 0.1)
      })
    }),
  )
  assert.deepEqual(percentages([1, 1, 1]), [33.4, 33.3, 33.3])
  assert.deepEqual(percentages([0, 0]), [0, 0])
  assert.deepEqual(percentages([0, 5, 0, 5]), [0, 50, 0, 50])
})

// Upper tails of the chi-square distribution from printed tables.
for (const [sides, chi_square, p] of [
  [2, 3.841459, 0.05],
  [2, 6.634897, 0.01],
  [6, 11.0705, 0.05],
  [6, 1.145476, 0.95],
  [10, 16.91898, 0.05],
  [10, 27.87716, 0.001],
  [20, 30.14353, 0.05],
  [20, 10.11701, 0.95],
  [100, 123.2252, 0.05],
  [100, 77.04633, 0.95],
] as const) {
  test(`a chi-square of ${chi_square} for ${sides} faces has a p-value of ${p}`, () => {
    // Two faces deviate from the mean by the same amount, so that chi-square has the wanted value.
    const expected = 1_000_000
    const deviation = Math.sqrt((chi_square * expected) / 2)
    const found = chiSquare([expected + deviation, expected - deviation, ...new Array(sides - 2).fill(expected)])
    assert.ok(Math.abs(found.chi_square - chi_square) < 1e-3, String(found.chi_square))
    assert.ok(Math.abs(found.p_value - p) < p * 1e-4, String(found.p_value))
  })
}

test('a p-value is between 0 and 1 for all counts of faces', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(100_000), { minLength: 2, maxLength: 100 }), (faces) => {
      const { p_value, chi_square } = chiSquare(faces)
      assert.ok(p_value >= 0 && p_value <= 1 && chi_square >= 0, `${p_value} ${chi_square}`)
    }),
  )
  assert.deepEqual(chiSquare([5, 5, 5]), { chi_square: 0, p_value: 1 })
  assert.equal(chiSquare([1_000_000, 0]).p_value, 0)
})

test('dates are in UTC, across the ends of months and years', () => {
  assert.deepEqual(daysUntil(new Date('2026-01-01T00:00:00.000Z'), 3), ['2025-12-30', '2025-12-31', '2026-01-01'])
  assert.equal(daysUntil(new Date('2026-11-15T23:59:59.999Z'), 90)[0], '2026-08-18')
  assert.deepEqual([mean(10, 4), mean(1, 3), mean(0, 0)], [2.5, 0.33, null])
})
