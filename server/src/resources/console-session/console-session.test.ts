import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CONSOLE_HEADERS, codeFor, secretOf, sessionOf, signIn, userSession, withSession } from '../../../test/console.ts'
import { assertProblem, call, db, newApp, newCompany, newDeveloper, write } from '../../../test/harness.ts'
import { newConsoleSecret } from '../../core/console-secret.ts'
import { sql } from '../../db/sql.ts'
import { createConsoleLink } from './queries.ts'

const ME = '/api/v1/me'
const SESSION = '/api/v1/console-session'

test('a developer signs in with a key, does what the key may, and signs out', async () => {
  const { base, owner, key } = await newCompany()
  const signed = await signIn({ key })
  assert.equal(signed.status, 201, signed.text)
  const { kind, credential, developer, key_id, session_id, date_expires, public_url } = signed.body
  assert.deepEqual([kind, credential, key_id, public_url], ['DEVELOPER', 'SESSION', owner.key_id, null])
  assert.equal((developer as { id: string }).id, owner.id)
  const left = Date.parse(String(date_expires)) - Date.now()
  assert.ok(left > 11.9 * 3_600_000 && left <= 12 * 3_600_000)
  const secret = secretOf(signed)
  assert.ok(!signed.text.includes(secret))
  assert.match(String(signed.headers['set-cookie']), /Max-Age=43200;/)

  const headers = withSession(secret)
  assert.equal((await call('GET', ME, { headers })).text, signed.text)
  assert.equal((await call('POST', `${base}/users`, { headers, body: { name: 'Mina', role: 'PLAYER' } })).status, 201)
  assert.equal((await call('GET', base, { headers })).status, 200)
  assert.equal((await call('GET', '/api/v1/developers/me/keys', { headers })).body.total, 1)

  const out = await call('DELETE', SESSION, { headers })
  assert.equal(out.status, 204, out.text)
  assert.equal(out.headers['set-cookie'], '__Host-guildhall=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict')
  for (const path of [ME, base]) assertProblem(await call('GET', path, { headers }), 401, 'The console session has ended. Sign in again.')
  const events = await db.query<{ type: string; resource_id: string; developer_id: string }>(
    sql`SELECT type, resource_id, developer_id FROM events WHERE company_id = ${owner.id} ORDER BY id`,
  )
  assert.deepEqual(
    events.map((event) => [event.type, event.resource_id, event.developer_id]),
    ['console_session.created', 'console_session.deleted'].map((type) => [type, session_id, owner.id]),
  )
})

test('a player signs in with a link, once, and acts as a user token does', async () => {
  const { base, user, key, owner } = await newCompany()
  const user_id = await user('PLAYER', 'Mina Harker')
  const code = await codeFor(base, user_id, key)
  // Its page may say whose link it is, which does not use it up.
  const preview = () => call('POST', `${SESSION}/preview`, { body: { code }, headers: CONSOLE_HEADERS })
  const { name, company_name } = (await preview()).body
  assert.deepEqual([name, company_name], ['Mina Harker', (await call('GET', base, { key })).body.name])
  assertProblem(await call('POST', `${SESSION}/preview`, { body: { code } }), 403)
  const signed = await signIn({ code })
  assert.equal(signed.status, 201, signed.text)
  assertProblem(await preview(), 401, 'The sign-in link was used already, has expired or was revoked. Ask for a new one.')
  const { kind, credential, developer, scope, session_id, token_id, key_id } = signed.body
  assert.deepEqual([kind, credential, developer, scope, key_id], ['USER', 'SESSION', null, 'PLAY', owner.key_id])
  assert.equal(session_id, token_id)
  assert.deepEqual(signed.body.user, { id: user_id, name: 'Mina Harker', role: 'PLAYER' })
  const headers = withSession(secretOf(signed))
  assert.equal((await call('GET', ME, { headers })).text, signed.text)
  assert.equal((await call('POST', `${base}/users/${user_id}/dice-rolls`, { headers, body: { pool: { dice: 3 } } })).status, 201)
  assertProblem(await call('GET', `${base}/users/${await user('PLAYER')}/campaigns`, { headers }), 404, 'User not found')
  assert.equal((await call('GET', '/api/v1/developers/me', { headers })).body.reason, 'api_key_required')
  assert.equal((await call('POST', `${base}/users/${user_id}/tokens`, { headers, body: {} })).body.reason, 'api_key_required')
  assert.equal((await call('POST', `${base}/users/${user_id}/sign-in-links`, { headers, body: {} })).body.reason, 'api_key_required')

  assertProblem(await signIn({ code }), 401, 'The sign-in link was used already, has expired or was revoked. Ask for a new one.')
  const listed = (await call('GET', `${base}/users/${user_id}/tokens`, { key })).body
  assert.deepEqual(
    listed.items.map((item) => [item.id, item.kind]),
    [[session_id, 'SESSION']],
  )
  assert.equal((await call('DELETE', SESSION, { headers })).status, 204)
  assertProblem(await call('GET', ME, { headers }), 401)
})

test('a player who was archived, or whose company was, may still sign out for good', async () => {
  const { base, user, key } = await newCompany()
  const user_id = await user('PLAYER', 'Mina Harker')
  const archives = [`${base}/users/${user_id}`, base]
  const sessions = [await userSession(base, user_id, key), await userSession(base, user_id, key)]
  for (const [i, path] of archives.entries()) {
    const headers = withSession(sessions[i] as string)
    assert.equal((await call('DELETE', path, { key })).status, 204)
    assert.ok([403, 404].includes((await call('GET', ME, { headers })).status))
    const out = await call('DELETE', SESSION, { headers })
    assert.equal(out.status, 204, out.text)
    assert.match(String(out.headers['set-cookie']), /Max-Age=0;/)
    assert.equal((await call('POST', `${path}/restore`, { key })).status, 200)
    assertProblem(await call('GET', ME, { headers }), 401, 'The console session has ended. Sign in again.')
  }
})

test('a player whom the console remembers stays signed in for 30 days', async () => {
  const { base, user, key } = await newCompany()
  const signed = await signIn({ code: await codeFor(base, await user('PLAYER'), key), remember: true })
  assert.match(String(signed.headers['set-cookie']), /Max-Age=2592000;/)
  assert.ok(Date.parse(String(signed.body.date_expires)) - Date.now() > 29.9 * 86_400_000)
})

test("an operator's link signs in once, and is no key and no session before", async () => {
  const { id, key, key_id } = await newDeveloper(true)
  const { code, link } = await db.transaction((tx) => createConsoleLink(tx, { id, key_id }, 900))
  for (const headers of [{ 'x-api-key': code }, { authorization: `Bearer ${code}` }, withSession(code)] as Record<string, string>[])
    assertProblem(await call('GET', ME, { headers }), 401)
  const signed = await signIn({ code })
  assert.deepEqual([signed.status, signed.body.session_id], [201, link.id])
  assert.equal((await call('GET', '/api/v1/admin/developers', { headers: withSession(secretOf(signed)) })).status, 200)
  assertProblem(await signIn({ code }), 401)
  assert.ok(key)
})

test('a hundred exchanges of one link at once on two processes begin one session', async () => {
  const { base, user, key, owner } = await newCompany()
  const user_id = await user('PLAYER')
  const other = await newApp()
  const codes = [
    await codeFor(base, user_id, key),
    (await db.transaction((tx) => createConsoleLink(tx, { id: owner.id, key_id: owner.key_id }, 900))).code,
  ]
  for (const code of codes) {
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => signIn({ code }, {}, i % 2 ? other : undefined)))
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual([statuses[0], ...new Set(statuses.slice(1))], [201, 401])
  }
  assert.equal((await call('GET', `${base}/users/${user_id}/tokens`, { key })).body.total, 1)
  const rows = await db.query(sql`SELECT id FROM console_sessions WHERE developer_id = ${owner.id}`)
  assert.equal(rows.length, 1)
})

test('a secret is accepted in its own place only', async () => {
  const { base, user, key } = await newCompany()
  const user_id = await user('PLAYER')
  const { token } = (await call('POST', `${base}/users/${user_id}/tokens`, { key, body: {} })).body as unknown as { token: string }
  const sessions = [await sessionOf(key), await userSession(base, user_id, key)]
  for (const secret of sessions)
    for (const headers of [{ 'x-api-key': secret }, { authorization: `Bearer ${secret}` }] as Record<string, string>[])
      assertProblem(await call('GET', ME, { headers }), 401)
  for (const secret of [key, token, await codeFor(base, user_id, key)])
    assertProblem(await call('GET', ME, { headers: withSession(secret) }), 401)
  for (const body of [...sessions.flatMap((code) => [{ code }, { key: code }]), { key: token }, { code: key }, { code: token }])
    assertProblem(await signIn(body), 401, 'Unauthorized API key or sign-in link')
  assertProblem(await signIn({ key: newConsoleSecret('gls_').secret }), 401)
  // The header of a request signs nobody in.
  assertProblem(await signIn({ key: 'nonsense' }, { 'x-api-key': key }), 401)
})

test('a credential in a header goes before the cookie', async () => {
  const { key } = await newCompany()
  const other = await newDeveloper()
  const headers = withSession(await sessionOf(key))
  const { body } = await call('GET', ME, { headers, key: other.key })
  assert.deepEqual([body.credential, body.key_id], ['KEY', other.key_id])
  assertProblem(await call('GET', ME, { headers, key: 'nonsense' }), 401, 'Unauthorized API key')
  assert.equal((await call('DELETE', SESSION, { headers, key: other.key })).body.reason, 'console_session_required')
})

test('a body has a key or a code, and nothing that belongs to neither', async () => {
  const { key } = await newCompany()
  const code = newConsoleSecret('gll_').secret
  for (const [body, field] of [
    [{}, 'key'],
    [{ remember: true }, 'key'],
    [{ key, code }, 'code'],
    [{ key, remember: true }, 'remember'],
    [{ key: 7 }, 'key'],
    [{ key, ids: [] }, 'ids'],
  ] as const) {
    const refused = await signIn(body)
    assertProblem(refused, 400)
    assert.deepEqual(
      refused.body.invalid_parameters.map((fault) => fault.field),
      [field],
    )
  }
})

test('failures to sign in are counted for the address, and a right key is never refused', async () => {
  const { key } = await newCompany()
  const limited = await newApp({ RATE_LIMIT: 'on', RATE_LIMIT_AUTH: '3' })
  const wrong = await newDeveloper()
  await write(sql`DELETE FROM api_keys WHERE id = ${wrong.key_id}`)
  const bodies = [{ key: 'nonsense' }, { key: wrong.key }, { code: newConsoleSecret('gll_').secret }, { key: wrong.key }]
  const statuses = []
  for (const body of bodies) statuses.push((await signIn(body, {}, limited)).status)
  assert.deepEqual(statuses, [401, 401, 401, 429])
  assert.equal((await signIn({ key }, {}, limited)).status, 201)
})

test('a session ends with its key: when it is revoked, at the end of the overlap when it is rotated, and with the developer', async () => {
  const operator = await newDeveloper(true)
  const [revoked, rotated, deleted] = [await newDeveloper(), await newDeveloper(), await newDeveloper()]
  const headers = await Promise.all([revoked, rotated, deleted].map(async ({ key }) => withSession(await sessionOf(key))))
  const keys = '/api/v1/developers/me/keys'
  assert.equal((await call('POST', `${keys}/${rotated.key_id}/rotate`, { key: rotated.key, body: {} })).status, 201)
  for (const sent of headers) assert.equal((await call('GET', ME, { headers: sent })).status, 200)
  assert.equal((await call('DELETE', `${keys}/${revoked.key_id}`, { key: revoked.key })).status, 204)
  await write(sql`UPDATE api_keys SET date_expires = now() - interval '1 second' WHERE id = ${rotated.key_id}`)
  assert.equal((await call('DELETE', `/api/v1/admin/developers/${deleted.id}`, { key: operator.key })).status, 204)
  for (const sent of headers) assertProblem(await call('GET', ME, { headers: sent }), 401)
  assert.deepEqual(await db.query(sql`SELECT id FROM console_sessions WHERE developer_id = ${deleted.id}`), [])
})

test('a link ends with the key that created it, with the grant and with the user', async () => {
  const { base, user, key, developer } = await newCompany()
  const user_id = await user('PLAYER')
  const [revoked, ungranted] = [await developer('USER'), await developer('USER')]
  const codes = [
    await codeFor(base, user_id, revoked.key),
    await codeFor(base, user_id, ungranted.key),
    await codeFor(base, user_id, key),
  ] as const
  assert.equal((await call('DELETE', `/api/v1/developers/me/keys/${revoked.key_id}`, { key: revoked.key })).status, 204)
  assertProblem(await signIn({ code: codes[0] }), 401)
  assert.equal((await call('DELETE', `${base}/developers/${ungranted.id}`, { key })).status, 204)
  assertProblem(await signIn({ code: codes[1] }), 403)
  assert.equal((await call('DELETE', `${base}/users/${user_id}`, { key })).status, 204)
  assertProblem(await signIn({ code: codes[2] }), 404, 'User not found')
})

test('a sign-out on one process is seen by the next request on the other', async () => {
  const { base, user, key } = await newCompany()
  const other = await newApp()
  for (const secret of [await sessionOf(key), await userSession(base, await user('PLAYER'), key)]) {
    const headers = withSession(secret)
    for (let i = 0; i < 2; i++) assert.equal((await call('GET', ME, { headers, on: other })).status, 200)
    assert.equal((await call('DELETE', SESSION, { headers })).status, 204)
    assertProblem(await call('GET', ME, { headers, on: other }), 401)
  }
})

test('CONSOLE=off removes the operations of the console, and its cookie counts for nothing', async () => {
  const { base, user, key } = await newCompany()
  const off = await newApp({ CONSOLE: 'off' })
  const headers = withSession(await sessionOf(key))
  assertProblem(await call('GET', ME, { headers, on: off }), 401, 'API key not provided')
  assertProblem(await signIn({ key }, { 'x-api-key': key }, off), 404)
  assertProblem(await signIn({ key }, {}, off), 401, 'API key not provided')
  assertProblem(await call('POST', `${base}/users/${await user('PLAYER')}/sign-in-links`, { key, body: {}, on: off }), 404)
  assert.ok(!(await call('GET', '/openapi.json', { on: off })).text.includes('console-session'))
})

test('PUBLIC_URL begins the links for people', async () => {
  const { base, user, key } = await newCompany()
  const reachable = await newApp({ PUBLIC_URL: 'https://play.example/' })
  const path = `${base}/users/${await user('PLAYER')}/sign-in-links`
  const url = String((await call('POST', path, { key, body: {}, on: reachable })).body.url)
  assert.match(url, /^https:\/\/play\.example\/console\/#code=gll_[0-9A-Za-z]{80}$/)
  assert.equal((await call('GET', ME, { key, on: reachable })).body.public_url, 'https://play.example')
  assert.match(String((await call('POST', path, { key, body: {} })).body.url), /^http:\/\/127\.0\.0\.1:\d+\/console\/#code=gll_/)
})
