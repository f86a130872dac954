import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertProblem } from '../../../test/harness.ts'
import { newTable, twoApps } from '../../../test/table.ts'

test('a pool is saved under a name, and rolled with what is different this time', async () => {
  const { player, other, C, campaign_id } = await newTable()
  const hero = await player.make(`${C}/characters`, { name: 'Crane', traits: { wits: 4, stealth: 2 } })
  const id = await player.make('/quick-rolls', { name: 'Sneak', pool: { traits: ['wits', 'stealth'], difficulty: 6 } })
  const rolled = await player.post(`/quick-rolls/${id}/roll`, { character_id: hero, difficulty: 8, modifier: -1 })
  assert.equal(rolled.status, 201, rolled.text)
  const {
    pool,
    comment,
    campaign_id: where,
  } = rolled.body as unknown as { pool: { difficulty: number; modifier: number; dice: number }; comment: string; campaign_id: string }
  assert.deepEqual([pool.difficulty, pool.modifier, pool.dice, comment, where], [8, -1, 6, 'Sneak', campaign_id])
  assert.ok(rolled.headers.location?.endsWith(`/dice-rolls/${rolled.body.id}`))
  assertProblem(await player.post(`/quick-rolls/${id}/roll`, {}), 400)
  assertProblem(await other.post(`/quick-rolls/${id}/roll`, { character_id: hero }), 404, 'Quick roll not found')
  assert.equal((await other.get('/quick-rolls')).body.total, 0)
  const changed = await player.patch(`/quick-rolls/${id}`, { pool: { dice: 3 } })
  assert.deepEqual(changed.body.pool, { dice: 3 }, 'a pool is replaced whole')
  for (const bad of [{ pool: {} }, { pool: { dice: 1, traits: ['x'] } }, { pool: { dice: 1, sides: 6, difficulty: 7 } }, { pool: null }])
    assertProblem(await player.patch(`/quick-rolls/${id}`, bad), 400)
})

test('names are unique among a user’s own, whatever the case, also at once', async () => {
  const { player, other } = await newTable()
  const post = (name: string, i: number) => player.post('/quick-rolls', { name, pool: { dice: 1 } }, {}, twoApps[i % 2])
  const replies = await Promise.all(['Dodge', 'dodge', 'DODGE', ' Dodge ', 'dOdGe', 'Dodge'].map(post))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409])
  assert.equal((await other.post('/quick-rolls', { name: 'Dodge', pool: { dice: 1 } })).status, 201)
  const [mine] = (await player.get('/quick-rolls')).body.items
  await player.delete(`/quick-rolls/${mine?.id}`)
  assert.equal((await post('dodge', 0)).status, 201)
  assertProblem(await player.post(`/quick-rolls/${mine?.id}/restore`), 409, /quick roll of this name/)
})
