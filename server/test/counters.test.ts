import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrations } from '../src/db/migrate.ts'
import { sql } from '../src/db/sql.ts'
import { sequence } from '../src/events/sequencer.ts'
import { invariants } from '../src/resources/declarations.ts'
import { sequenceAll } from './follower.ts'
import { newGameTable, twoApps } from './game-table.ts'
import { call, db, engine, write } from './harness.ts'
import { repeat } from './until.ts'

const totals = invariants().find(({ check }) => check === 'totals') as ReturnType<typeof invariants>[0]
const mismatches = () => db.query(totals.violations())
const events = invariants().find(({ check }) => check === 'events') as typeof totals
const eventMismatches = () => db.query(events.violations())

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

test('the total of the audit log is exact while many write and three workers give positions, and no filter counts less', async () => {
  const { base, key, player, campaign_id } = await newGameTable()
  const audited = async (query: string) => (await call('GET', `${base}/audit-logs${query}`, { key })).body.total
  let last = 0
  const stopWorkers = repeat(() => sequence(db), 3)
  const stopReader = repeat(async () => {
    // On Citus, a statement about all companies has no single snapshot.
    if (engine !== 'citus') assert.deepEqual(await eventMismatches(), [])
    const total = await audited('?limit=0')
    assert.ok(total >= last, `${total} after ${last}`)
    last = total
  })
  await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      player.post('/dice-rolls', { notation: 'd6', repeat: (i % 3) + 1, campaign_id }, {}, twoApps[i % 2]),
    ),
  )
  await Promise.all([stopWorkers(), stopReader()])
  assert.deepEqual(await eventMismatches(), [])
  const [total, counted] = [await audited(''), await audited('?from=2020-01-01T00:00:00Z')]
  assert.ok(total >= 120)
  assert.equal(total, counted)
  assert.equal(await audited('?type=dice_roll.created'), 120)
})

test('events from before the feed are counted by the migration, also while the sequencer runs', {
  skip: engine === 'citus' && 'databases are distributed after it',
}, async () => {
  const { base, key, company_id, player } = await newGameTable()
  await sequenceAll()
  await player.make('/dice-rolls', { notation: 'd6' })
  const { company_id: before } = await newGameTable()
  // As if the events of one company were from before the feed, and some of the other.
  await write(sql`DELETE FROM outbox WHERE company_id = ${before}`)
  await write(sql`DELETE FROM feed_heads WHERE company_id = ${before}`)
  await write(sql`UPDATE feed_heads SET last = last - 2 WHERE company_id = ${company_id}`)
  await write(sql`ALTER TABLE feed_heads DROP COLUMN unplaced`)
  const [{ text } = { text: '' }] = migrations().filter(({ name }) => name.startsWith('0053_'))
  await db.transaction(async (tx) => {
    for (const statement of text.split(/;\s*\n/)) if (statement.trim()) await tx.query(sql.raw(statement))
  })
  assert.deepEqual(await eventMismatches(), [])
  const { total } = (await call('GET', `${base}/audit-logs?limit=0`, { key })).body
  assert.equal(total, (await call('GET', `${base}/audit-logs?limit=100`, { key })).body.items.length)
})
