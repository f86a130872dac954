import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checksum } from '../src/core/api-key.ts'
import { sql } from '../src/db/sql.ts'
import { planOf } from '../src/http/plan.ts'
import { operations } from '../src/resources/index.ts'
import { CONSOLE_HEADERS, sessionOf, userSession, withSession } from './console.ts'
import { type Answer, assertProblem, call, newCompany, write } from './harness.ts'
import { once } from './once.ts'
import { plans } from './plans.ts'
import { scene, sendNowhere } from './scene.ts'

// Calls every operation with the cookie of the console: it counts only in requests of the console, and a session does what its key or its user may do.

const ENDED = 'The console session has ended. Sign in again.'

/** A well-formed secret that was never issued. */
const forged = `gls_${'0'.repeat(30)}${checksum('0'.repeat(30))}`

/** The reply without what differs between two requests. */
const comparable = ({ status, body, headers }: Answer) => {
  const { request_id, ...problem } = (body ?? {}) as { request_id?: string }
  return { status, problem, challenge: headers['www-authenticate'], cookie: headers['set-cookie'] }
}

/** Headers of which one is missing or wrong. */
const INCOMPLETE: Record<string, string>[] = [
  {},
  { 'sec-fetch-site': 'same-origin' },
  { 'x-guildhall-console': '1' },
  { ...CONSOLE_HEADERS, 'sec-fetch-site': 'same-site' },
  { ...CONSOLE_HEADERS, 'sec-fetch-site': 'cross-site' },
  { ...CONSOLE_HEADERS, 'sec-fetch-site': 'none' },
  { ...CONSOLE_HEADERS, 'x-guildhall-console': '0' },
]

/** A company in which all operations are refused, and its sessions. They are those of an admin, and of a global admin who owns it, so nothing else refuses them. */
const refusing = once(async () => {
  const { base, key, company_id, developer, user, events } = await newCompany()
  const user_id = await user('ADMIN')
  const caller = await developer('OWNER', true)
  const both = async (by = caller) => [await sessionOf(by.key), await userSession(base, user_id, by.key)]
  const expired = await both()
  await write(sql`UPDATE console_sessions SET date_expires = now() - interval '1 second' WHERE developer_id = ${caller.id}`)
  await write(sql`UPDATE user_tokens SET date_expires = now() - interval '1 second' WHERE company_id = ${company_id}`)
  const signedOut = await both()
  for (const secret of signedOut)
    assert.equal((await call('DELETE', '/api/v1/console-session', { headers: withSession(secret) })).status, 204)
  const issuer = await developer('OWNER')
  const orphaned = await both(issuer)
  assert.equal((await call('DELETE', `/api/v1/developers/me/keys/${issuer.key_id}`, { key: issuer.key })).status, 204)
  const removed = await developer('OWNER')
  const withoutGrant = await both(removed)
  assert.equal((await call('DELETE', `${base}/developers/${removed.id}`, { key })).status, 204)
  const ended = [forged, 'nonsense', '', caller.key, ...expired, ...signedOut, ...orphaned]
  const live = await both()
  return { params: { company_id, user_id }, ended, withoutGrant, live, ofUser: live[1] as string, events, before: await events() }
})

for (const [index, op] of plans.entries()) {
  const send = async (headers: Record<string, string>) => sendNowhere(op, (await refusing()).params, { headers })

  test(`${op.id}: answers a cookie without both headers of the console exactly as no credential`, async () => {
    const nothing = await send({})
    assertProblem(nothing, 401, 'API key not provided')
    for (const secret of (await refusing()).live) {
      // All operations read the headers with the same code.
      const answer = await send({ cookie: withSession(secret).cookie, ...INCOMPLETE[index % INCOMPLETE.length] })
      assert.deepEqual(comparable(answer), comparable(nothing))
    }
    assert.deepEqual(comparable(await send(CONSOLE_HEADERS)), comparable(nothing))
    assert.deepEqual(comparable(await send({ ...CONSOLE_HEADERS, cookie: 'other=1' })), comparable(nothing))
  })

  test(`${op.id}: answers 401 to a session that is forged, expired, of a revoked key or signed out`, async () => {
    for (const secret of (await refusing()).ended) assertProblem(await send(withSession(secret)), 401, ENDED)
  })

  if (op.inCompany)
    test(`${op.id}: answers a session of a removed grant with 403`, async () => {
      for (const secret of (await refusing()).withoutGrant) {
        const refused = await send(withSession(secret))
        assertProblem(refused, 403, 'No rights to access this resource')
        assert.equal(refused.body.reason, 'company_access')
      }
    })

  if (!op.acceptsToken)
    test(`${op.id}: answers 403 to a session of a user`, async () => {
      assertProblem(await send(withSession((await refusing()).ofUser)), 403, 'No rights to access this resource')
    })

  test(`${op.id}: answers a session of a developer as the key that it began with`, async () => {
    const { caller, send } = await scene(op)
    const bySession = { key: '', headers: withSession(await sessionOf(caller.key)) }
    if (op.act !== 'read') {
      const answer = await send(bySession)
      assert.equal(answer.status, op.reply[0], answer.text)
      return
    }
    const byKey = await send()
    // The second time, the caller is recalled from the cache.
    for (let i = 0; i < 2; i++) assert.equal((await send(bySession)).status, byKey.status)
  })
}

test('no request that was refused has written anything', async () => {
  const { events, before } = await refusing()
  assert.deepEqual(await events(), before)
})

test('all operations but those that sign in and out accept API keys', () => {
  const others = operations.map(planOf).filter(({ acceptsKey }) => !acceptsKey)
  assert.deepEqual(
    others.map(({ id }) => id),
    ['consoleSession.create', 'consoleSession.preview', 'consoleSession.delete'],
  )
})

test('consoleSession.delete: answers 401 without a session, and 403 to a key or a token', async () => {
  const op = planOf(operations.find(({ id }) => id === 'consoleSession.delete') as (typeof operations)[0])
  const { base, key, user_id } = await scene(op)
  const path = '/api/v1/console-session'
  assertProblem(await call('DELETE', path, {}), 401, 'API key not provided')
  assertProblem(await call('DELETE', path, { headers: { cookie: withSession(await sessionOf(key)).cookie } }), 401, 'API key not provided')
  const { token } = (await call('POST', `${base}/users/${user_id}/tokens`, { key, body: {} })).body
  for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${token}` }] as Record<string, string>[]) {
    const refused = await call('DELETE', path, { headers })
    assertProblem(refused, 403, 'No rights to access this resource')
    assert.equal(refused.body.reason, 'console_session_required')
  }
})
