import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertProblem, call } from '../../../test/harness.ts'
import { newTable, type Person, twoApps } from '../../../test/table.ts'

const rolesIn = async (who: Person, C: string) =>
  Object.fromEntries((await who.get(`${C}/members?sort=name`)).body.items.map(({ user_id, role }) => [user_id, role]))

test('storytellers of a campaign say who is in it', async () => {
  const { teller, player, other, stranger, admin, C, events } = await newTable()
  const put = (who: Person, member: Person, role: string) => who.put(`${C}/members/${member.id}`, { role })
  for (const who of [player, stranger]) assertProblem(await put(who, other, 'PLAYER'), 403)
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
  assert.equal((await put(stranger, other, 'PLAYER')).status, 201, 'now it is one of their own campaigns')
  assert.equal((await teller.delete(`${C}/members/${other.id}`)).status, 204)
  assertProblem(await teller.delete(`${C}/members/${other.id}`), 404, 'Member not found')
  assertProblem(await teller.delete(`${C}/members/${teller.id}`), 409, 'The owner is always a member: pass the ownership on first.')
  assertProblem(await put(teller, teller, 'PLAYER'), 409)
  assert.equal((await put(teller, teller, 'STORYTELLER')).body.version, 1)
  assert.deepEqual(
    (await events()).filter((type) => type.startsWith('member.')),
    ['member.added', 'member.added', 'member.added', 'member.changed', 'member.added', 'member.removed'],
  )
})

test('a role in the company counts at once in every campaign', async () => {
  const { base, key, teller, stranger, player, C } = await newTable()
  await teller.put(`${C}/members/${stranger.id}`, { role: 'STORYTELLER' })
  const setRole = (who: Person, role: string) => call('PATCH', `${base}/users/${who.id}`, { key, body: { role } })
  await setRole(stranger, 'PLAYER')
  await setRole(teller, 'PLAYER')
  assert.deepEqual(await rolesIn(player, C), { [stranger.id]: 'PLAYER', [teller.id]: 'PLAYER' })
  assertProblem(await stranger.post(`${C}/characters`, { name: 'x', type: 'NPC' }), 403)
  assertProblem(await teller.put(`${C}/members/${player.id}`, { role: 'PLAYER' }), 403)
  await setRole(stranger, 'STORYTELLER')
  await setRole(teller, 'STORYTELLER')
  assert.deepEqual(await rolesIn(player, C), { [stranger.id]: 'STORYTELLER', [teller.id]: 'STORYTELLER' })
  // Made a PLAYER while they could be nothing else, they stay one.
  await setRole(stranger, 'PLAYER')
  await teller.put(`${C}/members/${stranger.id}`, { role: 'PLAYER' })
  await setRole(stranger, 'STORYTELLER')
  assert.equal((await rolesIn(player, C))[stranger.id], 'PLAYER')
})

test('what an owner is made by a transfer stands in the history', async () => {
  const { base, key, teller, stranger, C } = await newTable()
  await teller.put(`${C}/members/${stranger.id}`, { role: 'PLAYER' })
  await teller.put(`${C}/owner`, { user_id: stranger.id })
  const { body } = await teller.get(`${C}/members/${stranger.id}`)
  assert.deepEqual([body.role, body.version], ['STORYTELLER', 2])
  const { items } = (await call('GET', `${base}/audit-logs?type=member.changed`, { key })).body
  assert.deepEqual(items[0]?.changes, { role: { old: 'PLAYER', new: 'STORYTELLER' } })
  assert.equal((await stranger.put(`${C}/owner`, { user_id: stranger.id })).status, 200)
  assert.equal((await call('GET', `${base}/audit-logs?type=member.changed`, { key })).body.total, 1)
})

test('an archived user is no member while they are gone', async () => {
  const { base, key, teller, player, C } = await newTable()
  await teller.put(`${C}/members/${player.id}`, { role: 'PLAYER' })
  await call('DELETE', `${base}/users/${player.id}`, { key })
  assert.equal((await teller.get(`${C}/members`)).body.total, 1)
  assert.deepEqual(((await teller.get(C)).body.counts as { members: number }).members, 1)
  assertProblem(await teller.put(`${C}/members/${player.id}`, { role: 'PLAYER' }), 404, 'User not found')
  await call('POST', `${base}/users/${player.id}/restore`, { key })
  assert.equal((await teller.get(`${C}/members/${player.id}`)).body.role, 'PLAYER')
})

test('the owner is a member whatever happens at once', async () => {
  const { teller, stranger, admin, C } = await newTable()
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

test('twenty at once add the same member once', async () => {
  const { teller, player, C, events } = await newTable()
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, i) => teller.put(`${C}/members/${player.id}`, { role: 'PLAYER' }, {}, twoApps[i % 2])),
  )
  assert.deepEqual(replies.map(({ status }) => status).sort(), [...Array(19).fill(200), 201])
  assert.equal((await events()).filter((type) => type === 'member.added').length, 2)
})
