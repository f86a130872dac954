import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commitmentOf } from '@guildhall/dice/node-crypto'
import { newGameTable, twoApps } from '../../../test/game-table.ts'
import { assertProblem, db, engine, write } from '../../../test/harness.ts'
import { recordedApp as on, statementsOf } from '../../../test/recorded.ts'
import { migrations } from '../../db/migrate.ts'
import { sql } from '../../db/sql.ts'

const seedsOf = (company_id: string) =>
  db.query<{ id: string; owner: string; secret: boolean; server_seed: Buffer; date_created: Date }>(sql`
    SELECT id, coalesce(campaign_id, user_id) AS owner, secret, server_seed, date_created FROM dice_seeds WHERE company_id = ${company_id} ORDER BY id`)

test('seeds exist before the first roll: one with each user, two with each campaign', async () => {
  const { company_id, teller, player, other, stranger, admin, campaign_id, C } = await newGameTable()
  const initial = await seedsOf(company_id)
  assert.deepEqual(
    initial.map(({ owner, secret }) => `${owner} ${secret}`).sort(),
    [...[teller, player, other, stranger, admin].map(({ id }) => `${id} false`), `${campaign_id} false`, `${campaign_id} true`].sort(),
  )
  // Otherwise the first roll in the campaign makes the player a member.
  await player.post(`${C}/join`)
  // The first roll with each seed uses the one that was created with its owner.
  for (const [user, path, body] of [
    [player, '/dice-seed', {}],
    [player, `${C}/dice-seed`, { campaign_id }],
    [teller, `${C}/secret-dice-seed`, { campaign_id, visibility: 'STORYTELLER' }],
  ] as const) {
    await user.get('/campaigns', undefined, {}, on)
    const { answer: rolled, sent } = await statementsOf(() => user.post('/dice-rolls', { notation: '2d6', ...body }, {}, on))
    assert.equal(rolled.status, 201)
    assert.equal(sent.length, engine === 'citus' ? 6 : 4)
    const { body: proof } = await user.get(`/dice-rolls/${rolled.body.id}/proof`)
    const seed = initial.find(({ id }) => id === proof.seed_id)
    assert.deepEqual([proof.nonce, proof.commitment], [1, commitmentOf(seed?.server_seed as Buffer)])
    assert.deepEqual((await user.get(path)).body, { id: proof.seed_id, commitment: proof.commitment, next_nonce: 2 })
  }
  assert.deepEqual(await seedsOf(company_id), initial)
})

test('the migration creates missing seeds of older users and campaigns, and keeps existing ones', async () => {
  const { company_id, player, campaign_id, C } = await newGameTable()
  const initial = await seedsOf(company_id)
  const publicSeed = (await player.get(`${C}/dice-seed`)).body
  await player.post('/dice-rolls', { notation: 'd6' })
  await player.post('/dice-seed/rotate')
  const [current] = (await seedsOf(company_id)).slice(-1)
  await write(
    sql`DELETE FROM dice_seeds WHERE company_id = ${company_id} AND id <> ${publicSeed.id} AND coalesce(user_id, id) <> ${player.id}`,
  )
  const seedMigrations = migrations().filter(({ name }) => /plant/.test(name))
  assert.equal(seedMigrations.length, 2)
  for (const { text } of seedMigrations) await db.transaction((tx) => tx.query(sql.raw(text.replace(/;\s*$/, ''))))
  const seeds = await seedsOf(company_id)
  assert.equal(seeds.length, initial.length + 1, 'the revealed seed is kept')
  assert.ok(seeds.some(({ id }) => id === publicSeed.id) && seeds.some(({ id }) => id === current?.id))
  assert.equal(seeds.filter(({ owner }) => owner === campaign_id).length, 2)
  assert.equal(new Set(seeds.map(({ server_seed }) => server_seed.toString('hex'))).size, seeds.length)
  for (const { id } of seeds) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('reading a seed writes nothing: an owner without one gets 404 until the first roll or rotation creates it', async () => {
  const { company_id, player, teller, campaign_id, C } = await newGameTable()
  const owners = [
    [player, '/dice-seed', {}],
    [teller, `${C}/dice-seed`, { campaign_id }],
    [teller, `${C}/secret-dice-seed`, { campaign_id, visibility: 'STORYTELLER' }],
  ] as const
  const remove = () => write(sql`DELETE FROM dice_seeds WHERE company_id = ${company_id}`)
  await remove()
  for (const [user, path] of owners)
    for (let i = 0; i < 2; i++) assertProblem(await user.get(path, undefined, {}, twoApps[i]), 404, 'Dice seed not found')
  assert.deepEqual(await seedsOf(company_id), [])
  for (const [user, path, target] of owners) {
    const rolls = await Promise.all(twoApps.map((on) => user.post('/dice-rolls', { notation: 'd6', ...target }, {}, on)))
    assert.deepEqual(
      rolls.map(({ status }) => status),
      [201, 201],
    )
    assert.equal((await user.get(path)).body.next_nonce, 3)
  }
  assert.equal((await seedsOf(company_id)).length, 3)
  await write(sql`DELETE FROM dice_rolls WHERE company_id = ${company_id}`)
  await remove()
  for (const [user, path] of owners) {
    const { status, body } = await user.post(`${path}/rotate`)
    const { revealed, ...current } = body as { revealed?: { rolls: number } }
    assert.deepEqual([status, revealed?.rolls], [200, 0])
    assert.deepEqual((await user.get(path)).body, current)
  }
})
