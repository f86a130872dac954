import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable, type Person } from '../../../test/game-table.ts'
import { assertProblem, call } from '../../../test/harness.ts'

test('mine=true lists the campaigns that the user owns or is a member of', async () => {
  const { teller, player, other, stranger, C, campaign_id } = await newGameTable()
  const own = await player.make('/campaigns', { name: 'A player’s own' })
  await player.make(`${C}/characters`, { name: 'Hero' })
  const elsewhere = await stranger.make('/campaigns', { name: 'Elsewhere', status: 'PLANNED' })
  const mine = async (person: Person, query = '') => {
    const { items, total } = (await person.get(`/campaigns?mine=true&${query}`)).body
    assert.equal(items.length, total)
    return items.map(({ id }) => id)
  }
  assert.deepEqual(await mine(player), [campaign_id, own])
  assert.deepEqual(await mine(teller), [campaign_id])
  assert.deepEqual(await mine(stranger), [elsewhere])
  assert.deepEqual(await mine(other), [])
  assert.equal((await other.get('/campaigns?mine=false')).body.total, 3)
  assert.deepEqual(await mine(player, `user_id=${teller.id}`), [campaign_id])
  assert.deepEqual(await mine(stranger, 'status=ACTIVE'), [])
  assert.deepEqual(await mine(player, 'sort=-date_modified'), [own, campaign_id])
  assert.deepEqual(await mine(player, 'q=player'), [own])
  await teller.patch(C, { description: 'Changed' })
  assert.deepEqual(await mine(player, 'sort=-date_modified'), [campaign_id, own])
  await teller.delete(`${C}/members/${player.id}`)
  assert.deepEqual(await mine(player), [own])
  await player.delete(`/campaigns/${own}`)
  assert.deepEqual([await mine(player), await mine(player, 'archived=true')], [[], [own]])
  for (const bad of ['mine=', 'mine=1', 'mine=yes']) assertProblem(await player.get(`/campaigns?${bad}`), 400)
})

test('without a user in the path, the key or On-Behalf-Of decides which campaigns and counts are listed', async () => {
  const { base, key, developer, teller, player, stranger, C, campaign_id } = await newGameTable()
  await teller.make(`${C}/characters`, { name: 'Hidden', type: 'NPC', visibility: 'STORYTELLER' })
  const gone = await stranger.make('/campaigns', { name: 'Gone' })
  await stranger.delete(`/campaigns/${gone}`)
  const { key: weak } = await developer('USER')
  const list = async (apiKey: string, actor = '', query = '') => {
    const { body, status, text } = await call('GET', `${base}/campaigns?${query}`, {
      key: apiKey,
      headers: actor ? { 'on-behalf-of': actor } : {},
    })
    assert.equal(status, 200, text)
    return body.items.map(({ id, counts }) => [id, (counts as { npcs: number }).npcs])
  }
  assert.deepEqual(await list(key), [[campaign_id, 1]])
  assert.deepEqual(await list(weak), [[campaign_id, 0]])
  assert.deepEqual(await list(weak, teller.id), [[campaign_id, 1]])
  for (const person of [player, stranger]) assert.deepEqual(await list(key, person.id), [[campaign_id, 0]], 'the acting user binds the key')
  assert.deepEqual(await list(key, '', 'archived=true'), [[gone, 0]])
  assert.deepEqual(await list(weak, '', 'archived=true'), [])
  assert.deepEqual([await list(weak, stranger.id, 'archived=true'), await list(weak, teller.id, 'archived=true')], [[[gone, 0]], []])
  assert.deepEqual(await list(key, '', `status=ACTIVE&user_id=${teller.id}&q=fall&sort=name`), [[campaign_id, 1]])
  assertProblem(await call('GET', `${base}/campaigns?mine=true`, { key }), 400)
})
