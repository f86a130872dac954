import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { twoApps } from '../../../test/game-table.ts'
import { type Answer, assertProblem, call, newCompany, write } from '../../../test/harness.ts'
import { sql } from '../../db/sql.ts'

const link = (
  { base, key }: { base: string; key: string },
  external_id: string,
  body: object = { name: 'Mina' },
  headers: Record<string, string> = {},
): Promise<Answer> => call('PUT', `${base}/users/by-external-id/${encodeURIComponent(external_id)}`, { key, body, headers })

test('a bot links a user in one call, and gets the same user again', async () => {
  const company = await newCompany()
  const app = { base: company.base, key: (await company.developer('USER')).key }
  const made = await link(app, 'discord:12')
  assert.deepEqual(
    [made.status, made.body.name, made.body.role, made.body.external_id, made.body.version],
    [201, 'Mina', 'PLAYER', 'discord:12', 1],
  )
  assert.equal(made.headers.location, `${company.base}/users/${made.body.id}`)
  assert.deepEqual((await call('GET', made.headers.location as string, { key: app.key })).body, made.body)
  const again = await link(app, 'discord:12', { name: 'Other name', role: 'PLAYER' })
  assert.deepEqual([again.status, again.body, again.headers.etag, again.headers.location], [200, made.body, made.headers.etag, undefined])
  assert.equal((await call('GET', `${company.base}/users`, { key: app.key })).body.total, 1, 'the counter counts the user once')
  assert.deepEqual(await company.events(), ['user.created'])
  // The user has a seed, like every other.
  assert.equal((await call('GET', `${company.base}/users/${made.body.id}/dice-seed`, { key: app.key })).status, 200)
})

test('of concurrent links on two processes one creates the user, and the others find them', async () => {
  const { base, key } = await newCompany()
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      call('PUT', `${base}/users/by-external-id/race`, { key, body: { name: `Racer ${i}` }, on: twoApps[i % 2] as (typeof twoApps)[0] }),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...new Array(39).fill(200), 201])
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
  const { items, total } = (await call('GET', `${base}/users`, { key })).body
  assert.deepEqual([total, items.length], [1, 1])
})

test('links and creations with the same external_id make one user', async () => {
  const { base, key } = await newCompany()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => {
      const on = twoApps[i % 2] as (typeof twoApps)[0]
      return i < 10
        ? call('PUT', `${base}/users/by-external-id/both`, { key, on, body: { name: 'Linked' } })
        : call('POST', `${base}/users`, { key, on, body: { name: 'Created', role: 'PLAYER', external_id: 'both' } })
    }),
  )
  const [put, post] = [answers.slice(0, 10), answers.slice(10)]
  assert.ok(put.every(({ status }) => status === 200 || status === 201))
  assert.ok(post.every(({ status }) => status === 409 || status === 201))
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1, 'a conflict names the user, too')
})

test('the external_id in the path may contain any character that can be stored', async () => {
  const { base, key } = await newCompany()
  const ids = [
    'discord:12',
    'a/b',
    'ü',
    '東京 7',
    '🎲',
    '100%',
    '?q=1#x',
    'restore',
    ' space ',
    'x'.repeat(255),
    '語'.repeat(255),
    randomUUID(),
  ]
  for (const external_id of ids) {
    const made = await link({ base, key }, external_id)
    assert.deepEqual([made.status, made.body.external_id], [201, external_id])
    assert.equal((await link({ base, key }, external_id)).body.id, made.body.id)
    assert.equal((await call('GET', `${base}/users?external_id=${encodeURIComponent(external_id)}`, { key })).body.total, 1)
  }
  // Unlike ids, external ids in upper and lower case differ.
  const id = randomUUID()
  const headers = { 'idempotency-key': 'one key' }
  const [lower, upper] = [
    await link({ base, key }, id, undefined, headers),
    await link({ base, key }, id.toUpperCase(), undefined, headers),
  ]
  assert.deepEqual([lower.status, upper.status], [201, 201])
  assert.notEqual(lower.body.id, upper.body.id)
})

test('a malformed external_id, name or role is 400', async () => {
  const { base, key } = await newCompany()
  const fault = (answer: Answer) => {
    assertProblem(answer, 400, 'Validation failed for one or more fields.')
    return answer.body.invalid_parameters
  }
  assert.deepEqual(fault(await link({ base, key }, 'x'.repeat(256))), [
    { field: 'external_id', message: 'must have at most 255 characters' },
  ])
  assert.deepEqual(fault(await link({ base, key }, 'a\0b')), [
    { field: 'external_id', message: 'must not contain U+0000 or a lone surrogate' },
  ])
  for (const malformed of ['%zz', '%', '%ff', '%ed%a0%80']) {
    // Not through a proxy, which may not survive them.
    const answer = await call('PUT', `${base}/users/by-external-id/${malformed}`, { key, body: { name: 'Mina' }, on: twoApps[0] })
    assertProblem(answer, 400)
  }
  assertProblem(await call('PUT', `${base}/users/by-external-id/`, { key, body: { name: 'Mina' } }), 404)
  for (const body of [{}, { name: '' }, { name: 'Mina', role: 'KING' }, { name: 'Mina', role: null }, { name: 'Mina', external_id: 'x' }])
    fault(await link({ base, key }, 'discord:12', body))
  assert.equal((await call('GET', `${base}/users`, { key })).body.total, 0)
})

test('an archived user is not linked again until they are restored or purged', async () => {
  const { base, key, developer } = await newCompany()
  const { body } = await link({ base, key }, 'discord:12')
  assert.equal((await call('DELETE', `${base}/users/${body.id}`, { key })).status, 204)
  const refused = await link({ base, key }, 'discord:12')
  assertProblem(refused, 409, /archived/)
  assert.deepEqual([refused.body.code, refused.body.id], ['user_archived', body.id])
  const toUser = await link({ base, key: (await developer('USER')).key }, 'discord:12')
  assert.deepEqual([toUser.status, toUser.body.code, toUser.body.id], [409, 'user_archived', undefined], 'a USER key sees no archived user')
  assert.equal((await call('POST', `${base}/users/${body.id}/restore`, { key })).status, 200)
  assert.equal((await link({ base, key }, 'discord:12')).status, 200)
  await call('DELETE', `${base}/users/${body.id}`, { key })
  const second = await call('POST', `${base}/users`, { key, body: { name: 'Second', role: 'PLAYER', external_id: 'discord:12' } })
  assert.equal(second.status, 201)
  assert.equal((await link({ base, key }, 'discord:12')).body.id, second.body.id, 'the live user counts')
  await write(sql`UPDATE users SET external_id = NULL, date_purged = now() WHERE id = ${body.id}`)
  assert.equal((await link({ base, key }, 'discord:12')).body.id, second.body.id)
})

test('a new user has the default role of the company, and a USER key gives no other but PLAYER', async () => {
  const { base, key, developer, user } = await newCompany()
  const app = { base, key: (await developer('USER')).key }
  const role = async (answer: Answer) => [answer.status, answer.body.role ?? answer.body.code]
  assert.deepEqual(await role(await link(app, '1', { name: 'A', role: 'STORYTELLER' })), [403, 'forbidden'])
  assert.equal((await call('PATCH', base, { key, body: { settings: { default_user_role: 'STORYTELLER' } } })).status, 200)
  assert.deepEqual(await role(await link(app, '1')), [201, 'STORYTELLER'])
  assert.deepEqual(await role(await link(app, '2', { name: 'A', role: 'STORYTELLER' })), [201, 'STORYTELLER'])
  assert.deepEqual(await role(await link(app, '3', { name: 'A', role: 'PLAYER' })), [201, 'PLAYER'])
  assert.deepEqual(await role(await link(app, '4', { name: 'A', role: 'ADMIN' })), [403, 'forbidden'])
  assert.deepEqual(await role(await link({ base, key }, '4', { name: 'A', role: 'ADMIN' })), [201, 'ADMIN'])
  const posted = await call('POST', `${base}/users`, { key: app.key, body: { name: 'A', role: 'STORYTELLER' } })
  assertProblem(posted, 403)
  for (const [actor, status] of [
    [await user('PLAYER'), 403],
    [await user('STORYTELLER'), 403],
    [await user('ADMIN'), 201],
  ] as const)
    assert.equal((await link(app, '5', undefined, { 'on-behalf-of': actor })).status, status)
})
