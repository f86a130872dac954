import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectTo } from 'node:net'
import { test } from 'node:test'
import { buildApp } from '../src/app.ts'
import { sql } from '../src/db/sql.ts'
import { newGameTable, twoApps } from './game-table.ts'
import { type Answer, assertProblem, call, db, newApp, newCompany, stopClock, testConfig, url, write } from './harness.ts'
import { recordedApp, statementsOf } from './recorded.ts'
import { ask, startService } from './service.ts'

// The pipeline with user tokens: the cache of callers, several processes, limits, and pages of other origins.

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` })
const assertStatus = (answer: Answer, status = 200) => assert.equal(answer.status, status, answer.text)

async function issue(base: string, key: string, user_id: string, body: object = {}) {
  const issued = await call('POST', `${base}/users/${user_id}/tokens`, { key, body })
  assert.equal(issued.status, 201, issued.text)
  return { id: issued.body.id, token: String(issued.body.token) }
}

test('a token takes as many statements as a key', async () => {
  const { base, key, player, C } = await newGameTable()
  const { token } = await issue(base, key, player.id)
  const N = `${base}/users/${player.id}`
  const count = async (send: () => Promise<Answer>, status: number) => {
    const { answer, sent } = await statementsOf(send)
    assertStatus(answer, status)
    return sent.length
  }
  const get = (path: string) => () => call('GET', path, { headers: bearer(token), on: recordedApp })
  for (const path of [`${N}${C}/characters`, `${base}/users`])
    assert.deepEqual([await count(get(path), 200), await count(get(path), 200)], [2, 1], path)
  // The user of the token acts in its company here, too, so the caller is the one that was cached before.
  assert.equal(await count(get('/api/v1/me'), 200), 1)
  const create = (credential: object) => () => call('POST', `${N}${C}/notes`, { ...credential, on: recordedApp, body: { title: 'A' } })
  const counts = []
  for (const credential of [{ key }, { headers: bearer(token) }]) {
    // The first write makes the user a member, which changes the cached caller.
    for (let i = 0; i < 2; i++) await create(credential)()
    counts.push(await count(create(credential), 201))
  }
  assert.equal(counts[1], counts[0])
  const forged = `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`
  assert.equal(await count(() => call('GET', `${base}/users`, { headers: bearer(forged), on: recordedApp }), 401), 0)
})

test('an operation with a key sends the same statements in either header', async () => {
  const { base, key } = await newCompany()
  const texts = []
  for (const credential of [{ key }, { key }, { headers: bearer(key) }])
    texts.push((await statementsOf(() => call('GET', `${base}/users`, { ...credential, on: recordedApp }))).sent)
  assert.deepEqual(texts[2], texts[1], 'the caller is cached by the key, whichever header has it')
  for (const text of texts.flat()) assert.equal(text.includes('user_tokens'), false)
})

test('with a token, every statement compares every table with the company', async () => {
  const { base, key, player, C } = await newGameTable()
  const { token, id } = await issue(base, key, player.id)
  const N = `${base}/users/${player.id}`
  const send = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
    const headers = { ...bearer(token), ...(method === 'POST' && { 'idempotency-key': randomUUID() }) }
    const { answer, withValues } = await statementsOf(() => call(method, path, { headers, on: recordedApp, ...(body && { body }) }))
    assert.ok(answer.status < 300, answer.text)
    for (const { text, values } of withValues) {
      for (const [, alias] of text.matchAll(/\b(?:FROM|JOIN) (?:user_tokens|users|grants) (\w)\b/g))
        assert.match(text, new RegExp(`\\b${alias}\\.company_id = \\$\\d`), text)
      assert.equal(values.includes(undefined), false)
    }
  }
  for (let i = 0; i < 2; i++) for (const path of [`${N}${C}`, `${base}/users`, '/api/v1/me', `${N}/tokens/${id}`]) await send('GET', path)
  await send('POST', `${N}${C}/notes`, { title: 'A' })
  await send('DELETE', `${N}/tokens/${id}`)
})

test('what changes on one process is seen by the next request on the other', async () => {
  const [one, two] = twoApps
  const changes: [string, (table: Awaited<ReturnType<typeof newCompany>>, user_id: string, token_id: string) => Promise<Answer>, number][] =
    [
      ['revoked', ({ base, key }, user_id) => call('POST', `${base}/users/${user_id}/tokens/revoke`, { key, on: one }), 401],
      ['deleted', ({ base, key }, user_id, id) => call('DELETE', `${base}/users/${user_id}/tokens/${id}`, { key, on: one }), 401],
      ['the key revoked', ({ key, owner }) => call('DELETE', `/api/v1/developers/me/keys/${owner.key_id}`, { key, on: one }), 401],
      ['the user archived', ({ base, key }, user_id) => call('DELETE', `${base}/users/${user_id}`, { key, on: one }), 404],
      ['the company archived', ({ base, key }) => call('DELETE', base, { key, on: one }), 403],
    ]
  for (const [name, change, status] of changes) {
    const company = await newCompany()
    const { base, key, user } = company
    const user_id = await user('PLAYER')
    const { token, id } = await issue(base, key, user_id)
    const read = () => call('GET', `${base}/users`, { headers: bearer(token), on: two })
    const rename = () => call('PATCH', `${base}/users/${user_id}`, { headers: bearer(token), on: two, body: { name: randomUUID() } })
    for (let i = 0; i < 2; i++) for (const send of [read, rename]) assertStatus(await send())
    assert.ok((await change(company, user_id, id)).status < 300, name)
    for (const send of [read, rename]) assert.equal((await send()).status, status, name)
  }
})

test('a removed grant or a lower role is seen by the next request on the other process', async () => {
  const [one, two] = twoApps
  const { base, key, developer, user } = await newCompany()
  const issuer = await developer('ADMIN')
  const user_id = await user('STORYTELLER')
  const { token } = await issue(base, issuer.key, user_id)
  const campaign = await call('POST', `${base}/users/${user_id}/campaigns`, { headers: bearer(token), on: two, body: { name: 'Mine' } })
  const adjust = () =>
    call('POST', `${base}/users/${user_id}/campaigns/${campaign.body.id}/adjust`, { headers: bearer(token), on: two, body: { danger: 0 } })
  assertStatus(await adjust())
  assertStatus(await call('PATCH', `${base}/users/${user_id}`, { key, on: one, body: { role: 'PLAYER' } }))
  assert.deepEqual([(await adjust()).status, (await adjust()).body.reason], [403, 'role'])
  assertStatus(await call('DELETE', `${base}/developers/${issuer.id}`, { key, on: one }), 204)
  assert.deepEqual([(await adjust()).status, (await adjust()).body.reason], [403, 'company_access'])
})

test('two real processes agree on a revoked token', async () => {
  const [one, two] = await Promise.all([startService({ DATABASE_URL: url }), startService({ DATABASE_URL: url })])
  const { base, key, user } = await newCompany()
  const user_id = await user('PLAYER')
  const issued = await ask(one, 'POST', `${base}/users/${user_id}/tokens`, key, {})
  const read = () => ask(two, 'GET', `${base}/users`, '', undefined, bearer(String(issued.body.token)))
  for (let i = 0; i < 3; i++) assert.equal((await read()).status, 200)
  assert.deepEqual((await ask(one, 'POST', `${base}/users/${user_id}/tokens/revoke`, key)).body, { revoked: 1 })
  assert.equal((await read()).status, 401)
})

test('a token that is revoked while the body of its request arrives writes nothing', async () => {
  const app = await newApp()
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { base, key, user } = await newCompany()
  const user_id = await user('PLAYER')
  const { token, id } = await issue(base, key, user_id)
  const body = JSON.stringify({ name: 'Too late' })
  const socket = connectTo((app.server.address() as { port: number }).port, '127.0.0.1')
  let reply = ''
  socket.on('data', (text) => (reply += text))
  socket.write(
    `PATCH ${base}/users/${user_id} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body.slice(0, 5)}`,
  )
  await once(app.server, 'request')
  // A request that came later is answered, so this one waits for its body.
  assertStatus(await call('GET', `${base}/users`, { headers: { authorization: `Bearer ${token}` }, on: app }))
  assertStatus(await call('DELETE', `${base}/users/${user_id}/tokens/${id}`, { key }), 204)
  socket.write(body.slice(5))
  await once(socket, 'close')
  assert.match(reply, /^HTTP\/1\.1 401 /)
  const [row] = await db.query<{ name: string }>(sql`SELECT name FROM users WHERE id = ${user_id}`)
  assert.equal(row?.name, 'A player')
})

test('the last use of a token and of its key is written, without a statement of the request', async () => {
  const app = buildApp(db, testConfig())
  const { base, key, owner, user } = await newCompany()
  const user_id = await user('PLAYER')
  const [used, unused] = [await issue(base, key, user_id), await issue(base, key, user_id)]
  const since = new Date().toISOString()
  for (let i = 0; i < 2; i++) assertStatus(await call('GET', `${base}/users`, { headers: bearer(used.token), on: app }))
  await app.close()
  const seen = async ({ id }: { id: string }) => (await call('GET', `${base}/users/${user_id}/tokens/${id}`, { key })).body
  const { date_last_used, version } = await seen(used)
  assert.ok(String(date_last_used) >= since)
  assert.deepEqual([version, (await seen(unused)).date_last_used], [1, null])
  const [row] = await db.query<{ at: string }>(sql`SELECT date_last_used AS at FROM api_keys WHERE id = ${owner.key_id}`)
  assert.ok(String(row?.at) >= since)
})

const LIMITS = {
  RATE_LIMIT: 'on',
  RATE_LIMIT_BURST: '50',
  RATE_LIMIT_SUSTAINED: '100',
  RATE_LIMIT_USER_BURST: '4',
  RATE_LIMIT_USER_SUSTAINED: '9',
  RATE_LIMIT_AUTH: '3',
}

test('a user has a limit of their own for all tokens together, and does not use up that of the developer', async (t) => {
  stopClock(t)
  const app = await newApp(LIMITS)
  const { base, key, user } = await newCompany()
  const [user_id, other_id] = [await user('PLAYER'), await user('PLAYER')]
  const tokens = [await issue(base, key, user_id), await issue(base, key, user_id)].map(({ token }) => token)
  const send = (credential: string) => call('GET', `${base}/users`, { headers: bearer(credential), on: app })
  const first = await send(tokens[0] as string)
  assert.equal(first.headers['ratelimit-policy'], '"user";q=4;w=1, "user-sustained";q=9;w=60')
  assert.match(first.headers.ratelimit ?? '', /^"user";r=3;t=0, "user-sustained";r=8;t=0$/)
  for (let i = 1; i < 4; i++) assertStatus(await send(tokens[i % 2] as string))
  const refused = await send(tokens[0] as string)
  assertProblem(refused, 429)
  assert.equal(refused.headers['retry-after'], '1')
  assertStatus(await send((await issue(base, key, other_id)).token))
  assert.match((await send(key)).headers.ratelimit ?? '', /"burst";r=49;.*"sustained";r=99;/)
})

test('an expired token counts for its user, a made-up one for its address', async (t) => {
  stopClock(t)
  const app = await newApp(LIMITS)
  const { base, key, company_id, user } = await newCompany()
  const { token } = await issue(base, key, await user('PLAYER'))
  await write(sql`UPDATE user_tokens SET date_expires = now() - interval '1 second' WHERE company_id = ${company_id}`)
  const send = (credential: string) => call('GET', `${base}/users`, { headers: bearer(credential), on: app })
  for (let i = 0; i < 4; i++) assert.equal((await send(token)).body.code, 'token_expired')
  assertProblem(await send(token), 429)
  for (let i = 0; i < 3; i++) assertProblem(await send('glu_nonsense'), 401)
  assertProblem(await send('glu_nonsense'), 429)
})

const preflight = (app: typeof recordedApp, origin: string, asked: string) =>
  call('OPTIONS', '/api/v1/companies', {
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': asked },
    on: app,
  })

test('CORS_ORIGINS=* allows any page with a token, and none with a key', async () => {
  const app = await newApp({ CORS_ORIGINS: '*, https://play.example' })
  const { base, key, user } = await newCompany()
  const { token } = await issue(base, key, await user('PLAYER'))
  const page = 'https://any.example'
  const allowed = ({ headers }: Answer) => headers['access-control-allow-origin']
  for (const asked of ['authorization', 'authorization,content-type', 'Authorization, If-Match', 'content-type', 'not-x-api-key']) {
    const reply = await preflight(app, page, asked)
    assert.deepEqual([reply.status, allowed(reply), reply.headers['access-control-allow-headers']], [204, '*', asked])
    assert.match(reply.headers.vary ?? '', /Origin/)
  }
  for (const asked of ['x-api-key', 'X-API-KEY', 'authorization,x-api-key', 'content-type, x-api-key , if-match'])
    for (const origin of [page, 'null', 'https://play.example.evil.example'])
      assert.equal(allowed(await preflight(app, origin, asked)), undefined)
  assert.equal(allowed(await preflight(app, 'https://play.example', 'x-api-key')), 'https://play.example')

  const get = (origin: string, headers: Record<string, string>) =>
    call('GET', `${base}/users`, { headers: { origin, ...headers }, on: app })
  const byToken = await get(page, bearer(token))
  assert.deepEqual([byToken.status, allowed(byToken)], [200, '*'])
  assert.match(byToken.headers['access-control-expose-headers'] ?? '', /RateLimit/)
  // A preflight does not say that Authorization will contain a key.
  const byKey = await get(page, bearer(key))
  assertProblem(byKey, 401, 'An API key is not accepted from pages of this origin. Use a user token.')
  assert.equal(allowed(byKey), '*', 'the page can read why')
  for (const authorization of [`bearer ${key}`, `BEARER   ${key} `]) assertProblem(await get('null', { authorization }), 401)
  assert.equal(allowed(await get(page, { 'x-api-key': key })), undefined)
  for (const headers of [bearer(key), { 'x-api-key': key }, bearer(token)]) {
    const listed = await get('https://play.example', headers)
    assert.deepEqual([listed.status, allowed(listed)], [200, 'https://play.example'])
  }
  // The reference at /docs is of the same origin; other clients send no Origin.
  assertStatus(await get('https://guildhall.example', { ...bearer(key), 'sec-fetch-site': 'same-origin' }))
  assertProblem(await get(page, { ...bearer(key), 'sec-fetch-site': 'cross-site' }), 401)
  assertStatus(await call('GET', `${base}/users`, { headers: bearer(key), on: app }))
  for (const reply of [
    byToken,
    byKey,
    await preflight(app, page, 'authorization'),
    await preflight(app, 'https://play.example', 'x-api-key'),
  ])
    assert.equal(reply.headers['access-control-allow-credentials'], undefined)
})

test('without *, only pages of the listed origins are allowed, with either credential', async () => {
  const app = await newApp({ CORS_ORIGINS: 'https://play.example' })
  for (const asked of ['x-api-key', 'authorization']) {
    assert.equal((await preflight(app, 'https://play.example', asked)).headers['access-control-allow-origin'], 'https://play.example')
    assert.equal((await preflight(app, 'https://any.example', asked)).headers['access-control-allow-origin'], undefined)
  }
})
