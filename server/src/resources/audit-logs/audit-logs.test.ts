import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable } from '../../../test/game-table.ts'
import { assertProblem, call, db, newCompany, write } from '../../../test/harness.ts'
import { sql } from '../../db/sql.ts'
import { EVENTS } from '../../events/catalog.ts'

test('the log shows every change with the caller, the resource and the values before and after', async () => {
  const { base, key, owner, company_id, user } = await newCompany()
  const admin = await user('ADMIN')
  const made = await call('POST', `${base}/users`, { key, body: { name: 'Mina', role: 'PLAYER' }, headers: { 'on-behalf-of': admin } })
  const changed = await call('PATCH', `${base}/users/${made.body.id}`, { key, body: { role: 'STORYTELLER', name: 'Mina' } })
  await call('DELETE', `${base}/users/${made.body.id}`, { key })
  const { items, total } = (await call('GET', `${base}/audit-logs`, { key })).body
  assert.equal(total, 3)
  assert.deepEqual(
    items.map(({ type }) => type),
    ['user.created', 'user.updated', 'user.deleted'],
  )
  const [created, updated, deleted] = items
  assert.deepEqual(
    [created?.developer_id, created?.user_id, created?.resource_type, created?.resource_id],
    [owner.id, admin, 'user', made.body.id],
  )
  assert.deepEqual(created?.changes, { name: { old: null, new: 'Mina' }, role: { old: null, new: 'PLAYER' } })
  assert.deepEqual(updated?.changes, { role: { old: 'PLAYER', new: 'STORYTELLER' } })
  assert.deepEqual([updated?.request_id, updated?.user_id, updated?.company_id], [changed.headers['x-request-id'], null, company_id])
  assert.deepEqual(Object.keys(deleted?.changes ?? {}), ['date_archived'])
})

test('filters narrow by type, resource, actor, request and time', async () => {
  const { base, key, owner, developer, user } = await newCompany()
  const other = await developer('ADMIN')
  const admin = await user('ADMIN')
  const first = await call('POST', `${base}/users`, { key, body: { name: 'A', role: 'PLAYER' } })
  const second = await call('POST', `${base}/users`, {
    key: other.key,
    body: { name: 'B', role: 'PLAYER' },
    headers: { 'on-behalf-of': admin },
  })
  await call('PATCH', base, { key, body: { description: 'x' } })
  const found = async (query: string) =>
    (await call('GET', `${base}/audit-logs?${query}`, { key })).body.items.map(({ resource_id }) => resource_id)
  assert.deepEqual(await found('type=user.created'), [first.body.id, second.body.id])
  assert.deepEqual(await found('resource_type=user&sort=-date_created'), [second.body.id, first.body.id])
  assert.deepEqual(await found(`resource_id=${first.body.id}`), [first.body.id])
  assert.deepEqual(await found(`developer_id=${other.id}`), [second.body.id])
  assert.equal((await found(`developer_id=${owner.id}`)).length, 2)
  assert.deepEqual(await found(`user_id=${admin}`), [second.body.id])
  assert.deepEqual(await found(`request_id=${first.headers['x-request-id']}`), [first.body.id])
  assert.deepEqual(await found('type=user.created&resource_type=company'), [])
  const from = encodeURIComponent(second.body.date_created as string)
  assert.equal((await found(`from=${from}`))[0], second.body.id)
  assert.deepEqual(await found(`to=${encodeURIComponent(first.body.date_created as string)}`), [])
  assert.deepEqual(await found('from=1969-01-01T00:00:00Z&to=1969-12-31T23:59:59%2B01:00'), [])
  for (const bad of ['from=yesterday', 'from=2026-11-15', 'to=2026-06-30T23:59:60Z', 'resource_id=x', 'developer_id=', 'from=']) {
    assertProblem(await call('GET', `${base}/audit-logs?${bad}`, { key }), 400)
  }
})

test('an unknown type is an error, and every type of the catalog is accepted', async () => {
  const { base, key } = await newCompany()
  const ask = (query: string) => call('GET', `${base}/audit-logs?limit=0&${query}`, { key })
  for (const [field, typo] of [
    ['type', 'user.create'],
    ['type', 'user.*'],
    ['type', ''],
    ['type', 'USER.created'],
    ['resource_type', 'usr'],
  ] as const) {
    const answer = await ask(`${field}=${typo}`)
    assertProblem(answer, 400)
    const [fault] = answer.body.invalid_parameters
    assert.equal(fault?.field, field)
    assert.match(
      fault?.message ?? '',
      field === 'type' ? /^must be one of api_key.issued, .* others, which GET .*options lists$/ : /^must be one of api_key, book, /,
    )
  }
  for (const type of Object.keys(EVENTS)) assert.equal((await ask(`type=${type}&resource_type=${type.split('.')[0]}`)).status, 200, type)
})

test('a refused request leaves no entry, and the log of one company shows nothing of another', async () => {
  const [mine, theirs] = [await newCompany(), await newCompany()]
  await call('POST', `${theirs.base}/users`, { key: theirs.key, body: { name: 'A', role: 'PLAYER' } })
  assertProblem(await call('POST', `${mine.base}/users`, { key: mine.key, body: { name: '', role: 'PLAYER' } }), 400)
  assertProblem(await call('POST', `${mine.base}/users`, { key: theirs.key, body: { name: 'A', role: 'PLAYER' } }), 403)
  assert.equal((await call('GET', `${mine.base}/audit-logs`, { key: mine.key })).body.total, 0)
})

test('long values are cut in the reply and stored in full', async () => {
  const { base, key, company_id, player, C } = await newGameTable()
  const traits = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`t${i}`.padEnd(64, 'x'), 100]))
  const id = await player.make(`${C}/characters`, { name: 'Crane', concept: 'c'.repeat(500), biography: 'é'.repeat(501), traits })
  await player.patch(`${C}/characters/${id}`, { biography: 'Short' })
  await player.patch(`${C}/characters/${id}`, { name: 'Jonathan' })
  const logs = async () => (await call('GET', `${base}/audit-logs?resource_id=${id}`, { key })).body.items
  const [created, cut, plain] = await logs()
  assert.deepEqual(created?.changes.concept, { old: null, new: 'c'.repeat(500) })
  assert.deepEqual(created?.changes.traits, { old: null, new: traits })
  assert.deepEqual(cut?.changes, { biography: { old: 'é'.repeat(500), new: 'Short' } })
  assert.deepEqual(plain?.changes, { name: { old: 'Crane', new: 'Jonathan' } })
  assert.deepEqual([created?.truncated, cut?.truncated, plain?.truncated], [true, true, false])
  const stored = sql`SELECT changes->'biography'->>'old' AS old FROM events WHERE company_id = ${company_id} AND id = ${cut?.id}`
  assert.deepEqual(await db.query(stored), [{ old: 'é'.repeat(501) }])

  // An event with many long values is cut as well, so that it does not exceed its share of a page.
  await write(sql`
    UPDATE events SET changes = (SELECT jsonb_object_agg('field_' || n, jsonb_build_object('old', repeat(E'\\u0001', 500), 'new', null)) FROM generate_series(1, 20) n)
    WHERE company_id = ${company_id} AND id = ${cut?.id}`)
  const [, huge] = await logs()
  assert.deepEqual([huge?.changes, huge?.truncated], [{}, true])
})
