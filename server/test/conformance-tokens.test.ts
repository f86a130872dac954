import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checksum } from '../src/core/api-key.ts'
import { sql } from '../src/db/sql.ts'
import type { Plan } from '../src/http/plan.ts'
import { document } from './described.ts'
import { type Answer, assertProblem, call, newCompany, write } from './harness.ts'
import { once } from './once.ts'
import { plans } from './plans.ts'
import { scene, sendNowhere } from './scene.ts'

// Calls every operation with user tokens: valid ones do what their user may do, and all others do nothing.

const acceptsUserTokens = ({ path, method }: Plan) =>
  JSON.stringify(document.paths[`/api/v1${path}`]?.[method.toLowerCase()]?.security).includes('UserToken')

/** Issues a token for a user. */
async function issue(base: string, user_id: string, { key }: { key: string }, body: object = {}): Promise<string> {
  const issued = await call('POST', `${base}/users/${user_id}/tokens`, { key, body })
  assert.equal(issued.status, 201, issued.text)
  return String(issued.body.token)
}

/** A company in which all operations are refused, and its tokens. They are those of an admin, so that nothing else refuses them. */
const refusing = once(async () => {
  const { base, key, owner, company_id, developer, user, events } = await newCompany()
  const [user_id, revokedOf, archivedUser] = [await user('ADMIN'), await user('ADMIN'), await user('ADMIN')]
  const expired = await issue(base, user_id, owner)
  await write(sql`UPDATE user_tokens SET date_expires = now() - interval '1 second' WHERE company_id = ${company_id}`)
  const revoked = await issue(base, revokedOf, owner)
  assert.equal((await call('POST', `${base}/users/${revokedOf}/tokens/revoke`, { key })).status, 200)
  const [issuer, removed] = [await developer('OWNER'), await developer('OWNER')]
  const orphaned = await issue(base, user_id, issuer)
  assert.equal((await call('DELETE', `/api/v1/developers/me/keys/${issuer.key_id}`, { key: issuer.key })).status, 204)
  const withoutGrant = await issue(base, user_id, removed)
  assert.equal((await call('DELETE', `${base}/developers/${removed.id}`, { key })).status, 204)
  const ofArchived = await issue(base, archivedUser, owner)
  assert.equal((await call('DELETE', `${base}/users/${archivedUser}`, { key })).status, 204)
  const foreign = await newCompany()
  // The developer has access to both companies; the token has not.
  await write(sql`INSERT INTO grants (company_id, id, permission, date_created, date_modified)
    VALUES (${foreign.company_id}, ${owner.id}, 'OWNER', now(), now())`)
  const ofForeign = await issue(foreign.base, await foreign.user('ADMIN'), owner)
  const [live, readOnly] = [await issue(base, user_id, owner), await issue(base, user_id, owner, { scope: 'READ' })]
  const ofOther = await issue(base, await user('ADMIN'), owner)
  const last = live.replace(/.$/, (end) => (end === 'a' ? 'b' : 'a'))
  const content = live.slice(4, 77) + (live[77] === 'a' ? 'b' : 'a')
  const ended = [last, `glu_${content}${checksum(content)}`, revoked, orphaned]
  const tokens = { ended, expired, withoutGrant, ofArchived, ofForeign, ofOther, live, readOnly }
  return { company_id, user_id, archivedUser, ...tokens, events, before: await events() }
})

function assertRejected(answer: Answer, code = 'unauthorized'): void {
  assertProblem(answer, 401)
  assert.deepEqual([answer.body.code, answer.headers['www-authenticate']], [code, 'Bearer realm="guildhall", error="invalid_token"'])
}

/** The reason for which an operation refuses every token; undefined if it accepts some. */
function refusalOf({ needs: { key, refusesTokens } }: Plan): string | undefined {
  if (key === 'GLOBAL_ADMIN') return 'global_admin'
  if (key === 'KEY' || refusesTokens) return 'api_key_required'
  return key === 'ADMIN' || key === 'OWNER' ? 'key_permission' : undefined
}

const isOfUser = (op: Plan) => op.inCompany || op.needs.key === 'ANY'

/** The parts of a reply that are the same for the same reader. Every cursor is different, and with it the ETag. */
const comparable = ({ status, text, headers: { etag } }: Answer) =>
  text.startsWith('retry: ')
    ? [status, text.replaceAll(/(retry|id|data): .*/g, '')]
    : text.includes('"cursor":')
      ? [status, text.replace(/"cursor":"[^"]*"/, '')]
      : [status, text, etag]

for (const op of plans) {
  const send = async (token: string, headers: Record<string, string> = {}, changed: Record<string, string> = {}) => {
    const { company_id, user_id } = await refusing()
    return sendNowhere(op, { company_id, user_id, ...changed }, { headers: { authorization: `Bearer ${token}`, ...headers } })
  }

  test(`${op.id}: answers 401 to a token that is forged, expired, revoked or of a revoked key`, async () => {
    const { ended, expired } = await refusing()
    for (const token of ended) assertRejected(await send(token))
    assertRejected(await send(expired), 'token_expired')
  })

  test(`${op.id}: answers a token of a removed grant or an archived user like one without access`, async () => {
    const { archivedUser, withoutGrant, ofArchived } = await refusing()
    const refused = await send(withoutGrant)
    assertProblem(refused, 403)
    assert.equal(refused.body.reason, isOfUser(op) ? 'company_access' : refusalOf(op))
    const gone = await send(ofArchived, {}, { user_id: archivedUser })
    if (isOfUser(op)) assertProblem(gone, 404, 'User not found')
    else assertProblem(gone, 403)
  })

  if (op.inCompany) {
    test(`${op.id}: answers 403 to a token of another company, and 404 to one of another user`, async () => {
      const { user_id, ofForeign, ofOther } = await refusing()
      const refused = await send(ofForeign)
      assertProblem(refused, 403)
      assert.deepEqual([refused.body.reason, refused.body.needs], ['company_access', undefined])
      assertProblem(await send(ofOther, op.actor === 'path' ? {} : { 'on-behalf-of': user_id }), 404, 'User not found')
    })
  }

  const refusal = refusalOf(op)
  if (refusal) {
    test(`${op.id}: answers 403 to every token, whichever key issued it`, async () => {
      const refused = await send((await refusing()).live)
      assertProblem(refused, 403, 'No rights to access this resource')
      assert.equal(refused.body.reason, refusal)
      assert.equal(acceptsUserTokens(op), false)
    })
    continue
  }

  if (op.writes)
    test(`${op.id}: answers a READ token with 403`, async () => {
      const refused = await send((await refusing()).readOnly)
      assertProblem(refused, 403, 'No rights to access this resource')
      assert.equal(refused.body.reason, 'read_only_token')
    })

  test(`${op.id}: answers a ${op.writes ? 'token' : 'PLAY or READ token'} like a key with permission USER on behalf of its user`, async () => {
    const { base, user_id, developer, send: sendByKey, eventsOf } = await scene(op)
    const issuer = await developer('USER')
    const sendByToken = async (body = {}) => {
      const headers = { authorization: `Bearer ${await issue(base, user_id, issuer, body)}` }
      return () => sendByKey({ key: '', headers })
    }
    assert.ok(acceptsUserTokens(op))
    const play = await sendByToken()
    const header: Record<string, string> = op.actor === 'header' ? { 'on-behalf-of': user_id } : {}
    if (op.act !== 'read') {
      const answer = await play()
      if (!op.writes) assert.equal((await (await sendByToken({ scope: 'READ' }))()).status, answer.status)
      if (answer.status >= 300) {
        // The scene calls these without an acting user; the user of the token lacks the role.
        assertProblem(answer, 403)
        assert.equal(answer.body.reason, (await sendByKey({ key: issuer.key, headers: header })).body.reason)
      } else if (!op.computes && op.emits && !op.id.endsWith('.restore')) {
        const events = await eventsOf(answer.headers['x-request-id'] as string)
        for (const { developer_id } of events) assert.equal(developer_id, issuer.id)
      }
      return
    }
    const read = await sendByToken({ scope: 'READ' })
    if (op.id === 'me.get') return assert.deepEqual([(await play()).status, (await read()).status], [200, 200])
    const byKey = await sendByKey({ key: issuer.key, headers: header })
    // The second time, the caller is recalled from the cache.
    for (const byToken of [play, play, read]) assert.deepEqual(comparable(await byToken()), comparable(byKey))
  })
}

test('no request that was refused has written anything', async () => {
  const { events, before } = await refusing()
  assert.deepEqual(await events(), before)
})
