import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checksum } from '../src/core/api-key.ts'
import { sql } from '../src/db/sql.ts'
import { type Plan, planOf } from '../src/http/plan.ts'
import { operations } from '../src/resources/index.ts'
import { CONSOLE_HEADERS, sessionOf, userSession, withSession } from './console.ts'
import { type Answer, assertProblem, call, write } from './harness.ts'
import { once } from './once.ts'
import { plans } from './plans.ts'
import { scene } from './scene.ts'

// Calls every operation with the cookie of the console: it counts only in requests of the console, and a session does what its key or its user may do.

const ENDED = 'The console session has ended. Sign in again.'

/** A well-formed secret that was never issued. */
const forged = `gls_${'0'.repeat(30)}${checksum('0'.repeat(30))}`

/** The reply without what differs between two requests. */
const comparable = ({ status, body, headers }: Answer) => {
  const { request_id, ...problem } = (body ?? {}) as { request_id?: string }
  return { status, problem, challenge: headers['www-authenticate'], cookie: headers['set-cookie'] }
}

async function sessionScene(op: Plan) {
  const set = await scene(op)
  const send = (headers: Record<string, string>) => set.send({ key: '', headers })
  return { ...set, sendByKey: set.send, send }
}

for (const op of plans) {
  // Only the last test writes something. The others end tokens of the user, and with them what operations on a token are about.
  const shared = op.id.startsWith('tokens.') ? () => sessionScene(op) : once(() => sessionScene(op))

  test(`${op.id}: answers a cookie without both headers of the console exactly as no credential`, async () => {
    const { caller, base, user_id, key, send, eventsOf } = await shared()
    const nothing = await send({})
    assertProblem(nothing, 401, 'API key not provided')
    for (const secret of [await sessionOf(caller.key), await userSession(base, user_id, key)]) {
      const { cookie } = withSession(secret)
      for (const headers of [
        {},
        { 'sec-fetch-site': 'same-origin' },
        { 'x-guildhall-console': '1' },
        { ...CONSOLE_HEADERS, 'sec-fetch-site': 'same-site' },
        { ...CONSOLE_HEADERS, 'sec-fetch-site': 'cross-site' },
        { ...CONSOLE_HEADERS, 'sec-fetch-site': 'none' },
        { ...CONSOLE_HEADERS, 'x-guildhall-console': '0' },
      ] as Record<string, string>[]) {
        const answer = await send({ cookie, ...headers })
        assert.deepEqual(comparable(answer), comparable(nothing))
        assert.deepEqual(await eventsOf(answer.headers['x-request-id'] as string), [])
      }
    }
    assert.deepEqual(comparable(await send(CONSOLE_HEADERS)), comparable(nothing))
    assert.deepEqual(comparable(await send({ ...CONSOLE_HEADERS, cookie: 'other=1' })), comparable(nothing))
  })

  test(`${op.id}: answers 401 to a session that is forged, expired, of a revoked key or signed out`, async () => {
    const { caller, base, user_id, developer, key, send } = await shared()
    const [expired, signedOut] = [await sessionOf(caller.key), await sessionOf(caller.key)]
    const ofUser = await userSession(base, user_id, key)
    await write(sql`UPDATE console_sessions SET date_expires = now() - interval '1 second' WHERE developer_id = ${caller.id}`)
    await write(
      sql`UPDATE user_tokens SET date_expires = now() - interval '1 second' WHERE company_id = ${base.slice(-36)} AND user_id = ${user_id}`,
    )
    const fresh = await sessionOf(caller.key)
    assert.equal((await call('DELETE', '/api/v1/console-session', { headers: withSession(fresh) })).status, 204)
    const issuer = await developer('OWNER')
    const orphaned = [await sessionOf(issuer.key), await userSession(base, user_id, issuer.key)]
    assert.equal((await call('DELETE', `/api/v1/developers/me/keys/${issuer.key_id}`, { key: issuer.key })).status, 204)
    for (const secret of [forged, 'nonsense', '', caller.key, expired, signedOut, fresh, ofUser, ...orphaned])
      assertProblem(await send(withSession(secret)), 401, ENDED)
  })

  if (op.inCompany)
    test(`${op.id}: answers a session of a removed grant with 403`, async () => {
      const { base, key, developer, user_id, send } = await shared()
      const removed = await developer('OWNER')
      const sessions = [await sessionOf(removed.key), await userSession(base, user_id, removed.key)]
      assert.equal((await call('DELETE', `${base}/developers/${removed.id}`, { key })).status, 204)
      for (const secret of sessions) {
        const refused = await send(withSession(secret))
        assertProblem(refused, 403, 'No rights to access this resource')
        assert.equal(refused.body.reason, 'company_access')
      }
    })

  if (!op.acceptsToken)
    test(`${op.id}: answers 403 to a session of a user`, async () => {
      const { base, user_id, key, send, eventsOf } = await shared()
      const refused = await send(withSession(await userSession(base, user_id, key)))
      assertProblem(refused, 403, 'No rights to access this resource')
      assert.deepEqual(await eventsOf(refused.headers['x-request-id'] as string), [])
    })

  test(`${op.id}: answers a session of a developer as the key that it began with`, async () => {
    const { caller, send, sendByKey } = await shared()
    const secret = await sessionOf(caller.key)
    if (op.act !== 'read') {
      const answer = await send(withSession(secret))
      assert.equal(answer.status, op.reply[0], answer.text)
      return
    }
    const byKey = await sendByKey()
    // The second time, the caller is recalled from the cache.
    for (let i = 0; i < 2; i++) assert.equal((await send(withSession(secret))).status, byKey.status)
  })
}

test('all operations but the two that sign in and out accept API keys', () => {
  const others = operations.map(planOf).filter(({ acceptsKey }) => !acceptsKey)
  assert.deepEqual(
    others.map(({ id }) => id),
    ['consoleSession.create', 'consoleSession.delete'],
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
