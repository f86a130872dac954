import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable, twoApps } from '../../../test/game-table.ts'
import { assertProblem, call, db } from '../../../test/harness.ts'
import { sql } from '../../db/sql.ts'

test('a campaign begins with its owner as its first member', async () => {
  const { teller, player, company_id, campaign_id, C, events } = await newGameTable()
  const { body } = await teller.get(C)
  assert.deepEqual(
    { ...body, date_created: '', date_modified: '' },
    {
      id: campaign_id,
      company_id,
      user_id: teller.id,
      name: 'Fall of Kingsport',
      description: null,
      status: 'ACTIVE',
      danger: 0,
      desperation: 0,
      levels_display: 'SHOWN',
      trait_changes: 'ANYONE',
      access: 'COMPANY',
      joining: 'OPEN',
      in_game_date: null,
      experience_per: 'USER',
      ruleset_version_id: null,
      ruleset_mode: null,
      external_id: null,
      metadata: {},
      date_created: '',
      date_modified: '',
      version: 1,
      date_archived: null,
      counts: { members: 1, player_characters: 0, npcs: 0, books: 0 },
    },
  )
  assert.deepEqual(await events(), ['campaign.created', 'member.added'])
  assert.deepEqual(
    (await teller.get(`${C}/members`)).body.items.map(({ user_id, role }) => [user_id, role]),
    [[teller.id, 'STORYTELLER']],
  )
  const small = await player.make('/campaigns', { name: 'A player’s own', status: 'PLANNED', in_game_date: '3 Mirtul 1492' })
  assert.deepEqual(
    (await player.get(`/campaigns/${small}/members`)).body.items.map(({ role }) => role),
    ['PLAYER'],
  )
  assert.deepEqual(
    (await player.get('/campaigns?sort=name')).body.items.map(({ name }) => name),
    ['A player’s own', 'Fall of Kingsport'],
  )
  assert.deepEqual((await player.get('/campaigns?status=PLANNED')).body.total, 1)
  assert.deepEqual((await player.get(`/campaigns?user_id=${teller.id.toUpperCase()}`)).body.total, 1)
})

test('403: a player modifies campaign settings', async () => {
  const { teller, player, stranger, admin, C } = await newGameTable()
  for (const body of [{ danger: 3 }, { desperation: 0 }, { name: 'Mine now', danger: 1 }])
    assertProblem(await player.patch(C, body), 403, 'No rights to access this resource')
  assertProblem(await player.post(`${C}/adjust`, { danger: 1 }), 403)
  const ownCampaign = await player.make('/campaigns', { name: 'My own' })
  assertProblem(await player.patch(`/campaigns/${ownCampaign}`, { danger: 1 }), 403)
  assertProblem(await player.patch(`/campaigns/${ownCampaign}`, { danger: 1, name: 'All or nothing' }), 403)
  assert.equal((await player.get(`/campaigns/${ownCampaign}`)).body.name, 'My own')
  assertProblem(await player.post('/campaigns', { name: 'Dangerous', danger: 0 }), 403)
  // Every storyteller of the company may set danger in any campaign, and nothing else in the campaigns of others.
  assert.equal((await stranger.patch(C, { danger: 3 })).body.danger, 3)
  assertProblem(await stranger.patch(C, { danger: 4, name: 'Mine now' }), 403)
  assert.deepEqual([(await teller.get(C)).body.danger, (await teller.get(C)).body.name], [3, 'Fall of Kingsport'])
  assert.equal((await admin.patch(C, { desperation: 2, name: 'Renamed' })).body.name, 'Renamed')
})

test('the role of the acting user decides, whatever the permission of the key', async () => {
  const { base, key, developer, player, teller, C } = await newGameTable()
  assertProblem(await call('PATCH', `${base}/users/${player.id}${C}`, { key, body: { name: 'x' } }), 403)
  const weak = await developer('USER')
  assert.equal((await call('PATCH', `${base}/users/${teller.id}${C}`, { key: weak.key, body: { danger: 2 } })).body.danger, 2)
})

test('a company may restrict the creation of campaigns to its storytellers', async () => {
  const { base, key, player, stranger, admin } = await newGameTable()
  await call('PATCH', base, { key, body: { settings: { campaign_creation: 'STORYTELLER' } } })
  assertProblem(await player.post('/campaigns', { name: 'x' }), 403)
  assert.equal((await stranger.post('/campaigns', { name: 'x' })).status, 201)
  assert.equal((await admin.post('/campaigns', { name: 'x', danger: 5 })).status, 201)
})

test('a status that cannot follow is 409, and the reply names those that can', async () => {
  const { teller, C } = await newGameTable()
  assertProblem(
    await teller.patch(C, { status: 'PLANNED' }),
    409,
    'A campaign that is ACTIVE cannot become PLANNED. It can become PAUSED or COMPLETED.',
  )
  for (const status of ['PAUSED', 'ACTIVE', 'COMPLETED', 'ACTIVE']) assert.equal((await teller.patch(C, { status })).body.status, status)
  assert.equal((await teller.patch(C, { status: 'ACTIVE' })).body.version, 5, 'the current status is always allowed')
})

test('fifty adjustments at once on two processes all count', async () => {
  const { teller, C, events } = await newGameTable()
  await teller.patch(C, { danger: 2, desperation: 3 })
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      teller.post(`${C}/adjust`, { danger: i % 2 ? 1 : -1, desperation: i % 2 ? -1 : 1 }, {}, twoApps[i % 2]),
    ),
  )
  const done = replies.flatMap(({ status }, i) => (status === 200 ? [i % 2 ? 1 : -1] : []))
  assert.deepEqual(new Set(replies.map(({ status }) => status)).has(500), false)
  for (const reply of replies.filter(({ status }) => status !== 200))
    assertProblem(reply, 409, /must stay between 0 and 5\. Nothing was changed\.$/)
  const { body } = await teller.get(C)
  const sum = done.reduce((a, b) => a + b, 0)
  assert.deepEqual([body.danger, body.desperation, body.version], [2 + sum, 3 - sum, 2 + done.length])
  assert.equal((await events()).filter((type) => type === 'campaign.adjusted').length, done.length)
  assert.ok(done.length >= 20)
})

test('an adjustment needs at least one valid amount', async () => {
  const { teller, C } = await newGameTable()
  for (const body of [{}, { danger: 6 }, { danger: 0.5 }, { danger: null }, { danger: '1' }])
    assertProblem(await teller.post(`${C}/adjust`, body), 400)
  assert.equal((await teller.post(`${C}/adjust`, { danger: 0 })).body.version, 1)
})

test('an archived campaign hides its contents, and a restore brings back exactly what was live', async () => {
  const { teller, player, other, stranger, admin, C } = await newGameTable()
  const hero = await player.make(`${C}/characters`, { name: 'Hero' })
  const gone = await player.make(`${C}/characters`, { name: 'Gone before' })
  await player.delete(`${C}/characters/${gone}`)
  const book = await teller.make(`${C}/books`, { name: 'Book' })
  const chapter = await teller.make(`${C}/books/${book}/chapters`, { name: 'Chapter' })
  const note = await player.make(`${C}/characters/${hero}/notes`, { title: 'Note' })
  for (const person of [player, stranger]) assertProblem(await person.delete(C), 403)
  assert.equal((await teller.delete(C)).status, 204)
  assert.equal((await teller.delete(C)).status, 204)
  const below = [
    '',
    '/characters',
    `/characters/${hero}`,
    '/books',
    `/books/${book}/chapters/${chapter}`,
    `/characters/${hero}/notes/${note}`,
    '/members',
  ]
  for (const path of below) assertProblem(await teller.get(`${C}${path}`), 404, 'Campaign not found')
  for (const [person, total] of [
    [teller, 1],
    [admin, 1],
    [player, 0],
    [stranger, 0],
  ] as const)
    assert.equal((await person.get('/campaigns?archived=true')).body.total, total)
  assertProblem(
    await player.post(`${C}/characters/${gone}/restore`),
    409,
    'The campaign this belongs to is archived. Restore the campaign first.',
  )
  assertProblem(await other.post(`${C}/restore`), 404, 'Campaign not found')
  assertProblem(await other.post(`${C}/characters/${gone}/restore`), 404, 'Campaign not found')
  const restored = await teller.post(`${C}/restore`)
  assert.deepEqual(restored.body.counts, { members: 2, player_characters: 1, npcs: 0, books: 1 })
  for (const path of below) assert.equal((await teller.get(`${C}${path}`)).status, 200, path)
  assertProblem(await player.get(`${C}/characters/${gone}`), 404)
})

test('nothing is written below a campaign that was archived a moment before', async () => {
  for (let round = 0; round < 6; round++) {
    const { teller, player, C, ...table } = await newGameTable()
    const hero = await player.make(`${C}/characters`, { name: 'Hero' })
    const writes = () => [
      teller.post(`${C}/books`, { name: 'Book' }, {}, twoApps[1]),
      player.post(`${C}/characters`, { name: 'Late' }, {}, twoApps[1]),
      player.post(`${C}/notes`, { title: 'Late' }, {}, twoApps[1]),
      player.post(`${C}/characters/${hero}/inventory`, { name: 'Late' }, {}, twoApps[1]),
      teller.put(`${C}/members/${table.other.id}`, { role: 'PLAYER' }, {}, twoApps[1]),
    ]
    const [deleted, ...replies] = await Promise.all([teller.delete(C), ...writes(), ...writes()])
    assert.equal(deleted.status, 204)
    for (const reply of replies) if (reply.status >= 300) assertProblem(reply, 404, 'Campaign not found')
    const [{ late, last } = { late: -1, last: '' }] = await db.query<{ late: number; last: string }>(sql`
      WITH archived AS (SELECT min(id::text) AS id FROM events WHERE company_id = ${table.company_id} AND type = 'campaign.deleted')
      SELECT count(*) AS late, string_agg(type, ',') AS last FROM events, archived
      WHERE company_id = ${table.company_id} AND events.id::text > archived.id`)
    assert.equal(late, 0, last)
  }
})

test('of several transfers by the owner at once, one succeeds', async () => {
  const { player, other, stranger, admin, teller } = await newGameTable()
  for (let round = 0; round < 5; round++) {
    const path = `/campaigns/${await player.make('/campaigns', { name: 'Hot potato' })}/owner`
    const replies = await Promise.all(
      [other, stranger, admin, teller].map(({ id }, i) => player.put(path, { user_id: id }, {}, twoApps[i % 2])),
    )
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 403, 403, 403])
  }
})

test('the owner or an ADMIN transfers a campaign, and both owners are members afterwards', async () => {
  const { teller, player, other, stranger, admin, C, events } = await newGameTable()
  await teller.put(`${C}/members/${stranger.id}`, { role: 'STORYTELLER' })
  for (const person of [player, stranger]) assertProblem(await person.put(`${C}/owner`, { user_id: person.id }), 403)
  assertProblem(await teller.put(`${C}/owner`, { user_id: crypto.randomUUID() }), 404, 'User not found')
  const passed = await teller.put(`${C}/owner`, { user_id: player.id })
  assert.deepEqual([passed.status, passed.body.user_id], [200, player.id])
  const roles = async () => Object.fromEntries((await admin.get(`${C}/members`)).body.items.map(({ user_id, role }) => [user_id, role]))
  assert.deepEqual(await roles(), { [teller.id]: 'STORYTELLER', [stranger.id]: 'STORYTELLER', [player.id]: 'PLAYER' })
  assertProblem(await teller.put(`${C}/owner`, { user_id: teller.id }), 403)
  const joined = (await admin.get(`${C}/members/${player.id}`)).body
  assert.equal(joined.version, 1)
  assert.equal((await player.patch(C, { name: 'Mine' })).status, 200)
  assert.equal((await admin.put(`${C}/owner`, { user_id: other.id })).body.user_id, other.id)
  assert.equal((await other.put(`${C}/owner`, { user_id: other.id })).body.version, passed.body.version + 2)
  assert.deepEqual(
    (await events()).filter((type) => type === 'campaign.transferred'),
    ['campaign.transferred', 'campaign.transferred'],
  )
})
