import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { outcomeOf, rollPool, worth } from './pool.ts'

const faces = (...values: number[]) => {
  const left = values.map((value) => value - 1)
  return Object.assign(() => left.shift() ?? assert.fail('too many dice'), { used: 0 })
}
const pool = { sides: 10, dice: 0, difficulty: 6, desperation_dice: 0 }

test('a die against a difficulty is worth 2, 1, 0 or -1 successes', () => {
  assert.deepEqual(
    Array.from({ length: 10 }, (_, i) => worth(i + 1, { sides: 10, difficulty: 7 })),
    [-1, 0, 0, 0, 0, 0, 1, 1, 1, 2],
  )
  assert.deepEqual(
    [1, 2].map((value) => worth(value, { sides: 2, difficulty: 2 })),
    [-1, 2],
  )
})

test('a pool is evaluated to its net successes or its total', () => {
  for (const [values, net, outcome] of [
    [[6, 7, 2], 2, 'SUCCESS'],
    [[10, 10, 10], 6, 'CRITICAL'],
    [[10, 2], 2, 'SUCCESS'],
    [[10], 2, 'CRITICAL'],
    [[6, 1], 0, 'FAILURE'],
    [[2, 3], 0, 'FAILURE'],
    [[1, 2], -1, 'BOTCH'],
    [[1, 1, 10], 0, 'FAILURE'],
  ] as [number[], number, string][]) {
    const rolled = rollPool({ ...pool, dice: values.length }, faces(...values))
    assert.deepEqual([rolled.net, rolled.outcome, rolled.total], [net, outcome, null], String(values))
  }
  const plain = rollPool({ ...pool, dice: 3, difficulty: null }, faces(1, 10, 4))
  assert.deepEqual([plain.total, plain.net, plain.outcome, plain.strained], [15, null, null, false])
  assert.deepEqual(
    plain.dice.map(({ flags }) => flags),
    [['kept'], ['kept'], ['kept']],
  )
})

test('desperation dice are rolled last, count, and strain the roll if one shows 1', () => {
  const rolled = rollPool({ ...pool, dice: 1, desperation_dice: 2 }, faces(1, 10, 1))
  assert.deepEqual(
    rolled.dice.map(({ kind }) => kind),
    ['NORMAL', 'DESPERATION', 'DESPERATION'],
  )
  assert.deepEqual([rolled.net, rolled.outcome, rolled.strained], [0, 'FAILURE', true])
  assert.equal(rollPool({ ...pool, dice: 2, desperation_dice: 1 }, faces(1, 1, 8)).strained, false, 'a 1 on another die is only a 1')
  assert.equal(outcomeOf(3, 3), 'SUCCESS')
  assert.equal(outcomeOf(4, 3), 'CRITICAL')
})

test('the net is always the sum of the dice, and the outcome follows from it', () => {
  const sides = fc.integer({ min: 2, max: 1000 })
  fc.assert(
    fc.property(
      sides.chain((size) =>
        fc.record({
          sides: fc.constant(size),
          difficulty: fc.integer({ min: 2, max: size }),
          values: fc.array(fc.integer({ min: 1, max: size }), { minLength: 1, maxLength: 110 }),
        }),
      ),
      ({ sides, difficulty, values }) => {
        const { net, outcome, dice } = rollPool({ sides, difficulty, dice: values.length, desperation_dice: 0 }, faces(...values))
        const count = (flag: 'success' | 'critical' | 'botch') => dice.filter(({ flags }) => flags.includes(flag)).length
        assert.equal(net, count('success') + count('critical') - count('botch'))
        assert.equal(
          outcome,
          (net as number) < 0 ? 'BOTCH' : net === 0 ? 'FAILURE' : (net as number) > values.length ? 'CRITICAL' : 'SUCCESS',
        )
      },
    ),
  )
})
