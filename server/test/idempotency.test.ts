import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { Type } from '@guildhall/rules/type'
import type { FastifyInstance } from 'fastify'
import { connect } from '../src/db/client.ts'
import { sql } from '../src/db/sql.ts'
import { operation } from '../src/http/operation.ts'
import { below, COMPANY } from '../src/http/path.ts'
import { MAX_WAITING_DUPLICATES } from '../src/http/request/idempotency.ts'
import { operations } from '../src/resources/index.ts'
import { app, assertProblem, call, clock, db, engine, newApp, newCompany, newDeveloper, pooler, url } from './harness.ts'
import { newWaitingApp } from './locks.ts'

const secondDatabase = connect(url, { clock: () => new Date(Date.now() + clock.ahead), readers: 2, writers: 4, pooler, engine })
after(() => secondDatabase.close())
/** The slow operation resolves the one when it has begun, and waits for the other. */
let [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
const slow = operation({
  id: 'test.slow',
  method: 'POST',
  path: below(COMPANY, 'slow'),
  needs: { key: 'USER' },
  summary: 'Takes until its gate is open',
  reply: [201, Type.Object({ id: Type.String() })],
  emits: ['user.created'],
  run: async ({ db, params }) => {
    const id = db.newId()
    await db.query(sql`SELECT ${params.company_id}::uuid`)
    begun.resolve()
    await gate.promise
    return { before: null, after: { id } }
  },
})
const firstApp = await newApp({}, [...operations, slow])
const otherApp = await newApp({}, [...operations, slow], secondDatabase)

const newIdempotencyKey = () => ({ 'idempotency-key': randomUUID() })
const users = (company_id: string) => db.query<{ name: string }>(sql`SELECT name FROM users WHERE company_id = ${company_id} ORDER BY id`)

test('concurrent duplicates on two apps create one row and get one reply', async () => {
  const company = await newCompany()
  const headers = newIdempotencyKey()
  const replies = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      call('POST', `${company.base}/users`, {
        key: company.key,
        body: { name: 'Once', role: 'PLAYER' },
        headers,
        on: i % 2 ? firstApp : otherApp,
      }),
    ),
  )
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
  assert.equal(replies.filter((reply) => !reply.headers['idempotent-replayed']).length, 1)
  assert.equal((await users(company.company_id)).length, 1)
  assert.deepEqual(await company.events(), ['user.created'])
})

test('of concurrent requests with one key and different bodies, one succeeds and the others are rejected', async () => {
  const company = await newCompany()
  const headers = newIdempotencyKey()
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      call('POST', `${company.base}/users`, {
        key: company.key,
        body: { name: `User ${i}`, role: 'PLAYER' },
        headers,
        on: i % 2 ? firstApp : otherApp,
      }),
    ),
  )
  assert.equal(replies.filter(({ status }) => status === 201).length, 1)
  assert.equal(replies.filter(({ status }) => status === 409).length, 39)
  assert.equal((await users(company.company_id)).length, 1)
})

test('the order of the fields of a body does not matter, their values do', async () => {
  const company = await newCompany()
  const headers = newIdempotencyKey()
  const post = (body: string) =>
    call('POST', `${company.base}/users`, { key: company.key, body, headers: { ...headers, 'content-type': 'application/json' } })
  const first = await post('{"name":"A","role":"PLAYER"}')
  assert.equal((await post('{ "role": "PLAYER",\n "name": "A" }')).text, first.text)
  assertProblem(await post('{"name":"A ","role":"PLAYER"}'), 409)
  assertProblem(await post('{"name":7}'), 409, /different request body/)
})

test('a key is scoped to its developer, acting user, method and path', async () => {
  const company = await newCompany()
  const headers = newIdempotencyKey()
  const body = { name: 'Same', role: 'PLAYER' }
  const [admin, other] = [await company.user('ADMIN'), await company.developer('ADMIN')]
  const replies = [
    await call('POST', `${company.base}/users`, { key: company.key, body, headers }),
    await call('POST', `${company.base}/users`, { key: other.key, body, headers }),
    await call('POST', `${company.base}/users`, { key: company.key, body, headers: { ...headers, 'on-behalf-of': admin } }),
    await call('POST', '/api/v1/companies', { key: company.key, body: { name: 'Same' }, headers }),
  ]
  assert.deepEqual(
    replies.map(({ status }) => status),
    [201, 201, 201, 201],
  )
  assert.equal(new Set(replies.map(({ body: { id } }) => id)).size, 4)
})

test('a path with its id in upper case is the same path', async () => {
  const company = await newCompany()
  const headers = newIdempotencyKey()
  const send = (id: string) =>
    call('POST', `/api/v1/companies/${id}/users`, { key: company.key, body: { name: 'A', role: 'PLAYER' }, headers })
  assert.equal((await send(company.company_id)).text, (await send(company.company_id.toUpperCase())).text)
})

test('answers 409 to any other JSON body with a used key, even to an invalid one', async () => {
  const company = await newCompany()
  const headers = { ...newIdempotencyKey(), 'content-type': 'application/json' }
  const send = (body: string) => call('POST', `${company.base}/users`, { key: company.key, body, headers })
  assert.equal((await send('{"name":"A","role":"PLAYER"}')).status, 201)
  for (const body of ['[]', 'null', '{}', '""', '{"name":"\\u0000"}']) assertProblem(await send(body), 409, /different request body/)
  assertProblem(await send('{'), 400)
})

test('rejects a replay if the permission of the developer no longer suffices', async () => {
  const company = await newCompany()
  const admin = await company.developer('ADMIN')
  const headers = newIdempotencyKey()
  const send = () => call('POST', `${company.base}/users`, { key: admin.key, body: { name: 'A', role: 'ADMIN' }, headers })
  assert.equal((await send()).status, 201)
  await call('PUT', `${company.base}/developers/${admin.id}`, { key: company.key, body: { permission: 'USER' } })
  assertProblem(await send(), 403)
})

test('replays to a rotated API key of the same developer', async () => {
  const company = await newCompany()
  const headers = newIdempotencyKey()
  const send = (apiKey: string) => call('POST', `${company.base}/users`, { key: apiKey, body: { name: 'A', role: 'PLAYER' }, headers })
  const first = await send(company.key)
  const rotated = await call('POST', `/api/v1/developers/me/keys/${company.owner.key_id}/rotate`, {
    key: company.key,
    body: { overlap_seconds: 0 },
  })
  assertProblem(await send(company.key), 401)
  assert.equal((await send(rotated.body.key)).text, first.text)
})

test('replays for one hour, to the second', async () => {
  const company = await newCompany()
  const headers = newIdempotencyKey()
  const send = () => call('POST', `${company.base}/users`, { key: company.key, body: { name: 'A', role: 'PLAYER' }, headers })
  const first = await send()
  try {
    clock.ahead = 3_595_000
    assert.equal((await send()).text, first.text)
    clock.ahead = 3_601_000
    const later = await send()
    assert.equal(later.status, 201)
    assert.notEqual(later.body.id, first.body.id)
    assert.equal((await send()).text, later.text)
  } finally {
    clock.ahead = 0
  }
})

test('concurrent requests with an expired key run once', async () => {
  const company = await newCompany()
  const headers = newIdempotencyKey()
  const send = (on = app) => call('POST', `${company.base}/users`, { key: company.key, body: { name: 'A', role: 'PLAYER' }, headers, on })
  await send()
  try {
    clock.ahead = 3_700_000
    const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => send(i % 2 ? firstApp : otherApp)))
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
    assert.equal((await users(company.company_id)).length, 2)
  } finally {
    clock.ahead = 0
  }
})

test('replays after the created user is archived, but not after the developer lost access', async () => {
  const company = await newCompany()
  const admin = await company.developer('ADMIN')
  const headers = newIdempotencyKey()
  const send = () => call('POST', `${company.base}/users`, { key: admin.key, body: { name: 'A', role: 'PLAYER' }, headers })
  const first = await send()
  await call('DELETE', `${company.base}/users/${first.body.id}`, { key: admin.key })
  assert.equal((await send()).text, first.text)
  await call('DELETE', `${company.base}/developers/${admin.id}`, { key: company.key })
  assertProblem(await send(), 403)
})

test('rejects a replay if the role of the acting user no longer suffices', async () => {
  const company = await newCompany()
  const [actor] = [await company.user('ADMIN'), await company.user('ADMIN')]
  const headers = { ...newIdempotencyKey(), 'on-behalf-of': actor as string }
  const send = () => call('POST', `${company.base}/users`, { key: company.key, body: { name: 'A', role: 'PLAYER' }, headers })
  assert.equal((await send()).status, 201)
  await call('PATCH', `${company.base}/users/${actor}`, { key: company.key, body: { role: 'PLAYER' } })
  assertProblem(await send(), 403)
})

/** Sends a request whose work goes on until `open` is called. */
async function sendSlow(app: FastifyInstance) {
  const { base, key } = await newCompany()
  ;[begun, gate] = [Promise.withResolvers(), Promise.withResolvers()]
  const headers = newIdempotencyKey()
  const send = (on: FastifyInstance) => call('POST', `${base}/slow`, { key, headers, on })
  const post = (on: FastifyInstance) => call('POST', `${base}/users`, { key, body: { name: 'B', role: 'PLAYER' }, on })
  const first = send(app)
  await begun.promise
  return { first, send, post, open: gate.resolve }
}

test('300 duplicates wait for the reply of the first, and hold no connection; further ones get 409', async () => {
  const { app } = await newWaitingApp(60_000, [...operations, slow])
  const { first, send, post, open } = await sendSlow(app)
  const duplicates = Array.from({ length: MAX_WAITING_DUPLICATES + 1 }, () => send(app))
  const refused = await Promise.race(duplicates)
  assertProblem(refused, 409)
  assert.equal((await post(app)).status, 201, 'the pool of four connections is free for other requests')
  open()
  const { text } = await first
  for (const one of await Promise.all(duplicates)) if (one !== refused) assert.deepEqual([one.status, one.text], [201, text])
})

test('a duplicate that waits too long gets 409 with Retry-After', async () => {
  const [one, other] = [await newWaitingApp(300, [...operations, slow]), await newWaitingApp(300, [...operations, slow])]
  const { first, send, post, open } = await sendSlow(one.app)
  // The other app recalls the caller, which must not make the duplicate wait twice.
  assert.equal((await post(other.app)).status, 201)
  const duplicates = await Promise.all([...Array.from({ length: 30 }, () => send(one.app)), send(other.app)])
  for (const refused of duplicates) {
    assertProblem(refused, 409)
    assert.deepEqual([refused.body.code, refused.headers['retry-after']], ['idempotency_in_progress', '1'])
  }
  assert.equal(other.failed.count, 1, 'the duplicate on the other app waits once')
  open()
  assert.equal((await first).status, 201)
  assert.equal((await send(one.app)).text, (await first).text)
})

test('a stored reply that contains a secret cannot be read without the key', async () => {
  const [operator, developer] = [await newDeveloper(true), await newDeveloper()]
  const headers = newIdempotencyKey()
  const send = (headers: Record<string, string>) =>
    call('POST', `/api/v1/admin/developers/${developer.id}/keys`, { key: operator.key, headers })
  const first = await send(headers)
  assert.equal(first.status, 201)
  const [stored] = await db.query<{ body: Buffer }>(sql`SELECT body FROM idempotency_keys WHERE developer_id = ${operator.id}`)
  assert.equal(stored?.body.includes(first.body.key), false)
  assert.equal(stored?.body.includes('"prefix"'), false)
  assert.equal((await send(headers)).text, first.text)
})

test('stores no raw key, and no replies to GET and DELETE', async () => {
  const company = await newCompany()
  const headers = { 'idempotency-key': 'my-very-own-key' }
  const created = await call('POST', `${company.base}/users`, { key: company.key, body: { name: 'A', role: 'PLAYER' }, headers })
  await call('GET', `${company.base}/users`, { key: company.key, headers })
  await call('DELETE', `${company.base}/users/${created.body.id}`, { key: company.key, headers })
  const rows = await db.query(sql`SELECT to_jsonb(i)::text AS text FROM idempotency_keys i WHERE company_id = ${company.company_id}`)
  assert.equal(rows.length, 1)
  assert.equal(JSON.stringify(rows).includes('my-very-own-key'), false)
})

test('rejects an empty Idempotency-Key, and accepts one of 4,000 characters', async () => {
  const company = await newCompany()
  const send = (value: string) =>
    call('POST', `${company.base}/users`, { key: company.key, body: { name: 'A', role: 'PLAYER' }, headers: { 'idempotency-key': value } })
  assertProblem(await send(''), 400)
  assertProblem(await send('""'), 400)
  assert.equal((await send('k'.repeat(4000))).status, 201)
})

test('the 409 quotes at most 100 characters of a long Idempotency-Key', async () => {
  const company = await newCompany()
  for (const [length, quoted] of [
    [100, 'k'.repeat(100)],
    [101, `${'k'.repeat(100)}…`],
    [5000, `${'k'.repeat(100)}…`],
  ] as const) {
    const send = (name: string) =>
      call('POST', `${company.base}/users`, {
        key: company.key,
        body: { name, role: 'PLAYER' },
        headers: { 'idempotency-key': 'k'.repeat(length) },
      })
    assert.equal((await send('First')).status, 201)
    assertProblem(
      await send('Second'),
      409,
      `Idempotency key '${quoted}' was previously used with a different request body. Each unique request must use a unique idempotency key.`,
    )
  }
})

test('rejects a repeated Idempotency-Key after authorization and before validation, and runs nothing', async () => {
  const company = await newCompany()
  const stranger = await newDeveloper()
  const repeated = { 'idempotency-key': ['a', 'b'] as never }
  const send = (apiKey: string, body: unknown, headers: Record<string, string> = repeated) =>
    call('POST', `${company.base}/users`, { key: apiKey, body, headers })
  const user = { name: 'Twice', role: 'PLAYER' }
  // Node joins the two values to one that another request may have sent as its key.
  assert.equal((await send(company.key, user, { 'idempotency-key': 'a, b' })).status, 201)
  for (const body of [user, { name: 'Other', role: 'PLAYER' }, { nonsense: 1 }]) {
    for (let i = 0; i < 2; i++) {
      const reply = await send(company.key, body)
      assertProblem(reply, 400, 'Validation failed for one or more fields.')
      assert.deepEqual(reply.body.invalid_parameters, [{ field: 'Idempotency-Key', message: 'must not be sent more than once' }])
    }
  }
  assertProblem(await send(company.key, user, { 'idempotency-key': ['same', 'same'] as never }), 400)
  assertProblem(await send(stranger.key, user), 403)
  assert.deepEqual(await company.events(), ['user.created'])
  assert.equal((await call('GET', `${company.base}/users`, { key: company.key, headers: repeated })).status, 200, 'GET ignores it')
})
