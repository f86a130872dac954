import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checksum } from '../src/core/api-key.ts'
import { sql } from '../src/db/sql.ts'
import type { Plan } from '../src/http/plan.ts'
import { openapi } from '../src/http/reference/openapi.ts'
import { operations } from '../src/resources/index.ts'
import { type Answer, assertProblem, call, newCompany, write } from './harness.ts'
import { once } from './once.ts'
import { plans } from './plans.ts'
import { scene } from './scene.ts'

// Calls every operation with user tokens: valid ones do what their user may do, and all others do nothing.

const { paths } = openapi(operations) as unknown as { paths: Record<string, Record<string, { responses: object; security: object[] }>> }
const documented = ({ path, method }: Plan) => paths[`/api/v1${path}`]?.[method.toLowerCase()]

/** Sets up the scene of an operation, and issues tokens for its user with a key of permission USER. */
async function tokenScene(op: Plan) {
  const set = await scene(op)
  const issuer = await set.developer('USER')
  const issueFor = async (user_id: string, body: object = {}, base = set.base, { key } = issuer): Promise<string> => {
    const issued = await call('POST', `${base}/users/${user_id}/tokens`, { key, body })
    assert.equal(issued.status, 201, issued.text)
    return String(issued.body.token)
  }
  /** Sends the request of the operation with a token. */
  const send = async (token: string, headers: Record<string, string> = {}, changed: Record<string, string> = {}): Promise<Answer> => {
    const answer = await set.send({ key: '', headers: { authorization: `Bearer ${token}`, ...headers } }, changed)
    assert.ok(String(answer.status) in (documented(op)?.responses ?? {}), `${answer.status} is not in openapi.json: ${answer.text}`)
    return answer
  }
  const assertNothingWritten = async ({ headers }: Answer) => assert.deepEqual(await set.eventsOf(headers['x-request-id'] as string), [])
  return { ...set, issuer, issueFor, send, sendByKey: set.send, assertNothingWritten }
}

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
  // Only the last test writes something. The others end tokens of the user, and with them what operations on a token are about.
  const shared = op.id.startsWith('tokens.') ? () => tokenScene(op) : once(() => tokenScene(op))

  test(`${op.id}: answers 401 to a token that is forged, expired, revoked or of a revoked key`, async () => {
    const { base, key, user_id, developer, issueFor, send } = await shared()
    const token = await issueFor(user_id)
    const other = token.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
    const content = token.slice(4, 77) + (token[77] === 'a' ? 'b' : 'a')
    for (const forged of [other, `glu_${content}${checksum(content)}`]) assertRejected(await send(forged))

    await write(
      sql`UPDATE user_tokens SET date_expires = now() - interval '1 second' WHERE company_id = ${base.slice(-36)} AND user_id = ${user_id}`,
    )
    assertRejected(await send(token), 'token_expired')

    const revoked = await issueFor(user_id)
    assert.equal((await call('POST', `${base}/users/${user_id}/tokens/revoke`, { key })).status, 200)
    assertRejected(await send(revoked))

    const issuer = await developer('OWNER')
    const orphaned = await issueFor(user_id, {}, base, issuer)
    assert.equal((await call('DELETE', `/api/v1/developers/me/keys/${issuer.key_id}`, { key: issuer.key })).status, 204)
    assertRejected(await send(orphaned))
  })

  test(`${op.id}: answers a token of a removed grant or an archived user like one without access`, async () => {
    const { base, key, user, developer, issueFor, send, assertNothingWritten } = await shared()
    const [removed, other] = [await developer('OWNER'), await developer('USER')]
    const user_id = await user('STORYTELLER')
    const tokens = [await issueFor(user_id, {}, base, removed), await issueFor(user_id, {}, base, other)] as const
    assert.equal((await call('DELETE', `${base}/developers/${removed.id}`, { key })).status, 204)
    const changed = op.actor === 'path' ? { user_id } : {}
    const refused = await send(tokens[0], {}, changed)
    assertProblem(refused, 403)
    assert.equal(refused.body.reason, isOfUser(op) ? 'company_access' : refusalOf(op))
    await assertNothingWritten(refused)

    assert.equal((await call('DELETE', `${base}/users/${user_id}`, { key })).status, 204)
    const gone = await send(tokens[1], {}, changed)
    if (isOfUser(op)) assertProblem(gone, 404, 'User not found')
    else assertProblem(gone, 403)
    await assertNothingWritten(gone)
  })

  if (op.inCompany) {
    test(`${op.id}: answers 403 to a token of another company, and 404 to one of another user`, async () => {
      const { user_id, user, owner, issueFor, send, assertNothingWritten } = await shared()
      const foreign = await newCompany()
      // The developer has access to both companies; the token has not.
      await write(sql`INSERT INTO grants (company_id, id, permission, date_created, date_modified)
        VALUES (${foreign.company_id}, ${owner.id}, 'OWNER', now(), now())`)
      const token = await issueFor(await foreign.user('ADMIN'), {}, foreign.base, owner)
      const refused = await send(token)
      assertProblem(refused, 403)
      assert.deepEqual([refused.body.reason, refused.body.needs], ['company_access', undefined])
      await assertNothingWritten(refused)
      const other = await issueFor(await user('ADMIN'))
      const hidden = await send(other, op.actor === 'path' ? {} : { 'on-behalf-of': user_id })
      assertProblem(hidden, 404, 'User not found')
      await assertNothingWritten(hidden)
    })
  }

  const refusal = refusalOf(op)
  if (refusal) {
    test(`${op.id}: answers 403 to every token, whichever key issued it`, async () => {
      const { base, user_id, owner, issueFor, send, assertNothingWritten } = await shared()
      const refused = await send(await issueFor(user_id, {}, base, owner))
      assertProblem(refused, 403, 'No rights to access this resource')
      assert.equal(refused.body.reason, refusal)
      await assertNothingWritten(refused)
      assert.equal(JSON.stringify(documented(op)?.security).includes('UserToken'), false)
    })
    continue
  }

  test(`${op.id}: answers a READ token ${op.writes ? 'with 403, and writes nothing' : 'like a PLAY token'}`, async () => {
    const { user_id, issueFor, send, assertNothingWritten } = await shared()
    const token = await issueFor(user_id, { scope: 'READ' })
    const answer = await send(token)
    if (op.writes) {
      assertProblem(answer, 403, 'No rights to access this resource')
      assert.equal(answer.body.reason, 'read_only_token')
      await assertNothingWritten(answer)
    } else assert.equal(answer.status, (await send(await issueFor(user_id))).status, answer.text)
  })

  test(`${op.id}: answers a token like a key with permission USER on behalf of its user`, async () => {
    const { user_id, issuer, issueFor, send, sendByKey, eventsOf } = await shared()
    assert.ok(JSON.stringify(documented(op)?.security).includes('UserToken'))
    const token = await issueFor(user_id)
    const header: Record<string, string> = op.actor === 'header' ? { 'on-behalf-of': user_id } : {}
    if (op.act !== 'read') {
      const answer = await send(token)
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
    if (op.id === 'me.get') return assert.equal((await send(token)).status, 200)
    const byKey = await sendByKey({ key: issuer.key, headers: header })
    // The second time, the caller is recalled from the cache.
    for (let i = 0; i < 2; i++) {
      const byToken = await send(token)
      assert.deepEqual(comparable(byToken), comparable(byKey))
    }
  })
}
