import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OUTCOMES } from '@guildhall/dice/pool'
import fc from 'fast-check'
import { agree, bruteForce } from '../../../../dice/test/brute-force.ts'
import { checkRequest } from '../dice-rolls/request-rules.ts'
import { POOL_DEFAULTS } from '../dice-rolls/request-schema.ts'
import { type ReadyRoll, readyRolls, rollDice } from '../dice-rolls/result.ts'
import { isHeavy } from './heavy.ts'
import { exactOdds } from './rules.ts'
import type { OddsRequest } from './schema.ts'

type Body = Omit<OddsRequest, 'pool'> & { pool?: Partial<OddsRequest['pool']> }

/** A body as the schema completes it, with all its names in `values`. */
function readyOf({ pool, ...body }: Body): ReadyRoll {
  const complete = { ...body, ...(pool && { pool: { ...POOL_DEFAULTS, ...pool } }) } as OddsRequest
  const known = { inputs: body.values ?? {}, traits: {}, trackers: [], missing: 'ZERO' as const, desperation: 10 }
  return readyRolls(checkRequest(complete), known)[0] as ReadyRoll
}

/** The odds as rolling every combination of dice gives them. `least` is for dice that explode without end. */
function compare(body: Body, least = 0) {
  const roll = readyOf(body)
  const odds = exactOdds(roll)
  const label = JSON.stringify(body)
  const rolled = (value: (result: ReturnType<typeof rollDice>) => number) =>
    bruteForce((draw) => value(rollDice(roll, Object.assign(draw, { faces: new Map() }) as never)), least)
  const given = (list: { value: number; probability: number }[]) => new Map(list.map(({ value, probability }) => [value, probability]))
  agree(
    given(odds.results),
    rolled(({ net, total }) => (net ?? total) as number),
    `${label} results`,
  )
  const aims = roll.asked.target !== undefined || ('pool' in roll.rolled && roll.rolled.pool.difficulty !== null)
  if (!aims) return assert.deepEqual([odds.margins, odds.outcomes, odds.success], [[], [], null], label)
  agree(
    given(odds.margins),
    rolled(({ margin }) => margin as number),
    `${label} margins`,
  )
  const ends = rolled(({ outcome }) => OUTCOMES.indexOf(outcome as (typeof OUTCOMES)[number]))
  agree(new Map(odds.outcomes.map(({ outcome, probability }) => [OUTCOMES.indexOf(outcome), probability])), ends, `${label} outcomes`)
  const missing = 1 - [...ends.values()].reduce((a, b) => a + b, 0)
  const success = (ends.get(OUTCOMES.indexOf('SUCCESS')) ?? 0) + (ends.get(OUTCOMES.indexOf('CRITICAL')) ?? 0)
  assert.ok(Math.abs((odds.success as number) - success) < Math.abs(missing) + 1e-12, `${label}: ${odds.success}, not ${success}`)
}

test('the odds of results, margins and outcomes equal those of rolling every combination', () => {
  for (const body of [
    { notation: '2d6' },
    { notation: '2d6', target: 7 },
    { notation: '2d6', target: 7, compare: 'AT_MOST' },
    { notation: '3d4>=3f1', target: 2 },
    { notation: '1d20+5', target: 15 },
    { notation: '1d20+5', target: 30, naturals: true },
    { notation: '1d20', target: -3, naturals: true },
    { notation: '1d20+3', target: 12, compare: 'AT_MOST', naturals: true },
    { notation: '2d20kh1+d4', target: 12, naturals: true },
    { notation: '2d20kl1mi5', target: 12, naturals: true },
    { notation: '-1d20+7', target: -2, naturals: true },
    { notation: '{level}d4+{bonus}', target: 6, values: { level: 2, bonus: -1 } },
    { notation: '{gone}+1d4', missing: 'ZERO' },
    { notation: '5', target: 5 },
    { pool: { dice: 3, sides: 6 } },
    { pool: { dice: 3, sides: 6 }, target: 10 },
    { pool: { dice: 3, sides: 6 }, target: 10, compare: 'AT_MOST' },
    { pool: { dice: 3, sides: 6, difficulty: 4 } },
    { pool: { dice: 3, sides: 6, success: 4, needed: 2, ones: 'IGNORE', double: [] } },
    { pool: { dice: 2, sides: 6, difficulty: 4, double: [5, 6], desperation_dice: 1, needed: 4 } },
    { pool: { dice: 1, modifier: -1, sides: 10, difficulty: 6, chance: true } },
    { pool: { dice: 2, sides: 6, difficulty: 4, chance: true, special: { count: 1, label: 'Hunger' } } },
    { pool: { traits: ['wits', 'luck'], sides: 6, difficulty: 5 }, values: { wits: 2, luck: 1 } },
  ] as Body[])
    compare(body)
  compare({ pool: { dice: 1, sides: 6, difficulty: 4, again: [6], needed: 2 } }, 1e-9)
  compare({ pool: { dice: 1, sides: 6, again: [1] }, target: 6 }, 1e-9)
})

test('the odds of random targets and pools equal those of rolling every combination', () => {
  const compared = fc.constantFrom('AT_LEAST', 'AT_MOST')
  const aimed = fc.record({
    notation: fc.constantFrom('1d20+3', '2d20kh1-2', '2d6', '3d4kl2', '2d4*2', '1d20-1d4', '1d6!o', '2d6ro=1', '1d20mi3ma18'),
    target: fc.integer({ min: -10, max: 40 }),
    compare: compared,
    naturals: fc.boolean(),
  })
  fc.assert(
    fc.property(aimed, ({ naturals, ...body }) => compare({ ...body, naturals: naturals && body.notation.includes('d20') } as Body)),
    { numRuns: 40, seed: 18 },
  )
  const pool = fc.record({
    dice: fc.integer({ min: 1, max: 3 }),
    sides: fc.constant(6),
    difficulty: fc.integer({ min: 2, max: 6 }),
    needed: fc.integer({ min: 1, max: 4 }),
    ones: fc.constantFrom<'SUBTRACT' | 'IGNORE'>('SUBTRACT', 'IGNORE'),
    double: fc.constantFrom<number[]>([], [6]),
    desperation_dice: fc.integer({ min: 0, max: 1 }),
  })
  fc.assert(
    fc.property(pool, (one) => compare({ pool: one })),
    { numRuns: 30, seed: 18 },
  )
})

test('odds with unknown names, explosions or naturals are heavy if they may be', () => {
  for (const [body, heavy] of [
    [{ notation: '1d20+{str_mod}' }, false],
    [{ notation: '{level}d6' }, true],
    [{ notation: '{level}d6', values: { level: 8 } }, false],
    [{ notation: '{level}d6', values: { level: 80 } }, true],
    [{ notation: '10d{die}' }, true],
    [{ notation: '6d6kh{best}' }, true],
    [{ notation: '{level' }, true],
    [{ notation: '1d20+8d10' }, false],
    [{ notation: '1d20+8d12', naturals: true, target: 5 }, true],
    [{ notation: '2d20kh1+2d6', naturals: true, target: 5 }, false],
    [{ pool: { traits: ['wits'], difficulty: 6 } }, false],
    [{ pool: { traits: ['wits'] } }, true],
    [{ pool: { traits: ['wits'] }, values: { wits: 4 } }, false],
    [{ pool: { dice: 8, success: 8, again: [10] } }, false],
    [{ pool: { dice: 60, success: 8, again: [10] } }, true],
    [{ pool: { traits: ['wits'], success: 8, again: [10] } }, true],
    [{ pool: { dice: 5, again: [10] } }, true],
    [{ pool: { dice: 10, sides: 100 } }, true],
  ] as [Body, boolean][])
    assert.equal(isHeavy(body as Parameters<typeof isHeavy>[0]), heavy, JSON.stringify(body))
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
