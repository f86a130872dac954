import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { connect } from '../src/db/client.ts'
import { sql } from '../src/db/sql.ts'
import { operation } from '../src/http/operation.ts'
import { operations } from '../src/resources/index.ts'
import { app, assertProblem, call, clock, db, newApp, newCompany, newDeveloper, pooler, url } from './harness.ts'

const second = connect(url, { clock: () => new Date(Date.now() + clock.ahead), readers: 2, writers: 4, pooler })
after(() => second.close())
const slow = operation({
  id: 'test.slow',
  method: 'POST',
  path: '/companies/{company_id}/slow',
  needs: { key: 'USER' },
  summary: 'Takes its time',
  reply: [201, Type.Object({ id: Type.String() })],
  emits: 'test.done',
  run: async ({ db, params }) => {
    const id = db.newId()
    await db.query(sql`SELECT pg_sleep(${(globalThis as { pause?: number }).pause ?? 0})`)
    await db.query(sql`SELECT ${params.company_id}::uuid`)
    return { before: null, after: { id } }
  },
})
const here = await newApp({}, [...operations, slow])
const there = await newApp({}, [...operations, slow], second)

const key = () => ({ 'idempotency-key': randomUUID() })
const users = (company_id: string) => db.query<{ name: string }>(sql`SELECT name FROM users WHERE company_id = ${company_id} ORDER BY id`)

test('twins at once on two apps make one row and one reply', async () => {
  const company = await newCompany()
  const headers = key()
  const replies = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      call('POST', `${company.base}/users`, {
        key: company.key,
        body: { name: 'Once', role: 'PLAYER' },
        headers,
        on: i % 2 ? here : there,
      }),
    ),
  )
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
  assert.equal(replies.filter((reply) => !reply.headers['idempotent-replayed']).length, 1)
  assert.equal((await users(company.company_id)).length, 1)
  assert.deepEqual(await company.events(), ['user.created'])
})

test('different bodies at once: one wins, the rest are refused', async () => {
  const company = await newCompany()
  const headers = key()
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      call('POST', `${company.base}/users`, {
        key: company.key,
        body: { name: `User ${i}`, role: 'PLAYER' },
        headers,
        on: i % 2 ? here : there,
      }),
    ),
  )
  assert.equal(replies.filter(({ status }) => status === 201).length, 1)
  assert.equal(replies.filter(({ status }) => status === 409).length, 39)
  assert.equal((await users(company.company_id)).length, 1)
})

test('the order of keys in a body does not matter, its values do', async () => {
  const company = await newCompany()
  const headers = key()
  const post = (body: string) =>
    call('POST', `${company.base}/users`, { key: company.key, body, headers: { ...headers, 'content-type': 'application/json' } })
  const first = await post('{"name":"A","role":"PLAYER"}')
  assert.equal((await post('{ "role": "PLAYER",\n "name": "A" }')).text, first.text)
  assertProblem(await post('{"name":"A ","role":"PLAYER"}'), 409)
  assertProblem(await post('{"name":7}'), 409, /different request body/)
})

test('a key belongs to its developer, its actor, its method and its path', async () => {
  const company = await newCompany()
  const headers = key()
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

test('the same path spelled differently is the same path', async () => {
  const company = await newCompany()
  const headers = key()
  const ask = (id: string) =>
    call('POST', `/api/v1/companies/${id}/users`, { key: company.key, body: { name: 'A', role: 'PLAYER' }, headers })
  assert.equal((await ask(company.company_id)).text, (await ask(company.company_id.toUpperCase())).text)
})

test('any other body with a seen key is that 409, however wrong it is', async () => {
  const company = await newCompany()
  const headers = { ...key(), 'content-type': 'application/json' }
  const ask = (body: string) => call('POST', `${company.base}/users`, { key: company.key, body, headers })
  assert.equal((await ask('{"name":"A","role":"PLAYER"}')).status, 201)
  for (const body of ['[]', 'null', '{}', '""', '{"name":"\\u0000"}']) assertProblem(await ask(body), 409, /different request body/)
  assertProblem(await ask('{'), 400)
})

test('a replay is refused to one who might not do it any more', async () => {
  const company = await newCompany()
  const admin = await company.developer('ADMIN')
  const headers = key()
  const ask = () => call('POST', `${company.base}/users`, { key: admin.key, body: { name: 'A', role: 'ADMIN' }, headers })
  assert.equal((await ask()).status, 201)
  await call('PUT', `${company.base}/developers/${admin.id}`, { key: company.key, body: { permission: 'USER' } })
  assertProblem(await ask(), 403)
})

test('a rotated API key of the same developer still replays', async () => {
  const company = await newCompany()
  const headers = key()
  const ask = (apiKey: string) => call('POST', `${company.base}/users`, { key: apiKey, body: { name: 'A', role: 'PLAYER' }, headers })
  const first = await ask(company.key)
  const rotated = await call('POST', `/api/v1/developers/me/keys/${company.owner.key_id}/rotate`, {
    key: company.key,
    body: { overlap_seconds: 0 },
  })
  assertProblem(await ask(company.key), 401)
  assert.equal((await ask(rotated.body.key)).text, first.text)
})

test('a reply is kept for one hour, to the second', async () => {
  const company = await newCompany()
  const headers = key()
  const ask = () => call('POST', `${company.base}/users`, { key: company.key, body: { name: 'A', role: 'PLAYER' }, headers })
  const first = await ask()
  try {
    clock.ahead = 3_595_000
    assert.equal((await ask()).text, first.text)
    clock.ahead = 3_601_000
    const later = await ask()
    assert.equal(later.status, 201)
    assert.notEqual(later.body.id, first.body.id)
    assert.equal((await ask()).text, later.text)
  } finally {
    clock.ahead = 0
  }
})

test('an expired key claimed by many at once still runs once', async () => {
  const company = await newCompany()
  const headers = key()
  const ask = (on = app) => call('POST', `${company.base}/users`, { key: company.key, body: { name: 'A', role: 'PLAYER' }, headers, on })
  await ask()
  try {
    clock.ahead = 3_700_000
    const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => ask(i % 2 ? here : there)))
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
    assert.equal((await users(company.company_id)).length, 2)
  } finally {
    clock.ahead = 0
  }
})

test('a replay answers after the thing was archived, but not to one whose permission is gone', async () => {
  const company = await newCompany()
  const admin = await company.developer('ADMIN')
  const headers = key()
  const ask = () => call('POST', `${company.base}/users`, { key: admin.key, body: { name: 'A', role: 'PLAYER' }, headers })
  const first = await ask()
  await call('DELETE', `${company.base}/users/${first.body.id}`, { key: admin.key })
  assert.equal((await ask()).text, first.text)
  await call('DELETE', `${company.base}/developers/${admin.id}`, { key: company.key })
  assertProblem(await ask(), 403)
})

test('a replay of a role that was taken away is refused', async () => {
  const company = await newCompany()
  const [actor] = [await company.user('ADMIN'), await company.user('ADMIN')]
  const headers = { ...key(), 'on-behalf-of': actor as string }
  const ask = () => call('POST', `${company.base}/users`, { key: company.key, body: { name: 'A', role: 'PLAYER' }, headers })
  assert.equal((await ask()).status, 201)
  await call('PATCH', `${company.base}/users/${actor}`, { key: company.key, body: { role: 'PLAYER' } })
  assertProblem(await ask(), 403)
})

test('a twin that waits too long is told to come back, and holds no connection meanwhile', async () => {
  const company = await newCompany()
  const headers = key()
  // The other process knows who calls, and guesses: it waits no longer for that.
  await call('GET', `${company.base}/users`, { key: company.key, on: there })
  ;(globalThis as { pause?: number }).pause = 7
  const ask = (on = here) => call('POST', `${company.base}/slow`, { key: company.key, headers, on })
  const first = ask()
  await sleep(200)
  const elsewhere = performance.now()
  let waited = 0
  const other = ask(there).finally(() => {
    waited = performance.now() - elsewhere
  })
  const twins = [...Array.from({ length: 30 }, () => ask()), other]
  await sleep(100)
  // Thirty waiting twins leave the pool of eight to others.
  const began = Date.now()
  assert.equal(
    (await call('POST', `${company.base}/users`, { key: company.key, body: { name: 'B', role: 'PLAYER' }, on: here })).status,
    201,
  )
  assert.ok(Date.now() - began < 1500, 'another request had to wait')
  for (const refused of await Promise.all(twins)) {
    assertProblem(refused, 409)
    assert.deepEqual([refused.body.code, refused.headers['retry-after']], ['idempotency_in_progress', '1'])
  }
  assert.ok(waited < 6500, `it waited ${waited} ms in the other process`)
  assert.equal((await first).status, 201)
  assert.equal((await ask()).text, (await first).text)
})

test('what is kept of a reply with a secret cannot be read without the key', async () => {
  const [operator, developer] = [await newDeveloper(true), await newDeveloper()]
  const headers = key()
  const ask = (given: Record<string, string>) =>
    call('POST', `/api/v1/admin/developers/${developer.id}/keys`, { key: operator.key, headers: given })
  const first = await ask(headers)
  assert.equal(first.status, 201)
  const [kept] = await db.query<{ body: Buffer }>(sql`SELECT body FROM idempotency_keys WHERE developer_id = ${operator.id}`)
  assert.equal(kept?.body.includes(first.body.key), false)
  assert.equal(kept?.body.includes('"prefix"'), false)
  assert.equal((await ask(headers)).text, first.text)
})

test('the raw key is not stored, nor is a reply kept for GET and DELETE', async () => {
  const company = await newCompany()
  const headers = { 'idempotency-key': 'my-very-own-key' }
  const made = await call('POST', `${company.base}/users`, { key: company.key, body: { name: 'A', role: 'PLAYER' }, headers })
  await call('GET', `${company.base}/users`, { key: company.key, headers })
  await call('DELETE', `${company.base}/users/${made.body.id}`, { key: company.key, headers })
  const rows = await db.query(sql`SELECT to_jsonb(i)::text AS text FROM idempotency_keys i WHERE company_id = ${company.company_id}`)
  assert.equal(rows.length, 1)
  assert.equal(JSON.stringify(rows).includes('my-very-own-key'), false)
})

test('an empty Idempotency-Key is 400, one of any length is taken', async () => {
  const company = await newCompany()
  const ask = (value: string) =>
    call('POST', `${company.base}/users`, { key: company.key, body: { name: 'A', role: 'PLAYER' }, headers: { 'idempotency-key': value } })
  assertProblem(await ask(''), 400)
  assertProblem(await ask('""'), 400)
  assert.equal((await ask('k'.repeat(4000))).status, 201)
})

test('the 409 quotes a long Idempotency-Key up to 100 characters', async () => {
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

test('a repeated Idempotency-Key is 400 and runs nothing, after authorization and before the body is judged', async () => {
  const company = await newCompany()
  const stranger = await newDeveloper()
  const repeated = { 'idempotency-key': ['a', 'b'] as never }
  const send = (apiKey: string, body: unknown, headers: Record<string, string> = repeated) =>
    call('POST', `${company.base}/users`, { key: apiKey, body, headers })
  const user = { name: 'Twice', role: 'PLAYER' }
  // What Node makes of the two is a key that somebody else may have sent.
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
