import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrations } from '../src/db/migrate.ts'
import { sql } from '../src/db/sql.ts'
import { invariants } from '../src/resources/declarations.ts'
import { newGameTable, twoApps } from './game-table.ts'
import { call, db, write } from './harness.ts'

const totals = invariants().find(({ check }) => check === 'totals') as ReturnType<typeof invariants>[0]
const mismatches = () => db.query(totals.violations())

test('totals are exact under concurrent changes on two processes', async () => {
  const { base, key, teller } = await newGameTable()
  const on = (i: number) => twoApps[i % 2] as (typeof twoApps)[0]
  const ids = await Promise.all(
    Array.from(
      { length: 60 },
      async (_, i) => (await call('POST', `${base}/users`, { key, on: on(i), body: { name: `U${i}`, role: 'PLAYER' } })).body.id,
    ),
  )
  // Each request is sent twice at once: only one of the two archives, only one restores.
  const twice = (method: 'DELETE' | 'POST', path: string, some: string[]) =>
    Promise.all(some.flatMap((id, i) => [0, 1].map((k) => call(method, `${base}/users/${id}${path}`, { key, on: on(i + k) }))))
  await twice('DELETE', '', ids.slice(0, 40))
  await Promise.all([twice('POST', '/restore', ids.slice(0, 20)), twice('DELETE', '', ids.slice(40, 50))])
  const total = async (query = '') => (await call('GET', `${base}/users${query}`, { key })).body.total
  assert.deepEqual([await total(), await total('?limit=0'), await total('?offset=1000')], [35, 35, 35])
  assert.deepEqual([await total('?archived=true'), await total('?role=PLAYER'), await total('?q=u1')], [30, 32, 11])
  await Promise.all(Array.from({ length: 10 }, (_, i) => teller.post('/campaigns', { name: `C${i}` }, {}, on(i))))
  assert.equal((await teller.get('/campaigns')).body.total, 11)
  assert.equal((await teller.get('/campaigns?status=PAUSED')).body.total, 0)
  assert.deepEqual(await mismatches(), [])
})

test('a user that cannot be created is not counted', async () => {
  const { base, key } = await newGameTable()
  const post = () => call('POST', `${base}/users`, { key, body: { name: 'Twin', role: 'PLAYER', external_id: 'x' } })
  const statuses = (await Promise.all([post(), post(), post()])).map(({ status }) => status)
  assert.deepEqual(statuses.sort(), [201, 409, 409])
  assert.deepEqual(await mismatches(), [])
})

test('rows from before the counters existed are counted by the migration', async () => {
  const { base, key } = await newGameTable()
  const live = await db.query(sql`SELECT * FROM counters ORDER BY company_id, collection, shard`)
  await write(sql`DELETE FROM counters`)
  assert.ok((await mismatches()).length > 0)
  const { text } = migrations().find(({ name }) => name === '0015_count_rows.sql') as { text: string }
  await write(sql.raw(text.replace(/;\s*$/, '')))
  assert.deepEqual(await mismatches(), [])
  const counted = await db.query(sql`SELECT * FROM counters ORDER BY company_id, collection, shard`)
  assert.deepEqual(
    counted,
    live.filter(({ count }) => count !== 0),
  )
  assert.equal((await call('GET', `${base}/users`, { key })).body.total, 5)
})
