import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { buildApp } from '../src/app.ts'
import { type Sql, sql } from '../src/db/sql.ts'
import { memory } from '../src/http/request/recalled-callers.ts'
import { issueKey } from '../src/resources/keys/queries.ts'
import { createUser } from '../src/resources/users/queries.ts'
import { type Answer, assertProblem, call, db, newApp, newCompany, newDeveloper, testConfig, write } from './harness.ts'
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
  await write(sql`DELETE FROM grants WHERE id = ${id}`)
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

test('whatever decides what somebody may do is looked at each time', async () => {
  const { base, developer, user } = await newCompany()
  const { id, key } = await developer('OWNER')
  const [admin, player] = [await user('ADMIN'), await user('PLAYER', 'Mina')]
  await user('ADMIN')
  const operator = await newDeveloper(true)
  const as = (actor: string) => ({ key, on, headers: { 'on-behalf-of': actor } })
  const post = { body: { name: 'New', role: 'STORYTELLER' } }
  const roll = async () =>
    String((await call('POST', `${base}/users/${player}/dice-rolls`, { key, on, body: { notation: 'd6' } })).body.text)
  const asks: [change: Sql, allowed: number, ask: () => Promise<Answer>][] = [
    [sql`UPDATE developers SET is_global_admin = false WHERE id = ${operator.id}`, 200, () => call('GET', base, { key: operator.key, on })],
    [sql`UPDATE users SET role = 'PLAYER' WHERE id = ${admin}`, 201, () => call('POST', `${base}/users`, { ...as(admin), ...post })],
    [
      sql`UPDATE companies SET settings = '{"campaign_creation": "STORYTELLER"}' WHERE id = ${base.split('/').pop()}`,
      201,
      () => call('POST', `${base}/users/${player}/campaigns`, { key, on, body: { name: 'Mine' } }),
    ],
    [sql`UPDATE grants SET permission = 'USER' WHERE id = ${id}`, 200, () => call('GET', `${base}/audit-logs`, { key, on })],
  ]
  for (const [change, allowed, ask] of asks) {
    ok(await ask(), allowed)
    ok(await ask(), allowed)
    await write(change)
    assertProblem(await ask(), 403)
  }
  assert.match(await roll(), /^Mina/)
  await write(sql`UPDATE users SET name = 'Renamed' WHERE id = ${player}`)
  assert.match(await roll(), /^Renamed/)
})

test('an Idempotency-Key that another process has answered is replayed to who may still do it, and to nobody else', async () => {
  const { base, owner, user, developer } = await newCompany()
  await user('ADMIN')
  const admin = await user('ADMIN')
  const company_id = base.split('/').pop()
  const once = () => ({ 'idempotency-key': randomUUID(), 'on-behalf-of': admin })
  const body = { name: 'Once', role: 'STORYTELLER' }
  const [known, headers, fallen] = [{ key: owner.key, on, headers: { 'on-behalf-of': admin } }, once(), once()]
  ok(await call('GET', `${base}/users`, known))
  const post = (headers: object, more = {}) => call('POST', `${base}/users`, { key: owner.key, body, headers: { ...headers }, ...more })

  const first = await post(headers)
  ok(first, 201)
  const { answer, asked } = await statementsOf(() => post(headers, { on }))
  assert.deepEqual([answer.status, answer.text, answer.headers['idempotent-replayed']], [201, first.text, 'true'])
  assert.equal(asked.length, 7)
  assert.ok(
    asked.some((text) => /ON CONFLICT \(company_id, developer_id, key_hash\)/.test(text)),
    'it was tried at once, and looked up then',
  )
  assertProblem(await post(headers, { on, body: { ...body, name: 'Other' } }), 409, /previously used with a different request body/)
  assertProblem(await post({ ...once() }, { on, body: { ...body, name: '' } }), 400)
  const [next] = await Promise.all([post(fallen), post(fallen, { on })])
  ok(next, 201)

  ok(await call('GET', `${base}/users`, known))
  await write(sql`UPDATE users SET role = 'PLAYER' WHERE id = ${admin}`)
  const unseen = once()
  assertProblem(await post(fallen, { on }), 403)
  assertProblem(await post(unseen, { on }), 403)
  await write(sql`UPDATE users SET role = 'ADMIN' WHERE id = ${admin}`)
  const other = await developer('OWNER')
  ok(await call('GET', `${base}/users`, { ...known, key: other.key }))
  await write(sql`DELETE FROM api_keys WHERE developer_id = ${other.id}`)
  assertProblem(await post(once(), { on, key: other.key }), 401)
  const made = await db.query(sql`SELECT name FROM users WHERE company_id = ${company_id} AND name = 'Once'`)
  assert.equal(made.length, 2)
  const kept = await db.query(sql`SELECT status FROM idempotency_keys WHERE company_id = ${company_id}`)
  assert.deepEqual(kept, [{ status: 201 }, { status: 201 }])
})

test('a key is the request’s own, also by who is known: it is kept when the caller had changed, and answers no other', async () => {
  const { base, owner, user } = await newCompany()
  const admin = await user('ADMIN', 'Before')
  const post = (key: string) =>
    call('POST', `${base}/users`, {
      key: owner.key,
      on,
      body: { name: 'Twice', role: 'PLAYER' },
      headers: { 'idempotency-key': key, 'on-behalf-of': admin },
    })
  const replayed = ({ headers }: Answer) => headers['idempotent-replayed'] === 'true'
  const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()]
  const first = await post(one)
  assert.deepEqual([replayed(first), replayed(await post(one))], [false, true])
  const second = await post(two)
  assert.deepEqual([second.status, replayed(second), second.body.id === first.body.id], [201, false, false])
  // Who acts is not as remembered: it is begun again, with its key.
  await write(sql`UPDATE users SET name = 'After' WHERE id = ${admin}`)
  const third = await post(three)
  const again = await post(three)
  assert.deepEqual([third.status, replayed(third), replayed(again), again.text], [201, false, true, third.text])
})

test('who waited for another with the same Idempotency-Key is asked for again after the wait', async () => {
  for (const there of ['in another process', 'in this one']) {
    const { base, owner } = await newCompany()
    const { key } = await db.transaction(async (tx) => (await issueKey(tx, owner.id)).reply)
    const body = { name: 'Waits', role: 'PLAYER', external_id: 'held' }
    const headers = { 'idempotency-key': randomUUID() }
    const post = (key: string, at?: typeof on) => call('POST', `${base}/users`, { key, body, headers, ...(at && { on: at }) })
    ok(await call('GET', `${base}/users`, { key, on }))
    ok(await call('GET', `${base}/users`, { key: owner.key, on }))
    // Whoever writes the same external_id waits for this one, which is given up in the end.
    const [held, given] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holder = db.transaction(async (tx) => {
      await createUser(tx, base.split('/').pop() as string, { ...body, role: 'PLAYER' })
      await tx.query(sql`SELECT 1 AS one`)
      held.resolve()
      await given.promise
      throw new Error('given up')
    })
    await held.promise
    const waiting = async (query: string) => {
      const find = sql`SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE ${query} AND datname = current_database()`
      for (;;) {
        const [found] = await db.query<{ pid: number }>(find)
        if (found) return found.pid
        await sleep(10)
      }
    }
    const first = post(owner.key, there === 'in this one' ? on : undefined)
    const pid = await waiting('%INSERT INTO "users"%')
    const second = post(key, on)
    if (there === 'in this one') await sleep(100)
    else await waiting('%INSERT INTO idempotency_keys%')
    await write(sql`DELETE FROM api_keys WHERE developer_id = ${owner.id} AND id <> ${owner.key_id}`)
    if (there === 'in another process') await db.query(sql`SELECT pg_terminate_backend(${pid}::int)`)
    await sleep(50)
    given.resolve()
    await assert.rejects(holder, /given up/)
    ok(await first, there === 'in this one' ? 201 : 503)
    assertProblem(await second, 401)
    const made = await db.query(sql`SELECT 1 FROM users WHERE company_id = ${base.split('/').pop()} AND external_id = 'held'`)
    assert.equal(made.length, there === 'in this one' ? 1 : 0)
  }
})

test('a key is noted as used by a write on a guess, and one that is no longer good is not', async () => {
  for (const [good, status] of [
    [true, 201],
    [false, 401],
  ] as const) {
    const app = buildApp(db, testConfig())
    const { base, owner } = await newCompany()
    ok(await call('GET', `${base}/users`, { key: owner.key, on: app }))
    const used = async () =>
      (await db.query<{ at: string | null }>(sql`SELECT date_last_used AS at FROM api_keys WHERE id = ${owner.key_id}`))[0]?.at
    await sleep(20)
    const since = new Date().toISOString()
    if (!good) await write(sql`UPDATE api_keys SET date_expires = now() - interval '1 second' WHERE id = ${owner.key_id}`)
    ok(await call('POST', `${base}/users`, { key: owner.key, on: app, body: { name: 'A', role: 'PLAYER' } }), status)
    await app.close()
    assert.equal(String(await used()) >= since, good, `${await used()} and ${since}`)
  }
})

test('a key that was revoked takes nothing of its owner’s limits', async () => {
  const app = await newApp({ RATE_LIMIT: 'on', RATE_LIMIT_BURST: '1000', RATE_LIMIT_SUSTAINED: '60', RATE_LIMIT_AUTH: '1000' })
  const { base, owner } = await newCompany()
  const { key } = await db.transaction(async (tx) => (await issueKey(tx, owner.id)).reply)
  const left = async () => {
    const { headers } = await call('GET', base, { key, on: app })
    return Number(/"sustained";r=(\d+)/.exec(headers.ratelimit ?? '')?.[1])
  }
  ok(await call('GET', `${base}/users`, { key: owner.key, on: app }))
  ok(await call('DELETE', `/api/v1/developers/me/keys/${owner.key_id}`, { key }), 204)
  const before = await left()
  for (let i = 0; i < 20; i++) assertProblem(await call('GET', `${base}/users`, { key: owner.key, on: app }), 401)
  assert.ok(before - (await left()) <= 2, 'one for the guess, one for the question')
})

test('what refers to something purged meanwhile is refused as by who comes for the first time', async () => {
  const { base, key, company_id } = await newCompany()
  const create = () => call('POST', `${base}/users`, { key, on, body: { name: 'A', role: 'PLAYER' } })
  ok(await create(), 201)
  for (const table of ['events', 'dice_seeds', 'counters', 'users', 'grants'])
    await write(sql`DELETE FROM ${sql.id(table)} WHERE company_id = ${company_id}`)
  await write(sql`DELETE FROM companies WHERE id = ${company_id}`)
  assertProblem(await create(), 403)
})

test('no more is remembered than there is room for', () => {
  const { remember, recall, forget } = memory(3)
  const visit = (company_id: string) =>
    ({ visit: { company_id }, keyHash: Buffer.from('key'), identity: { seal: company_id, developer: {} } }) as FastifyRequest
  for (const name of ['a', 'b', 'c', 'a', 'd']) remember(visit(name))
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((name) => recall(visit(name))?.seal),
    ['a', undefined, 'c', 'd'],
  )
  forget(visit('a'))
  assert.equal(recall(visit('a')), undefined)
})

test('work that always finds something is begun again when the guess lets it find nothing', async () => {
  const { base, key, player, teller, C } = await newTable()
  const paths = ['/statistics', `${C}/statistics`, '/dice-seed', `${C}/dice-seed`, '/experience', '/dice-rolls']
  const read = () => Promise.all(paths.map((path) => player.get(path, undefined, {}, on)))
  for (const answer of [...(await read()), ...(await read())]) ok(answer)
  // Whatever is in the seal has changed: the name of who acts, and the owner of the campaign.
  ok(await call('PATCH', `${base}/users/${player.id}`, { key, body: { name: 'Renamed' } }))
  ok(await call('PUT', `${base}/users/${teller.id}${C}/owner`, { key, body: { user_id: player.id } }))
  for (const answer of await read()) ok(answer)
})
