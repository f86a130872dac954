import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counting } from '../src/db/counters.ts'
import { sql } from '../src/db/sql.ts'
import { twoApps } from './game-table.ts'
import { call, db, newCompany } from './harness.ts'
import { repeat, until } from './until.ts'

// A page and its total come from one snapshot. A walk by offset reads several snapshots, so it can miss and repeat rows.

test('a walk by offset can miss a row that commits late and repeat another; the next walk has every row once', async () => {
  const { base, key, user, company_id } = await newCompany()
  const [first, second] = [await user('PLAYER', 'First'), await user('PLAYER', 'Second')]
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: inserted, resolve: insert } = Promise.withResolvers<string>()
  const late = db.transaction(async (tx) => {
    const id = tx.newId()
    await tx.query(sql`
      INSERT INTO users (company_id, id, name, name_key, role, date_created, date_modified, version)
      VALUES (${company_id}, ${id}, 'Late', 'late', 'PLAYER', ${tx.now()}, ${tx.now()}, 1)`)
    insert(id)
    await released
    // Sixteen counter rows share the users. If this one were counted earlier, the fourth could wait for it.
    await tx.query(counting('users', company_id, id, 1))
  })
  const third = await inserted
  const fourth = await user('PLAYER', 'Fourth')
  const page = async (offset: number) => (await call('GET', `${base}/users?limit=3&offset=${offset}`, { key })).body
  const ids = async (offset: number) => (await page(offset)).items.map(({ id }) => id)
  assert.deepEqual([await ids(0), (await page(0)).total], [[first, second, fourth], 3])
  release()
  await late
  // The id of the late row is older than its commit: it moved the fourth row to the second page.
  assert.deepEqual([await ids(3), (await page(3)).total], [[fourth], 4])
  assert.deepEqual([...(await ids(0)), ...(await ids(3))], [first, second, third, fourth])
})

test('during concurrent inserts every page agrees with its total, and walking until nothing is new finds every row', async () => {
  const { base, key } = await newCompany()
  const created = new Set<string>()
  const found = new Set<string>()
  const walk = async (): Promise<boolean> => {
    const before = found.size
    for (let offset = 0; offset < 1000; offset += 7) {
      const { items, total } = (await call('GET', `${base}/users?limit=7&offset=${offset}`, { key })).body
      assert.equal(items.length, Math.max(0, Math.min(7, total - offset)), `at ${offset} of ${total}`)
      for (const { id } of items) found.add(id)
      if (offset + 7 >= total) return found.size > before
    }
    assert.fail('the walk does not end')
  }
  const stop = repeat(walk)
  await Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      const { body } = await call('POST', `${base}/users`, {
        key,
        body: { name: `User ${i}`, role: 'PLAYER' },
        on: twoApps[i % 2] as never,
      })
      created.add(body.id)
    }),
  )
  await stop()
  await until(async () => !(await walk()), 'nothing new')
  assert.deepEqual(found, created)
})
