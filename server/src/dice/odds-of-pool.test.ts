import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agree, bruteForce } from '../../test/brute-force.ts'
import { entries } from './distribution.ts'
import { oddsOfPool, outcomesOfPool } from './odds-of-pool.ts'
import { rollPool } from './pool.ts'

test('the odds of all small pools equal those of brute force', () => {
  for (const sides of [2, 3, 4, 6])
    for (let dice = 1; dice <= 4; dice++)
      for (const difficulty of [null, ...Array.from({ length: sides - 1 }, (_, i) => i + 2)])
        for (const desperation_dice of [0, 1]) {
          const pool = { sides, dice, difficulty, desperation_dice }
          const odds = oddsOfPool(pool)
          agree(
            new Map(entries(odds)),
            bruteForce((draw) => {
              const rolled = rollPool(pool, draw)
              return (rolled.net ?? rolled.total) as number
            }),
            JSON.stringify(pool),
          )
          if (difficulty === null) continue
          const tried = bruteForce((draw) => ['BOTCH', 'FAILURE', 'SUCCESS', 'CRITICAL'].indexOf(rollPool(pool, draw).outcome as string))
          for (const [i, { probability }] of outcomesOfPool(pool, odds).entries())
            assert.ok(Math.abs(probability - (tried.get(i) ?? 0)) < 1e-12)
        }
})
