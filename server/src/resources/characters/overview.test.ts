import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Follower } from '../../../test/follower.ts'
import { newGameTable, type Person } from '../../../test/game-table.ts'
import { type Answer, type Body, call, db } from '../../../test/harness.ts'
import { recordedApp, statementsOf } from '../../../test/recorded.ts'
import { sql } from '../../db/sql.ts'

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
  assert.deepEqual([answer.status, sent.length], [200, 4])
})

/** A fifth-edition hero: hit points, and nine levels of slots. */
const TRACKERS = {
  hit_points: { label: 'Hit points', value: 24, maximum: 31 },
  ...Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`slots_${9 - i}`, { value: 9 - i, maximum: 9, style: 'BOXES' }])),
  doom: { label: 'Doom', value: 3, visibility: 'NAME_ONLY' },
}
const KEYS = Object.keys(TRACKERS)

const eventsOf = async ({ headers }: Answer) =>
  (await db.query<{ type: string }>(sql`SELECT type FROM events WHERE request_id = ${headers['x-request-id']} ORDER BY id`)).map(
    ({ type }) => type,
  )
/** Returns the number of new trackers in a request whose events everybody may read. */
const openEvents = async ({ headers }: Answer) =>
  (
    await db.query(
      sql`SELECT id FROM events WHERE request_id = ${headers['x-request-id']} AND type = 'tracker.created' AND visibility IS NULL`,
    )
  ).length
const keysOf = (trackers: unknown) => (trackers as { key: string }[]).map(({ key }) => key)

test('one request makes a hero with all trackers, in their order, and one shows the whole party', async () => {
  const { teller, player, other, stranger, C } = await newGameTable()
  const reader = await Follower.start(other)
  const body = { name: 'Tora', traits: { wits: 3 }, trackers: TRACKERS }
  const created = await player.post(`${C}/characters`, body)
  assert.equal(created.status, 201, created.text)
  assert.deepEqual(await eventsOf(created), ['character.created', ...KEYS.map(() => 'tracker.created'), 'member.added'])
  const path = `${C}/characters/${created.body.id}`
  const own = (await player.get(`${path}/trackers?limit=100`)).body.items
  assert.deepEqual(keysOf(own), KEYS)
  assert.deepEqual([own[0]?.value, own[0]?.start, own[0]?.movable_by, own[10]?.value], [24, 31, 'PLAYER', null])
  const told = (await reader.read()).flatMap(({ data }) =>
    data.resource_type === 'tracker' ? [[data.resource?.key, data.resource?.value]] : [],
  )
  assert.deepEqual(
    told,
    KEYS.map((key, i) => [key, own[i]?.value]),
    'others are told of them, and not of the value of one',
  )
  const hidden = { ...body, name: 'Masked', sheet_visibility: 'PLAYER' }
  const masked = await player.post(`${C}/characters`, hidden)
  const ghoul = await teller.post(`${C}/characters`, { ...body, name: 'Ghoul', type: 'NPC', visibility: 'STORYTELLER' })
  assert.deepEqual(await Promise.all([created, masked, ghoul].map(openEvents)), [10, 0, 0], 'events of hidden sheets are for their readers')
  await teller
    .make(`${C}/characters`, { name: 'Gone', type: 'NPC', trackers: { hp: { value: 1 } } })
    .then((id) => teller.delete(`${C}/characters/${id}`))
  assert.equal(
    (await reader.read()).filter(({ data }) => data.resource_type === 'tracker').length,
    0,
    'those of hidden sheets are told to nobody else',
  )
  await teller.post(`${C}/experience/awards`, { user_ids: [player.id], amount: 5, reason: 'Session 1' })

  const party = async (user: Person) => (await user.get(`${C}/characters?include=trackers,experience`)).body.items
  const single = async (user: Person, id: string) => (await user.get(`${C}/characters/${id}?include=trackers,experience`)).body
  for (const user of [teller, player, other, stranger]) {
    for (const { truncated: _, ...listed } of await party(user)) {
      assert.deepEqual(listed, await single(user, listed.id), 'a character is the same in the list and on its own')
      const reply = await user.get(`${C}/characters/${listed.id}/trackers?limit=100`)
      assert.deepEqual(listed.trackers, reply.status === 404 ? null : reply.body.items, 'the trackers are those of their own list')
      const { items } = (await user.get(`${C}/experience?limit=100`)).body
      assert.deepEqual(listed.experience, items.find(({ user_id }) => user_id === listed.user_id) ?? null)
    }
    const { character_trackers, character_trackers_total } = (await user.get(`${C}?include=character_trackers`)).body as unknown as {
      character_trackers: Body[]
      character_trackers_total: number
    }
    const all = (await party(user)).flatMap(({ trackers }) => (trackers ?? []) as unknown as Body[])
    assert.deepEqual(character_trackers, all)
    assert.equal(character_trackers_total, all.length)
  }
  assert.deepEqual(
    [(await party(teller)).length, (await party(other)).map(({ trackers }) => (trackers as unknown as Body[] | null)?.length)],
    [3, [11, undefined]],
  )
})
