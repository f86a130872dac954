import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable } from '../../../test/game-table.ts'
import { assertProblem } from '../../../test/harness.ts'
import type { DiceRoll } from './schema.ts'

const messageOf = (reply: { body: Record<string, unknown> }) => JSON.stringify(reply.body.invalid_parameters)

test('a target gives an outcome and a margin, from above or from below', async () => {
  const { player } = await newGameTable()
  const roll = async (body: object) => (await player.post('/dice-rolls', body)).body as unknown as DiceRoll
  for (const [body, margin, outcome, text] of [
    [{ notation: '12', target: 12 }, 0, 'SUCCESS', 'Player: 12: 12 against 12, SUCCESS'],
    [{ notation: '11', target: 12 }, -1, 'FAILURE', 'Player: 11: 11 against 12, FAILURE'],
    [{ notation: '40', target: 55, compare: 'AT_MOST' }, 15, 'SUCCESS', 'Player: 40: 40, at most 55, SUCCESS'],
    [{ notation: '56', target: 55, compare: 'AT_MOST' }, -1, 'FAILURE', 'Player: 56: 56, at most 55, FAILURE'],
    [{ notation: '2-5', target: -3 }, 0, 'SUCCESS', 'Player: 2-5: 2-5 = -3 against -3, SUCCESS'],
  ] as const) {
    const made = await roll(body)
    assert.deepEqual([made.margin, made.outcome, made.text], [margin, outcome, text])
  }
  const pool = await roll({ pool: { dice: 3, sides: 6 }, target: 3 })
  assert.deepEqual([pool.outcome, pool.margin], ['SUCCESS', (pool.total as number) - 3])
  const without = await roll({ notation: '1d20' })
  assert.deepEqual([without.target, without.compare, without.margin, without.outcome], [null, null, null, null])
})

test('naturals are flagged, and make a roll critical or a botch if asked', async () => {
  const { player } = await newGameTable()
  const roll = async (manual: number[], body: object) => (await player.post('/dice-rolls', { manual, ...body })).body as unknown as DiceRoll
  for (const [face, naturals, target, outcome, flag] of [
    [20, true, 50, 'CRITICAL', 'natural_max'],
    [20, false, 50, 'FAILURE', 'natural_max'],
    [1, true, 1, 'BOTCH', 'natural_min'],
    [1, false, 1, 'SUCCESS', 'natural_min'],
    [19, true, 15, 'SUCCESS', undefined],
  ] as const) {
    const made = await roll([face], { notation: '1d20+5', target, naturals })
    assert.deepEqual([made.outcome, made.dice[0]?.flags.find((one) => one.startsWith('natural'))], [outcome, flag])
  }
  const advantage = await roll([1, 20], { notation: '2d20kl1', target: 5, naturals: true })
  assert.equal(advantage.outcome, 'BOTCH', 'only the die that counts')
  for (const [body, message] of [
    [{ notation: '2d20', target: 5, naturals: true }, /single d20/],
    [{ notation: '1d12', target: 5, naturals: true }, /single d20/],
    [{ notation: '1d20', naturals: true }, /needs a target/],
    [{ notation: '1d20', compare: 'AT_MOST' }, /needs a target/],
    [{ pool: { dice: 3, difficulty: 7 }, target: 5 }, /pool\.needed/],
    [{ notation: '1d20', target: 1.5 }, /integer/],
    [{ notation: '1d20', target: 1_000_001 }, /<= 1000000/],
  ] as const) {
    const reply = await player.post('/dice-rolls', body)
    assertProblem(reply, 400)
    assert.match(messageOf(reply), message)
  }
})

test('terms have labels and subtotals, and every die names its term', async () => {
  const { player } = await newGameTable()
  const body = { notation: '2d6[fire] + 1d8[cold] - floor(7/2)', manual: [3, 5, 8] }
  const made = (await player.post('/dice-rolls', body)).body as unknown as DiceRoll
  assert.deepEqual(made.terms, [
    { notation: '2d6', label: 'fire', sign: '+', subtotal: 8 },
    { notation: '1d8', label: 'cold', sign: '+', subtotal: 8 },
    { notation: 'floor(7/2)', label: null, sign: '-', subtotal: 3 },
  ])
  assert.deepEqual([made.dice.map(({ term }) => term), made.total], [[0, 0, 1], 13])
  assert.equal(made.text, 'Player: 2d6[fire] + 1d8[cold] - floor(7/2): [3 5] fire + [8] cold - floor(7/2) = 13')
  const low = (await player.post('/dice-rolls', { notation: '1d20mi10', manual: [4] })).body as unknown as DiceRoll
  assert.deepEqual([low.total, low.dice[0]?.value, low.dice[0]?.counts_as, low.text], [10, 4, 10, 'Player: 1d20mi10: 4→10 = 10'])
})

test('the modifier of a pool changes the number of dice, and does not look like a part of a sum', async () => {
  const { player } = await newGameTable()
  const roll = async (body: object) => (await player.post('/dice-rolls', body)).body as unknown as DiceRoll
  const fewer = await roll({ pool: { dice: 5, modifier: -2 }, manual: [5, 2, 7] })
  assert.equal(fewer.text, 'Player: 3d10 (5 - 2): 5 2 7 = 14')
  const more = await roll({ pool: { dice: 2, modifier: 1, difficulty: 7 }, manual: [10, 8, 1] })
  assert.equal(more.text, 'Player: 3d10 (2 + 1) against 7: 10 8 1: net 2, SUCCESS')
})
