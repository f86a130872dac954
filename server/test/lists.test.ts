import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { newGameTable } from './game-table.ts'
import { assertProblem, call, newCompany, write } from './harness.ts'

test('the ETag of a list changes with any of its items, its total or its page, and with nothing else', async () => {
  const { base, key, user, player, teller, other, C } = await newGameTable()
  const tag = async (path = `${base}/users?limit=2`) => (await call('GET', path, { key })).headers.etag as string
  const first = await tag()
  assert.equal(await tag(), first)
  const fresh = await call('GET', `${base}/users?limit=2`, { key, headers: { 'if-none-match': `W/${first}` } })
  assert.deepEqual([fresh.status, fresh.text, fresh.headers.etag, fresh.headers['cache-control']], [304, '', first, 'private, no-cache'])
  await user('PLAYER', 'Beyond the page')
  const second = await tag()
  assert.notEqual(second, first, 'the total changed')
  assert.equal((await call('GET', `${base}/users?limit=2`, { key, headers: { 'if-none-match': first } })).status, 200)
  await call('PATCH', `${base}/users/${player.id}`, { key, body: { name: 'Renamed' } })
  assert.notEqual(await tag(), second, 'an item changed')
  assert.notEqual(await tag(`${base}/users?limit=2&offset=1`), await tag(), 'another page')

  const seenBy = async (person: typeof player) => (await person.get(`${C}/characters`)).headers.etag
  const before = [await seenBy(teller), await seenBy(other)]
  await teller.make(`${C}/characters`, { name: 'Hidden', type: 'NPC', visibility: 'STORYTELLER' })
  assert.deepEqual(await seenBy(other), before[1], 'a secret changes no ETag of those who do not see it')
  assert.notEqual(await seenBy(teller), before[0])
})

test('If-Match takes no ETag of a list', async () => {
  const { base, key, user } = await newCompany()
  const id = await user('PLAYER')
  const { headers } = await call('GET', `${base}/users`, { key })
  const patch = { key, body: { name: 'x' }, headers: { 'if-match': headers.etag as string } }
  assertProblem(await call('PATCH', `${base}/users/${id}`, patch), 412)
})

test('ids, modified_since, q, filters, orders and pages work together, with exact totals', async () => {
  const { base, key, company_id } = await newCompany()
  await write(sql`
    INSERT INTO users (company_id, id, name, name_key, role, date_created, date_modified)
    SELECT ${company_id}, gen_random_uuid(), 'User ' || n, 'user ' || n, CASE n % 2 WHEN 0 THEN 'PLAYER' ELSE 'ADMIN' END,
      timestamptz '2026-01-01Z' + n * interval '1 second', timestamptz '2026-01-01Z' + n * interval '1 second'
    FROM generate_series(0, 1199) n`)
  await write(sql`INSERT INTO counters (company_id, collection, shard, count) VALUES (${company_id}, 'users', 0, 1200)`)
  const list = async (query: string) => {
    const { body, text, status } = await call('GET', `${base}/users?${query}`, { key })
    assert.equal(status, 200, text)
    return { names: body.items.map(({ name }) => name), total: body.total, items: body.items }
  }
  const since = (seconds: number) => `modified_since=${new Date(Date.parse('2026-01-01Z') + seconds * 1000).toISOString()}`
  const page = async (query: string) => {
    const { names, total } = await list(query)
    return [...names, total]
  }
  assert.deepEqual(await page('sort=date_modified&limit=2'), ['User 0', 'User 1', 1200])
  assert.deepEqual(await page('sort=-date_modified&limit=2&offset=1000'), ['User 199', 'User 198', 1200])
  assert.deepEqual(await page(`${since(1190)}&sort=-date_modified&limit=3`), ['User 1199', 'User 1198', 'User 1197', 10])
  assert.deepEqual(await page(`${since(1190)}&sort=name&limit=2&role=ADMIN`), ['User 1191', 'User 1193', 5])
  assert.deepEqual(await page(`${since(100)}&q=user 11&sort=date_modified&limit=2`), ['User 110', 'User 111', 110])
  assert.deepEqual(await page(`${since(100)}&q=u&sort=date_modified&limit=1`), ['User 100', 1100], 'a short q, too')
  assert.deepEqual(await page(`${since(1)}&sort=date_modified&limit=1&offset=1198`), ['User 1199', 1199])
  assert.deepEqual(await page(`${since(1200)}&limit=1`), [0])
  assert.deepEqual(await page(`${since(0)}&limit=0`), [1200])
  const { items } = await list('sort=date_modified&limit=3&offset=10')
  const ids = `ids=${items.map(({ id }) => id)}`
  assert.deepEqual(await page(`${ids}&sort=-date_modified`), ['User 12', 'User 11', 'User 10', 3])
  assert.deepEqual(await page(`${ids}&sort=name&limit=1&offset=1`), ['User 11', 3])
  assert.deepEqual(await page(`${ids}&role=ADMIN`), ['User 11', 1])
  assert.deepEqual(await page(`${ids}&${since(12)}`), ['User 12', 1])
  assert.deepEqual(await page(`${ids}&q=nobody`), [0])
  assert.deepEqual(await page(`${ids}&archived=true`), [0])
  const archived = await call('DELETE', `${base}/users/${items[0]?.id}`, { key })
  assert.equal(archived.status, 204)
  assert.deepEqual(await page(`${ids}&archived=true`), ['User 10', 1])
  assert.deepEqual(await page(`archived=true&sort=-date_modified&${since(5000)}`), ['User 10', 1], 'it was archived now')
})

test('ids of another company find nothing', async () => {
  const [mine, theirs] = [await newCompany(), await newCompany()]
  const ids = [await mine.user('PLAYER'), await theirs.user('PLAYER')]
  const { body } = await call('GET', `${mine.base}/users?ids=${ids}`, { key: mine.key })
  assert.deepEqual([body.items.map(({ id }) => id), body.total], [[ids[0]], 1])
})
