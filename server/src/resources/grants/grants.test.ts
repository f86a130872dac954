import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertProblem, call, newCompany, newDeveloper } from '../../../test/harness.ts'

test('an OWNER grants, changes and removes access', async () => {
  const { base, key, company_id, events } = await newCompany()
  const other = await newDeveloper()
  const path = `${base}/developers/${other.id}`
  assertProblem(await call('GET', `${base}/users`, { key: other.key }), 403)
  const given = await call('PUT', path, { key, body: { permission: 'USER' } })
  assert.deepEqual([given.status, given.body.permission, given.body.company_id, given.headers.location], [201, 'USER', company_id, path])
  assert.equal((await call('GET', `${base}/users`, { key: other.key })).status, 200)
  const changed = await call('PUT', path, { key, body: { permission: 'ADMIN' } })
  assert.deepEqual([changed.status, changed.body.permission, changed.body.version], [200, 'ADMIN', 2])
  const same = await call('PUT', path, { key, body: { permission: 'ADMIN' } })
  assert.deepEqual([same.status, same.body.version], [200, 2])
  const list = await call('GET', `${base}/developers?sort=date_created`, { key: other.key })
  assert.deepEqual(
    list.body.items.map(({ permission }) => permission),
    ['OWNER', 'ADMIN'],
  )
  assertProblem(await call('PUT', path, { key: other.key, body: { permission: 'OWNER' } }), 403)
  assert.equal((await call('DELETE', path, { key })).status, 204)
  assertProblem(await call('DELETE', path, { key }), 404, 'Developer not found')
  assert.deepEqual(await events(), ['grant.set', 'grant.set', 'grant.removed'])
})

test('the last OWNER can be neither demoted nor removed', async () => {
  const { base, key, owner, developer } = await newCompany()
  const path = `${base}/developers/${owner.id}`
  assertProblem(await call('PUT', path, { key, body: { permission: 'ADMIN' } }), 409, /last OWNER/)
  assertProblem(await call('DELETE', path, { key }), 409, /last OWNER/)
  await developer('OWNER')
  assert.equal((await call('PUT', path, { key, body: { permission: 'ADMIN' } })).status, 200)
})

test('a new grant with If-Match is 412, because there is nothing to match', async () => {
  const { base, key } = await newCompany()
  const other = await newDeveloper()
  assertProblem(
    await call('PUT', `${base}/developers/${other.id}`, { key, body: { permission: 'USER' }, headers: { 'if-match': '*' } }),
    412,
  )
  assertProblem(await call('GET', `${base}/developers/${other.id}`, { key }), 404)
})

test('grants are listed in the order they were given', async () => {
  const { base, key, owner } = await newCompany()
  const [early, late] = [await newDeveloper(), await newDeveloper()]
  for (const { id } of [late, early]) await call('PUT', `${base}/developers/${id}`, { key, body: { permission: 'USER' } })
  const ids = (await call('GET', `${base}/developers`, { key })).body.items.map(({ id }) => id)
  assert.deepEqual(ids, [owner.id, late.id, early.id])
})
