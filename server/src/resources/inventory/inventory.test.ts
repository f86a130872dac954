import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable, twoApps } from '../../../test/game-table.ts'
import { assertProblem } from '../../../test/harness.ts'

const newCharacter = async () => {
  const table = await newGameTable()
  const id = await table.player.make(`${table.C}/characters`, { name: 'Crane' })
  return { ...table, items: `${table.C}/characters/${id}/inventory` }
}

test('a character has items with a kind and a quantity', async () => {
  const { player, other, teller, items } = await newCharacter()
  const made = await player.post(items, { name: 'Storm lantern' })
  assert.deepEqual([made.body.kind, made.body.quantity, made.body.description], ['OTHER', 1, null])
  const path = `${items}/${made.body.id}`
  assert.equal((await teller.patch(path, { kind: 'EQUIPMENT', description: 'Brass' })).body.kind, 'EQUIPMENT')
  assert.equal((await other.get(path)).status, 200)
  for (const refused of [other.patch(path, { name: 'x' }), other.delete(path), other.post(`${path}/adjust`, { quantity: 1 })])
    assertProblem(await refused, 403)
  for (const bad of [{ quantity: -1 }, { quantity: 1_000_001 }, { quantity: 0.5 }, { kind: 'CAR' }, { name: '' }])
    assertProblem(await player.patch(path, bad), 400)
  await player.make(items, { name: 'Ámulet', quantity: 0, kind: 'BOOK' })
  assert.deepEqual(
    (await player.get(`${items}?sort=name`)).body.items.map(({ name }) => name),
    ['Ámulet', 'Storm lantern'],
  )
  assert.equal((await player.get(`${items}?q=amu`)).body.total, 1)
  assert.equal((await player.delete(path)).status, 204)
  assert.equal((await player.get(items)).body.total, 1)
  for (const [user, total] of [
    [player, 1],
    [teller, 1],
    [other, 0],
  ] as const)
    assert.equal((await user.get(`${items}?archived=true`)).body.total, total)
  assert.equal((await player.post(`${path}/restore`)).status, 200)
})

test('a hundred concurrent adjustments are exact, and the quantity never falls below 0', async () => {
  const { player, items, events } = await newCharacter()
  const path = `${items}/${await player.make(items, { name: 'Arrows', quantity: 60 })}`
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, i) => player.post(`${path}/adjust`, { quantity: -1 }, {}, twoApps[i % 2])),
  )
  assert.equal(replies.filter(({ status }) => status === 200).length, 60)
  for (const reply of replies.filter(({ status }) => status !== 200))
    assertProblem(reply, 409, 'The quantity is 0, but 1 would be taken away. Take away at most 0.')
  assert.equal((await player.get(path)).body.quantity, 0)
  assert.equal((await events()).filter((type) => type === 'item.adjusted').length, 60)
  await player.post(`${path}/adjust`, { quantity: 999_999 })
  assertProblem(await player.post(`${path}/adjust`, { quantity: 2 }), 409, /must not exceed 1000000/)
  for (const bad of [{}, { quantity: 1_000_001 }, { quantity: null }]) assertProblem(await player.post(`${path}/adjust`, bad), 400)
})
