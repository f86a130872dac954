import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { verifyRoll } from '@guildhall/dice/verify'
import { newGameTable, twoApps } from '../../../test/game-table.ts'
import { assertProblem } from '../../../test/harness.ts'
import type { Proof, RollGroup } from './schema.ts'

const messageOf = (reply: { body: Record<string, unknown> }) => JSON.stringify(reply.body.invalid_parameters)

test('hit and damage are rolled in one request, with one nonce and one event each', async () => {
  const { player, C, campaign_id, events } = await newGameTable()
  const hero = await player.make(`${C}/characters`, { name: 'Tora', traits: { str_mod: 3 } })
  const before = (await events()).length
  const reply = await player.post('/dice-rolls', {
    rolls: [
      { label: 'Hit', notation: '1d20+{str_mod}', target: 12, naturals: true },
      { label: 'Damage', notation: '1d8+{str_mod}[slashing]' },
      { pool: { traits: ['str_mod'], difficulty: 6 } },
    ],
    comment: 'Longsword',
    character_id: hero,
  })
  assert.equal(reply.status, 201, reply.text)
  assert.equal(reply.headers.location, undefined)
  const { group_id, items } = reply.body as unknown as RollGroup
  assert.deepEqual(
    items.map(({ label }) => label),
    ['Hit', 'Damage', null],
  )
  assert.match(items[0]?.text ?? '', /^Tora \(Longsword, Hit\): 1d20\+3: /)
  assert.deepEqual(new Set(items.map((roll) => roll.group_id)), new Set([group_id]))
  assert.deepEqual((await events()).slice(before), ['dice_roll.created', 'dice_roll.created', 'dice_roll.created'])
  const listed = await player.get(`/dice-rolls?group_id=${group_id}`)
  assert.equal(listed.body.total, 3)
  assert.equal((await player.get(`/dice-rolls?campaign_id=${campaign_id}`)).body.total, 3)
  const proofs = await Promise.all(items.map(async ({ id }) => (await player.get(`/dice-rolls/${id}/proof`)).body as unknown as Proof))
  assert.deepEqual(
    proofs.map(({ nonce }) => nonce),
    [1, 2, 3],
  )
  await player.post(`${C}/dice-seed/rotate`)
  for (const { id } of items) {
    const [proof, roll] = [await player.get(`/dice-rolls/${id}/proof`), await player.get(`/dice-rolls/${id}`)]
    if (proof.body.server_seed) assert.deepEqual((await verifyRoll(proof.body, roll.body)).faults, [])
  }
  const statistics = (await player.get(`${C}/statistics`)).body as unknown as { rolls: number; traits: unknown }
  assert.deepEqual([statistics.rolls, statistics.traits], [3, [{ name: 'str_mod', rolls: 3 }]])
})

test('repeat rolls everything several times, and a retry rolls nothing', async () => {
  const { player } = await newGameTable()
  const headers = { 'idempotency-key': randomUUID() }
  const body = { notation: '4d6kh3', repeat: 6, comment: 'Abilities' }
  const first = await player.post('/dice-rolls', body, headers)
  assert.equal((first.body as unknown as RollGroup).items.length, 6)
  assert.equal((await player.post('/dice-rolls', body, headers)).text, first.text)
  assert.equal((await player.get('/dice-rolls')).body.total, 6)
  const one = await player.post('/dice-rolls', { notation: '1d6', repeat: 1 })
  assert.equal((one.body as unknown as RollGroup).items.length, 1, 'the shape of the reply depends on the request alone')
  const all = await player.post('/dice-rolls', { rolls: [{ notation: '1d4' }, { notation: '1d6' }], repeat: 2 })
  assert.deepEqual(
    (all.body as unknown as RollGroup).items.map(({ notation }) => notation),
    ['1d4', '1d6', '1d4', '1d6'],
  )
})

test('a fault in one of several rolls rejects all of them, and names it', async () => {
  const { player } = await newGameTable()
  for (const [body, message] of [
    [{ rolls: [{ notation: '1d6' }, { notation: '1d' }] }, /"rolls\.1\.notation","message":"at position 3/],
    [{ rolls: [{ notation: '1d6' }, {}] }, /rolls\.1\.notation","message":"must have either notation or pool/],
    [{ rolls: [{ notation: '1d6' }, { pool: { dice: 0 } }] }, /rolls\.1\.pool","message":"must have 1 to 100 dice/],
    [{ rolls: [{ notation: '1d6' }], notation: '1d6' }, /"notation","message":"belongs to each of the rolls/],
    [{ rolls: [{ notation: '1d6' }], target: 3 }, /"target","message":"belongs to each of the rolls/],
    [{ rolls: [{ notation: '1d6' }], manual: [3] }, /must not be sent together with rolls/],
    [{ rolls: [] }, /rolls/],
    [{ rolls: Array(11).fill({ notation: '1d6' }) }, /rolls/],
    [{ rolls: [{ notation: '1d6', comment: 'x' }] }, /rolls\.0\.comment/],
    [{ notation: '1d6', repeat: 0 }, /repeat/],
    [{ notation: '1d6', repeat: 21 }, /repeat/],
    [{ notation: '100d6', repeat: 11 }, /at most 1,000 dice in all rolls together, but has 1100/],
  ] as const) {
    const reply = await player.post('/dice-rolls', body)
    assertProblem(reply, 400)
    assert.match(messageOf(reply), message)
  }
  assert.equal((await player.get('/dice-rolls')).body.total, 0)
  const { body } = await player.post('/dice-rolls', { notation: '1d6' })
  assert.equal((await player.get(`/dice-rolls/${body.id}/proof`)).body.nonce, 1, 'rejected rolls take no nonce')
})

test('groups on two processes take nonces without gaps or repeats', async () => {
  const { player, campaign_id, C } = await newGameTable()
  const roll = (i: number) => player.post('/dice-rolls', { notation: '1d6', repeat: 1 + (i % 4), campaign_id }, {}, twoApps[i % 2])
  const replies = await Promise.all(Array.from({ length: 24 }, (_, i) => roll(i)))
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
  const ids = replies.flatMap(({ body }) => (body as unknown as RollGroup).items.map(({ id }) => id))
  const nonces = await Promise.all(ids.map(async (id) => (await player.get(`/dice-rolls/${id}/proof`)).body.nonce as number))
  assert.deepEqual(
    nonces.sort((a, b) => a - b),
    Array.from({ length: 60 }, (_, i) => i + 1),
  )
  assert.equal((await player.get(`${C}/statistics`)).body.rolls, 60)
})
