import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertProblem, db, write } from '../../../test/harness.ts'
import { recordedApp as on, statementsOf } from '../../../test/recorded.ts'
import { newTable, twoApps } from '../../../test/table.ts'
import { migrations } from '../../db/migrate.ts'
import { sql } from '../../db/sql.ts'
import { commitmentOf } from '../../dice/draw.ts'

const seedsOf = (company_id: string) =>
  db.query<{ id: string; owner: string; secret: boolean; server_seed: Buffer; date_created: Date }>(sql`
    SELECT id, coalesce(campaign_id, user_id) AS owner, secret, server_seed, date_created FROM dice_seeds WHERE company_id = ${company_id} ORDER BY id`)

test('every seed is there before anybody asks for a die: with its user, and two with its campaign', async () => {
  const { company_id, teller, player, other, stranger, admin, campaign_id, C } = await newTable()
  const planted = await seedsOf(company_id)
  assert.deepEqual(
    planted.map(({ owner, secret }) => `${owner} ${secret}`).sort(),
    [...[teller, player, other, stranger, admin].map(({ id }) => `${id} false`), `${campaign_id} false`, `${campaign_id} true`].sort(),
  )
  // The first roll of each follows from what was planted then.
  for (const [who, path, body] of [
    [player, '/dice-seed', {}],
    [player, `${C}/dice-seed`, { campaign_id }],
    [teller, `${C}/secret-dice-seed`, { campaign_id, visibility: 'STORYTELLER' }],
  ] as const) {
    await who.get('/campaigns', undefined, {}, on)
    const { answer: rolled, asked } = await statementsOf(() => who.post('/dice-rolls', { notation: '2d6', ...body }, {}, on))
    assert.equal(rolled.status, 201)
    assert.equal(asked.length, 5)
    const { body: proof } = await who.get(`/dice-rolls/${rolled.body.id}/proof`)
    const seed = planted.find(({ id }) => id === proof.seed_id)
    assert.deepEqual([proof.nonce, proof.commitment], [1, commitmentOf(seed?.server_seed as Buffer)])
    assert.deepEqual((await who.get(path)).body, { id: proof.seed_id, commitment: proof.commitment, next_nonce: 2 })
  }
  assert.deepEqual(await seedsOf(company_id), planted)
})

test('users and campaigns that are older than that get their seeds by the migration, and keep those they have', async () => {
  const { company_id, player, campaign_id, C } = await newTable()
  const planted = await seedsOf(company_id)
  const open = (await player.get(`${C}/dice-seed`)).body
  await player.post('/dice-rolls', { notation: 'd6' })
  await player.post('/dice-seed/rotate')
  const [mine] = (await seedsOf(company_id)).slice(-1)
  await write(sql`DELETE FROM dice_seeds WHERE company_id = ${company_id} AND id <> ${open.id} AND coalesce(user_id, id) <> ${player.id}`)
  const planting = migrations().filter(({ name }) => /plant/.test(name))
  assert.equal(planting.length, 2)
  for (const { text } of planting) await db.transaction((tx) => tx.query(sql.words(text.replace(/;\s*$/, ''))))
  const seeds = await seedsOf(company_id)
  assert.equal(seeds.length, planted.length + 1, 'the one that was revealed is still there')
  assert.ok(seeds.some(({ id }) => id === open.id) && seeds.some(({ id }) => id === mine?.id))
  assert.equal(seeds.filter(({ owner }) => owner === campaign_id).length, 2)
  assert.equal(new Set(seeds.map(({ server_seed }) => server_seed.toString('hex'))).size, seeds.length)
  for (const { id } of seeds) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('seeing a seed writes nothing: an owner without one is 404 until the first roll or rotation makes it', async () => {
  const { company_id, player, teller, campaign_id, C } = await newTable()
  const owners = [
    [player, '/dice-seed', {}],
    [teller, `${C}/dice-seed`, { campaign_id }],
    [teller, `${C}/secret-dice-seed`, { campaign_id, visibility: 'STORYTELLER' }],
  ] as const
  const remove = () => write(sql`DELETE FROM dice_seeds WHERE company_id = ${company_id}`)
  await remove()
  for (const [who, path] of owners)
    for (let i = 0; i < 2; i++) assertProblem(await who.get(path, undefined, {}, twoApps[i]), 404, 'Dice seed not found')
  assert.deepEqual(await seedsOf(company_id), [])
  for (const [who, path, where] of owners) {
    const rolls = await Promise.all(twoApps.map((on) => who.post('/dice-rolls', { notation: 'd6', ...where }, {}, on)))
    assert.deepEqual(
      rolls.map(({ status }) => status),
      [201, 201],
    )
    assert.equal((await who.get(path)).body.next_nonce, 3)
  }
  assert.equal((await seedsOf(company_id)).length, 3)
  await write(sql`DELETE FROM dice_rolls WHERE company_id = ${company_id}`)
  await remove()
  for (const [who, path] of owners) {
    const { status, body } = await who.post(`${path}/rotate`)
    const { revealed, ...current } = body as { revealed?: { rolls: number } }
    assert.deepEqual([status, revealed?.rolls], [200, 0])
    assert.deepEqual((await who.get(path)).body, current)
  }
})
