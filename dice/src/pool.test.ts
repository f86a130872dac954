import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyPool } from '../test/pools.ts'
import { drawFrom } from './draw.ts'
import type { Die } from './evaluate.ts'
import { wordsOf } from './node-crypto.ts'
import { type Dialect, dialectFaults, diceAtStart, outcomeOf, type Pool, rollPool, worth } from './pool.ts'

const faces = (...values: number[]) => {
  const left = values.map((value) => value - 1)
  return Object.assign(() => left.shift() ?? assert.fail('too many dice'), { used: 0 })
}
/** Draws from words that follow from a number. */
const drawOf = (nonce: number) => drawFrom(wordsOf({ server_seed: Buffer.alloc(32, 7), client_seed: 'pools', nonce }))
const pool = { sides: 10, dice: 0, difficulty: 6, desperation_dice: 0 }

test('a die against a difficulty is worth 2, 1, 0 or -1 successes', () => {
  const worths = (rules: Parameters<typeof worth>[1]) => Array.from({ length: rules.sides }, (_, i) => worth(i + 1, rules))
  assert.deepEqual(worths({ sides: 10, difficulty: 7 }), [-1, 0, 0, 0, 0, 0, 1, 1, 1, 2])
  assert.deepEqual(worths({ sides: 2, difficulty: 2 }), [-1, 2])
  assert.deepEqual(worths({ sides: 10, difficulty: 8, double: [] }), [-1, 0, 0, 0, 0, 0, 0, 1, 1, 1])
  assert.deepEqual(worths({ sides: 10, difficulty: 7, double: [9, 10], ones: 'IGNORE' }), [0, 0, 0, 0, 0, 0, 1, 1, 2, 2])
  assert.deepEqual(worths({ sides: 6, difficulty: 5, double: [5], ones: 'SUBTRACT' }), [-1, 0, 0, 0, 2, 1])
  assert.deepEqual(worths({ sides: 4, difficulty: null }), [1, 2, 3, 4])
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
    assert.deepEqual([rolled.net, rolled.margin, rolled.outcome, rolled.total], [net, net - 1, outcome, null], String(values))
  }
  const plain = rollPool({ ...pool, dice: 3, difficulty: null }, faces(1, 10, 4))
  assert.deepEqual([plain.total, plain.net, plain.margin, plain.outcome, plain.strained], [15, null, null, null, false])
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
  const added = rollPool({ ...pool, dice: 1, desperation_dice: 1, again: [10] }, faces(2, 10, 1))
  assert.equal(added.strained, true, 'a die that a desperation die adds is one too')
})

/** Writes a die as its kind, value and flags: `N8s` is a normal die that shows 8, a success. Every die is kept. */
const short = ({ kind, value, flags }: Die) => {
  assert.ok(flags.includes('kept'))
  return `${kind[0]}${value}${flags.flatMap((flag) => (flag === 'kept' ? [] : flag === 'exploded' ? ['!'] : [flag[0]])).join('')}`
}

test('every option changes how the dice are rolled and counted', () => {
  for (const [title, options, values, dice, net, margin, outcome] of [
    ['no face counts two', { dice: 2, double: [] }, [10, 7], 'N10s N7s', 2, 1, 'SUCCESS'],
    ['other faces count two', { dice: 3, double: [9, 7] }, [9, 7, 10], 'N9sc N7sc N10s', 5, 4, 'CRITICAL'],
    ['a 1 counts nothing', { dice: 2, ones: 'IGNORE' }, [1, 2], 'N1 N2', 0, -1, 'FAILURE'],
    ['a 1 counts -1', { dice: 2, ones: 'SUBTRACT', double: [] }, [1, 2], 'N1b N2', -1, -2, 'BOTCH'],
    ['a die explodes twice', { dice: 2, again: [10, 9] }, [10, 9, 2, 6], 'N10!sc N9!s N2 N6s', 4, 3, 'CRITICAL'],
    ['a failure explodes', { dice: 1, again: [1] }, [1, 1, 6], 'N1!b N1!b N6s', -1, -2, 'BOTCH'],
    ['too few', { dice: 5, needed: 4, double: [] }, [6, 7, 8, 2, 2], 'N6s N7s N8s N2 N2', 3, -1, 'FAILURE'],
    ['just enough', { dice: 5, needed: 3, double: [] }, [6, 7, 8, 2, 2], 'N6s N7s N8s N2 N2', 3, 0, 'SUCCESS'],
    ['less than none', { dice: 1, needed: 3 }, [1], 'N1b', -1, -4, 'BOTCH'],
    ['more than the dice, but too few', { dice: 1, needed: 3 }, [10], 'N10sc', 2, -1, 'FAILURE'],
    ['the last dice are special', { dice: 3, special: 2, desperation_dice: 1 }, [6, 7, 8, 9], 'N6s S7s S8s D9s', 4, 3, 'SUCCESS'],
    ['all dice are special', { dice: 1, special: 5, desperation_dice: 1 }, [6, 7], 'S6s D7s', 2, 1, 'SUCCESS'],
    [
      'each die adds one of its kind',
      { dice: 2, special: 1, desperation_dice: 1, again: [10], double: [] },
      [10, 2, 10, 3, 10, 4],
      'N10!s N2 S10!s S3 D10!s D4',
      3,
      2,
      'SUCCESS',
    ],
    ['a chance die succeeds', { chance: true }, [10], 'N10s', 1, 0, 'SUCCESS'],
    ['a chance die fails', { dice: -7, chance: true, difficulty: 2 }, [9], 'N9', 0, -1, 'FAILURE'],
    ['a chance die is a botch', { chance: true, ones: 'IGNORE' }, [1], 'N1b', -1, -2, 'BOTCH'],
    ['a chance die does not explode', { chance: true, again: [10, 1], double: [10] }, [10], 'N10s', 1, 0, 'SUCCESS'],
    ['a chance die is too little', { chance: true, needed: 2 }, [10], 'N10s', 1, -1, 'FAILURE'],
    ['a special chance die', { chance: true, special: 1 }, [10], 'S10s', 1, 0, 'SUCCESS'],
    ['one die is no chance die', { dice: 1, chance: true }, [10], 'N10sc', 2, 1, 'CRITICAL'],
    [
      'desperation dice count beside a chance die',
      { chance: true, desperation_dice: 1, again: [10], ones: 'IGNORE' },
      [1, 10, 1],
      'N1b D10!sc D1',
      1,
      0,
      'SUCCESS',
    ],
  ] as [string, Partial<Pool>, number[], string, number, number, string][]) {
    const asked = { ...pool, ...options }
    assert.deepEqual(dialectFaults(asked), [], title)
    const draw = faces(...values)
    const rolled = rollPool(asked, draw)
    assert.deepEqual(
      [rolled.dice.map(short).join(' '), rolled.net, rolled.margin, rolled.outcome, rolled.total],
      [dice, net, margin, outcome, null],
      title,
    )
    assert.throws(() => draw(), /too many dice/, `${title}: all dice are rolled`)
  }
  const sum = rollPool({ ...pool, difficulty: null, dice: 2, special: 1, again: [10] }, faces(10, 10, 3, 1))
  assert.deepEqual([sum.dice.map(short).join(' '), sum.total, sum.net, sum.margin], ['N10! N10! N3 S1', 24, null, null])
})

test('after the thousandth die nothing explodes', () => {
  const rolled = rollPool({ ...pool, dice: 100, desperation_dice: 10, again: [10], double: [] }, () => 9)
  const exploded = rolled.dice.map(({ flags }) => flags.includes('exploded'))
  assert.equal(rolled.dice.length, 1000)
  assert.deepEqual([exploded.indexOf(false), exploded.lastIndexOf(true)], [890, 889], 'the room goes to the first dice')
  assert.deepEqual([rolled.net, rolled.outcome], [1000, 'CRITICAL'])
  assert.equal(rolled.dice.filter(({ kind }) => kind === 'DESPERATION').length, 10)
})

/** The engine as it was before dialects: rolls of that time must not change. */
function rollPoolBeforeDialects({ sides, dice: count, difficulty, desperation_dice }: Pool, draw: (sides: number) => number) {
  const dice = Array.from({ length: count + desperation_dice }, (_, i) => {
    const value = draw(sides) + 1
    const flags = ['kept']
    if (difficulty !== null && value !== 1 && value >= difficulty) flags.push('success')
    if (difficulty !== null && value === sides) flags.push('critical')
    if (difficulty !== null && value === 1) flags.push('botch')
    return { kind: i < count ? 'NORMAL' : 'DESPERATION', sides, value, flags }
  })
  const strained = dice.some(({ kind, value }) => kind === 'DESPERATION' && value === 1)
  if (difficulty === null) return { dice, net: null, total: dice.reduce((sum, { value }) => sum + value, 0), outcome: null, strained }
  const worthOf = (value: number) => (value === sides ? 2 : value === 1 ? -1 : value >= difficulty ? 1 : 0)
  const net = dice.reduce((sum, { value }) => sum + worthOf(value), 0)
  const outcome = net < 0 ? 'BOTCH' : net === 0 ? 'FAILURE' : net > dice.length ? 'CRITICAL' : 'SUCCESS'
  return { dice, net, total: null, outcome, strained }
}

test('a pool without options is rolled as before there were any, and as with the defaults', () => {
  fc.assert(
    fc.property(anyPool(1000), fc.nat(), ({ sides, dice, difficulty, desperation_dice }, nonce) => {
      const stored = { sides, dice: Math.max(1, dice), difficulty, desperation_dice }
      const { margin, ...rolled } = rollPool(stored, drawOf(nonce))
      assert.deepEqual(rolled, rollPoolBeforeDialects(stored, drawOf(nonce)))
      assert.equal(margin, rolled.net === null ? null : rolled.net - 1)
      const defaults = { double: [sides], ones: 'SUBTRACT', again: [], needed: 1, special: 0, chance: false } as const
      assert.deepEqual(rollPool({ ...stored, ...defaults, double: [sides], again: [] }, drawOf(nonce)), { margin, ...rolled })
    }),
    { numRuns: 300 },
  )
})

/** Computes the result again from the dice of the reply alone, in another way than the engine. */
function recount(pool: Pool, dice: Die[]) {
  const chance = pool.dice < 1
  const own = chance ? 1 : pool.dice
  // The dice of each start die form a chain: it goes on as long as a die has exploded.
  const chains: Die[][] = []
  for (const [i, die] of dice.entries()) {
    if (i > 0 && dice[i - 1]?.flags.includes('exploded')) chains.at(-1)?.push(die)
    else chains.push([die])
  }
  assert.equal(chains.length, own + pool.desperation_dice)
  const special = Math.min(own, pool.special ?? 0)
  const successes = chains.flatMap((chain, i) => {
    const kind = i < own - special ? 'NORMAL' : i < own ? 'SPECIAL' : 'DESPERATION'
    assert.ok(chain.every((die) => die.kind === kind && die.sides === pool.sides && die.value >= 1 && die.value <= pool.sides))
    const isChanceDie = chance && i === 0
    for (const { value, flags } of chain) {
      const may = !isChanceDie && (pool.again ?? []).includes(value)
      assert.equal(flags.includes('exploded'), may, 'no pool of this size reaches a thousand dice')
    }
    return chain.map(({ value }) => {
      if (pool.difficulty === null) return value
      if (isChanceDie) return new Map([[pool.sides, 1]]).get(value) ?? (value > 1 ? 0 : -1)
      const counts = value >= pool.difficulty ? 1 + Number(pool.double ? pool.double.includes(value) : value === pool.sides) : 0
      return value > 1 ? counts : pool.ones === 'IGNORE' ? 0 : -1
    })
  })
  const sum = successes.reduce((a, b) => a + b, 0)
  const strained = dice.filter(({ kind, value }) => kind === 'DESPERATION' && value === 1).length > 0
  if (pool.difficulty === null) return { net: null, total: sum, margin: null, outcome: null, strained }
  const margin = sum - (pool.needed ?? 1)
  const outcome = sum <= -1 ? 'BOTCH' : margin <= -1 ? 'FAILURE' : sum <= chains.length ? 'SUCCESS' : 'CRITICAL'
  return { net: sum, total: null, margin, outcome, strained }
}

test('the result always follows from the dice', () => {
  fc.assert(
    fc.property(anyPool(), fc.nat(), (pool, nonce) => {
      const draw = drawOf(nonce)
      const { dice, ...result } = rollPool(pool, draw)
      assert.deepEqual(result, recount(pool, dice))
      const drawn = [...draw.faces.values()].flat().reduce((a, b) => a + b, 0)
      assert.equal(drawn, dice.length, 'every drawn die is in the reply')
      if (result.net === null) return
      const count = (flag: Die['flags'][number]) => dice.filter(({ flags }) => flags.includes(flag)).length
      assert.equal(result.net, count('success') + count('critical') - count('botch'), 'the flags show how each die counts')
      assert.equal(diceAtStart(pool), dice.length - count('exploded'))
    }),
    { numRuns: 1000 },
  )
})

test('options that do not fit together are faults, each with its field', () => {
  const needsDifficulty = 'needs a difficulty: without one, the dice are added up'
  for (const [options, ...expected] of [
    [{}],
    [{ difficulty: 7, double: [7, 10], again: [1, 2, 3, 4, 5], needed: 100, special: 100, ones: 'IGNORE', chance: true }],
    [{ difficulty: 7, double: [], again: [], needed: 1, special: 0, ones: 'SUBTRACT', chance: false }],
    [{ again: [10], special: 3, chance: false }],
    [{ difficulty: null, double: [] }, ['pool.double', needsDifficulty]],
    [
      { double: [99], ones: 'IGNORE', needed: 2, chance: true },
      ['pool.double', needsDifficulty],
      ['pool.ones', needsDifficulty],
      ['pool.needed', needsDifficulty],
      ['pool.chance', needsDifficulty],
    ],
    [{ difficulty: 7, double: [6] }, ['pool.double', 'must contain only faces from 7 to 10, which count as successes']],
    [{ difficulty: 7, double: [11] }, ['pool.double', 'must contain only faces from 7 to 10, which count as successes']],
    [{ difficulty: 7, double: [10, 10] }, ['pool.double', 'must not contain duplicates']],
    [{ difficulty: 11, double: [10] }],
    [{ again: [0] }, ['pool.again', 'must contain only faces from 1 to 10']],
    [{ again: [-1, 10] }, ['pool.again', 'must contain only faces from 1 to 10']],
    [{ again: [1.5] }, ['pool.again', 'must contain only faces from 1 to 10']],
    [{ again: [11] }, ['pool.again', 'must contain only faces from 1 to 10']],
    [{ again: [9, 9] }, ['pool.again', 'must not contain duplicates']],
    [{ again: [5, 6, 7, 8, 9, 10] }, ['pool.again', 'must contain at most 5 faces, half of the 10 sides']],
    [{ sides: 3, again: [2, 3] }, ['pool.again', 'must contain at most 1 face, half of the 3 sides']],
    [{ sides: 2, again: [2] }],
    [{ difficulty: 7, needed: 0 }, ['pool.needed', 'must be at least 1']],
    [{ difficulty: 7, needed: 101 }, ['pool.needed', 'must be at most 100']],
    [{ special: -1 }, ['pool.special.count', 'must be at least 0']],
    [{ special: 101 }, ['pool.special.count', 'must be at most 100']],
  ] as [Partial<Dialect>, ...[string, string][]][])
    assert.deepEqual(
      dialectFaults({ sides: 10, ...options }),
      expected.map(([field, message]) => ({ field, message })),
      JSON.stringify(options),
    )
})
