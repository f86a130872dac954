import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable, twoApps } from '../../../test/game-table.ts'
import { assertProblem, call, clock, twoProcesses } from '../../../test/harness.ts'

test('an invite leads into a private campaign, which does not exist before', async () => {
  const { teller, player, C, events } = await newGameTable()
  await teller.patch(C, { access: 'MEMBERS', joining: 'INVITE' })
  assertProblem(await player.get(C), 404, 'Campaign not found')
  assertProblem(await player.post(`${C}/join`), 404, 'Campaign not found')
  const invite = await teller.post(`${C}/invites`, { max_uses: 1 })
  assert.equal(invite.status, 201, invite.text)
  assert.match(String(invite.body.code), /^gli_[0-9A-Za-z]{22}$/)
  assert.deepEqual([invite.body.role, invite.body.uses, invite.body.max_uses], ['PLAYER', 0, 1])
  const joined = await player.post('/invites/accept', { code: invite.body.code })
  assert.deepEqual([joined.status, joined.body.user_id, joined.body.role], [200, player.id, 'PLAYER'])
  assert.equal((await player.get(C)).status, 200)
  const again = await player.post('/invites/accept', { code: invite.body.code })
  assert.deepEqual(again.body, joined.body, 'a member takes no further use')
  const { body } = await teller.get(`${C}/invites/${invite.body.id}`)
  assert.deepEqual([body.uses, body.version, 'code' in body], [1, 2, false])
  assert.deepEqual((await events()).slice(-3), ['campaign.updated', 'invite.created', 'member.added'])
})

test('a code is stored nowhere: not in the list, the audit log or a replay by somebody else', async () => {
  const { base, key, teller, stranger, C } = await newGameTable()
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const invite = await teller.post(`${C}/invites`, {}, headers)
  const code = String(invite.body.code)
  assert.equal((await teller.post(`${C}/invites`, {}, headers)).text, invite.text, 'the same caller gets the same reply again')
  const audit = await call('GET', `${base}/audit-logs?type=invite.created`, { key })
  for (const reply of [await teller.get(`${C}/invites`), audit]) assert.ok(reply.status === 200 && !reply.text.includes(code), reply.text)
  for (const reply of [await stranger.get(`${C}/invites`), await stranger.post(`${C}/invites`, {})])
    assertProblem(reply, 403, 'No rights to access this resource')
})

test('an invite is refused once it is used up or revoked, or its campaign is archived', async () => {
  const { teller, player, other, stranger, C } = await newGameTable()
  const accept = (person: typeof player, code: unknown) => person.post('/invites/accept', { code })
  const newCode = async (body: object) => (await teller.post(`${C}/invites`, body)).body
  assertProblem(await accept(player, 'gli_nonsense'), 404, 'Invite not found')
  assertProblem(await accept(player, ''), 400)
  const single = await newCode({ max_uses: 1 })
  assert.equal((await accept(player, single.code)).status, 200)
  assertProblem(await accept(other, single.code), 409, /used as often as it allows/)
  const revoked = await newCode({})
  assert.equal((await teller.delete(`${C}/invites/${revoked.id}`)).status, 204)
  assertProblem(await teller.delete(`${C}/invites/${revoked.id}`), 404, 'Invite not found')
  assertProblem(await accept(other, revoked.code), 404, 'Invite not found')
  const storyteller = await newCode({ role: 'STORYTELLER' })
  assertProblem(await accept(other, storyteller.code), 409, /needs the role STORYTELLER or ADMIN in the company/)
  assert.equal((await accept(stranger, storyteller.code)).body.role, 'STORYTELLER')
  const endless = await newCode({ expires_in: null })
  await teller.delete(C)
  assertProblem(await accept(other, endless.code), 404, 'Invite not found')
  await teller.post(`${C}/restore`)
  assert.equal((await accept(other, endless.code)).status, 200)
  for (const body of [{ role: 'ADMIN' }, { expires_in: 0 }, { expires_in: 31_536_001 }, { max_uses: 0 }, { max_uses: 1.5 }, { code: 'x' }])
    assertProblem(await teller.post(`${C}/invites`, body), 400)
})

test('an invite is refused once it has expired', { skip: twoProcesses }, async (t) => {
  const { teller, player, C } = await newGameTable()
  const { body } = await teller.post(`${C}/invites`, { expires_in: 60 })
  t.after(() => {
    clock.ahead = 0
  })
  clock.ahead = 61_000
  assertProblem(await player.post('/invites/accept', { code: body.code }), 409, /has expired/)
  clock.ahead = 59_000
  assert.equal((await player.post('/invites/accept', { code: body.code })).status, 200)
})

test('an invite for storytellers raises a player of the campaign', async () => {
  const { teller, stranger, C } = await newGameTable()
  await stranger.post(`${C}/join`)
  const { body } = await teller.post(`${C}/invites`, { role: 'STORYTELLER' })
  assert.equal((await stranger.post('/invites/accept', { code: body.code })).body.role, 'STORYTELLER')
  const player = await teller.post(`${C}/invites`, { role: 'PLAYER' })
  assert.equal((await stranger.post('/invites/accept', { code: player.body.code })).body.role, 'STORYTELLER', 'nobody is lowered')
})

test('of a hundred users who accept the last use at once, one becomes a member', async () => {
  const { teller, person, C } = await newGameTable()
  const people = await Promise.all(Array.from({ length: 100 }, () => person('PLAYER')))
  const { body } = await teller.post(`${C}/invites`, { max_uses: 1 })
  const replies = await Promise.all(people.map((one, i) => one.post('/invites/accept', { code: body.code }, {}, twoApps[i % 2])))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(99).fill(409)])
  assert.equal((await teller.get(`${C}/members`)).body.total, 2)
  assert.equal((await teller.get(`${C}/invites/${body.id}`)).body.uses, 1)
})

test('a user who accepts twice at once becomes a member once, and takes one use', async () => {
  const { teller, player, C, events } = await newGameTable()
  const { body } = await teller.post(`${C}/invites`, { max_uses: 2 })
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, i) => player.post('/invites/accept', { code: body.code }, {}, twoApps[i % 2])),
  )
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
  assert.equal((await teller.get(`${C}/invites/${body.id}`)).body.uses, 1)
  assert.equal((await events()).filter((type) => type === 'member.added').length, 2)
})
