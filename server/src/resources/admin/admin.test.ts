import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertProblem, call, db, newCompany, newDeveloper } from '../../../test/harness.ts'
import { sql } from '../../db/sql.ts'

const ALL = '/api/v1/admin/developers'

test('an operator makes a developer, issues a key, and takes both back', async () => {
  const { key } = await newDeveloper(true)
  const made = await call('POST', ALL, { key, body: { name: 'Night Club Bot' } })
  assert.deepEqual([made.status, made.body.is_global_admin, made.body.companies], [201, false, []])
  const one = `${ALL}/${made.body.id}`
  const issued = await call('POST', `${one}/keys`, { key })
  assert.equal(issued.status, 201)
  assert.equal((await call('GET', '/api/v1/developers/me', { key: issued.body.key })).body.name, 'Night Club Bot')
  assert.equal((await call('GET', `${one}/keys`, { key })).body.total, 1)
  assert.equal((await call('DELETE', `${one}/keys/${issued.body.id}`, { key })).status, 204)
  assertProblem(await call('DELETE', `${one}/keys/${issued.body.id}`, { key }), 404)
  assertProblem(await call('GET', '/api/v1/developers/me', { key: issued.body.key }), 401)
  assert.equal((await call('PATCH', one, { key, body: { name: 'Renamed', is_global_admin: true } })).body.name, 'Renamed')
  assert.equal((await call('GET', `${ALL}?q=renamed`, { key })).body.total, 1)
  assert.equal((await call('DELETE', one, { key })).status, 204)
  assertProblem(await call('DELETE', one, { key }), 404, 'Developer not found')
})

test('a developer who is the last OWNER somewhere is not deleted, and is told where', async () => {
  const { key } = await newDeveloper(true)
  const company = await newCompany()
  const refused = await call('DELETE', `${ALL}/${company.owner.id}`, { key })
  assertProblem(refused, 409, /last OWNER of Test company/)
  assert.match(refused.body.detail, new RegExp(company.company_id))
  await company.developer('OWNER')
  assert.equal((await call('DELETE', `${ALL}/${company.owner.id}`, { key })).status, 204)
  assertProblem(await call('GET', company.base, { key: company.key }), 401)
  assert.deepEqual(await company.events(), ['grant.removed'])
})

test('a demoted operator is one no more, at once', async () => {
  const [first, second] = [await newDeveloper(true), await newDeveloper(true)]
  assert.equal((await call('PATCH', `${ALL}/${second.id}`, { key: first.key, body: { is_global_admin: false } })).status, 200)
  assertProblem(await call('GET', ALL, { key: second.key }), 403)
})

test('a developer has all of its companies, and a list the first hundred of them', async () => {
  const { key } = await newDeveloper(true)
  const developer = await newDeveloper()
  await db.query(sql`
    WITH made AS (
      INSERT INTO companies (id, name, name_key, settings, date_created, date_modified)
      SELECT gen_random_uuid(), 'Company', 'company', '{"campaign_creation": "ANYONE"}', now(), now() FROM generate_series(1, 101) RETURNING id
    )
    INSERT INTO grants (company_id, id, permission, date_created, date_modified) SELECT id, ${developer.id}, 'USER', now(), now() FROM made`)
  const { companies } = (await call('GET', '/api/v1/developers/me', { key: developer.key })).body
  assert.deepEqual([companies.length, Object.keys(companies[0] ?? {})], [101, ['company_id', 'permission']])
  const { items } = (await call('GET', `${ALL}?sort=-date_created&limit=2`, { key })).body
  const [first, second] = items
  assert.deepEqual([first?.id, first?.companies_total, first?.truncated], [developer.id, 101, true])
  assert.deepEqual(first?.companies, companies.slice(0, 100))
  assert.deepEqual([second?.companies_total, second?.truncated, second?.companies], [0, false, []])
  assert.deepEqual((await call('GET', `${ALL}/${developer.id}`, { key })).body.companies, companies)
})
