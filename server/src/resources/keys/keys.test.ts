import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertProblem, call, clock, db, newDeveloper, testConfig, twoProcesses } from '../../../test/harness.ts'
import { buildApp } from '../../app.ts'
import { sql } from '../../db/sql.ts'

const KEYS = '/api/v1/developers/me/keys'

test('a key is shown once, and afterwards only its first and last characters', async () => {
  const { key, key_id, id } = await newDeveloper()
  const { body } = await call('GET', KEYS, { key })
  assert.equal(body.total, 1)
  assert.deepEqual([body.items[0]?.id, body.items[0]?.prefix, body.items[0]?.last_four], [key_id, key.slice(0, 8), key.slice(-4)])
  assert.equal(JSON.stringify(body).includes(key), false)
  const stored = await db.query(sql`SELECT to_jsonb(k)::text AS text FROM api_keys k WHERE developer_id = ${id}`)
  assert.equal(JSON.stringify(stored).includes(key), false)
})

test('a rotated key works until the overlap ends', { skip: twoProcesses }, async () => {
  const { key, key_id } = await newDeveloper()
  const rotated = await call('POST', `${KEYS}/${key_id}/rotate`, { key, body: { overlap_seconds: 60 } })
  assert.equal(rotated.status, 201)
  assert.equal(rotated.headers.location, `${KEYS}/${rotated.body.id}`)
  assert.match(rotated.body.key, /^glh_[0-9A-Za-z]{36}$/)
  assertProblem(await call('POST', `${KEYS}/${key_id}/rotate`, { key: rotated.body.key }), 409, /already been rotated/)
  const [event] = await db.query<{ resource_id: string; changes: Record<string, { new: unknown }> }>(
    sql`SELECT resource_id, changes FROM events WHERE request_id = ${rotated.headers['x-request-id']}`,
  )
  assert.deepEqual([event?.resource_id, event?.changes.successor_id?.new], [key_id, rotated.body.id])
  try {
    clock.ahead = 59_000
    assert.equal((await call('GET', KEYS, { key })).body.total, 2)
    clock.ahead = 61_000
    assertProblem(await call('GET', KEYS, { key }), 401)
    assert.equal((await call('GET', KEYS, { key: rotated.body.key })).body.total, 1)
    assertProblem(await call('GET', `${KEYS}/${key_id}`, { key: rotated.body.key }), 404)
    assertProblem(await call('POST', `${KEYS}/${key_id}/rotate`, { key: rotated.body.key }), 404)
    assertProblem(await call('DELETE', `${KEYS}/${key_id}`, { key: rotated.body.key }), 404)
  } finally {
    clock.ahead = 0
  }
})

test('the overlap is an hour by default and a week at most', async () => {
  const { key, key_id } = await newDeveloper()
  for (const overlap_seconds of [-1, 604_801, 1.5, '60', null]) {
    assertProblem(await call('POST', `${KEYS}/${key_id}/rotate`, { key, body: { overlap_seconds } }), 400)
  }
  await call('POST', `${KEYS}/${key_id}/rotate`, { key })
  const { body } = await call('GET', `${KEYS}/${key_id}`, { key })
  assert.ok(Math.abs(Date.parse(body.date_expires as string) - Date.now() - 3_600_000) < 5000)
})

test('a key is revoked immediately, and never by another developer', async () => {
  const [mine, theirs] = [await newDeveloper(), await newDeveloper()]
  assertProblem(await call('DELETE', `${KEYS}/${theirs.key_id}`, { key: mine.key }), 404, 'Key not found')
  assert.equal((await call('DELETE', `${KEYS}/${mine.key_id}`, { key: mine.key })).status, 204)
  assertProblem(await call('GET', KEYS, { key: mine.key }), 401)
})

test('the last use of a key is recorded without a statement per request', async () => {
  const { key, key_id } = await newDeveloper()
  const on = buildApp(db, testConfig())
  assert.equal((await call('GET', `${KEYS}/${key_id}`, { key, on })).body.date_last_used, null)
  await on.close()
  const { body } = await call('GET', `${KEYS}/${key_id}`, { key })
  assert.ok(Math.abs(Date.parse(body.date_last_used as string) - Date.now()) < 5000)
})
