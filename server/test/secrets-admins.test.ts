import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sampleOf } from '../src/http/reference/example.ts'
import type { Statistics } from '../src/resources/statistics/schema.ts'
import { type Answer, assertProblem, call } from './harness.ts'
import { once } from './once.ts'
import { plans } from './plans.ts'
import { newWorld, queriesFor, reads, WORD } from './worlds.ts'

// With a USER key, an acting ADMIN reads everything, and administers nothing.

/** Matches the request id, the cursors and the first frame of a stream, which differ from reply to reply. */
const VARYING = /req_[\w-]+|"cursor":"[\w-]+"|^(?:retry|id): .+$|^data: \{"date":"[\w:.-]+"\}$/gm
const withoutVarying = ({ status, text }: Answer) => `${status} ${text.replaceAll(VARYING, '*')}`

const world = once(() => newWorld(true))

/** Operations of a company that need more than a USER key, because they administer it. */
const administering = plans.filter(({ needs, inCompany }) => inCompany && needs.key !== 'USER')

test('with a USER key, an acting ADMIN in the path or in On-Behalf-Of reads everything that an ADMIN reads', async () => {
  const { admin, params, hidden, base, key, developer, user } = await world()
  const userKey = (await developer('USER')).key
  await call('DELETE', `${base}/users/${await user('PLAYER', 'Archived')}`, { key })
  const ids: Record<string, string> = { ...params, ...hidden, user_id: admin.id, item_id: randomUUID(), developer_id: randomUUID() }
  let repliesWithSecret = 0
  for (const op of reads.filter((op) => !administering.includes(op))) {
    for (const query of queriesFor(op)) {
      const path = `/api/v1${op.fill((name) => ids[name] ?? randomUUID())}${query && `?${query}`}`
      const headers = { 'on-behalf-of': admin.id }
      const expected = await call('GET', path, { key, headers })
      const byHeader = await call('GET', path, { key: userKey, headers })
      // Archived users are listed only for callers who may restore them, which needs an ADMIN key.
      if (op.id === 'users.list' && query === 'archived=true') {
        assert.deepEqual([expected.body.total, byHeader.body.total], [1, 0])
        continue
      }
      assert.equal(withoutVarying(byHeader), withoutVarying(expected), `${op.id}?${query} by the header`)
      if (op.actor === 'path')
        assert.equal(withoutVarying(await call('GET', path, { key: userKey })), withoutVarying(expected), `${op.id}?${query} by the path`)
      if (byHeader.text.includes(WORD)) repliesWithSecret++
    }
  }
  assert.ok(repliesWithSecret > 50, `only ${repliesWithSecret} replies contained a secret`)
  const [inPath, inHeader] = await Promise.all([
    call('GET', `${base}/users/${admin.id}/search?q=${WORD}&limit=100`, { key: userKey }),
    call('GET', `${base}/search?q=${WORD}&limit=100`, { key: userKey, headers: { 'on-behalf-of': admin.id } }),
  ])
  assert.ok(inPath.body.total >= 7)
  assert.deepEqual(inHeader.body, inPath.body)
  const statistics = await call('GET', `${base}/statistics`, { key: userKey, headers: { 'on-behalf-of': admin.id } })
  const { rolls, manual } = statistics.body as unknown as Statistics
  assert.deepEqual([rolls, manual.rolls], [31, 5])
})

test('with a USER key, an acting ADMIN cannot administer the company', async () => {
  const { admin, player, params, base, developer, events } = await world()
  const { key, id: developer_id } = await developer('USER')
  const before = await events()
  const headers = { 'on-behalf-of': admin.id }
  assert.ok(administering.length >= 10)
  for (const op of administering) {
    assert.equal(op.needs.role, 'ADMIN', op.id)
    const path = `/api/v1${op.fill((name) => ({ ...params, user_id: player.id, developer_id })[name as 'user_id'])}`
    const reply = await call(op.method, path, { key, headers, ...(op.body && { body: sampleOf(op.body) }) })
    assertProblem(reply, 403, 'No rights to access this resource')
  }
  for (const role of ['STORYTELLER', 'ADMIN'])
    assertProblem(await call('POST', `${base}/users`, { key, headers, body: { name: 'Promoted', role } }), 403)
  for (const [user_id, body] of [
    [player.id, { role: 'ADMIN' }],
    [player.id, { name: 'Renamed' }],
    [admin.id, { role: 'PLAYER' }],
    [admin.id, { external_id: 'mine' }],
  ] as const)
    assertProblem(await call('PATCH', `${base}/users/${user_id}`, { key, headers, body }), 403)
  assert.deepEqual(await events(), before)
})
