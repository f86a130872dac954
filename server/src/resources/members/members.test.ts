import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable, type Person, twoApps } from '../../../test/game-table.ts'
import { type Answer, assertProblem, call } from '../../../test/harness.ts'

const rolesIn = async (person: Person, C: string) =>
  Object.fromEntries((await person.get(`${C}/members?sort=name`)).body.items.map(({ user_id, role }) => [user_id, role]))

test('storytellers of a campaign manage its members', async () => {
  const { teller, player, other, stranger, admin, C, events } = await newGameTable()
  const put = (person: Person, member: Person, role: string) => person.put(`${C}/members/${member.id}`, { role })
  for (const person of [player, stranger]) assertProblem(await put(person, other, 'PLAYER'), 403)
  const added = await put(teller, player, 'PLAYER')
  assert.deepEqual(
    [added.status, added.body.user_id, added.body.id, added.body.name, added.body.role],
    [201, player.id, player.id, 'Player', 'PLAYER'],
  )
  assert.equal(added.headers.location?.endsWith(`${C}/members/${player.id}`), true)
  assert.equal((await put(teller, player, 'PLAYER')).body.version, 1)
  assertProblem(await put(teller, player, 'STORYTELLER'), 409, /needs the role STORYTELLER or ADMIN in the company/)
  assert.equal((await put(teller, stranger, 'PLAYER')).status, 201)
  assertProblem(await put(stranger, other, 'PLAYER'), 403)
  const changed = await put(admin, stranger, 'STORYTELLER')
  assert.deepEqual([changed.status, changed.body.version], [200, 2])
  assert.equal((await put(stranger, other, 'PLAYER')).status, 201, 'they are a storyteller of the campaign now')
  assert.equal((await teller.delete(`${C}/members/${other.id}`)).status, 204)
  assertProblem(await teller.delete(`${C}/members/${other.id}`), 404, 'Member not found')
  assertProblem(await teller.delete(`${C}/members/${teller.id}`), 409, 'The owner is always a member. Transfer the campaign first.')
  assertProblem(await put(teller, teller, 'PLAYER'), 409)
  assert.equal((await put(teller, teller, 'STORYTELLER')).body.version, 1)
  assert.deepEqual(
    (await events()).filter((type) => type.startsWith('member.')),
    ['member.added', 'member.added', 'member.added', 'member.changed', 'member.added', 'member.removed'],
  )
})

test('a change of the role in the company takes effect immediately in every campaign', async () => {
  const { base, key, teller, stranger, player, C } = await newGameTable()
  await teller.put(`${C}/members/${stranger.id}`, { role: 'STORYTELLER' })
  const setRole = (person: Person, role: string) => call('PATCH', `${base}/users/${person.id}`, { key, body: { role } })
  await setRole(stranger, 'PLAYER')
  await setRole(teller, 'PLAYER')
  assert.deepEqual(await rolesIn(player, C), { [stranger.id]: 'PLAYER', [teller.id]: 'PLAYER' })
  assertProblem(await stranger.post(`${C}/characters`, { name: 'x', type: 'NPC' }), 403)
  assertProblem(await teller.put(`${C}/members/${player.id}`, { role: 'PLAYER' }), 403)
  await setRole(stranger, 'STORYTELLER')
  await setRole(teller, 'STORYTELLER')
  assert.deepEqual(await rolesIn(player, C), { [stranger.id]: 'STORYTELLER', [teller.id]: 'STORYTELLER' })
  // A role that was set to PLAYER stays PLAYER when the role in the company rises again.
  await setRole(stranger, 'PLAYER')
  await teller.put(`${C}/members/${stranger.id}`, { role: 'PLAYER' })
  await setRole(stranger, 'STORYTELLER')
  assert.equal((await rolesIn(player, C))[stranger.id], 'PLAYER')
})

test('the audit log shows the role that a transfer gives the new owner', async () => {
  const { base, key, teller, stranger, C } = await newGameTable()
  await teller.put(`${C}/members/${stranger.id}`, { role: 'PLAYER' })
  await teller.put(`${C}/owner`, { user_id: stranger.id })
  const { body } = await teller.get(`${C}/members/${stranger.id}`)
  assert.deepEqual([body.role, body.version], ['STORYTELLER', 2])
  const { items } = (await call('GET', `${base}/audit-logs?type=member.changed`, { key })).body
  assert.deepEqual(items[0]?.changes, { role: { old: 'PLAYER', new: 'STORYTELLER' } })
  assert.equal((await stranger.put(`${C}/owner`, { user_id: stranger.id })).status, 200)
  assert.equal((await call('GET', `${base}/audit-logs?type=member.changed`, { key })).body.total, 1)
})

test('a user is not a member while they are archived', async () => {
  const { base, key, teller, player, C } = await newGameTable()
  await teller.put(`${C}/members/${player.id}`, { role: 'PLAYER' })
  await call('DELETE', `${base}/users/${player.id}`, { key })
  assert.equal((await teller.get(`${C}/members`)).body.total, 1)
  assert.deepEqual(((await teller.get(C)).body.counts as { members: number }).members, 1)
  assertProblem(await teller.put(`${C}/members/${player.id}`, { role: 'PLAYER' }), 404, 'User not found')
  await call('POST', `${base}/users/${player.id}/restore`, { key })
  assert.equal((await teller.get(`${C}/members/${player.id}`)).body.role, 'PLAYER')
})

test('the owner stays a member when a transfer and a removal happen at once', async () => {
  const { teller, stranger, admin, C } = await newGameTable()
  for (let round = 0; round < 8; round++) {
    await teller.put(`${C}/members/${stranger.id}`, { role: 'STORYTELLER' })
    const [passed, removed] = await Promise.all([
      admin.put(`${C}/owner`, { user_id: stranger.id }, {}, twoApps[0]),
      admin.delete(`${C}/members/${stranger.id}`, undefined, {}, twoApps[1]),
    ])
    assert.equal(passed.status, 200)
    assert.ok(removed.status === 204 || removed.status === 409, removed.text)
    assert.ok((await rolesIn(teller, C))[stranger.id], 'the owner is not a member')
    await admin.put(`${C}/owner`, { user_id: teller.id })
  }
})

test('twenty requests at once add the same member once', async () => {
  const { teller, player, C, events } = await newGameTable()
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, i) => teller.put(`${C}/members/${player.id}`, { role: 'PLAYER' }, {}, twoApps[i % 2])),
  )
  assert.deepEqual(replies.map(({ status }) => status).sort(), [...Array(19).fill(200), 201])
  assert.equal((await events()).filter((type) => type === 'member.added').length, 2)
})

test('a removed member stays removed, whatever they write at the same time', async () => {
  const { teller, player, C } = await newGameTable()
  await teller.patch(C, { joining: 'INVITE' })
  const ways = [
    () => teller.delete(`${C}/members/${player.id}`, undefined, {}, twoApps[1]),
    () => player.post(`${C}/leave`, undefined, {}, twoApps[1]),
  ]
  for (let round = 0; round < 60; round++) {
    assert.equal((await teller.put(`${C}/members/${player.id}`, { role: 'PLAYER' })).status, 201, `round ${round}`)
    const writes = [0, 1, 0, 1].map((app) => player.post(`${C}/characters`, { name: 'Hero' }, {}, twoApps[app]))
    const removed = await (ways[round % 2] as () => Promise<Answer>)()
    assert.equal(removed.status, 204, removed.text)
    for (const { status, text } of await Promise.all(writes)) assert.ok(status === 201 || status === 403, text)
    assertProblem(await teller.get(`${C}/members/${player.id}`), 404, 'Member not found')
  }
})
