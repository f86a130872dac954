import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  assertProblem,
  type CallOptions,
  call,
  engine,
  newApp,
  newCompany,
  newDatabase,
  newDeveloper,
  pooler,
  write,
} from '../../../test/harness.ts'
import { connect } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'

const ALL = '/api/v1/admin/developers'

test('an operator creates a developer, issues a key and deletes both', async () => {
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

test('a developer who is the last OWNER of a company is not deleted, and the refusal names the company', async () => {
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

test('a demoted global admin loses access immediately', async () => {
  const [first, second] = [await newDeveloper(true), await newDeveloper(true)]
  assert.equal((await call('PATCH', `${ALL}/${second.id}`, { key: first.key, body: { is_global_admin: false } })).status, 200)
  assertProblem(await call('GET', ALL, { key: second.key }), 403)
})

test('a developer shows all of its companies, and a list the first hundred of them', async () => {
  const { key } = await newDeveloper(true)
  const developer = await newDeveloper()
  await write(sql`
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

/** Two apps on a database of their own, like two processes. The database contains only what the test creates. */
async function newService() {
  const url = await newDatabase()
  const databases = [1, 2].map(() => connect(url, { readers: 1, writers: 4, pooler, engine }))
  after(() => Promise.all(databases.map((database) => database.close())))
  const [db, other] = databases as [(typeof databases)[0], (typeof databases)[0]]
  const apps = [await newApp({}, undefined, db), await newApp({}, undefined, other)] as const
  const newAdmin = async () => {
    const { id, key } = await newDeveloper(true, db)
    const demote = (target: string, on = apps[0]) => call('PATCH', `${ALL}/${target}`, { key, on, body: { is_global_admin: false } })
    const remove = (target: string, on = apps[0]) => call('DELETE', `${ALL}/${target}`, { key, on } satisfies CallOptions)
    return { id, key, demote, remove }
  }
  const admins = async () => (await db.query(sql`SELECT id FROM developers WHERE is_global_admin`)).length
  return { db, apps, newAdmin, admins }
}

test('the last global admin can be neither demoted nor deleted', async () => {
  const { newAdmin, admins, apps } = await newService()
  const first = await newAdmin()
  for (const refused of [await first.demote(first.id), await first.remove(first.id), await first.remove(first.id.toUpperCase())]) {
    assertProblem(refused, 409, 'This is the last global admin of the service. Make another developer a global admin first.')
    assert.equal(refused.body.code, 'last_global_admin')
  }
  const renamed = await call('PATCH', `${ALL}/${first.id}`, { key: first.key, on: apps[0], body: { name: 'New', is_global_admin: true } })
  assert.deepEqual([renamed.status, renamed.body.name], [200, 'New'])
  const second = await newAdmin()
  assert.equal((await first.demote(first.id)).status, 200)
  assertProblem(await second.remove(second.id), 409, /last global admin/)
  assert.equal((await second.remove(first.id)).status, 204, 'a developer who is no longer a global admin')
  assert.equal(await admins(), 1)
})

test('if two global admins demote or delete each other at once on two processes, one stays', async () => {
  const { newAdmin, admins, apps, db } = await newService()
  for (let round = 0; round < 12; round++) {
    await write(sql`UPDATE developers SET is_global_admin = false`, db)
    const [a, b] = [await newAdmin(), await newAdmin()]
    // In odd rounds each one acts on itself, in even rounds on the other.
    const [targetOfA, targetOfB] = round % 2 ? [a, b] : [b, a]
    const replies = await Promise.all([
      round % 4 < 2 ? a.demote(targetOfA.id, apps[0]) : a.remove(targetOfA.id, apps[0]),
      round % 3 ? b.demote(targetOfB.id, apps[1]) : b.remove(targetOfB.id, apps[1]),
    ])
    const statuses = replies.map(({ status }) => status)
    assert.equal(statuses.filter((status) => status < 300).length, 1, `round ${round}: ${statuses}`)
    for (const { status, text } of replies) assert.ok([200, 204, 401, 403, 404, 409].includes(status), text)
    assert.equal(await admins(), 1, `round ${round}: ${statuses}`)
  }
})
