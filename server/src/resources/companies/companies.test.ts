import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertProblem, call, newCompany, newDeveloper, write } from '../../../test/harness.ts'
import { sql } from '../../db/sql.ts'

test('the creator of a company becomes its OWNER and sees it in their account', async () => {
  const { key } = await newDeveloper()
  const made = await call('POST', '/api/v1/companies', { key, body: { name: 'Blackwood', settings: { campaign_creation: 'STORYTELLER' } } })
  assert.equal(made.status, 201)
  const settings = { campaign_creation: 'STORYTELLER', default_user_role: 'PLAYER' }
  assert.deepEqual([made.body.description, made.body.email, made.body.settings], [null, null, settings])
  const me = await call('GET', '/api/v1/developers/me', { key })
  assert.deepEqual(me.body.companies, [{ company_id: made.body.id, permission: 'OWNER' }])
  const log = await call('GET', `/api/v1/companies/${made.body.id}/audit-logs`, { key })
  assert.deepEqual(
    log.body.items.map(({ type }) => type),
    ['company.created'],
  )
})

test('a key lists the companies it has access to, and a global admin lists all', async () => {
  const mine = await newCompany()
  const theirs = await newCompany()
  const ids = async (key: string, query = '') =>
    (await call('GET', `/api/v1/companies?limit=100&sort=-date_created${query}`, { key })).body.items.map(({ id }) => id)
  assert.deepEqual(await ids(mine.key), [mine.company_id])
  const operator = await newDeveloper(true)
  const all = await ids(operator.key)
  assert.ok(all.includes(mine.company_id) && all.includes(theirs.company_id))
  assert.equal((await call('GET', theirs.base, { key: operator.key })).status, 200)
  assertProblem(
    await call('GET', '/api/v1/companies/00000000-0000-7000-8000-000000000000', { key: operator.key }),
    404,
    'Company not found',
  )
})

test('a patch of the settings keeps those that it does not name', async () => {
  const { base, key } = await newCompany()
  const changed = await call('PATCH', base, { key, body: { settings: { campaign_creation: 'STORYTELLER' } } })
  assert.deepEqual([changed.body.settings, changed.body.version], [{ campaign_creation: 'STORYTELLER', default_user_role: 'PLAYER' }, 2])
  const same = await call('PATCH', base, { key, body: { settings: {} } })
  assert.deepEqual([same.status, same.body.version], [200, 2])
  for (const settings of [
    { campaign_creation: null },
    { campaign_creation: 'KING' },
    { default_user_role: 'ADMIN' },
    { other: 1 },
    null,
    'x',
    [],
  ]) {
    assertProblem(await call('PATCH', base, { key, body: { settings } }), 400)
  }
})

test('an archived company is inaccessible, and only its OWNER may restore it', async () => {
  const company = await newCompany()
  const { base, key } = company
  const [admin, operator] = [await company.developer('ADMIN'), await newDeveloper(true)]
  assert.equal((await call('DELETE', base, { key })).status, 204)
  assert.equal((await call('DELETE', base, { key })).status, 204)
  for (const apiKey of [key, admin.key]) {
    assertProblem(await call('GET', base, { key: apiKey }), 403)
    assertProblem(await call('GET', `${base}/users`, { key: apiKey }), 403)
  }
  assertProblem(await call('GET', base, { key: operator.key }), 404)
  assert.equal((await call('GET', '/api/v1/companies', { key })).body.total, 0)
  assert.deepEqual((await call('GET', '/api/v1/developers/me', { key })).body.companies, [])
  assert.equal((await call('GET', '/api/v1/companies?archived=true', { key })).body.total, 1)
  assert.equal((await call('GET', '/api/v1/companies?archived=true', { key: admin.key })).body.total, 0)
  assertProblem(await call('POST', `${base}/restore`, { key: admin.key }), 403)
  const restored = await call('POST', `${base}/restore`, { key })
  assert.deepEqual([restored.status, restored.body.date_archived], [200, null])
  assert.equal((await call('GET', base, { key: admin.key })).status, 200)
  assert.equal((await call('POST', `${base}/restore`, { key })).body.version, restored.body.version)
})

test('a company of an earlier version has the default role PLAYER', async () => {
  const { base, company_id, key } = await newCompany()
  await write(sql`UPDATE companies SET settings = settings - 'default_user_role' WHERE id = ${company_id}`)
  const settings = { campaign_creation: 'ANYONE', default_user_role: 'PLAYER' }
  assert.deepEqual((await call('GET', base, { key })).body.settings, settings)
  assert.deepEqual((await call('GET', '/api/v1/companies', { key })).body.items[0]?.settings, settings)
  const changed = await call('PATCH', base, { key, body: { settings: { campaign_creation: 'STORYTELLER' } } })
  assert.deepEqual(changed.body.settings, { ...settings, campaign_creation: 'STORYTELLER' })
})

test('companies may share an external_id, so that none reveals another, and a key finds only its own', async () => {
  const [mine, theirs] = [await newCompany(), await newCompany()]
  const external_id = `guild:${mine.company_id}`
  for (const { base, key } of [theirs, mine]) {
    const changed = await call('PATCH', base, { key, body: { external_id, metadata: { plan: 'free' } } })
    assert.deepEqual([changed.status, changed.body.external_id, changed.body.metadata], [200, external_id, { plan: 'free' }])
  }
  const find = async (key: string) =>
    (await call('GET', `/api/v1/companies?external_id=${external_id}`, { key })).body.items.map(({ id }) => id)
  assert.deepEqual(await find(mine.key), [mine.company_id])
  assert.deepEqual(await find((await newDeveloper(true)).key), [mine.company_id, theirs.company_id].sort())
})
