import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable, twoApps } from '../../../test/game-table.ts'
import { assertProblem } from '../../../test/harness.ts'

test('a saved pool is rolled with the values that the request overrides', async () => {
  const { player, other, C, campaign_id } = await newGameTable()
  const hero = await player.make(`${C}/characters`, { name: 'Crane', traits: { wits: 4, stealth: 2 } })
  const id = await player.make('/quick-rolls', { name: 'Sneak', pool: { traits: ['wits', 'stealth'], difficulty: 6 } })
  const rolled = await player.post(`/quick-rolls/${id}/roll`, { character_id: hero, difficulty: 8, modifier: -1 })
  assert.equal(rolled.status, 201, rolled.text)
  const {
    pool,
    comment,
    campaign_id: rolledIn,
  } = rolled.body as unknown as { pool: { difficulty: number; modifier: number; dice: number }; comment: string; campaign_id: string }
  assert.deepEqual([pool.difficulty, pool.modifier, pool.dice, comment, rolledIn], [8, -1, 6, 'Sneak', campaign_id])
  assert.ok(rolled.headers.location?.endsWith(`/dice-rolls/${rolled.body.id}`))
  assertProblem(await player.post(`/quick-rolls/${id}/roll`, {}), 400)
  assertProblem(await other.post(`/quick-rolls/${id}/roll`, { character_id: hero }), 404, 'Quick roll not found')
  assert.equal((await other.get('/quick-rolls')).body.total, 0)
  const changed = await player.patch(`/quick-rolls/${id}`, { pool: { dice: 3 } })
  assert.deepEqual(changed.body.pool, { dice: 3 }, 'a new pool replaces the old one as a whole')
  for (const bad of [{ pool: {} }, { pool: { dice: 1, traits: ['x'] } }, { pool: { dice: 1, sides: 6, difficulty: 7 } }, { pool: null }])
    assertProblem(await player.patch(`/quick-rolls/${id}`, bad), 400)
})

test('names are unique among the quick rolls of a user, ignoring case, even in concurrent requests', async () => {
  const { player, other } = await newGameTable()
  const post = (name: string, i: number) => player.post('/quick-rolls', { name, pool: { dice: 1 } }, {}, twoApps[i % 2])
  const replies = await Promise.all(['Dodge', 'dodge', 'DODGE', ' Dodge ', 'dOdGe', 'Dodge'].map(post))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409])
  assert.equal((await other.post('/quick-rolls', { name: 'Dodge', pool: { dice: 1 } })).status, 201)
  const [saved] = (await player.get('/quick-rolls')).body.items
  await player.delete(`/quick-rolls/${saved?.id}`)
  assert.equal((await post('dodge', 0)).status, 201)
  assertProblem(await player.post(`/quick-rolls/${saved?.id}/restore`), 409, /quick roll with this name/)
})
