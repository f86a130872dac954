import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { agree, bruteForce } from '../test/brute-force.ts'
import { anyPool } from '../test/pools.ts'
import { type Distribution, entries, momentsOf, OddsTooComplex } from './distribution.ts'
import { drawFrom } from './draw.ts'
import { wordsOf } from './node-crypto.ts'
import { oddsOfPool, outcomesOfPool } from './odds-of-pool.ts'
import { chanceRules, diceAtStart, OUTCOMES, type Outcome, type Pool, rollPool, worth } from './pool.ts'

const resultOf = ({ net, total }: ReturnType<typeof rollPool>) => (net ?? total) as number
const sumOf = (odds: Distribution) => odds.p.reduce((a, b) => a + b, 0)

/** Fails unless the odds of the result and of the outcome equal those of every way the dice can fall. */
function agreesWithBruteForce(pool: Pool, least?: number) {
  const label = JSON.stringify(pool)
  const odds = oddsOfPool(pool)
  const expected = bruteForce((draw) => resultOf(rollPool(pool, draw)), least)
  agree(new Map(entries(odds)), expected, label)
  if (pool.difficulty === null) return
  const outcomes = bruteForce((draw) => OUTCOMES.indexOf(rollPool(pool, draw).outcome as Outcome), least)
  const actual = outcomesOfPool(pool, odds).map(({ outcome, probability }): [number, number] => [OUTCOMES.indexOf(outcome), probability])
  agree(new Map(actual), outcomes, label)
}

test('the odds of all small pools equal those of brute force', () => {
  for (const sides of [2, 3, 4, 6])
    for (let dice = 1; dice <= 4; dice++)
      for (const difficulty of [null, ...Array.from({ length: sides - 1 }, (_, i) => i + 2)])
        for (const desperation_dice of [0, 1]) agreesWithBruteForce({ sides, dice, difficulty, desperation_dice })
})

test('the odds of small pools of every dialect equal those of brute force', () => {
  const base = { sides: 5, dice: 3, difficulty: 3, desperation_dice: 0 }
  for (const options of [
    { double: [] },
    { double: [3, 4, 5], ones: 'IGNORE' },
    { ones: 'SUBTRACT', double: [4] },
    { needed: 2 },
    { needed: 4, special: 2 },
    { dice: 0, chance: true },
    { dice: -2, chance: true, needed: 2, desperation_dice: 2 },
    { dice: 0, chance: true, ones: 'IGNORE', double: [3], desperation_dice: 3, sides: 4 },
    { sides: 2, difficulty: 2, dice: 0, chance: true, desperation_dice: 1 },
  ] as Partial<Pool>[])
    agreesWithBruteForce({ ...base, ...options })
})

test('the odds of exploding dice equal those of brute force up to what it leaves out', () => {
  const base = { sides: 4, dice: 2, difficulty: 3, desperation_dice: 0 }
  for (const options of [
    { again: [4] },
    { again: [1] },
    { again: [3], double: [], ones: 'IGNORE' },
    { again: [2], needed: 2 },
    { again: [4], difficulty: null },
    { again: [3], dice: 0, chance: true, desperation_dice: 2 },
    { sides: 2, difficulty: 2, again: [2], dice: 1 },
    { sides: 3, difficulty: 2, again: [3], double: [2], dice: 1, desperation_dice: 1, needed: 3 },
  ] as Partial<Pool>[])
    agreesWithBruteForce({ ...base, ...options }, 1e-11)
})

test('the odds of one exploding die are the geometric series', () => {
  const odds = new Map(
    entries(oddsOfPool({ sides: 10, dice: 1, difficulty: 8, desperation_dice: 0, double: [], ones: 'IGNORE', again: [10] })),
  )
  // A 10 explodes: 7 of 10 faces end the chain without a success, 2 with one.
  assert.ok(Math.abs((odds.get(0) as number) - 0.7) < 1e-15)
  for (let n = 1; n <= 14; n++) assert.ok(Math.abs((odds.get(n) as number) - 0.27 * 0.1 ** (n - 1)) < 1e-15, String(n))
  assert.ok(
    [...odds.keys()].every((n) => n <= 17),
    'less likely results are left out',
  )
  const two = oddsOfPool({ sides: 4, dice: 1, difficulty: 3, desperation_dice: 0, double: [], ones: 'IGNORE', again: [3, 4] })
  for (let n = 0; n <= 45; n++) assert.ok(Math.abs((two.p[n] as number) - 0.5 ** (n + 1)) < 1e-15, String(n))
})

test('the odds of any pool sum to 1 and have the mean that follows from one die', () => {
  let complex = 0
  const numRuns = 300
  fc.assert(
    fc.property(anyPool(20, 40), (pool) => {
      let odds: Distribution
      try {
        odds = oddsOfPool(pool)
      } catch (error) {
        assert.ok(error instanceof OddsTooComplex)
        complex++
        return
      }
      const label = JSON.stringify(pool)
      assert.ok(Math.abs(sumOf(odds) - 1) < 1e-12, `${label}: ${sumOf(odds)}`)
      // Each die adds as many dice as it has chances to explode, so the mean is that of one die, divided by 1 - chance.
      const meanOf = (rules: Parameters<typeof worth>[1]) =>
        Array.from({ length: pool.sides }, (_, i) => worth(i + 1, rules)).reduce((a, b) => a + b, 0) /
        (pool.sides - (rules.again ?? []).length)
      const others = diceAtStart(pool) - 1
      const mean = meanOf(pool.dice < 1 ? chanceRules(pool) : pool) + others * meanOf(pool)
      assert.ok(Math.abs(momentsOf(odds).mean - mean) < 1e-9, `${label}: ${momentsOf(odds).mean}, not ${mean}`)
      if (pool.difficulty === null) return
      const outcomes = outcomesOfPool(pool, odds)
      assert.deepEqual(
        outcomes.map(({ outcome }) => outcome),
        [...OUTCOMES],
      )
      assert.ok(Math.abs(outcomes.reduce((sum, { probability }) => sum + probability, 0) - 1) < 1e-12, label)
    }),
    { numRuns, seed: 18 },
  )
  assert.ok(complex < numRuns / 4, `${complex} of ${numRuns} are too complex`)
})

test('the odds of exploding pools are what rolls show', () => {
  const rolls = 20_000
  for (const [nonce, pool] of (
    [
      { sides: 10, dice: 8, difficulty: 8, desperation_dice: 0, double: [], ones: 'IGNORE', again: [10], needed: 2 },
      { sides: 10, dice: 6, difficulty: 6, desperation_dice: 2, again: [8, 9, 10], special: 3, needed: 5 },
      { sides: 6, dice: 5, difficulty: 5, desperation_dice: 0, again: [1, 6], needed: 3 },
      { sides: 10, dice: 0, difficulty: 8, desperation_dice: 3, again: [10], chance: true },
      { sides: 6, dice: 4, difficulty: null, desperation_dice: 1, again: [6] },
    ] as Pool[]
  ).entries()) {
    const draw = drawFrom(wordsOf({ server_seed: Buffer.alloc(32, 1), client_seed: 'odds', nonce }))
    const [results, outcomes] = [new Map<number, number>(), new Map<Outcome | null, number>()]
    for (let i = 0; i < rolls; i++) {
      const rolled = rollPool(pool, draw)
      results.set(resultOf(rolled), (results.get(resultOf(rolled)) ?? 0) + 1)
      outcomes.set(rolled.outcome, (outcomes.get(rolled.outcome) ?? 0) + 1)
    }
    const check = (p: number, seen = 0, label = '') => {
      const deviation = Math.sqrt(rolls * p * (1 - p))
      assert.ok(Math.abs(seen - rolls * p) <= 4.5 * deviation + 1, `${JSON.stringify(pool)}: ${label} ${seen} times, not ${rolls * p}`)
    }
    const odds = oddsOfPool(pool)
    for (const [value, p] of entries(odds)) check(p, results.get(value), String(value))
    for (const value of results.keys()) assert.ok(new Map(entries(odds)).has(value), `${value} has odds`)
    if (pool.difficulty !== null)
      for (const { outcome, probability } of outcomesOfPool(pool, odds)) check(probability, outcomes.get(outcome), outcome)
  }
})

test('the largest pools that count successes have odds, and others are too complex', () => {
  const largest = { sides: 10, dice: 100, difficulty: 8, desperation_dice: 10 }
  for (const again of [[], [10], [9, 10], [8, 9, 10]]) assert.ok(Math.abs(sumOf(oddsOfPool({ ...largest, again })) - 1) < 1e-12)
  const half = Array.from({ length: 500 }, (_, i) => i + 501)
  for (const pool of [
    { ...largest, difficulty: null, again: [10] },
    { ...largest, sides: 1000, difficulty: null, again: half },
  ])
    assert.throws(() => oddsOfPool(pool), OddsTooComplex)
})
