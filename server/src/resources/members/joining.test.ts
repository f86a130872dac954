import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable, type Person, twoApps } from '../../../test/game-table.ts'
import { type Answer, assertProblem, call } from '../../../test/harness.ts'

/** The ways to write in a campaign that every user has. */
const WRITES: Record<string, (person: Person, C: string) => Promise<Answer>> = {
  'a character': (person, C) => person.post(`${C}/characters`, { name: 'x' }),
  'a note': (person, C) => person.post(`${C}/notes`, { title: 'x' }),
  'a roll': (person, C) => person.post('/dice-rolls', { notation: '1d6', campaign_id: C.slice(-36) }),
}

const isMember = async (person: Person, C: string) => (await person.get(`${C}/members/${person.id}`)).status === 200

for (const [name, write] of Object.entries(WRITES)) {
  test(`the first write of a user in an open campaign, ${name}, makes them a member`, async () => {
    const { player, C, events } = await newGameTable()
    assert.equal(await isMember(player, C), false)
    for (let i = 0; i < 2; i++) assert.equal((await write(player, C)).status, 201)
    assert.equal(await isMember(player, C), true)
    assert.equal((await events()).filter((type) => type === 'member.added').length, 2, 'the owner and the player')
  })

  test(`in a campaign by invitation, ${name} of an outsider is 403 and writes nothing`, async () => {
    const { player, stranger, admin, teller, C, events } = await newGameTable()
    await teller.patch(C, { joining: 'INVITE' })
    const before = await events()
    for (const person of [player, stranger]) {
      const reply = await write(person, C)
      assertProblem(reply, 403, 'No rights to access this resource')
      assert.equal(reply.body.reason, 'not_a_member')
      assert.equal((await person.get(C)).status, 200, 'everyone may read an open campaign')
    }
    assert.deepEqual(await events(), before)
    for (const person of [teller, admin]) assert.equal((await write(person, C)).status, 201)
    await teller.put(`${C}/members/${player.id}`, { role: 'PLAYER' })
    assert.equal((await write(player, C)).status, 201)
  })
}

test('a spend makes a user a member of an open campaign', async () => {
  const { player, teller, C } = await newGameTable()
  await teller.post(`${C}/experience/awards`, { user_ids: [player.id], amount: 5, reason: 'x' })
  assert.equal(await isMember(player, C), false, 'being awarded experience does not')
  assert.equal((await player.post(`${C}/experience/spends`, { amount: 1, reason: 'x' })).status, 201)
  assert.equal(await isMember(player, C), true)
})

test('every storyteller sets danger and desperation of a campaign by invitation, without becoming a member', async () => {
  const { stranger, teller, C } = await newGameTable()
  await teller.patch(C, { joining: 'INVITE' })
  assert.equal((await stranger.post(`${C}/adjust`, { danger: 1 })).status, 200)
  assert.equal((await stranger.patch(C, { desperation: 1 })).status, 200)
  assert.equal(await isMember(stranger, C), false)
})

test('a user joins an open campaign, and leaves it; their characters stay', async () => {
  const { player, teller, C, events } = await newGameTable()
  const joined = await player.post(`${C}/join`)
  assert.deepEqual([joined.status, joined.body.role, joined.body.user_id], [200, 'PLAYER', player.id])
  assert.deepEqual((await player.post(`${C}/join`)).body, joined.body)
  const hero = await player.make(`${C}/characters`, { name: 'Hero' })
  assert.equal((await player.post(`${C}/leave`)).status, 204)
  assert.equal(await isMember(player, C), false)
  assertProblem(await player.post(`${C}/leave`), 404, 'Member not found')
  assert.equal((await teller.get(`${C}/characters/${hero}`)).body.user_id, player.id)
  assertProblem(await teller.post(`${C}/leave`), 409, 'The owner is always a member. Transfer the campaign first.')
  assert.deepEqual((await events()).slice(-3), ['member.added', 'character.created', 'member.removed'])
  await teller.patch(C, { joining: 'INVITE' })
  const refused = await player.post(`${C}/join`)
  assertProblem(refused, 403, 'No rights to access this resource')
  assert.equal(refused.body.reason, 'not_a_member')
  assertProblem(await player.patch(`${C}/characters/${hero}`, { name: 'Late' }), 403, 'No rights to access this resource')
})

test('a user who joins many times at once becomes a member once', async () => {
  const { player, teller, C, events } = await newGameTable()
  const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => player.post(`${C}/join`, undefined, {}, twoApps[i % 2])))
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
  assert.equal((await teller.get(`${C}/members`)).body.total, 2)
  assert.equal((await events()).filter((type) => type === 'member.added').length, 2)
})

test('nobody becomes a member by a write after the campaign was closed, not even by one that began before', async () => {
  const { player, teller, C } = await newGameTable()
  for (let round = 0; round < 30; round++)
    for (const write of Object.values(WRITES)) {
      await teller.patch(C, { joining: 'OPEN' })
      const writes = [0, 1].map((app) => write({ ...player, post: (path, body) => player.post(path, body, {}, twoApps[app]) }, C))
      assert.equal((await teller.patch(C, { joining: 'INVITE' }, {}, twoApps[round % 2])).status, 200)
      const wasMember = await isMember(player, C)
      for (const { status, text } of await Promise.all(writes)) assert.ok(status === 201 || status === 403, text)
      assert.equal(await isMember(player, C), wasMember, `round ${round}`)
      if (wasMember) await teller.delete(`${C}/members/${player.id}`)
    }
})

test('a stored reply is not replayed to a former member of a campaign by invitation', async () => {
  const { player, teller, C } = await newGameTable()
  const once = { 'idempotency-key': crypto.randomUUID() }
  const first = await player.post(`${C}/notes`, { title: 'x' }, once)
  assert.equal((await player.post(`${C}/notes`, { title: 'x' }, once)).text, first.text)
  await teller.patch(C, { joining: 'INVITE' })
  await player.post(`${C}/leave`)
  assertProblem(await player.post(`${C}/notes`, { title: 'x' }, once), 403, 'No rights to access this resource')
})

test('a private campaign exists for its members, its owner and ADMINs only', async () => {
  const { base, key, developer, teller, player, other, stranger, admin, campaign_id, C } = await newGameTable()
  await player.make(`${C}/characters`, { name: 'Hero' })
  await player.make('/dice-rolls', { notation: '1d6', campaign_id })
  const patched = await teller.patch(C, { access: 'MEMBERS' })
  assert.deepEqual([patched.status, patched.body.access], [200, 'MEMBERS'])
  for (const person of [player, teller, admin]) {
    assert.equal((await person.get(C)).status, 200)
    assert.equal((await person.get('/campaigns')).body.total, 1)
    assert.equal((await person.get('/dice-rolls')).body.total, 1)
    assert.equal((await person.get('/search?q=kingsport')).body.total, 1)
  }
  for (const person of [other, stranger]) {
    for (const path of [C, `${C}/characters`, `${C}/members`, `${C}/experience`, `${C}/statistics`])
      assertProblem(await person.get(path), 404, 'Campaign not found')
    for (const path of [
      '/campaigns',
      '/campaigns?q=kings',
      '/dice-rolls',
      `/dice-rolls?campaign_id=${campaign_id}`,
      '/search?q=kingsport',
      '/search?q=hero',
    ])
      assert.deepEqual([path, (await person.get(path)).body.total], [path, 0])
    assertProblem(await person.post('/dice-rolls', { notation: '1d6', campaign_id }), 404, 'Campaign not found')
    assertProblem(await person.post(`${C}/adjust`, { danger: 1 }), person === other ? 403 : 404)
  }
  const userKey = (await developer('USER')).key
  assert.equal((await call('GET', `${base}/statistics`, { key: userKey })).body.rolls, 0)
  assert.equal((await call('GET', `${base}/statistics`, { key })).body.rolls, 1)
})
