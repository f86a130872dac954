import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { newGameTable, twoApps } from '../../../test/game-table.ts'
import {
  type Answer,
  assertProblem,
  type CallOptions,
  call,
  clock,
  db,
  newCompany,
  newDeveloper,
  twoProcesses,
  write,
} from '../../../test/harness.ts'
import { checksum, newApiKey } from '../../core/api-key.ts'
import { newOwnedSecret, type TokenOwner } from '../../core/user-token.ts'
import { sql } from '../../db/sql.ts'
import { setGrant } from '../grants/queries.ts'

const MINUTE_MS = 60_000
type Method = Parameters<typeof call>[0]

/** Sends requests with a token. */
const withToken =
  (token: string) =>
  (method: Method, path: string, { headers = {}, ...options }: CallOptions = {}): Promise<Answer> =>
    call(method, path, { ...options, headers: { authorization: `Bearer ${token}`, ...headers } })

async function issue(base: string, key: string, user_id: string, body: object = {}) {
  const issued = await call('POST', `${base}/users/${user_id}/tokens`, { key, body })
  assert.equal(issued.status, 201, issued.text)
  return issued.body as typeof issued.body & { token: string }
}

function assertDenied(reply: Answer, reason: string): void {
  assertProblem(reply, 403)
  assert.equal(reply.body.reason, reason, reply.text)
}

const assertInvalid = (reply: Answer, code = 'unauthorized') => {
  assertProblem(reply, 401)
  assert.deepEqual([reply.body.code, reply.headers['www-authenticate']], [code, 'Bearer realm="guildhall", error="invalid_token"'])
}

test('a token acts as its user, in its company only, and without rights of the key', async () => {
  const { base, key, company_id, player, other, teller, C, owner, campaign_id } = await newGameTable()
  const elsewhere = await newCompany()
  await db.transaction((tx) => setGrant(tx, elsewhere.company_id, owner.id, 'OWNER'))
  const { token, ...row } = await issue(base, key, player.id, { label: '  Browser of Mina ' })
  assert.deepEqual([row.user_id, row.company_id, row.scope, row.label], [player.id, company_id, 'PLAY', 'Browser of Mina'])
  assert.deepEqual([row.key_id, row.date_last_used], [owner.key_id, null])
  assert.ok(Math.abs(Date.parse(String(row.date_expires)) - Date.now() - 60 * MINUTE_MS) < 30_000)
  const send = withToken(token)
  const N = `${base}/users/${player.id}`

  const rolled = await send('POST', `${N}/dice-rolls`, { body: { notation: '1d6', campaign_id } })
  assert.deepEqual([rolled.status, rolled.body.user_id], [201, player.id], rolled.text)
  assert.equal((await send('GET', `${N}${C}`)).status, 200)
  assert.equal((await send('GET', `${base}/campaigns`)).status, (await call('GET', `${base}/campaigns`, { key })).status)
  assert.equal((await send('PATCH', N, { body: { name: 'Renamed' } })).status, 200)

  assertProblem(await send('POST', `${base}/users/${other.id}/dice-rolls`, { body: { notation: '1d6' } }), 404, 'User not found')
  assertProblem(await send('GET', `${base}/users`, { headers: { 'on-behalf-of': teller.id } }), 404, 'User not found')
  assert.equal((await send('GET', `${base}/users`, { headers: { 'on-behalf-of': player.id.toUpperCase() } })).status, 200)
  assertProblem(await send('GET', `${N}/campaigns`, { headers: { 'on-behalf-of': teller.id } }), 400)
  assertDenied(await send('GET', `${elsewhere.base}/users`), 'company_access')
  assertDenied(await send('GET', '/api/v1/developers/me'), 'api_key_required')
  assertDenied(await send('GET', '/api/v1/companies'), 'api_key_required')
  assertDenied(await send('GET', '/api/v1/admin/developers'), 'global_admin')
  assertDenied(await send('GET', `${base}/audit-logs`), 'key_permission')
  assertDenied(await send('PATCH', N, { body: { role: 'ADMIN' } }), 'key_permission')
  assertDenied(await send('POST', `${base}/users`, { body: { name: 'x', role: 'PLAYER' } }), 'role')
  assertDenied(await send('POST', `${N}/tokens`, { body: {} }), 'api_key_required')
  assertProblem(await send('GET', '/api/v1/nonsense'), 404)
})

test('an acting user is known on every path of the company, so private fields of others are hidden from a token', async () => {
  const { base, key, player, other } = await newGameTable()
  await call('PATCH', `${base}/users/${other.id}`, { key, body: { email: 'other@example.com', external_id: 'x:1' } })
  const { token } = await issue(base, key, player.id)
  const seen = (await withToken(token)('GET', `${base}/users/${other.id}`)).body
  assert.deepEqual([seen.name, seen.email, seen.external_id], ['Other player', null, null])
})

test('a token of a global admin is no global admin, and needs a grant', async () => {
  const { base, company_id, user, developer } = await newCompany()
  const user_id = await user('ADMIN')
  const operator = await newDeveloper(true)
  assertDenied(await call('POST', `${base}/users/${user_id}/tokens`, { key: operator.key, body: {} }), 'company_access')
  await db.transaction((tx) => setGrant(tx, company_id, operator.id, 'USER'))
  const send = withToken((await issue(base, operator.key, user_id)).token)
  assertDenied(await send('GET', '/api/v1/admin/developers'), 'global_admin')
  assertDenied(await send('GET', `${base}/audit-logs`), 'key_permission')
  assertDenied(await send('PATCH', base, { body: { name: 'x' } }), 'key_permission')
  assert.equal((await send('GET', `${base}/users`)).status, 200)
  assert.ok(await developer('USER'))
})

test('a READ token reads, computes odds, and writes nothing', async () => {
  const { base, key, player, C, events } = await newGameTable()
  const { token, id } = await issue(base, key, player.id, { scope: 'READ' })
  const send = withToken(token)
  const N = `${base}/users/${player.id}`
  const before = await events()
  assert.equal((await send('GET', `${N}${C}/characters`)).status, 200)
  assert.equal((await send('POST', `${base}/dice/odds`, { body: { notation: '1d6' } })).status, 200)
  assertDenied(await send('POST', `${N}/dice-rolls`, { body: { notation: '1d6' } }), 'read_only_token')
  assertDenied(await send('DELETE', `${N}/tokens/${id}`), 'read_only_token')
  assertDenied(await send('POST', `${N}/tokens/revoke`), 'read_only_token')
  assertDenied(await send('PATCH', N, { body: { name: 'x' } }), 'read_only_token')
  assert.deepEqual(await events(), before)
})

test('GET /me says whose credential it is', async () => {
  const { base, company_id, owner, user } = await newCompany()
  const developer = { id: owner.id, name: 'Test developer', is_global_admin: false }
  const ofKey = {
    kind: 'DEVELOPER',
    credential: 'KEY',
    developer,
    company: null,
    user: null,
    key_id: owner.key_id,
    token_id: null,
    session_id: null,
    scope: null,
    date_expires: null,
    public_url: null,
  }
  assert.deepEqual((await call('GET', '/api/v1/me', { key: owner.key })).body, ofKey)
  assert.deepEqual((await withToken(owner.key)('GET', '/api/v1/me')).body, ofKey)
  const user_id = await user('STORYTELLER', 'Mina')
  const { token, id, date_expires } = await issue(base, owner.key, user_id, { scope: 'READ' })
  for (let i = 0; i < 2; i++)
    assert.deepEqual((await withToken(token)('GET', '/api/v1/me')).body, {
      kind: 'USER',
      credential: 'TOKEN',
      developer: null,
      company: { id: company_id, name: 'Test company' },
      user: { id: user_id, name: 'Mina', role: 'STORYTELLER' },
      key_id: owner.key_id,
      token_id: id,
      session_id: null,
      scope: 'READ',
      date_expires,
      public_url: null,
    })
  await call('POST', `/api/v1/developers/me/keys/${owner.key_id}/rotate`, { key: owner.key })
  assert.match(String((await call('GET', '/api/v1/me', { key: owner.key })).body.date_expires), /Z$/)
})

test('expires_in, scope and label are checked', async () => {
  const { base, key, user } = await newCompany()
  const path = `${base}/users/${await user('PLAYER')}/tokens`
  for (const body of [
    { expires_in: 59 },
    { expires_in: 86_401 },
    { expires_in: -1 },
    { expires_in: 1.5 },
    { expires_in: '3600' },
    { expires_in: null },
    { scope: 'ADMIN' },
    { scope: null },
    { label: '' },
    { label: '   ' },
    { label: 'x'.repeat(101) },
    { label: 7 },
    { user_id: randomUUID() },
    { key_id: randomUUID() },
  ])
    assertProblem(await call('POST', path, { key, body }), 400)
  for (const body of [{ expires_in: 60 }, { expires_in: 86_400 }, { label: '🎲'.repeat(50) }, { label: null }, undefined])
    assert.equal((await call('POST', path, { key, ...(body && { body }) })).status, 201)
})

test('tokens are listed, read, deleted and revoked, with events that do not contain them', async () => {
  const { base, key, company_id, user, events } = await newCompany()
  const [user_id, other_id] = [await user('PLAYER'), await user('PLAYER')]
  const path = `${base}/users/${user_id}/tokens`
  const tokens = [await issue(base, key, user_id), await issue(base, key, user_id), await issue(base, key, user_id)]
  const foreign = await issue(base, key, other_id)
  const [first, second] = tokens as [(typeof tokens)[0], (typeof tokens)[0]]
  const listed = await call('GET', path, { key })
  assert.deepEqual(
    listed.body.items.map(({ id }) => id),
    tokens.map(({ id }) => id),
  )
  assert.equal(listed.text.includes('glu_'), false)
  assert.equal((await call('GET', `${path}/${first.id}`, { key })).body.id, first.id)
  assertProblem(await call('GET', `${path}/${foreign.id}`, { key }), 404, 'Token not found')
  assertProblem(await call('DELETE', `${path}/${foreign.id}`, { key }), 404, 'Token not found')
  // A user signs out: the token deletes itself.
  assert.equal((await withToken(first.token)('DELETE', `${path}/${first.id}`)).status, 204)
  assertInvalid(await withToken(first.token)('GET', '/api/v1/me'))
  assertProblem(await call('DELETE', `${path}/${first.id}`, { key }), 404, 'Token not found')
  assert.deepEqual((await withToken(second.token)('POST', `${path}/revoke`)).body, { revoked: 2 })
  for (const { token } of tokens) assertInvalid(await withToken(token)('GET', `${base}/users`))
  assert.deepEqual((await call('POST', `${path}/revoke`, { key })).body, { revoked: 0 })
  assert.equal((await withToken(foreign.token)('GET', '/api/v1/me')).status, 200)
  assert.deepEqual(
    (await events()).filter((type) => type.startsWith('user_token')),
    [...Array(4).fill('user_token.created'), 'user_token.deleted', 'user_token.revoked', 'user_token.revoked'],
  )
  const log = await db.query<{ text: string }>(sql`SELECT events::text AS text FROM events WHERE company_id = ${company_id}`)
  const rows = await db.query<{ text: string }>(sql`SELECT user_tokens::text AS text FROM user_tokens WHERE company_id = ${company_id}`)
  const texts = [...log, ...rows].map(({ text }) => text).join()
  for (const { token } of [...tokens, foreign]) assert.equal(texts.includes(token.slice(48, 78)), false)
})

test('the reply with a token is stored encrypted, and replayed', async () => {
  const { base, key, company_id, user } = await newCompany()
  const path = `${base}/users/${await user('PLAYER')}/tokens`
  const headers = { 'idempotency-key': randomUUID() }
  const first = await call('POST', path, { key, headers, body: {} })
  const again = await call('POST', path, { key, headers, body: {} })
  assert.deepEqual([again.text, again.headers['idempotent-replayed']], [first.text, 'true'])
  const rows = await db.query<{ body: Buffer }>(sql`SELECT body FROM idempotency_keys WHERE company_id = ${company_id}`)
  assert.equal(rows.length, 1)
  for (const { body } of rows) assert.equal(body.includes('glu_'), false)
  assertDenied(await withToken(String(first.body.token))('POST', path, { headers, body: {} }), 'api_key_required')
})

test('a token expires, and then is not listed', { skip: twoProcesses }, async () => {
  const { base, key, user } = await newCompany()
  const user_id = await user('PLAYER')
  const { token, id } = await issue(base, key, user_id, { expires_in: 60 })
  const send = withToken(token)
  assert.equal((await send('GET', `${base}/users`)).status, 200)
  try {
    clock.ahead = MINUTE_MS + 1000
    for (let i = 0; i < 2; i++) assertInvalid(await send('GET', `${base}/users`), 'token_expired')
    assertInvalid(await send('PATCH', `${base}/users/${user_id}`, { body: { name: 'x' } }), 'token_expired')
    assert.equal((await call('GET', `${base}/users/${user_id}/tokens`, { key })).body.total, 0)
    assertProblem(await call('GET', `${base}/users/${user_id}/tokens/${id}`, { key }), 404)
    assertProblem(await call('DELETE', `${base}/users/${user_id}/tokens/${id}`, { key }), 404)
  } finally {
    clock.ahead = 0
  }
})

test('a token lives through the overlap of a rotation, and ends with its key', { skip: twoProcesses }, async () => {
  const { base, key, owner, user } = await newCompany()
  const user_id = await user('PLAYER')
  const { token } = await issue(base, key, user_id)
  const rotated = await call('POST', `/api/v1/developers/me/keys/${owner.key_id}/rotate`, { key, body: { overlap_seconds: 600 } })
  const send = () => withToken(token)('GET', `${base}/users`)
  assert.equal((await send()).status, 200)
  try {
    clock.ahead = 11 * MINUTE_MS
    assertInvalid(await send())
    assert.equal((await call('GET', `${base}/users/${user_id}/tokens`, { key: rotated.body.key })).body.total, 0)
    assert.deepEqual((await call('POST', `${base}/users/${user_id}/tokens/revoke`, { key: rotated.body.key })).body, { revoked: 0 })
  } finally {
    clock.ahead = 0
  }
})

test('a revoked key takes its tokens with it, and no others', async () => {
  const { base, key, developer, user } = await newCompany()
  const user_id = await user('PLAYER')
  const issuer = await developer('USER')
  const mine = withToken((await issue(base, issuer.key, user_id)).token)
  const others = withToken((await issue(base, key, user_id)).token)
  assert.equal((await mine('GET', `${base}/users`)).status, 200)
  assert.equal((await call('DELETE', `/api/v1/developers/me/keys/${issuer.key_id}`, { key: issuer.key })).status, 204)
  assertInvalid(await mine('GET', `${base}/users`))
  assert.equal((await others('GET', `${base}/users`)).status, 200)
  assert.equal((await call('GET', `${base}/users/${user_id}/tokens`, { key })).body.total, 1)
})

test('one credential is accepted in one place', async () => {
  const { base, key, user } = await newCompany()
  const { token } = await issue(base, key, await user('PLAYER'))
  const get = (headers: Record<string, string>) => call('GET', `${base}/users`, { headers })
  for (const authorization of [`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key}  `, `Bearer ${token}`])
    assert.equal((await get({ authorization })).status, 200, authorization)
  assert.equal((await get({ 'x-api-key': key, authorization: 'Basic dXNlcjpwYXNz' })).status, 200, 'for a proxy')
  assert.equal((await get({ 'x-api-key': key, authorization: 'Bearer of-a-proxy' })).status, 200, 'for a proxy')
  assert.equal(
    (await get({ 'x-api-key': key, authorization: `Bearer ${key}` })).status,
    200,
    'the same key twice, as generated clients send it',
  )
  assertProblem(await get({ 'x-api-key': 'glh_x', authorization: 'Bearer glh_x' }), 401, 'Unauthorized API key')
  for (const authorization of [`Bearer ${newApiKey().key}`, `Bearer ${token}`, 'Bearer glu_nonsense'])
    assertProblem(await get({ 'x-api-key': key, authorization }), 401, 'Send one credential: either X-API-KEY or Authorization.')
  assertProblem(await get({ 'x-api-key': token }), 401, 'Send a user token as Authorization: Bearer.')
  for (const authorization of ['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer ', token])
    assertProblem(await get({ authorization }), 401, 'API key not provided')
  for (const authorization of ['Bearer glu_', `Bearer ${token} x`, `Bearer ${token.slice(0, -1)}`])
    assertInvalid(await get({ authorization }))
  assertProblem(await get({ authorization: `Bearer ${key.slice(0, -1)}` }), 401, 'Unauthorized API key')
})

test('a token with the ids of another company or user is another token, also with a right checksum', async () => {
  const [mine, theirs] = [await newCompany(), await newCompany()]
  const [user_id, admin_id, foreign_id] = [await mine.user('PLAYER'), await mine.user('ADMIN'), await theirs.user('ADMIN')]
  const { token, id } = await issue(mine.base, mine.key, user_id)
  const forge = (owner: TokenOwner) => {
    const content = newOwnedSecret('glu_', owner).secret.slice(4, 48) + token.slice(48, 78)
    return `glu_${content}${checksum(content)}`
  }
  assert.equal(forge({ company_id: mine.company_id, user_id }), token)
  assertInvalid(await withToken(forge({ company_id: mine.company_id, user_id: admin_id }))('GET', `${mine.base}/users`))
  assertInvalid(await withToken(forge({ company_id: theirs.company_id, user_id: foreign_id }))('GET', `${theirs.base}/users`))
  assert.equal((await withToken(token)('GET', '/api/v1/me')).status, 200)
  // The token says whose it is, and the row proves it.
  await write(sql`UPDATE user_tokens SET user_id = ${admin_id} WHERE company_id = ${mine.company_id} AND id = ${id}`)
  assertInvalid(await withToken(token)('GET', '/api/v1/me'))
})

test('of many requests at once, exactly 100 get a token of a user', async () => {
  const { base, key, user } = await newCompany()
  const path = `${base}/users/${await user('PLAYER')}/tokens`
  const issued = await Promise.all(
    Array.from({ length: 112 }, (_, i) => call('POST', path, { key, body: {}, on: twoApps[i % 2] as never })),
  )
  assert.equal(issued.filter(({ status }) => status === 201).length, 100)
  for (const refused of issued.filter(({ status }) => status !== 201)) {
    assertProblem(refused, 409)
    assert.equal(refused.body.code, 'too_many_tokens')
  }
  assert.equal((await call('GET', path, { key })).body.total, 100)
  assert.deepEqual((await call('POST', `${path}/revoke`, { key })).body, { revoked: 100 })
  assert.equal((await call('POST', path, { key, body: {} })).status, 201)
})

test('the users of two tokens do not share an Idempotency-Key on a path of the company', async () => {
  const { base, key, user } = await newCompany()
  const headers = { 'idempotency-key': randomUUID() }
  const ids = []
  for (const user_id of [await user('ADMIN'), await user('ADMIN')]) {
    const send = withToken((await issue(base, key, user_id)).token)
    for (let i = 0; i < 2; i++) {
      const created = await send('POST', `${base}/users`, { headers, body: { name: 'Same', role: 'PLAYER' } })
      assert.deepEqual([created.status, created.headers['idempotent-replayed']], [201, i ? 'true' : undefined], created.text)
      ids.push(created.body.id)
    }
  }
  assert.equal(new Set(ids).size, 2)
})
