import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable } from '../../../test/game-table.ts'
import { call } from '../../../test/harness.ts'
import { recordedApp, statementsOf } from '../../../test/recorded.ts'

const ALL = 'include=inventory,notes,trackers,experience,rolls,player'

async function newHero(fields: object = {}) {
  const table = await newGameTable()
  const { player, teller, C } = table
  const hero = await player.make(`${C}/characters`, { name: 'Hero', traits: { wits: 2 }, ...fields })
  const path = `${C}/characters/${hero}`
  await player.make(`${path}/inventory`, { name: 'Lantern' })
  await player.make(`${path}/notes`, { title: 'Clue' })
  await player.put(`${path}/trackers/hp`, { value: 7, maximum: 10 })
  await teller.put(`${path}/trackers/doom`, { value: 3, maximum: 6, visibility: 'NAME_ONLY' })
  await teller.post(`${C}/experience/awards`, { user_ids: [player.id], amount: 4, reason: 'x' })
  for (let i = 0; i < 11; i++) await player.make('/dice-rolls', { notation: `${i}`, character_id: hero })
  return { ...table, hero, path }
}

const trackersIn = (body: object) =>
  (body as { trackers: { key: string; value: number | null }[] }).trackers.map(({ key, value }) => [key, value])

test('one request returns the whole sheet of a character', async () => {
  const { player, teller, path } = await newHero()
  const { body, status } = await player.get(`${path}?${ALL}`)
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([body.inventory_total, body.notes_total], [1, 1])
  assert.deepEqual(trackersIn(body), [
    ['hp', 7],
    ['doom', null],
  ])
  assert.deepEqual([(body.experience as unknown as { available: number }).available], [4])
  assert.deepEqual(
    (body.rolls as unknown as { total: number }[]).map(({ total }) => total),
    [10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
  )
  assert.deepEqual(body.player, { id: player.id, name: 'Player', role: 'PLAYER' })
  assert.deepEqual(trackersIn((await teller.get(`${path}?${ALL}`)).body), [
    ['hp', 7],
    ['doom', 3],
  ])
  const plain = (await player.get(path)).body
  for (const part of ['inventory', 'notes', 'trackers', 'experience', 'rolls', 'player']) assert.ok(!(part in plain), part)
})

test('the parts of a hidden sheet are null for other players', async () => {
  const { other, path } = await newHero({ sheet_visibility: 'PLAYER' })
  const { body } = await other.get(`${path}?${ALL}`)
  assert.deepEqual([body.traits, body.inventory, body.trackers, body.experience], [null, null, null, null])
  assert.equal((body.player as unknown as { name: string }).name, 'Player')
})

test('an NPC has no player and no experience, and the player of a character may be archived', async () => {
  const { base, key, teller, player, C, path } = await newHero()
  const npc = await teller.make(`${C}/characters`, { name: 'Klarg', type: 'NPC' })
  const { body } = await teller.get(`${C}/characters/${npc}?include=player,experience,rolls,trackers`)
  assert.deepEqual([body.player, body.experience, body.rolls, body.trackers], [null, null, [], []])
  await call('DELETE', `${base}/users/${player.id}`, { key })
  const orphan = (await teller.get(`${path}?include=player,experience`)).body
  assert.deepEqual([orphan.user_id, orphan.player, orphan.experience], [player.id, null, null])
})

test('where experience belongs to characters, a sheet has that of the character', async () => {
  const { teller, player, C } = await newGameTable()
  await teller.patch(C, { experience_per: 'CHARACTER' })
  const hero = await player.make(`${C}/characters`, { name: 'Hero' })
  await teller.post(`${C}/experience/awards`, { awards: [{ character_id: hero, amount: 9 }], reason: 'x' })
  const { body } = await player.get(`${C}/characters/${hero}?include=experience`)
  assert.deepEqual((body.experience as unknown as { character_id: string; available: number }).available, 9)
})

test('the whole sheet takes a fixed number of statements', async () => {
  const { player, path } = await newHero()
  const read = () => player.get(`${path}?${ALL}`, undefined, {}, recordedApp)
  await read()
  const { answer, sent } = await statementsOf(read)
  assert.deepEqual([answer.status, sent.length], [200, 5])
})
