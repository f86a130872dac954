import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sessionOf, signIn, withSession } from '../../../test/console.ts'
import { assertProblem, call, clock, newCompany, newDeveloper, twoProcesses } from '../../../test/harness.ts'

test('a link is shown once, listed without its code, and works until it is deleted', async () => {
  const { base, user, key, owner, company_id, events } = await newCompany()
  const user_id = await user('PLAYER')
  const links = `${base}/users/${user_id}/sign-in-links`
  const created = await call('POST', links, { key, body: { expires_in: 60 } })
  assert.equal(created.status, 201, created.text)
  const { url, ...link } = created.body
  assert.deepEqual([link.company_id, link.user_id, link.key_id], [company_id, user_id, owner.key_id])
  // Both times are read from the clock, some milliseconds apart.
  const lastingMs = Date.parse(String(link.date_expires)) - Date.parse(String(link.date_created))
  assert.ok(lastingMs > 50_000 && lastingMs <= 60_000, `${lastingMs} ms`)
  assert.deepEqual((await call('GET', `${links}/${link.id}`, { key })).body, link)
  assert.deepEqual((await call('GET', links, { key })).body.items, [link])
  assert.equal((await call('DELETE', `${links}/${link.id}`, { key })).status, 204)
  assertProblem(await call('DELETE', `${links}/${link.id}`, { key }), 404, 'Link not found')
  assertProblem(await signIn({ code: String(url).split('#code=')[1] }), 401)
  assert.deepEqual((await events()).slice(-2), ['sign_in_link.created', 'sign_in_link.deleted'])
})

test('a link ends when it expires, and is gone from the list when it was used', { skip: twoProcesses }, async () => {
  const { base, user, key } = await newCompany()
  const links = `${base}/users/${await user('PLAYER')}/sign-in-links`
  const code = async () => String((await call('POST', links, { key, body: {} })).body.url).split('#code=')[1]
  const [used, expired] = [await code(), await code()]
  clock.ahead = 898_000
  assert.equal((await signIn({ code: used })).status, 201)
  assert.equal((await call('GET', links, { key })).body.total, 1)
  clock.ahead = 901_000
  assert.equal((await call('GET', links, { key })).body.total, 0)
  assertProblem(await signIn({ code: expired }), 401)
  clock.ahead = 0
})

test('a session of a developer creates links that outlive it, and a global admin needs a grant', async () => {
  const { base, user, key } = await newCompany()
  const links = `${base}/users/${await user('PLAYER')}/sign-in-links`
  const headers = withSession(await sessionOf(key))
  const { url } = (await call('POST', links, { headers, body: {} })).body
  assert.equal((await call('DELETE', '/api/v1/console-session', { headers })).status, 204)
  assert.equal((await signIn({ code: String(url).split('#code=')[1] })).status, 201)
  const operator = await newDeveloper(true)
  assert.equal((await call('POST', links, { key: operator.key, body: {} })).body.reason, 'company_access')
})

test('a user has at most a hundred links, also with requests at the same time', async () => {
  const { base, user, key } = await newCompany()
  const links = `${base}/users/${await user('PLAYER')}/sign-in-links`
  const statuses = await Promise.all(Array.from({ length: 105 }, async () => (await call('POST', links, { key, body: {} })).status))
  assert.deepEqual([statuses.filter((status) => status === 201).length, statuses.filter((status) => status === 409).length], [100, 5])
  const refused = await call('POST', links, { key, body: {} })
  assertProblem(refused, 409)
  assert.equal(refused.body.code, 'too_many_links')
  for (const expires_in of [59, 86_401, 1.5, '60', null]) assertProblem(await call('POST', links, { key, body: { expires_in } }), 400)
})
