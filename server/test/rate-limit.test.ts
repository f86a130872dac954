import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseList } from 'structured-headers'
import { addressKey, memoryLimiter } from '../src/http/limits/rate-limit.ts'
import { type Answer, assertProblem, call, clock, newApp, newCompany, newDeveloper, stopClock } from './harness.ts'

/** Parses the two rate limit headers as structured fields. */
function rateLimitOf({ headers }: Answer) {
  const read = (name: string) =>
    Object.fromEntries(parseList(headers[name] as string).map(([item, parameters]) => [item, Object.fromEntries(parameters)]))
  return { policy: read('ratelimit-policy'), limit: read('ratelimit') }
}

const lowLimits = { RATE_LIMIT: 'on', RATE_LIMIT_BURST: '5', RATE_LIMIT_SUSTAINED: '8', RATE_LIMIT_AUTH: '3' }

test('a developer has a burst and a sustained limit for all keys together', async (t) => {
  stopClock(t)
  const app = await newApp(lowLimits)
  const { owner } = await newCompany()
  const rotated = await call('POST', `/api/v1/developers/me/keys/${owner.key_id}/rotate`, { key: owner.key })
  const send = (key = owner.key) => call('GET', '/api/v1/developers/me', { key, on: app })
  const first = await send()
  assert.deepEqual(rateLimitOf(first).policy, { burst: { q: 5, w: 1 }, sustained: { q: 8, w: 60 } })
  assert.deepEqual(rateLimitOf(first).limit, { burst: { r: 4, t: 0 }, sustained: { r: 7, t: 0 } })
  for (const remaining of [3, 2, 1]) assert.deepEqual(rateLimitOf(await send(rotated.body.key)).limit.burst?.r, remaining)
  const last = await send()
  assert.deepEqual(rateLimitOf(last).limit.burst, { r: 0, t: 1 })
  const refused = await send(rotated.body.key)
  assertProblem(refused, 429)
  assert.deepEqual([refused.headers['retry-after'], refused.body.code], ['1', 'too_many_requests'])
  try {
    clock.ahead = 1100
    for (const remaining of [2, 1, 0]) assert.equal(rateLimitOf(await send()).limit.sustained?.r, remaining)
    const sustained = await send()
    assertProblem(sustained, 429)
    assert.equal(rateLimitOf(sustained).limit.sustained?.r, 0)
    assert.ok(Number(sustained.headers['retry-after']) >= 5, sustained.headers['retry-after'])
    assert.equal(rateLimitOf(sustained).limit.burst?.r, 2, 'a rejected request does not count')
  } finally {
    clock.ahead = 0
  }
})

test('answers 429 after 401 and before every other status', async (t) => {
  stopClock(t)
  const app = await newApp(lowLimits)
  const { key } = await newDeveloper()
  for (let i = 0; i < 5; i++) await call('GET', '/api/v1/nonsense', { key, on: app })
  assertProblem(await call('GET', '/api/v1/nonsense', { key, on: app }), 429)
  assertProblem(await call('GET', '/api/v1/companies/x/users', { key, on: app }), 429)
  assertProblem(await call('GET', '/api/v1/companies', { on: app }), 401)
})

test('every response has the limits, even without a known caller', async () => {
  const app = await newApp(lowLimits)
  for (const path of ['/', '/api/v1', '/nonsense', '/health/ready', '/api/v1/%ff'])
    assert.ok(rateLimitOf(await call('GET', path, { on: app })).limit.auth, path)
  app.drain.draining = true
  const draining = await call('GET', '/api/v1/companies', { key: (await newDeveloper()).key, on: app })
  assert.deepEqual([draining.status, rateLimitOf(draining).limit.auth?.r], [503, 3])
})

test('failed authentication is limited by address, and a valid key is always accepted', async () => {
  const app = await newApp(lowLimits)
  const { key } = await newDeveloper()
  const sendInvalidKey = () => call('GET', '/api/v1/companies', { key: 'wrong', on: app })
  assert.deepEqual(rateLimitOf(await call('GET', '/', { on: app })), { policy: { auth: { q: 3, w: 60 } }, limit: { auth: { r: 3, t: 0 } } })
  for (const remaining of [2, 1, 0]) {
    const reply = await sendInvalidKey()
    assertProblem(reply, 401)
    assert.deepEqual(rateLimitOf(reply).limit.auth?.r, remaining)
  }
  const refused = await sendInvalidKey()
  assertProblem(refused, 429)
  assert.equal(refused.headers['retry-after'], '20')
  assert.deepEqual(rateLimitOf(refused).limit, { auth: { r: 0, t: 20 } })
  assert.equal((await call('GET', '/api/v1/companies', { key, on: app })).status, 200)
})

test('X-Forwarded-For changes the limits only with TRUST_PROXY', async () => {
  const app = await newApp(lowLimits)
  const sendFrom = (address: string, on = app) => call('GET', '/api/v1/companies', { headers: { 'x-forwarded-for': address }, on })
  for (let i = 0; i < 3; i++) await sendFrom(`10.0.0.${i}`)
  assertProblem(await sendFrom('10.0.0.9'), 429)
  const proxied = await newApp({ ...lowLimits, TRUST_PROXY: 'on' })
  for (let i = 0; i < 3; i++) await sendFrom('10.0.0.1', proxied)
  assertProblem(await sendFrom('10.0.0.1', proxied), 429)
  assertProblem(await sendFrom('10.0.0.2', proxied), 401)
})

test('RATE_LIMIT=off sends no limit headers', async () => {
  assert.equal((await call('GET', '/')).headers.ratelimit, undefined)
})

test('a bucket allows exactly its quota at once, then one request per interval', () => {
  let now = 1_000_000
  const limiter = memoryLimiter(() => new Date(now))
  const policies = [{ name: 'p', quota: 100, window: 1 }]
  const take = async () => (await limiter.take('s', policies)).allowed
  return (async () => {
    let allowed = 0
    for (let i = 0; i < 1000; i++) if (await take()) allowed++
    assert.equal(allowed, 100)
    now += 9
    assert.equal(await take(), false)
    now += 1
    assert.equal(await take(), true)
    assert.equal(await take(), false)
  })()
})

test('IPv6 addresses count by their /64 prefix, mapped IPv4 addresses as IPv4', () => {
  assert.equal(addressKey('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(addressKey('2001:db8:1:2::9'), '2001:db8:1:2::/64')
  assert.equal(addressKey('2001:0DB8:0001:0002::9'), '2001:db8:1:2::/64')
  assert.equal(addressKey('::1'), '0:0:0:0::/64')
  assert.equal(addressKey('::ffff:10.1.2.3'), '10.1.2.3')
  assert.equal(addressKey('10.1.2.3'), '10.1.2.3')
})
