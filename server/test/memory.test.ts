import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { type Answer, assertProblem, call, db, newApp, newCompany } from './harness.ts'
import { recordedApp as on, statementsOf } from './recorded.ts'
import { newTable } from './table.ts'

// What one process remembers of a caller, another process has changed: each asks `on` first, changes elsewhere, asks `on` again.

const ok = (answer: Answer, status = 200) => assert.equal(answer.status, status, answer.text)

test('who comes again is asked for in the statement of the work itself', async () => {
  const { player, C } = await newTable()
  const read = () => player.get(`${C}/characters`, undefined, {}, on)
  assert.equal((await statementsOf(read)).asked.length, 2)
  const { answer, asked } = await statementsOf(read)
  ok(answer)
  assert.equal(asked.length, 1)
  assert.match(asked[0] as string, /FROM api_keys k JOIN developers d/)
})

test('a key that was revoked is refused on the next request, whatever it asks', async () => {
  const { base, owner } = await newCompany()
  const { key } = owner
  const post = { key, on, body: { name: 'A', role: 'PLAYER' } }
  ok(await call('GET', `${base}/users`, { key, on }))
  ok(await call('POST', `${base}/users`, post), 201)
  ok(await call('DELETE', `/api/v1/developers/me/keys/${owner.key_id}`, { key }), 204)
  assertProblem(await call('GET', `${base}/users`, { key, on }), 401)
  assertProblem(await call('POST', `${base}/users`, post), 401)
  const broken = { ...post, body: '{"name":', headers: { 'content-type': 'application/json' } }
  assertProblem(await call('POST', `${base}/users`, broken), 401)
  assert.equal((await db.query(sql`SELECT 1 FROM users WHERE company_id = ${base.split('/').pop()}`)).length, 1)
})

test('what is refused by a body that cannot be read is refused to who is still known first', async () => {
  const { base, developer } = await newCompany()
  const { id, key } = await developer('ADMIN')
  ok(await call('POST', `${base}/users`, { key, on, body: { name: 'A', role: 'PLAYER' } }), 201)
  const broken = { key, on, body: '{"name":', headers: { 'content-type': 'application/json' } }
  assertProblem(await call('POST', `${base}/users`, broken), 400)
  await db.query(sql`DELETE FROM grants WHERE id = ${id}`)
  assertProblem(await call('POST', `${base}/users`, broken), 403)
})

test('a role that fell refuses the next request, and one that rose allows it', async () => {
  const { base, key, teller, C, admin } = await newTable()
  const adjust = (danger: number) => teller.post(`${C}/adjust`, { danger }, {}, on)
  const role = async (to: string) =>
    ok(await call('PATCH', `${base}/users/${teller.id}`, { key, headers: { 'on-behalf-of': admin.id }, body: { role: to } }))
  ok(await adjust(1))
  ok(await adjust(1))
  await role('PLAYER')
  assertProblem(await adjust(1), 403)
  await role('STORYTELLER')
  ok(await adjust(1))
  assert.equal((await teller.get(C)).body.danger, 3)
})

test('a secret is shown no longer to who told the campaign, and to who tells it now', async () => {
  const { base, key, teller, other, C } = await newTable()
  await teller.make(`${C}/characters`, { name: 'Hidden', type: 'NPC', visibility: 'STORYTELLER' })
  const seen = async (who: typeof teller) => (await who.get(`${C}/characters`, undefined, {}, on)).body.total
  const role = async (id: string, to: string) => ok(await call('PATCH', `${base}/users/${id}`, { key, body: { role: to } }))
  assert.deepEqual([await seen(teller), await seen(teller), await seen(other), await seen(other)], [1, 1, 0, 0])
  await role(teller.id, 'PLAYER')
  await role(other.id, 'STORYTELLER')
  ok(await call('PUT', `${base}/users/${teller.id}${C}/owner`, { key, body: { user_id: other.id } }))
  assert.deepEqual([await seen(teller), await seen(other)], [0, 1])
})

test('an archived company, user or campaign is gone on the next request, and back on the one after its return', async () => {
  const { base, key, player, teller, admin, C } = await newTable()
  const read = () => player.get(`${C}/characters`, undefined, {}, on)
  const write = () => player.post(`${C}/characters`, { name: 'Crane' }, {}, on)
  for (const [status, path] of [
    [404, `${base}/users/${teller.id}${C}`],
    [404, `${base}/users/${player.id}`],
    [403, base],
  ] as const) {
    ok(await read())
    ok(await write(), 201)
    const headers: Record<string, string> = path === `${base}/users/${player.id}` ? { 'on-behalf-of': admin.id } : {}
    ok(await call('DELETE', path, { key, headers }), 204)
    assertProblem(await read(), status)
    assertProblem(await write(), status)
    ok(await call('POST', `${path}/restore`, { key, headers }))
    ok(await read())
  }
  assert.equal((await read()).body.total, 3, 'and nothing was written in between')
})

test('what is missing, forbidden or wrong is answered as to who comes for the first time, and counted once', async () => {
  const app = await newApp({ RATE_LIMIT: 'on', RATE_LIMIT_BURST: '1000', RATE_LIMIT_SUSTAINED: '60' })
  const { base, key, user } = await newCompany()
  const id = await user('PLAYER')
  const left = (answer: Answer) => Number(/"sustained";r=(\d+)/.exec(answer.headers.ratelimit ?? '')?.[1])
  const asks: [number, () => Promise<Answer>][] = [
    [200, () => call('GET', `${base}/users/${id}`, { key, on: app })],
    [404, () => call('GET', `${base}/users/${randomUUID()}`, { key, on: app })],
    [400, () => call('GET', `${base}/users?limit=101`, { key, on: app })],
    [400, () => call('POST', `${base}/users`, { key, on: app, body: { name: '' } })],
    [201, () => call('POST', `${base}/users`, { key, on: app, body: { name: 'B', role: 'PLAYER' } })],
  ]
  const before = left(await call('GET', `${base}/users/${id}`, { key, on: app }))
  for (const [status, ask] of [...asks, ...asks]) ok(await ask(), status)
  const spent = before - left(await call('GET', `${base}/users/${id}`, { key, on: app }))
  // One comes back each second.
  assert.ok(spent >= asks.length * 2 - 2 && spent <= asks.length * 2 + 1, `${spent} for ${asks.length * 2 + 1} requests`)
})
