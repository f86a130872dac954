import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { buildApp } from '../src/app.ts'
import { type Sql, sql } from '../src/db/sql.ts'
import { CallerCache } from '../src/http/request/caller-cache.ts'
import type { Session } from '../src/http/session.ts'
import { issueKey } from '../src/resources/keys/queries.ts'
import { createUser } from '../src/resources/users/queries.ts'
import { newGameTable } from './game-table.ts'
import {
  type Answer,
  assertProblem,
  type CallOptions,
  call,
  clock,
  db,
  engine,
  newApp,
  newCompany,
  newDeveloper,
  testConfig,
  write,
} from './harness.ts'
import { recordedApp, statementsOf } from './recorded.ts'
import { until } from './until.ts'

// Each test sends a request to the recorded app, which then remembers the caller, changes the caller past that app, and sends a request again.

const assertStatus = (answer: Answer, status = 200) => assert.equal(answer.status, status, answer.text)

test('a recalled caller is confirmed in the statement that does the work', async () => {
  const { player, C } = await newGameTable()
  const read = () => player.get(`${C}/characters`, undefined, {}, recordedApp)
  assert.equal((await statementsOf(read)).sent.length, 2)
  const { answer, sent } = await statementsOf(read)
  assertStatus(answer)
  assert.equal(sent.length, 1)
  assert.match(sent[0] as string, /FROM api_keys k JOIN developers d/)
})

test('rejects a revoked key on the next request, read or write', async () => {
  const { base, owner } = await newCompany()
  const { key } = owner
  const creation = { key, on: recordedApp, body: { name: 'A', role: 'PLAYER' } }
  assertStatus(await call('GET', `${base}/users`, { key, on: recordedApp }))
  assertStatus(await call('POST', `${base}/users`, creation), 201)
  assertStatus(await call('DELETE', `/api/v1/developers/me/keys/${owner.key_id}`, { key }), 204)
  assertProblem(await call('GET', `${base}/users`, { key, on: recordedApp }), 401)
  assertProblem(await call('POST', `${base}/users`, creation), 401)
  const invalid = { ...creation, body: '{"name":', headers: { 'content-type': 'application/json' } }
  assertProblem(await call('POST', `${base}/users`, invalid), 401)
  assert.equal((await db.query(sql`SELECT 1 FROM users WHERE company_id = ${base.split('/').pop()}`)).length, 1)
})

test('confirms a recalled caller before it rejects a body that is not JSON', async () => {
  const { base, developer } = await newCompany()
  const { id, key } = await developer('ADMIN')
  assertStatus(await call('POST', `${base}/users`, { key, on: recordedApp, body: { name: 'A', role: 'PLAYER' } }), 201)
  const invalid = { key, on: recordedApp, body: '{"name":', headers: { 'content-type': 'application/json' } }
  assertProblem(await call('POST', `${base}/users`, invalid), 400)
  await write(sql`DELETE FROM grants WHERE id = ${id}`)
  assertProblem(await call('POST', `${base}/users`, invalid), 403)
})

test('a lower role rejects the next request, and a higher one allows it', async () => {
  const { base, key, teller, C, admin } = await newGameTable()
  const adjust = (danger: number) => teller.post(`${C}/adjust`, { danger }, {}, recordedApp)
  const setRole = async (role: string) =>
    assertStatus(await call('PATCH', `${base}/users/${teller.id}`, { key, headers: { 'on-behalf-of': admin.id }, body: { role } }))
  assertStatus(await adjust(1))
  assertStatus(await adjust(1))
  await setRole('PLAYER')
  assertProblem(await adjust(1), 403)
  await setRole('STORYTELLER')
  assertStatus(await adjust(1))
  assert.equal((await teller.get(C)).body.danger, 3)
})

test('a secret is hidden from the former storyteller of a campaign at once, and shown to the new one', async () => {
  const { base, key, teller, other, C } = await newGameTable()
  await teller.make(`${C}/characters`, { name: 'Hidden', type: 'NPC', visibility: 'STORYTELLER' })
  const countSeenBy = async (user: typeof teller) => (await user.get(`${C}/characters`, undefined, {}, recordedApp)).body.total
  const setRole = async (id: string, role: string) => assertStatus(await call('PATCH', `${base}/users/${id}`, { key, body: { role } }))
  assert.deepEqual([await countSeenBy(teller), await countSeenBy(teller), await countSeenBy(other), await countSeenBy(other)], [1, 1, 0, 0])
  await setRole(teller.id, 'PLAYER')
  await setRole(other.id, 'STORYTELLER')
  assertStatus(await call('PUT', `${base}/users/${teller.id}${C}/owner`, { key, body: { user_id: other.id } }))
  assert.deepEqual([await countSeenBy(teller), await countSeenBy(other)], [0, 1])
})

test('an archived company, user or campaign is rejected on the next request, and accepted on the first one after it is restored', async () => {
  const { base, key, player, teller, admin, C } = await newGameTable()
  const list = () => player.get(`${C}/characters`, undefined, {}, recordedApp)
  const create = () => player.post(`${C}/characters`, { name: 'Crane' }, {}, recordedApp)
  for (const [status, path] of [
    [404, `${base}/users/${teller.id}${C}`],
    [404, `${base}/users/${player.id}`],
    [403, base],
  ] as const) {
    assertStatus(await list())
    assertStatus(await create(), 201)
    const headers: Record<string, string> = path === `${base}/users/${player.id}` ? { 'on-behalf-of': admin.id } : {}
    assertStatus(await call('DELETE', path, { key, headers }), 204)
    assertProblem(await list(), status)
    assertProblem(await create(), status)
    assertStatus(await call('POST', `${path}/restore`, { key, headers }))
    assertStatus(await list())
  }
  assert.equal((await list()).body.total, 3, 'nothing was written while it was archived')
})

test('a recalled caller gets the same errors as an unknown caller, and each request counts once', async () => {
  const app = await newApp({ RATE_LIMIT: 'on', RATE_LIMIT_BURST: '1000', RATE_LIMIT_SUSTAINED: '60' })
  const { base, key, user } = await newCompany()
  const id = await user('PLAYER')
  const remainingAfter = (answer: Answer) => Number(/"sustained";r=(\d+)/.exec(answer.headers.ratelimit ?? '')?.[1])
  const requests: [status: number, send: () => Promise<Answer>][] = [
    [200, () => call('GET', `${base}/users/${id}`, { key, on: app })],
    [404, () => call('GET', `${base}/users/${randomUUID()}`, { key, on: app })],
    [400, () => call('GET', `${base}/users?limit=101`, { key, on: app })],
    [400, () => call('POST', `${base}/users`, { key, on: app, body: { name: '' } })],
    [201, () => call('POST', `${base}/users`, { key, on: app, body: { name: 'B', role: 'PLAYER' } })],
  ]
  const before = remainingAfter(await call('GET', `${base}/users/${id}`, { key, on: app }))
  for (const [status, send] of [...requests, ...requests]) assertStatus(await send(), status)
  const spent = before - remainingAfter(await call('GET', `${base}/users/${id}`, { key, on: app }))
  // The limit refills by one each second.
  assert.ok(spent >= requests.length * 2 - 2 && spent <= requests.length * 2 + 1, `${spent} for ${requests.length * 2 + 1} requests`)
})

test('confirms everything that decides about the rights of a caller on each request', async () => {
  const { base, developer, user } = await newCompany()
  const { id, key } = await developer('OWNER')
  const [admin, player] = [await user('ADMIN'), await user('PLAYER', 'Mina')]
  await user('ADMIN')
  const operator = await newDeveloper(true)
  const actingAs = (actor: string) => ({ key, on: recordedApp, headers: { 'on-behalf-of': actor } })
  const newUser = { body: { name: 'New', role: 'STORYTELLER' } }
  const roll = async () =>
    String((await call('POST', `${base}/users/${player}/dice-rolls`, { key, on: recordedApp, body: { notation: 'd6' } })).body.text)
  const requests: [change: Sql, allowedStatus: number, send: () => Promise<Answer>][] = [
    [
      sql`UPDATE developers SET is_global_admin = false WHERE id = ${operator.id}`,
      200,
      () => call('GET', base, { key: operator.key, on: recordedApp }),
    ],
    [
      sql`UPDATE users SET role = 'PLAYER' WHERE id = ${admin}`,
      201,
      () => call('POST', `${base}/users`, { ...actingAs(admin), ...newUser }),
    ],
    [
      sql`UPDATE companies SET settings = '{"campaign_creation": "STORYTELLER"}' WHERE id = ${base.split('/').pop()}`,
      201,
      () => call('POST', `${base}/users/${player}/campaigns`, { key, on: recordedApp, body: { name: 'Mine' } }),
    ],
    [sql`UPDATE grants SET permission = 'USER' WHERE id = ${id}`, 200, () => call('GET', `${base}/audit-logs`, { key, on: recordedApp })],
  ]
  for (const [change, allowedStatus, send] of requests) {
    assertStatus(await send(), allowedStatus)
    assertStatus(await send(), allowedStatus)
    await write(change)
    assertProblem(await send(), 403)
  }
  assert.match(await roll(), /^Mina/)
  await write(sql`UPDATE users SET name = 'Renamed' WHERE id = ${player}`)
  assert.match(await roll(), /^Renamed/)
})

test('replays an Idempotency-Key of another process only to a caller that still has the right', async () => {
  const { base, owner, user, developer } = await newCompany()
  await user('ADMIN')
  const admin = await user('ADMIN')
  const company_id = base.split('/').pop()
  const newHeaders = () => ({ 'idempotency-key': randomUUID(), 'on-behalf-of': admin })
  const body = { name: 'Once', role: 'STORYTELLER' }
  const [recalled, headers, demotedHeaders] = [
    { key: owner.key, on: recordedApp, headers: { 'on-behalf-of': admin } },
    newHeaders(),
    newHeaders(),
  ]
  assertStatus(await call('GET', `${base}/users`, recalled))
  const post = (headers: object, options: CallOptions = {}) =>
    call('POST', `${base}/users`, { key: owner.key, body, headers: { ...headers }, ...options })

  const first = await post(headers)
  assertStatus(first, 201)
  const { answer, sent } = await statementsOf(() => post(headers, { on: recordedApp }))
  assert.deepEqual([answer.status, answer.text, answer.headers['idempotent-replayed']], [201, first.text, 'true'])
  assert.equal(sent.length, engine === 'citus' ? 10 : 7)
  assert.ok(
    sent.some((text) => /ON CONFLICT \(company_id, developer_id, key_hash\)/.test(text)),
    'the key is claimed first, and looked up after the claim failed',
  )
  assertProblem(
    await post(headers, { on: recordedApp, body: { ...body, name: 'Other' } }),
    409,
    /previously used with a different request body/,
  )
  assertProblem(await post(newHeaders(), { on: recordedApp, body: { ...body, name: '' } }), 400)
  const [next] = await Promise.all([post(demotedHeaders), post(demotedHeaders, { on: recordedApp })])
  assertStatus(next, 201)

  assertStatus(await call('GET', `${base}/users`, recalled))
  await write(sql`UPDATE users SET role = 'PLAYER' WHERE id = ${admin}`)
  const unusedHeaders = newHeaders()
  assertProblem(await post(demotedHeaders, { on: recordedApp }), 403)
  assertProblem(await post(unusedHeaders, { on: recordedApp }), 403)
  await write(sql`UPDATE users SET role = 'ADMIN' WHERE id = ${admin}`)
  const other = await developer('OWNER')
  assertStatus(await call('GET', `${base}/users`, { ...recalled, key: other.key }))
  await write(sql`DELETE FROM api_keys WHERE developer_id = ${other.id}`)
  assertProblem(await post(newHeaders(), { on: recordedApp, key: other.key }), 401)
  const created = await db.query(sql`SELECT name FROM users WHERE company_id = ${company_id} AND name = 'Once'`)
  assert.equal(created.length, 2)
  const stored = await db.query(sql`SELECT status FROM idempotency_keys WHERE company_id = ${company_id}`)
  assert.deepEqual(stored, [{ status: 201 }, { status: 201 }])
})

test('stores the Idempotency-Key of a recalled caller, also after the caller changed, and replays no other key', async () => {
  const { base, owner, user } = await newCompany()
  const admin = await user('ADMIN', 'Before')
  const post = (key: string) =>
    call('POST', `${base}/users`, {
      key: owner.key,
      on: recordedApp,
      body: { name: 'Twice', role: 'PLAYER' },
      headers: { 'idempotency-key': key, 'on-behalf-of': admin },
    })
  const replayed = ({ headers }: Answer) => headers['idempotent-replayed'] === 'true'
  const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()]
  const first = await post(one)
  assert.deepEqual([replayed(first), replayed(await post(one))], [false, true])
  const second = await post(two)
  assert.deepEqual([second.status, replayed(second), second.body.id === first.body.id], [201, false, false])
  // The acting user differs from the recalled one: the request starts again with its key.
  await write(sql`UPDATE users SET name = 'After' WHERE id = ${admin}`)
  const third = await post(three)
  const repeated = await post(three)
  assert.deepEqual([third.status, replayed(third), replayed(repeated), repeated.text], [201, false, true, third.text])
})

test('a request that waited for a duplicate confirms its caller after the wait', async () => {
  for (const duplicate of ['in another process', 'in the same process']) {
    const { base, owner } = await newCompany()
    const { key } = await db.transaction(async (tx) => (await issueKey(tx, owner.id)).reply)
    const body = { name: 'Waits', role: 'PLAYER', external_id: 'held' }
    const headers = { 'idempotency-key': randomUUID() }
    const post = (key: string, on?: typeof recordedApp) => call('POST', `${base}/users`, { key, body, headers, ...(on && { on }) })
    assertStatus(await call('GET', `${base}/users`, { key, on: recordedApp }))
    assertStatus(await call('GET', `${base}/users`, { key: owner.key, on: recordedApp }))
    // Requests with the same external_id wait for this transaction, which is rolled back at the end.
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holder = db.transaction(async (tx) => {
      await createUser(tx, base.split('/').pop() as string, { ...body, role: 'PLAYER' })
      await tx.query(sql`SELECT 1 AS one`)
      held.resolve()
      await released.promise
      throw new Error('rolled back')
    })
    await held.promise
    const waitForLock = async (query: string) => {
      // On Citus a worker waits, with a statement on the shard, for the process of the coordinator that `pid` names.
      const find =
        engine === 'citus'
          ? sql`SELECT global_pid AS pid FROM citus_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
              AND query LIKE ${query.replace(/INTO "?(\w+)"?/, 'INTO public.$1_')}`
          : sql`SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE ${query} AND datname = current_database()`
      const waiting = () => db.query<{ pid: number }>(find)
      return { waiting, pid: (await until(async () => (await waiting())[0], query)).pid }
    }
    const first = post(owner.key, duplicate === 'in the same process' ? recordedApp : undefined)
    const { pid, waiting } = await waitForLock('%INSERT INTO "users"%')
    const second = post(key, recordedApp)
    // A request that came later is answered, so this one waits.
    if (duplicate === 'in the same process') assertStatus(await call('GET', `${base}/users`, { key: owner.key, on: recordedApp }))
    else await waitForLock('%INSERT INTO idempotency_keys%')
    await write(sql`DELETE FROM api_keys WHERE developer_id = ${owner.id} AND id <> ${owner.key_id}`)
    if (duplicate === 'in another process') {
      await db.query(sql`SELECT pg_terminate_backend(${pid}${engine === 'citus' ? sql`::bigint` : sql`::int`})`)
      await until(async () => !(await waiting()).some((found) => found.pid === pid), 'the end of the connection')
    }
    released.resolve()
    await assert.rejects(holder, /rolled back/)
    // One whose connection was ended did nothing, and is repeated.
    assertStatus(await first, 201)
    assertProblem(await second, 401)
    const created = await db.query(sql`SELECT 1 FROM users WHERE company_id = ${base.split('/').pop()} AND external_id = 'held'`)
    assert.equal(created.length, 1)
  }
})

test('a write by a recalled caller updates when the key was last used, unless the key has expired', async (t) => {
  for (const [isValid, status] of [
    [true, 201],
    [false, 401],
  ] as const) {
    const app = buildApp(db, testConfig())
    const { base, owner } = await newCompany()
    assertStatus(await call('GET', `${base}/users`, { key: owner.key, on: app }))
    const lastUsed = async () =>
      (await db.query<{ at: string | null }>(sql`SELECT date_last_used AS at FROM api_keys WHERE id = ${owner.key_id}`))[0]?.at
    clock.ahead = 1000
    t.after(() => {
      clock.ahead = 0
    })
    const since = new Date(Date.now() + clock.ahead).toISOString()
    if (!isValid) await write(sql`UPDATE api_keys SET date_expires = now() - interval '1 second' WHERE id = ${owner.key_id}`)
    assertStatus(await call('POST', `${base}/users`, { key: owner.key, on: app, body: { name: 'A', role: 'PLAYER' } }), status)
    await app.close()
    assert.equal(String(await lastUsed()) >= since, isValid, `${await lastUsed()} and ${since}`)
  }
})

test('requests with a revoked key do not count against the limits of its owner', async () => {
  const app = await newApp({ RATE_LIMIT: 'on', RATE_LIMIT_BURST: '1000', RATE_LIMIT_SUSTAINED: '60', RATE_LIMIT_AUTH: '1000' })
  const { base, owner } = await newCompany()
  const { key } = await db.transaction(async (tx) => (await issueKey(tx, owner.id)).reply)
  const remaining = async () => {
    const { headers } = await call('GET', base, { key, on: app })
    return Number(/"sustained";r=(\d+)/.exec(headers.ratelimit ?? '')?.[1])
  }
  assertStatus(await call('GET', `${base}/users`, { key: owner.key, on: app }))
  assertStatus(await call('DELETE', `/api/v1/developers/me/keys/${owner.key_id}`, { key }), 204)
  const before = await remaining()
  for (let i = 0; i < 20; i++) assertProblem(await call('GET', `${base}/users`, { key: owner.key, on: app }), 401)
  assert.ok(before - (await remaining()) <= 2, 'one for the recalled caller, one for the request that reads the limit')
})

test('answers 403 to a recalled caller whose company was purged', async () => {
  const { base, key, company_id } = await newCompany()
  const create = () => call('POST', `${base}/users`, { key, on: recordedApp, body: { name: 'A', role: 'PLAYER' } })
  assertStatus(await create(), 201)
  for (const table of ['events', 'dice_seeds', 'counters', 'users', 'grants'])
    await write(sql`DELETE FROM ${sql.id(table)} WHERE company_id = ${company_id}`)
  await write(sql`DELETE FROM companies WHERE id = ${company_id}`)
  assertProblem(await create(), 403)
})

test('the cache drops the least recently used caller when it is full', () => {
  const cache = new CallerCache(3)
  const session = (company_id: string) =>
    ({ target: { company_id }, credential: { hash: Buffer.from('key') }, identity: { fingerprint: company_id, developer: {} } }) as Session
  for (const name of ['a', 'b', 'c', 'a', 'd']) cache.remember(session(name))
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((name) => cache.recall(session(name))?.fingerprint),
    ['a', undefined, 'c', 'd'],
  )
  cache.forget(session('a'))
  assert.equal(cache.recall(session('a')), undefined)
})

test('a developer with many users pushes no other developer out of the cache', () => {
  const cache = new CallerCache(10)
  const session = (developer: string, i: number) =>
    ({
      target: { company_id: developer, idempotency: { key: `${i}`, key_hash: Buffer.from(`${developer} ${i}`) } },
      credential: { hash: Buffer.from(`${developer} ${i}`) },
      identity: { fingerprint: developer, developer: { id: developer } },
    }) as Session
  for (let i = 0; i < 5; i++) cache.remember(session('modest', i))
  for (let i = 0; i < 100; i++) cache.remember(session('greedy', i))
  for (let i = 0; i < 5; i++) {
    assert.equal(cache.recall(session('modest', i))?.fingerprint, 'modest')
    assert.equal(cache.developerOf(session('modest', i).credential), 'modest')
  }
  cache.noteIdempotencyKey(session('modest', 0))
  for (let i = 0; i < 10_000; i++) cache.noteIdempotencyKey(session('greedy', i))
  assert.equal(cache.noteIdempotencyKey(session('modest', 0)), true)
})

test('a read that always returns a row starts again if the recalled caller has changed', async () => {
  const { base, key, player, teller, C } = await newGameTable()
  const paths = ['/statistics', `${C}/statistics`, '/dice-seed', `${C}/dice-seed`, '/experience', '/dice-rolls']
  const read = () => Promise.all(paths.map((path) => player.get(path, undefined, {}, recordedApp)))
  for (const answer of [...(await read()), ...(await read())]) assertStatus(answer)
  // Change the fingerprint: the name of the acting user and the owner of the campaign.
  assertStatus(await call('PATCH', `${base}/users/${player.id}`, { key, body: { name: 'Renamed' } }))
  assertStatus(await call('PUT', `${base}/users/${teller.id}${C}/owner`, { key, body: { user_id: player.id } }))
  for (const answer of await read()) assertStatus(answer)
})
