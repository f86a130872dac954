import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { agree, bruteForce } from '../../test/brute-force.ts'
import { isHeavy } from '../resources/dice/rules.ts'
import { entries, momentsOf } from './distribution.ts'
import { evaluate } from './evaluate.ts'
import { type Dice, facesOf, parse, type Term } from './notation.ts'
import { oddsOf } from './odds.ts'

test('the odds of small notations equal those of brute force', () => {
  for (const text of [
    'd6',
    '3d6',
    '4d6kh3',
    '4d6kl1',
    '3d4dl1',
    '3d4dh2',
    '2d20kl1',
    '4dF',
    '3d10>=7f1',
    '3d6<=2',
    '2d6ro=1',
    '3d4ro<=2kh2',
    '2d6!o',
    '2d4!oro=1',
    '2d6!o>=5',
    '(2d6+3)*2',
    '2d4*d6',
    'd8-2d4',
    '-2d6+7',
    '4d6kh2>=5',
    '3d4kh2>=3f1',
    '7',
  ])
    agree(
      new Map(entries(oddsOf(parse(text)))),
      bruteForce((draw) => evaluate(parse(text), draw).value),
      text,
    )
})

test('odds sum to 1, and mean and deviation follow from them', () => {
  const dice: fc.Arbitrary<Dice> = fc
    .record({
      count: fc.integer({ min: 1, max: 12 }),
      sides: fc.integer({ min: 2, max: 30 }),
      fudge: fc.boolean(),
      keep: fc.option(fc.record({ highest: fc.boolean(), drop: fc.constant(false), count: fc.integer({ min: 1, max: 12 }) })),
    })
    .map(({ count, sides, fudge, keep }) => ({
      kind: 'dice',
      position: 0,
      count,
      sides: fudge ? 3 : sides,
      fudge,
      ...(keep && { keep: { ...keep, count: Math.min(keep.count, count) } }),
    }))
  fc.assert(
    fc.property(dice, dice, fc.constantFrom('sum', 'difference'), (left, right, kind) => {
      const odds = oddsOf({ kind, left, right } as Term)
      const sum = [...entries(odds)].reduce((total, [, p]) => total + p, 0)
      assert.ok(Math.abs(sum - 1) < 1e-12, String(sum))
      const { mean, deviation } = momentsOf(odds)
      assert.ok(deviation >= 0 && mean >= odds.min && mean <= odds.min + odds.p.length)
      const meanOf = (dice: Dice) => dice.count * ((facesOf(dice)[0] + facesOf(dice)[1]) / 2)
      if (!left.keep && !right.keep) assert.ok(Math.abs(mean - (meanOf(left) + (kind === 'sum' ? 1 : -1) * meanOf(right))) < 1e-9)
    }),
    { numRuns: 200, seed: 3 },
  )
})

test('the odds of many faces are expensive, and those of invalid notation are not', () => {
  for (const [asked, heavy] of [
    [{ notation: '5d10' }, false],
    [{ notation: '4d6kh3+2' }, false],
    [{ notation: '20d20kh10' }, true],
    [{ notation: '100d10' }, true],
    [{ notation: '20d10+20d8' }, true],
    [{ notation: '1000d' }, false],
    [{ pool: { dice: 10 } }, false],
    [{ pool: { dice: 90, modifier: 10 } }, true],
    [{}, false],
  ] as const)
    assert.equal(isHeavy(asked), heavy, JSON.stringify(asked))
})
