import assert from 'node:assert/strict'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../src/db/client.ts'
import { sql } from '../src/db/sql.ts'
import { faultsOf } from '../src/resources/dice-rolls/verify.ts'
import { newGameTable, type Person } from './game-table.ts'
import { type Answer, app, db, engine, newApp, newDatabase, pooler, url, write } from './harness.ts'
import { guildhall, launch, newFolder } from './service.ts'

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
  assert.deepEqual(faultsOf(proof as never, before as never), [])

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
    for (const end = Date.now() + 20_000; ; await sleep(20)) {
      const waiting = await tx.query(sql`SELECT FROM pg_locks WHERE NOT granted AND relation = 'dice_rolls'::regclass`)
      if (waiting.length) break
      assert.ok(Date.now() < end, running.output())
    }
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
