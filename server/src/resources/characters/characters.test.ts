import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable, twoApps } from '../../../test/game-table.ts'
import { assertProblem, call } from '../../../test/harness.ts'

test('creating a character makes its player a member of the campaign', async () => {
  const { player, teller, company_id, campaign_id, C, events } = await newGameTable()
  const made = await player.post(`${C}/characters`, {
    name: '  Jonathan Crane ',
    concept: 'Keeper',
    traits: { strength: 3, long_name_2: 0 },
  })
  assert.deepEqual(
    { ...made.body, id: '', date_created: '', date_modified: '' },
    {
      id: '',
      company_id,
      campaign_id,
      type: 'PLAYER',
      name: 'Jonathan Crane',
      status: 'ACTIVE',
      concept: 'Keeper',
      biography: null,
      traits: { strength: 3, long_name_2: 0 },
      details: {},
      choices: {},
      conditions: {},
      sheet_visibility: 'EVERYONE',
      user_id: player.id,
      visibility: 'OPEN',
      external_id: null,
      metadata: {},
      date_died: null,
      date_created: '',
      date_modified: '',
      version: 1,
      date_archived: null,
    },
  )
  assert.equal((await teller.get(`${C}/members/${player.id}`)).body.role, 'PLAYER')
  assert.deepEqual((await teller.get(C)).body.counts as object, { members: 2, player_characters: 1, npcs: 0, books: 0 })
  await player.make(`${C}/characters`, { name: 'Second' })
  assert.deepEqual((await events()).slice(2), ['character.created', 'member.added', 'character.created'])
})

test('a player must not edit the character of another player', async () => {
  const { player, other, teller, stranger, admin, C } = await newGameTable()
  const id = await player.make(`${C}/characters`, { name: 'Hero' })
  const path = `${C}/characters/${id}`
  for (const user of [other, stranger]) {
    assert.equal((await user.get(path)).status, 200)
    assertProblem(await user.patch(path, { name: 'Mine' }), 403, 'No rights to access this resource')
    assertProblem(await user.delete(path), 403)
    assertProblem(await user.post(`${path}/restore`), 403)
    assertProblem(await user.post(`${path}/inventory`, { name: 'Stolen' }), 403)
  }
  for (const user of [player, teller, admin]) assert.equal((await user.patch(path, { concept: user.id })).body.concept, user.id)
})

test('only storytellers create NPCs and characters for other users', async () => {
  const { player, other, teller, stranger, admin, C } = await newGameTable()
  for (const body of [
    { name: 'x', type: 'NPC' },
    { name: 'x', user_id: other.id },
  ]) {
    for (const user of [player, stranger]) assertProblem(await user.post(`${C}/characters`, body), 403)
    for (const user of [teller, admin]) assert.equal((await user.post(`${C}/characters`, body)).status, 201)
  }
  assertProblem(await teller.post(`${C}/characters`, { name: 'x', user_id: crypto.randomUUID() }), 404, 'User not found')
  const { body } = await teller.post(`${C}/characters`, { name: 'x', type: 'NPC', user_id: other.id, visibility: 'OPEN' })
  assert.deepEqual(body.invalid_parameters, [{ field: 'user_id', message: 'must be null for an NPC' }])
  const hiddenPlayer = await player.post(`${C}/characters`, { name: 'x', visibility: 'STORYTELLER' })
  assert.deepEqual(hiddenPlayer.body.invalid_parameters, [{ field: 'visibility', message: 'must be OPEN: only an NPC can be hidden' }])
})

test('a storyteller can hand a character over, even after its player is archived', async () => {
  const { base, key, player, other, teller, C, events } = await newGameTable()
  const id = await player.make(`${C}/characters`, { name: 'Heir' })
  const path = `${C}/characters/${id}`
  assertProblem(await player.patch(path, { user_id: other.id }), 403)
  assert.equal((await player.patch(path, { user_id: player.id.toUpperCase() })).body.version, 1, 'the user already plays it')
  await call('DELETE', `${base}/users/${player.id}`, { key })
  assert.equal((await teller.get(path)).body.user_id, player.id)
  assert.equal((await teller.get(`${C}/characters?user_id=${player.id}`)).body.total, 1)
  assertProblem(await teller.patch(path, { user_id: null }), 400)
  assertProblem(await teller.patch(path, { user_id: crypto.randomUUID() }), 404, 'User not found')
  assert.equal((await teller.patch(path, { user_id: other.id })).body.user_id, other.id)
  assert.equal((await other.patch(path, { name: 'Mine' })).status, 200)
  assert.equal((await teller.get(`${C}/members/${other.id}`)).body.role, 'PLAYER')
  assert.deepEqual((await events()).slice(-4), ['user.deleted', 'character.updated', 'member.added', 'character.updated'])
})

test('a former storyteller gets no secret reply replayed, but replies about archived resources are replayed', async () => {
  const { base, key, teller, player, C } = await newGameTable()
  const once = { 'idempotency-key': crypto.randomUUID() }
  const npc = { name: 'Hidden', type: 'NPC', visibility: 'STORYTELLER' }
  const made = await teller.post(`${C}/characters`, npc, once)
  const path = `${C}/characters/${made.body.id}`
  const patched = await teller.patch(path, { concept: 'Secret' }, once)
  const noted = await teller.post(`${path}/notes`, { title: 'Secret' }, once)
  assert.deepEqual([made.status, patched.status, noted.status], [201, 200, 201])
  await teller.delete(path)
  assert.equal((await teller.patch(path, { concept: 'Secret' }, once)).text, patched.text, 'replayed after the character was archived')
  await call('PATCH', `${base}/users/${teller.id}`, { key, body: { role: 'PLAYER' } })
  assertProblem(await teller.post(`${C}/characters`, npc, once), 403)
  assertProblem(await teller.patch(path, { concept: 'Secret' }, once), 404, 'Character not found')
  assertProblem(await teller.post(`${path}/notes`, { title: 'Secret' }, once), 404, 'Character not found')
  const mine = { name: 'Mine', user_id: teller.id.toUpperCase() }
  await call('PATCH', `${base}/users/${teller.id}`, { key, body: { role: 'STORYTELLER' } })
  const kept = { 'idempotency-key': crypto.randomUUID() }
  const first = await teller.post(`${C}/characters`, mine, kept)
  await call('PATCH', `${base}/users/${teller.id}`, { key, body: { role: 'PLAYER' } })
  assert.equal((await teller.post(`${C}/characters`, mine, kept)).text, first.text, 'a reply that a player may get is replayed')
  const own = await player.post(`${C}/characters`, { name: 'Own' }, once)
  assert.equal((await player.post(`${C}/characters`, { name: 'Own' }, once)).text, own.text)
})

test('an NPC has no player, and null as its player changes nothing', async () => {
  const { teller, C } = await newGameTable()
  const path = `${C}/characters/${await teller.make(`${C}/characters`, { name: 'x', type: 'NPC' })}`
  assert.equal((await teller.patch(path, { user_id: null, concept: 'Same' })).body.user_id, null)
  assertProblem(await teller.patch(path, { user_id: teller.id }), 400)
})

test('a player character without a player is rejected', async () => {
  const { teller, C } = await newGameTable()
  assertProblem(await teller.post(`${C}/characters`, { name: 'x', user_id: null }), 400)
})

test('death is an event of its own, and can be reverted', async () => {
  const { player, C, events } = await newGameTable()
  const path = `${C}/characters/${await player.make(`${C}/characters`, { name: 'Mortal' })}`
  const dead = await player.patch(path, { status: 'DEAD' })
  assert.match(String(dead.body.date_died), /^2\d{3}-/)
  const renamed = await player.patch(path, { name: 'Late', status: 'DEAD' })
  assert.equal(renamed.body.date_died, dead.body.date_died)
  assert.equal((await player.patch(path, { status: 'RETIRED' })).body.date_died, null)
  assert.deepEqual((await events()).slice(-3), ['character.died', 'character.updated', 'character.updated'])
  assert.equal((await player.get(`${C}/characters?status=RETIRED&type=PLAYER`)).body.total, 1)
})

test('a patch sets traits one by one, and null removes one', async () => {
  const { base, key, player, C } = await newGameTable()
  const path = `${C}/characters/${await player.make(`${C}/characters`, { name: 'x', traits: { strength: 1, wits: 2 } })}`
  const patched = await player.patch(path, { traits: { wits: 5, brawl: 100, strength: null, never_had: null } })
  assert.deepEqual(patched.body.traits, { wits: 5, brawl: 100 })
  const { items } = (await call('GET', `${base}/audit-logs?type=character.updated`, { key })).body
  assert.deepEqual(items[0]?.changes, { traits: { old: { strength: 1, wits: 2 }, new: { wits: 5, brawl: 100 } } })
  await player.patch(path, { concept: 'Boxer' })
  const [, event] = (await call('GET', `${base}/audit-logs?type=character.updated`, { key })).body.items
  assert.deepEqual(event?.changes, { concept: { old: null, new: 'Boxer' } }, 'traits that did not change are not recorded')
  for (const traits of [
    { Strength: 1 },
    { 'with space': 1 },
    { _x: 1 },
    { x__y: 1 },
    { '': 1 },
    { ok: -1_000_001 },
    { ok: 1_000_001 },
    { ok: 1.5 },
    { ok: '1' },
    { ['x'.repeat(65)]: 1 },
    [],
  ])
    assertProblem(await player.patch(path, { traits }), 400)
  const named = await player.patch(path, { traits: { 'Not Snake': 1 } })
  assert.deepEqual(named.body.invalid_parameters, [
    { field: 'traits.Not Snake', message: 'must be a snake_case name: lower-case letters and digits, with single underscores between' },
  ])
  const many = Object.fromEntries(Array.from({ length: 499 }, (_, i) => [`trait_${i}`, 1]))
  assertProblem(await player.patch(path, { traits: many }), 400)
  assert.equal((await player.patch(path, { traits: { ...many, wits: null } })).status, 200)
  assert.deepEqual(Object.keys((await player.get(path)).body.traits as object).length, 500)
  assertProblem(await player.post(`${C}/characters`, { name: 'x', traits: { strength: null } }), 400)
  const extremes = { dex_mod: -1, hp: 546, debt: -1_000_000, gold: 1_000_000 }
  assert.deepEqual((await player.post(`${C}/characters`, { name: 'x', traits: extremes })).body.traits, extremes)
})

test('a patch sets details one by one, null removes one, and the audit log has only those that changed', async () => {
  const { base, key, player, C } = await newGameTable()
  const details = { class: 'Fighter', alignment: '', notes: '竜'.repeat(2000) }
  const created = await player.post(`${C}/characters`, { name: 'x', details })
  assert.deepEqual(created.body.details, details)
  const path = `${C}/characters/${created.body.id}`
  const patched = await player.patch(path, { details: { class: 'Paladin', oath: 'Ancients', alignment: null, never_had: null } })
  assert.deepEqual(patched.body.details, { class: 'Paladin', oath: 'Ancients', notes: details.notes })
  assert.deepEqual((await player.get(path)).body, patched.body)
  assert.equal((await player.patch(path, { details: { class: 'Paladin' } })).body.version, 2, 'nothing changed')
  const { items } = (await call('GET', `${base}/audit-logs?type=character.updated`, { key })).body
  assert.deepEqual(
    items.map(({ changes }) => changes),
    [{ details: { old: { class: 'Fighter', alignment: '' }, new: { class: 'Paladin', oath: 'Ancients' } } }],
  )
  for (const [bad, field] of [
    [{ Class: 'x' }, 'details.Class'],
    [{ class: 1 }, 'details.class'],
    [{ class: ['x'] }, 'details.class'],
    [{ class: 'x'.repeat(2001) }, 'details.class'],
    [{ ['x'.repeat(65)]: 'x' }, `details.${'x'.repeat(65)}`],
    [[], 'details'],
    [null, 'details'],
    ['x', 'details'],
    [Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`d${i}`, 'x'])), 'details'],
  ] as const) {
    const answer = await player.patch(path, { details: bad })
    assertProblem(answer, 400)
    assert.deepEqual(
      answer.body.invalid_parameters.map((fault) => fault.field),
      [field],
    )
  }
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`detail_${i}`, 'x']))
  assert.equal((await player.patch(path, { details: many(97) })).status, 200)
  assert.deepEqual((await player.patch(path, { details: { one_more: 'x' } })).body.invalid_parameters, [
    { field: 'details', message: 'must have at most 100 details in total' },
  ])
  assertProblem(await player.post(`${C}/characters`, { name: 'x', details: { class: null } }), 400)
})

test('a list cuts details after 200 characters, and leaves out those that are still large', async () => {
  const { player, C } = await newGameTable()
  const make = (details: object) => player.make(`${C}/characters`, { name: 'x', details })
  const large = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`detail_${i}`, 'd'.repeat(200)]))
  const ids = [await make({ class: 'Fighter' }), await make({ story: 'é'.repeat(201), class: 'Bard' }), await make(large), await make({})]
  for (const query of ['', '&include=inventory', '&sort=name', '&q=x']) {
    const { items } = (await player.get(`${C}/characters?limit=100${query}`)).body
    assert.deepEqual(
      ids.map((id) => items.find((item) => item.id === id)).map((item) => [item?.details, item?.truncated]),
      [
        [{ class: 'Fighter' }, false],
        [{ story: 'é'.repeat(200), class: 'Bard' }, true],
        [{}, true],
        [{}, false],
      ],
      query,
    )
  }
  assert.deepEqual((await player.get(`${C}/characters/${ids[2]}`)).body.details, large)
})

test('thirty concurrent changes of different traits are all kept', async () => {
  const { player, C } = await newGameTable()
  const path = `${C}/characters/${await player.make(`${C}/characters`, { name: 'x' })}`
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, i) => player.patch(path, { traits: { [`trait_${i}`]: i } }, {}, twoApps[i % 2])),
  )
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
  const { body } = await player.get(path)
  assert.deepEqual(body.traits, Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`trait_${i}`, i])))
  assert.equal(body.version, 31)
})

test('ten concurrent characters of a new player add one member', async () => {
  const { player, teller, C, events } = await newGameTable()
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, i) => player.post(`${C}/characters`, { name: `Hero ${i}` }, {}, twoApps[i % 2])),
  )
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
  assert.deepEqual((await teller.get(C)).body.counts as object, { members: 2, player_characters: 10, npcs: 0, books: 0 })
  assert.equal((await events()).filter((type) => type === 'member.added').length, 2)
})

test('an archived character is hidden with its inventory, and its editors can restore it', async () => {
  const { player, other, stranger, teller, admin, C, events } = await newGameTable()
  const path = `${C}/characters/${await player.make(`${C}/characters`, { name: 'x' })}`
  const lantern = await player.make(`${path}/inventory`, { name: 'Lantern' })
  assert.equal((await player.delete(path)).status, 204)
  assert.equal((await player.delete(path)).status, 204)
  for (const below of ['', '/inventory', '/notes']) assertProblem(await player.get(`${path}${below}`), 404, 'Character not found')
  for (const [user, total] of [
    [player, 1],
    [teller, 1],
    [other, 0],
  ] as const)
    assert.equal((await user.get(`${C}/characters?archived=true`)).body.total, total)
  const before = await events()
  for (const user of [other, stranger]) {
    for (const reply of [
      await user.get(path),
      await user.delete(path),
      await user.post(`${path}/restore`),
      await user.post(`${path}/inventory/${lantern}/restore`),
    ])
      assertProblem(reply, 404, 'Character not found')
  }
  assert.deepEqual(await events(), before)
  for (const user of [player, teller, admin]) {
    assert.equal((await user.delete(path)).status, 204)
    assert.equal((await user.post(`${path}/restore`)).body.date_archived, null)
    assert.equal((await user.get(`${path}/inventory`)).body.total, 1)
  }
})
