import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable, type Person } from '../../../test/game-table.ts'
import { assertProblem, call } from '../../../test/harness.ts'

test('without a user in the path, the key or On-Behalf-Of decides which rolls are listed and counted', async () => {
  const { base, key, developer, teller, player, other, stranger, admin, C, campaign_id } = await newGameTable()
  const hidden = await teller.make(`${C}/characters`, { name: 'Hidden', type: 'NPC', visibility: 'STORYTELLER' })
  const roll = (person: Person, comment: string, body = {}) => person.make('/dice-rolls', { notation: '1d6', comment, ...body })
  await roll(player, 'alone')
  await roll(player, 'open', { campaign_id })
  await roll(player, 'secret', { campaign_id, visibility: 'STORYTELLER' })
  await roll(player, 'blind', { campaign_id, visibility: 'BLIND' })
  await roll(teller, 'for a hidden character', { character_id: hidden, visibility: 'STORYTELLER' })
  const { key: weak } = await developer('USER')
  const list = async (apiKey: string, actor = '', query = '') => {
    const headers: Record<string, string> = actor ? { 'on-behalf-of': actor } : {}
    const { body, status, text } = await call('GET', `${base}/dice-rolls?limit=100&${query}`, { key: apiKey, headers })
    assert.equal(status, 200, text)
    assert.equal(body.items.length, body.total)
    return body.items.map(({ comment }) => comment)
  }
  const all = ['alone', 'open', 'secret', 'blind', 'for a hidden character']
  assert.deepEqual(await list(key), all)
  assert.deepEqual(await list(weak), ['alone', 'open'])
  for (const apiKey of [key, weak]) {
    for (const person of [admin, teller]) assert.deepEqual(await list(apiKey, person.id), all)
    assert.deepEqual(await list(apiKey, player.id), ['alone', 'open', 'secret'])
    for (const person of [other, stranger]) assert.deepEqual(await list(apiKey, person.id), ['alone', 'open'])
  }
  for (const query of [`campaign_id=${campaign_id}`, `campaign_id=${campaign_id}&sort=date_modified`])
    assert.deepEqual(await list(weak, '', query), ['open'])
  for (const sort of ['date_created', 'date_modified']) {
    assert.deepEqual(await list(key, '', `user_id=${player.id}&sort=-${sort}`), ['blind', 'secret', 'open', 'alone'])
    assert.deepEqual(await list(weak, '', `character_id=${hidden}&sort=${sort}`), [])
    assert.deepEqual(await list(key, '', `character_id=${hidden}&sort=${sort}`), ['for a hidden character'])
  }
  await teller.delete(C)
  assert.deepEqual(await list(key), ['alone'])
  assertProblem(await call('GET', `${base}/dice-rolls?sort=name`, { key }), 400)
})

test('a settled roll is the last that changed', async () => {
  const { teller, C, campaign_id } = await newGameTable()
  await teller.patch(C, { desperation: 5 })
  const pool = { dice: 1, desperation_dice: 5 }
  const strained = async (): Promise<string> => {
    const { body } = await teller.post('/dice-rolls', { pool, campaign_id })
    return body.strained ? body.id : strained()
  }
  const id = await strained()
  await teller.make('/dice-rolls', { notation: '7', campaign_id })
  await teller.post(`/dice-rolls/${id}/settle`, { choice: 'DESPAIR' })
  for (const filter of ['', `&campaign_id=${campaign_id}`, `&user_id=${teller.id}`]) {
    const { items, total } = (await teller.get(`/dice-rolls?sort=-date_modified${filter}`)).body
    assert.equal(items[0]?.id, id, filter)
    const since = (await teller.get(`/dice-rolls?modified_since=${items[0]?.date_modified}${filter}`)).body
    assert.deepEqual([since.items.map((roll) => roll.id), since.total], [[id], 1])
    assert.ok(total > 1)
  }
})
