import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertProblem, call, newCompany, newDeveloper } from '../../../test/harness.ts'

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
