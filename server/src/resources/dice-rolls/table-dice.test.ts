import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable } from '../../../test/game-table.ts'
import { assertProblem } from '../../../test/harness.ts'
import { RESULT_FIELDS, withoutResult } from './fields.ts'
import { DiceRoll } from './schema.ts'
import { withMarkdown } from './text.ts'

const messageOf = (reply: { body: Record<string, unknown> }) => JSON.stringify(reply.body.invalid_parameters)

test('dice rolled at the table are recorded as such, without a proof and without a nonce', async () => {
  const { player } = await newGameTable()
  const made = (await player.post('/dice-rolls', { notation: '3d6!+2', manual: [6, 2, 3, 1] })).body as unknown as DiceRoll
  assert.deepEqual([made.source, made.total, made.dice.map(({ value }) => value)], ['MANUAL', 14, [6, 2, 3, 1]])
  assertProblem(await player.get(`/dice-rolls/${made.id}/proof`), 404, 'Proof not found')
  const fudge = (await player.post('/dice-rolls', { notation: '4dF', manual: [-1, 0, 1, 1] })).body
  assert.equal(fudge.total, 1)
  const { body } = await player.post('/dice-rolls', { notation: '1d6' })
  assert.deepEqual([body.source, (await player.get(`/dice-rolls/${body.id}/proof`)).body.nonce], ['SERVER', 1])
})

test('faces that do not fit the roll are rejected, and nothing is stored', async () => {
  const { player } = await newGameTable()
  for (const [body, message] of [
    [{ notation: '3d6', manual: [1, 2] }, /has 2 faces, but the roll needs more dice/],
    [{ notation: '3d6!', manual: [6, 2, 3] }, /needs more dice/],
    [{ notation: '3d6', manual: [1, 2, 3, 4] }, /has 4 faces, but the roll has 3 dice/],
    [{ notation: '3d6', manual: [1, 7, 3] }, /the face 7 in place 2, but the die has the faces 1 to 6/],
    [{ notation: '1dF', manual: [2] }, /-1 to 1/],
    [{ notation: '5', manual: [2] }, /has 1 faces, but the roll has 0 dice/],
    [{ notation: '1d6', manual: [] }, /manual/],
    [{ notation: '1d6', manual: [1.5] }, /integer/],
    [{ notation: '1d6', manual: [3], repeat: 2 }, /must not be sent together with repeat/],
  ] as const) {
    const reply = await player.post('/dice-rolls', body)
    assertProblem(reply, 400)
    assert.match(messageOf(reply), message)
  }
  assert.equal((await player.get('/dice-rolls')).body.total, 0)
})

test('pools of any dialect are rolled by their rules', async () => {
  const { player, C } = await newGameTable()
  const roll = async (body: object) => (await player.post('/dice-rolls', body)).body as unknown as DiceRoll
  const tenAgain = await roll({ pool: { dice: 3, success: 8, double: [], ones: 'IGNORE', again: [10] }, manual: [10, 9, 1, 4] })
  assert.deepEqual([tenAgain.net, tenAgain.outcome, tenAgain.pool?.difficulty], [2, 'SUCCESS', 8])
  const hero = await player.make(`${C}/characters`, { name: 'Mina', traits: { dexterity: 3, stealth: 1 } })
  await player.put(`${C}/characters/${hero}/trackers/hunger`, { label: 'Hunger', value: 2, maximum: 5 })
  const special = { count: 'hunger', label: 'Hunger' }
  const pool = { traits: ['dexterity', 'stealth'], success: 6, ones: 'IGNORE', needed: 3, special }
  const hungry = await roll({ pool, character_id: hero, manual: [7, 10, 1, 6] })
  assert.deepEqual(
    hungry.dice.map(({ kind }) => kind),
    ['NORMAL', 'NORMAL', 'SPECIAL', 'SPECIAL'],
  )
  assert.deepEqual([hungry.net, hungry.margin, hungry.outcome, hungry.pool?.special], [4, 1, 'SUCCESS', { count: 2, label: 'Hunger' }])
  assert.equal(hungry.text, 'Mina: 4d10 (dexterity 3 + stealth 1), 2 Hunger against 6, 3 needed: 7 10 1 6: net 4, SUCCESS')
  const chance = await roll({ pool: { dice: 1, modifier: -2, success: 8, chance: true }, manual: [10] })
  assert.deepEqual([chance.net, chance.outcome, chance.pool?.chance, chance.dice.length], [1, 'SUCCESS', true, 1])
  for (const [bad, message] of [
    [{ dice: 3, difficulty: 7, success: 8 }, /pool\.success","message":"must not be sent together/],
    [{ dice: 3, success: 11 }, /pool\.success","message":"must be at most 10/],
    [{ dice: 3, success: 8, again: [5, 6, 7, 8, 9, 10] }, /pool\.again/],
    [{ dice: 3, success: 8, double: [7] }, /pool\.double/],
    [{ dice: 3, needed: 2 }, /needs a difficulty/],
    [{ dice: 3, success: 8, needed: 0 }, /needed/],
    [{ dice: 3, success: 8, special: { count: -1 } }, /special/],
  ] as const) {
    const reply = await player.post('/dice-rolls', { pool: bad })
    assertProblem(reply, 400)
    assert.match(messageOf(reply), message)
  }
})

test('every field of a roll says if it tells how the dice fell, and a BLIND roll shows its roller none that does', async () => {
  const { player, teller, campaign_id } = await newGameTable()
  const body = { notation: '1d20[hit]+3', target: 10, naturals: true, campaign_id, visibility: 'BLIND', manual: [20] }
  const blind = (await player.post('/dice-rolls', body)).body as unknown as DiceRoll
  const seen = (await teller.get(`/dice-rolls/${blind.id}`)).body as unknown as DiceRoll
  assert.deepEqual(blind, withMarkdown(withoutResult(seen)))
  // The same request with another result: only the fields that are classified as results differ.
  const again = (await player.post('/dice-rolls', { ...body, manual: [1] })).body as unknown as DiceRoll
  const told = (await teller.get(`/dice-rolls/${again.id}`)).body as unknown as DiceRoll
  const own = ['id', 'date_created', 'date_modified']
  const differing = Object.keys(DiceRoll.properties).filter(
    (name) => !own.includes(name) && JSON.stringify(told[name as keyof DiceRoll]) !== JSON.stringify(seen[name as keyof DiceRoll]),
  )
  assert.deepEqual(
    differing.filter((name) => !RESULT_FIELDS.includes(name as keyof DiceRoll)),
    [],
  )
  for (const name of ['dice', 'total', 'margin', 'outcome', 'terms', 'text']) assert.ok(differing.includes(name), name)
  for (const name of Object.keys(DiceRoll.properties).filter((one) => !own.includes(one)))
    assert.deepEqual(again[name as keyof DiceRoll], blind[name as keyof DiceRoll], name)
})
