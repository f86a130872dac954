import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable, type Person } from '../../../test/game-table.ts'
import { assertProblem, call } from '../../../test/harness.ts'

async function newCast() {
  const table = await newGameTable()
  const { teller, player, other, stranger, C } = table
  const there = await stranger.make('/campaigns', { name: 'Elsewhere' })
  const T = `/campaigns/${there}`
  const ids = {
    hero: await player.make(`${C}/characters`, { name: 'Hero' }),
    ghost: await player.make(`${T}/characters`, { name: 'Ghost', status: 'DEAD' }),
    rival: await other.make(`${C}/characters`, { name: 'Rival' }),
    landlord: await teller.make(`${C}/characters`, { name: 'Landlord', type: 'NPC' }),
    hidden: await teller.make(`${C}/characters`, { name: 'Hidden here', type: 'NPC', visibility: 'STORYTELLER' }),
    unseen: await stranger.make(`${T}/characters`, { name: 'Hidden there', type: 'NPC', visibility: 'STORYTELLER' }),
  }
  return { ...table, there, T, ids }
}

test('users list their own characters in all campaigns', async () => {
  const { teller, player, other, stranger, admin, C, T, campaign_id, there, ids } = await newCast()
  const own = async (person: Person, query = '') => {
    const { items, total } = (await person.get(`/characters?${query}`)).body
    assert.equal(items.length, total)
    return items.map(({ name }) => name)
  }
  assert.deepEqual(await own(player), ['Hero', 'Ghost'])
  assert.deepEqual(await own(other), ['Rival'])
  for (const person of [teller, stranger, admin]) assert.deepEqual(await own(person), [], 'nobody plays an NPC')
  assert.deepEqual(await own(player, 'status=DEAD'), ['Ghost'])
  assert.deepEqual(await own(player, `campaign_id=${campaign_id}`), ['Hero'])
  assert.deepEqual(await own(player, `campaign_id=${there}&status=ACTIVE`), [])
  assert.deepEqual(await own(player, 'sort=name'), ['Ghost', 'Hero'])
  assert.deepEqual(await own(player, `ids=${Object.values(ids)}`), ['Hero', 'Ghost'])
  assert.deepEqual(await own(player, 'q=g'), ['Ghost'])
  await player.patch(`${C}/characters/${ids.hero}`, { traits: { wits: 1 } })
  assert.deepEqual(await own(player, 'sort=-date_modified'), ['Hero', 'Ghost'])
  for (const bad of ['user_id=me', 'type=NPC', 'status=ALIVE', 'campaign_id=1', 'include=notes'])
    assertProblem(await player.get(`/characters?${bad}`), 400)

  await player.delete(`${C}/characters/${ids.hero}`)
  assert.deepEqual([await own(player), await own(player, 'archived=true'), await own(other, 'archived=true')], [['Ghost'], ['Hero'], []])
  await stranger.delete(T)
  assert.deepEqual(await own(player), [], 'characters are archived with their campaign')
  await teller.delete(C)
  assert.deepEqual(await own(player, 'archived=true'), [], 'the campaign has to be restored first')
  await stranger.post(`${T}/restore`)
  assert.deepEqual(await own(player), ['Ghost'])
})

test('without a user in the path, the key or On-Behalf-Of decides which characters are listed', async () => {
  const { base, key, developer, teller, player, stranger, admin, C, T, campaign_id, ids } = await newCast()
  const { key: weak } = await developer('USER')
  const list = async (apiKey: string, actor = '', query = '') => {
    const headers: Record<string, string> = actor ? { 'on-behalf-of': actor } : {}
    const { body, status, text } = await call('GET', `${base}/characters?limit=100&${query}`, { key: apiKey, headers })
    assert.equal(status, 200, text)
    assert.equal(body.items.length, body.total)
    return body.items.map(({ name }) => name)
  }
  const open = ['Hero', 'Ghost', 'Rival', 'Landlord']
  assert.deepEqual(await list(key), [...open, 'Hidden here', 'Hidden there'])
  assert.deepEqual(await list(weak), open)
  for (const apiKey of [key, weak]) {
    assert.deepEqual(await list(apiKey, admin.id), [...open, 'Hidden here', 'Hidden there'])
    assert.deepEqual(await list(apiKey, teller.id), [...open, 'Hidden here'])
    assert.deepEqual(await list(apiKey, stranger.id), [...open, 'Hidden there'])
    assert.deepEqual(await list(apiKey, player.id), open)
  }
  assert.deepEqual(await list(key, '', `campaign_id=${campaign_id}&type=NPC`), ['Landlord', 'Hidden here'])
  assert.deepEqual(await list(key, '', `user_id=${player.id}&status=DEAD`), ['Ghost'])
  assert.deepEqual(await list(weak, '', `ids=${ids.hidden},${ids.hero}`), ['Hero'])
  assert.deepEqual(await list(weak, teller.id, 'q=hidden'), ['Hidden here'])

  for (const [person, path] of [
    [player, `${C}/characters/${ids.hero}`],
    [teller, `${C}/characters/${ids.hidden}`],
  ] as const)
    await person.delete(path)
  assert.deepEqual(await list(key, '', 'archived=true'), ['Hero', 'Hidden here'])
  assert.deepEqual(await list(weak, '', 'archived=true'), [])
  assert.deepEqual(await list(weak, player.id, 'archived=true'), ['Hero'])
  assert.deepEqual(await list(weak, teller.id, 'archived=true'), ['Hero', 'Hidden here'])
  assert.deepEqual(await list(weak, stranger.id, 'archived=true'), [])
  await stranger.delete(T)
  assert.deepEqual(await list(key), ['Rival', 'Landlord'])
})
