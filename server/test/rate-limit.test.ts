import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseList } from 'structured-headers'
import { addressKey, memoryLimiter } from '../src/http/limits/rate-limit.ts'
import { type Answer, assertProblem, call, clock, newApp, newCompany, newDeveloper } from './harness.ts'

/** The two headers as a structured-field parser reads them. */
function parsed({ headers }: Answer) {
  const read = (name: string) =>
    Object.fromEntries(parseList(headers[name] as string).map(([item, parameters]) => [item, Object.fromEntries(parameters)]))
  return { policy: read('ratelimit-policy'), limit: read('ratelimit') }
}

const strict = { RATE_LIMIT: 'on', RATE_LIMIT_BURST: '5', RATE_LIMIT_SUSTAINED: '8', RATE_LIMIT_AUTH: '3' }

test('a developer has a burst and a sustained limit, over all keys together', async () => {
  const on = await newApp(strict)
  const { owner } = await newCompany()
  const rotated = await call('POST', `/api/v1/developers/me/keys/${owner.key_id}/rotate`, { key: owner.key })
  const me = (key = owner.key) => call('GET', '/api/v1/developers/me', { key, on })
  const first = await me()
  assert.deepEqual(parsed(first).policy, { burst: { q: 5, w: 1 }, sustained: { q: 8, w: 60 } })
  assert.deepEqual(parsed(first).limit, { burst: { r: 4, t: 0 }, sustained: { r: 7, t: 0 } })
  for (const left of [3, 2, 1]) assert.deepEqual(parsed(await me(rotated.body.key)).limit.burst?.r, left)
  const last = await me()
  assert.deepEqual(parsed(last).limit.burst, { r: 0, t: 1 })
  const refused = await me(rotated.body.key)
  assertProblem(refused, 429)
  assert.deepEqual([refused.headers['retry-after'], refused.body.code], ['1', 'too_many_requests'])
  try {
    clock.ahead = 1100
    for (const left of [2, 1, 0]) assert.equal(parsed(await me()).limit.sustained?.r, left)
    const sustained = await me()
    assertProblem(sustained, 429)
    assert.equal(parsed(sustained).limit.sustained?.r, 0)
    assert.ok(Number(sustained.headers['retry-after']) >= 5, sustained.headers['retry-after'])
    assert.equal(parsed(sustained).limit.burst?.r, 2, 'a refused request takes nothing')
  } finally {
    clock.ahead = 0
  }
})

test('429 comes after 401 and before everything else', async () => {
  const on = await newApp(strict)
  const { key } = await newDeveloper()
  for (let i = 0; i < 5; i++) await call('GET', '/api/v1/nonsense', { key, on })
  assertProblem(await call('GET', '/api/v1/nonsense', { key, on }), 429)
  assertProblem(await call('GET', '/api/v1/companies/x/users', { key, on }), 429)
  assertProblem(await call('GET', '/api/v1/companies', { on }), 401)
})

test('every response tells the limits, also one that ended before anybody was known', async () => {
  const on = await newApp(strict)
  for (const path of ['/', '/api/v1', '/nonsense', '/health/ready', '/api/v1/%ff'])
    assert.ok(parsed(await call('GET', path, { on })).limit.auth, path)
  on.drain.draining = true
  const draining = await call('GET', '/api/v1/companies', { key: (await newDeveloper()).key, on })
  assert.deepEqual([draining.status, parsed(draining).limit.auth?.r], [503, 3])
})

test('failed authentication is limited by address, and never refuses a valid key', async () => {
  const on = await newApp(strict)
  const { key } = await newDeveloper()
  const stranger = () => call('GET', '/api/v1/companies', { key: 'wrong', on })
  assert.deepEqual(parsed(await call('GET', '/', { on })), { policy: { auth: { q: 3, w: 60 } }, limit: { auth: { r: 3, t: 0 } } })
  for (const left of [2, 1, 0]) {
    const reply = await stranger()
    assertProblem(reply, 401)
    assert.deepEqual(parsed(reply).limit.auth?.r, left)
  }
  const refused = await stranger()
  assertProblem(refused, 429)
  assert.equal(refused.headers['retry-after'], '20')
  assert.deepEqual(parsed(refused).limit, { auth: { r: 0, t: 20 } })
  assert.equal((await call('GET', '/api/v1/companies', { key, on })).status, 200)
})

test('no header of a client switches the limits off, and X-Forwarded-For is believed only when told to', async () => {
  const on = await newApp(strict)
  const from = (address: string, app = on) => call('GET', '/api/v1/companies', { headers: { 'x-forwarded-for': address }, on: app })
  for (let i = 0; i < 3; i++) await from(`10.0.0.${i}`)
  assertProblem(await from('10.0.0.9'), 429)
  const proxied = await newApp({ ...strict, TRUST_PROXY: 'on' })
  for (let i = 0; i < 3; i++) await from('10.0.0.1', proxied)
  assertProblem(await from('10.0.0.1', proxied), 429)
  assertProblem(await from('10.0.0.2', proxied), 401)
})

test('RATE_LIMIT=off sends no limit headers', async () => {
  assert.equal((await call('GET', '/')).headers.ratelimit, undefined)
})

test('a bucket passes exactly its quota at once, then one per step', () => {
  let now = 1_000_000
  const limiter = memoryLimiter(() => new Date(now))
  const policies = [{ name: 'p', quota: 100, window: 1 }]
  const take = async () => (await limiter.take('s', policies)).allowed
  return (async () => {
    let passed = 0
    for (let i = 0; i < 1000; i++) if (await take()) passed++
    assert.equal(passed, 100)
    now += 9
    assert.equal(await take(), false)
    now += 1
    assert.equal(await take(), true)
    assert.equal(await take(), false)
  })()
})

test('an IPv6 subscriber is a /64, a mapped IPv4 address is itself', () => {
  assert.equal(addressKey('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(addressKey('2001:db8:1:2::9'), '2001:db8:1:2::/64')
  assert.equal(addressKey('2001:0DB8:0001:0002::9'), '2001:db8:1:2::/64')
  assert.equal(addressKey('::1'), '0:0:0:0::/64')
  assert.equal(addressKey('::ffff:10.1.2.3'), '10.1.2.3')
  assert.equal(addressKey('10.1.2.3'), '10.1.2.3')
})
