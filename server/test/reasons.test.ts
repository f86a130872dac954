import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Denial, REASONS, type Reason, whyDenied } from '../src/core/denial.ts'
import { newGameTable } from './game-table.ts'
import { type Answer, assertProblem, call, clock, newCompany, newDeveloper } from './harness.ts'

function assertDenied(reply: Answer, reason: Reason, needs?: Denial['needs']): void {
  assertProblem(reply, 403, 'No rights to access this resource')
  assert.deepEqual([reply.body.reason, reply.body.needs], [reason, needs], reply.text)
  assert.equal(reply.body.why, whyDenied({ reason, ...(needs && { needs }) }))
}

test('a 403 says why, and what would be enough', async () => {
  const { base, key, player, other, teller, stranger, C } = await newGameTable()
  const userKey = (await (await newCompany()).developer('USER')).key
  const hero = await player.make(`${C}/characters`, { name: 'Hero' })
  const note = await player.make(`${C}/notes`, { title: 'Clue' })
  const own = await player.make('/campaigns', { name: 'My own' })
  assertDenied(await call('GET', `${base}/users`, { key: userKey }), 'company_access')
  assertDenied(await call('GET', '/api/v1/admin/developers', { key: (await newDeveloper()).key }), 'global_admin')
  assertDenied(await call('GET', `${base}/audit-logs`, { key, headers: { 'on-behalf-of': teller.id } }), 'role', { role: 'ADMIN' })
  assertDenied(await player.post(`${C}/adjust`, { danger: 1 }), 'role', { role: 'STORYTELLER' })
  assertDenied(await player.post(`/campaigns/${own}/characters`, { name: 'x', type: 'NPC' }), 'role', { role: 'STORYTELLER' })
  assertDenied(await stranger.post(`${C}/characters`, { name: 'x', type: 'NPC' }), 'not_a_storyteller')
  assertDenied(await stranger.put(`${C}/owner`, { user_id: stranger.id }), 'not_the_owner')
  assertDenied(await other.patch(`${C}/characters/${hero}`, { name: 'Mine' }), 'not_your_character')
  assertDenied(await other.patch(`${C}/notes/${note}`, { title: 'Mine' }), 'not_yours')
  assertDenied(await other.post('/dice-rolls', { notation: '1d6', character_id: hero }), 'not_your_character')
  await call('PATCH', base, { key, body: { settings: { campaign_creation: 'STORYTELLER' } } })
  assertDenied(await player.post('/campaigns', { name: 'x' }), 'company_settings', { role: 'STORYTELLER' })
})

test('a 403 names the permission that the key lacks', async () => {
  const { base, developer, user } = await newCompany()
  const { key } = await developer('USER')
  const id = await user('PLAYER')
  assertDenied(await call('DELETE', `${base}/users/${id}`, { key }), 'key_permission', { permission: 'ADMIN' })
  assertDenied(await call('PATCH', `${base}/users/${id}`, { key, body: { name: 'x' } }), 'key_permission', { permission: 'ADMIN' })
  assertDenied(await call('POST', `${base}/users`, { key, body: { name: 'x', role: 'ADMIN' } }), 'key_permission', { permission: 'ADMIN' })
  assertDenied(await call('PATCH', base, { key, body: { name: 'x' } }), 'key_permission', { permission: 'OWNER' })
  assertDenied(await call('GET', `/api/v1/companies/${randomUUID()}`, { key }), 'company_access')
})

test('players who reverse their own spend too late, or the spend of somebody else, are told which', async () => {
  const { player, other, teller, C } = await newGameTable()
  await teller.post(`${C}/experience/awards`, { user_ids: [player.id, other.id], amount: 5, reason: 'x' })
  const spend = await player.post(`${C}/experience/spends`, { amount: 1, reason: 'x' })
  const path = `${C}/experience/entries/${spend.body.id}/reverse`
  assertDenied(await other.post(path, { reason: 'x' }), 'role', { role: 'STORYTELLER' })
  clock.ahead = 25 * 3_600_000
  assertDenied(await player.post(path, { reason: 'x' }), 'too_late')
})

test('the words of a denial say what would be enough', () => {
  const cases: [Denial, words: string][] = [
    [{ reason: 'not_a_storyteller' }, 'only the storytellers of the campaign may do this'],
    [{ reason: 'role', needs: { role: 'STORYTELLER' } }, 'the acting user needs the role STORYTELLER or higher'],
    [{ reason: 'role', needs: { role: 'ADMIN' } }, 'the acting user needs the role ADMIN'],
    [{ reason: 'role' }, 'the role of the acting user in the company is too low'],
    [{ reason: 'key_permission', needs: { permission: 'ADMIN' } }, 'the key needs the permission ADMIN or higher'],
    [{ reason: 'key_permission', needs: { permission: 'OWNER' } }, 'the key needs the permission OWNER'],
    [
      { reason: 'company_settings', needs: { role: 'STORYTELLER' } },
      'the settings of the company forbid it; the acting user needs the role STORYTELLER or higher',
    ],
  ]
  for (const [denial, words] of cases) assert.equal(whyDenied(denial), words)
  for (const reason of Object.keys(REASONS) as Reason[]) assert.match(whyDenied({ reason }), /^[a-z].*[a-zA-Z]$/)
})
