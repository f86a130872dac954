import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { verifyRoll } from '@guildhall/dice/verify'
import { connect } from '../src/db/client.ts'
import { sql } from '../src/db/sql.ts'
import { startDeliverer } from '../src/deliver/deliverer.ts'
import { sequence } from '../src/events/sequencer.ts'
import { newOutbound } from '../src/outbound/outbound.ts'
import type { ChangesReply, FeedItem } from '../src/resources/changes/schema.ts'
import { Follower } from './follower.ts'
import { newGameTable, type Person } from './game-table.ts'
import { type Answer, app, call, db, engine, newApp, newDatabase, pooler, url, write } from './harness.ts'
import { startReceiver } from './receiver.ts'
import { guildhall, launch, newFolder } from './service.ts'
import { StreamFollower } from './stream-follower.ts'
import { until } from './until.ts'

const folder = dirname(newFolder())
const fileOf = (name: string) => join(folder, name)

async function backUp(name: string): Promise<string> {
  const { code, output } = await guildhall(['backup', fileOf(name)], { DATABASE_URL: url })
  assert.equal(code, 0, output)
  return fileOf(name)
}

/** Restores a backup into a new database, and starts an app on it. */
async function restored(file: string) {
  const database = await newDatabase({ empty: true })
  const { code, output } = await guildhall(['restore', file, '--json'], { DATABASE_URL: database })
  assert.equal(code, 0, output)
  // On a slow machine, progress is printed first, on standard error.
  const result = JSON.parse(output.slice(output.indexOf('{'))) as { seeds_replaced: number }
  const copy = connect(database, { readers: 1, writers: 2, pooler, engine })
  after(() => copy.close())
  return { database, copy, on: await newApp({}, undefined, copy), result }
}

test('dice rolled after a backup are not repeated after it is restored', async () => {
  const { player, teller, campaign_id, C } = await newGameTable()
  const before = (await player.post('/dice-rolls', { notation: '10d100', campaign_id })).body
  const file = await backUp('dice.backup')
  const kinds: [Person, object][] = [
    [player, {}],
    [player, { campaign_id }],
    [teller, { campaign_id, visibility: 'STORYTELLER' }],
    [player, { campaign_id, client_seed: 'my-own' }],
  ]
  const roll = async (on: typeof app) => {
    const rolled: string[] = []
    for (let i = 0; i < 25; i++) {
      const [who, body] = kinds[i % kinds.length] as (typeof kinds)[0]
      const { status, body: made, text } = await who.post('/dice-rolls', { notation: '10d100', ...body }, {}, on)
      assert.equal(status, 201, text)
      rolled.push(JSON.stringify(made.dice))
    }
    return rolled
  }
  const first = await roll(app)
  const { on, copy, result } = await restored(file)
  const second = await roll(on)
  assert.equal(first.filter((dice) => second.includes(dice)).length, 0, 'the same dice came up again')

  const [{ current, revealed } = { current: 0, revealed: 0 }] = await copy.query<{ current: number; revealed: number }>(sql`
    SELECT count(*) FILTER (WHERE date_revealed IS NULL) AS current, count(*) FILTER (WHERE date_revealed IS NOT NULL) AS revealed FROM dice_seeds`)
  const [{ seeds } = { seeds: 0 }] = await db.query<{ seeds: number }>(sql`SELECT count(*) AS seeds FROM dice_seeds`)
  assert.deepEqual([current, revealed, result.seeds_replaced], [seeds, seeds, seeds], 'every owner has one current seed')

  // A roll from before the backup can be proved, because its seed is revealed.
  const proof = (await player.get(`/dice-rolls/${before.id}/proof`, undefined, {}, on)).body
  assert.equal(typeof proof.server_seed, 'string')
  assert.deepEqual((await verifyRoll(proof, before)).faults, [])

  const rotations = await copy.query<{ id: string; resource_id: string; changes: Answer['body']['changes']; visibility: string | null }>(
    sql`SELECT id, resource_id, changes, visibility FROM events WHERE type = 'dice_seed.rotated' AND campaign_id = ${campaign_id} ORDER BY visibility`,
  )
  assert.deepEqual(
    rotations.map(({ visibility }) => visibility),
    ['STORYTELLER', null],
  )
  const open = rotations[1]
  const seed = (await player.get(`${C}/dice-seed`, undefined, {}, on)).body
  assert.deepEqual([open?.resource_id, open?.changes.commitment?.new], [seed.id, seed.commitment])
  assert.deepEqual(open?.changes.commitment?.old, proof.commitment)
  assert.deepEqual(open?.changes.next_nonce, { old: 2, new: 1 })
  for (const id of [open?.id, seed.id]) assert.match(String(id), /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('every cursor from before a restore gets one feed.reset, in the changes and in streams, and goes on from there', async () => {
  const { player, teller, C, base, key, company_id } = await newGameTable()
  const company = (path: string, on: typeof app) => call('GET', `${base}${path}`, { key, on })
  const readers = [
    { path: `/users/${player.id}`, get: (path: string) => player.get(path) },
    { path: '', get: (path: string) => company(path, app) },
  ]
  const first = await Promise.all(readers.map((reader) => Follower.start(reader)))
  await teller.make(`${C}/books`, { name: 'In the backup' })
  const atBackup = await Promise.all(readers.map((reader) => Follower.start(reader)))
  const file = await backUp('feed.backup')
  for (let i = 0; i < 5; i++) await teller.make(`${C}/books`, { name: `Lost ${i}` })
  const beyond = await Promise.all(readers.map((reader) => Follower.start(reader)))

  const { on, copy } = await restored(file)
  await on.listen({ port: 0, host: '127.0.0.1' })
  const host = `http://127.0.0.1:${(on.server.address() as AddressInfo).port}`
  const write = async (name: string) => {
    assert.equal((await teller.post(`${C}/books`, { name }, {}, on)).status, 201)
    await until(async () => (await sequence(copy)).length === 0, 'every position')
  }
  // The feed of the copy becomes longer than that of the original: a position from before the restore is that of another event now.
  for (let i = 0; i < 10; i++) await write(`Other ${i}`)
  const shapeOf = ({ type, data: { change, resource_type, id } }: FeedItem) => [type, change, resource_type, id]
  const reset = ['feed.reset', 'RESYNC', 'company', company_id]
  for (const [i, { path }] of readers.entries())
    for (const { cursor } of [first, atBackup, beyond].map((cursors) => cursors[i] as Follower)) {
      const page = async (after: string) => (await company(`${path}/changes?after=${after}`, on)).body as unknown as ChangesReply
      const told = await page(cursor)
      assert.deepEqual([told.items.map(shapeOf), told.more], [[reset], false])
      const stream = new StreamFollower(`${host}${base}${path}/stream`, { 'x-api-key': key })
      stream.lastId = cursor
      await stream.open()
      assert.deepEqual((await stream.until(({ type }) => type === 'feed.reset')).map(shapeOf), [reset])
      const name = `After ${cursor}`.slice(0, 50)
      await write(name)
      const items = await stream.until(({ type }) => type === 'book.created')
      assert.deepEqual([items.length, items[0]?.data.changes?.name?.new], [1, name])
      assert.deepEqual((await page(told.cursor)).items, items, 'both go on with what is new')
      assert.deepEqual((await page(stream.lastId)).items, [])
      stream.close()
    }
})

test('a restore that is killed after its seeds were copied leaves an empty database', async () => {
  const { player } = await newGameTable()
  await player.make('/dice-rolls', { notation: 'd6' })
  const file = await backUp('killed.backup')
  const database = await newDatabase()
  const copy = connect(database, { readers: 1, writers: 1, pooler: false })
  after(() => copy.close())
  const running = launch(['restore', file], { DATABASE_URL: database })
  // Rolls are copied after the seeds they refer to: the lock holds the restore between the two.
  await copy.transaction(async (tx) => {
    await tx.query(sql`LOCK TABLE dice_rolls IN SHARE MODE`)
    const isWaiting = () => tx.query(sql`SELECT FROM pg_locks WHERE NOT granted AND relation = 'dice_rolls'::regclass`)
    await until(async () => (await isWaiting()).length, running.output)
    running.child.kill('SIGKILL')
    await once(running.child, 'close')
  })
  for (const table of ['dice_seeds', 'dice_rolls', 'developers', 'events'])
    assert.deepEqual(await copy.query(sql`SELECT FROM ${sql.id(table)}`), [], table)
})

test('the doctor finds a seed that was used beyond its counter', async () => {
  const { player } = await newGameTable()
  await player.make('/dice-rolls', { notation: 'd6' })
  await player.make('/dice-rolls', { notation: 'd6' })
  const examine = async () => {
    const { code, output } = await guildhall(['doctor', '--json'], { DATABASE_URL: url, RATE_LIMIT: 'on' })
    const findings = JSON.parse(output) as { check: string; state: string; remedy?: string }[]
    return { code, seeds: findings.find(({ check }) => check === 'dice seeds') }
  }
  assert.deepEqual([(await examine()).seeds?.state], ['good'])
  await write(sql`UPDATE dice_seeds SET nonce = 1 WHERE user_id = ${player.id}`)
  const { code, seeds } = await examine()
  assert.deepEqual([code, seeds?.state, /dice-seed\/rotate/.test(seeds?.remedy ?? '')], [1, 'wrong', true])
})

test('a restored copy calls no endpoint, and tells a receiver to read everything again when its webhook is enabled', async () => {
  const { base, key, player } = await newGameTable()
  const { received, url: endpoint } = await startReceiver()
  const body = { name: 'Bot', url: endpoint, types: ['dice_roll.created'] }
  const { id } = (await call('POST', `${base}/webhooks`, { key, body })).body
  const path = `${base}/webhooks/${id}`
  await player.post('/dice-rolls', { notation: '1d6' })
  await sequence(db)
  const { copy, on } = await restored(await backUp('webhooks.backup'))
  const failures: unknown[] = []
  const { sender } = newOutbound(['127.0.0.1'])
  const stop = startDeliverer({ db: copy, sender, timeoutMs: 1000, pollMs: 20, failed: (error) => failures.push(error) })
  after(stop)
  const webhook = (await call('GET', path, { key, on })).body
  assert.deepEqual([webhook.status, webhook.disabled_reason], ['DISABLED', 'RESTORED'])
  await player.post('/dice-rolls', { notation: '1d6' }, {}, on)
  // What is due has been looked for when another webhook gets what comes now.
  const other = await startReceiver()
  assert.equal((await call('POST', `${base}/webhooks`, { key, on, body: { ...body, name: 'Other', url: other.url } })).status, 201)
  await player.post('/dice-rolls', { notation: '1d6' }, {}, on)
  await sequence(copy)
  await until(() => other.received.length === 1, 'the delivery of another webhook')
  assert.equal(received.length, 0)
  assert.equal((await call('POST', `${path}/enable`, { key, on, body: {} })).status, 200)
  await until(() => received.length === 1, 'the reset')
  await player.post('/dice-rolls', { notation: '1d6' }, {}, on)
  await sequence(copy)
  await until(() => received.length === 2, 'the next roll')
  assert.deepEqual(
    received.map((one) => one.body.type),
    ['feed.reset', 'dice_roll.created'],
  )
  await stop()
  assert.deepEqual(failures, [])
})
