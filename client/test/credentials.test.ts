import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { until } from '../../server/test/until.ts'
import { ApiError, ConnectionError, Guildhall } from '../src/index.ts'
import { answer, problem, type Step, scripted } from './scripted-server.ts'

/** Accepts one credential only. */
const accepts =
  (wanted: () => string): Step =>
  (reply, seen) =>
    (seen.headers.authorization === `Bearer ${wanted()}` ? answer(200, {}) : problem(401, 'token_expired'))(reply, seen)

test('an expired token is replaced once for all requests that wait for it', async () => {
  let valid = 'glu_1'
  let issued = 0
  const token = async () => {
    // All twenty requests with the old token were rejected before there is a new one.
    await until(() => issued === 0 || seen.length === 25, 'the rejections')
    return `glu_${++issued}`
  }
  const { gh, seen } = await scripted([accepts(() => valid)], { apiKey: undefined, token } as object)
  await Promise.all(Array.from({ length: 5 }, () => gh.me.get()))
  assert.deepEqual([issued, seen.length], [1, 5])
  valid = 'glu_2'
  await Promise.all(Array.from({ length: 20 }, () => gh.me.get()))
  assert.deepEqual([issued, seen.length], [2, 45])
  await gh.me.get()
  assert.deepEqual([issued, seen.length], [2, 46])
})

test('a request whose new token is rejected, too, is not repeated further', async () => {
  let issued = 0
  const { gh, seen } = await scripted([problem(401, 'unauthorized')], { token: () => `glu_${++issued}` } as object)
  await assert.rejects(gh.me.get(), (error) => ApiError.is(error, 'unauthorized'))
  assert.deepEqual([issued, seen.length], [2, 2])
  const fixed = await scripted([problem(401, 'token_expired')], { token: 'glu_fixed' } as object)
  await assert.rejects(fixed.gh.me.get(), (error) => ApiError.is(error, 'token_expired'))
  assert.equal(fixed.seen.length, 1)
})

test('a key may come from a function, which is asked again when the key no longer works', async () => {
  const keys = ['glh_old', 'glh_new']
  const { gh, seen } = await scripted(
    [(reply, one) => (one.headers['x-api-key'] === 'glh_new' ? answer(200, {}) : problem(401, 'unauthorized'))(reply, one)],
    { apiKey: async () => keys.shift() as string },
  )
  await gh.companies.create({ name: 'x' })
  assert.equal(seen.length, 2)
  assert.equal(seen[0]?.headers['idempotency-key'], seen[1]?.headers['idempotency-key'])
})

test('a function that fails is the error of the request, and is asked again by the next', async () => {
  let fails = true
  const token = () => (fails ? Promise.reject(new Error('signed out')) : Promise.resolve('glu_1'))
  const { gh, seen } = await scripted([answer(200, {})], { token } as object)
  await assert.rejects(gh.me.get(), { message: 'signed out' })
  assert.equal(seen.length, 0)
  fails = false
  await gh.me.get()
})

test('a function that does not answer is given up after the time limit, and asked again', async () => {
  let calls = 0
  const late = Promise.withResolvers<string>()
  const { gh, seen } = await scripted([answer(200, {})], { token: () => (++calls === 1 ? late.promise : `glu_${calls}`) } as object)
  await gh.me.get({ timeoutMs: 1000 })
  assert.deepEqual([calls, seen.length, seen[0]?.headers.authorization], [2, 1, 'Bearer glu_2'])
  // The failure of the one that was given up concerns nobody.
  late.reject(new Error('too late'))
  await gh.me.get()
  assert.equal(calls, 2)

  const silent = await scripted([answer(200, {})], { token: () => new Promise(() => {}) } as object)
  await assert.rejects(silent.gh.me.get({ timeoutMs: 50, retries: 0 }), (error) => {
    assert.ok(error instanceof ConnectionError)
    assert.match(error.message, /50 ms/)
    return true
  })
  assert.equal(silent.seen.length, 0)
})

test('a signal ends a request and a stream that wait for the credential', async () => {
  let calls = 0
  const token = () => (++calls < 3 ? new Promise(() => {}) : 'glu_1')
  const { gh, seen } = await scripted([answer(200, {})], { token } as object)
  await assert.rejects(gh.me.get({ signal: AbortSignal.timeout(50) }), { name: 'TimeoutError' })
  await assert.rejects(
    gh
      .company('c')
      .events({ signal: AbortSignal.timeout(50) })
      .next(),
    { name: 'TimeoutError' },
  )
  await gh.me.get()
  assert.deepEqual([calls, seen.length], [3, 1])
})

test('a credential that no header can have is an error at once, which does not show it', async () => {
  for (const credential of ['glh_secret\nx', 'glh_secret\u20ac', 'glh_secret\0x']) {
    for (const [option, header] of [
      ['apiKey', 'x-api-key'],
      ['token', 'authorization'],
    ] as const) {
      let calls = 0
      const { gh, seen } = await scripted([answer(200, {})], {
        apiKey: undefined,
        [option]: () => {
          calls++
          return credential
        },
      } as object)
      const fails = (error: unknown) => {
        assert.ok(error instanceof TypeError)
        assert.match(error.message, new RegExp(header))
        assert.doesNotMatch(inspect(error), /secret/)
        return true
      }
      await assert.rejects(gh.me.get(), fails)
      await assert.rejects(gh.company('c').events().next(), fails)
      assert.deepEqual([calls, seen.length], [1, 0])
    }
  }
})

test('a client without a credential is an error at once', () => {
  const key = process.env.NOT_SET_ANYWHERE as string
  assert.throws(() => new Guildhall({ apiKey: key, baseUrl: 'http://127.0.0.1' }), /no credential/)
})

test('an address with a password is an error at once, which does not show it', () => {
  assert.throws(
    () => new Guildhall({ apiKey: 'glh_x', baseUrl: 'http://user:secret@127.0.0.1' }),
    (error) => error instanceof TypeError && /baseUrl/.test(error.message) && !/secret/.test(inspect(error)),
  )
})

test('a session sends the header of the console and lets the browser send the cookie, and nothing else', async () => {
  const seen: RequestInit[] = []
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    seen.push(init as RequestInit)
    return Response.json({ code: 'unauthorized' }, { status: 401 })
  }
  const gh = new Guildhall({ session: true, fetch })
  for (const attempt of [gh.me.get(), gh.consoleSession.create({ key: 'glh_x' }), gh.consoleSession.delete()])
    await assert.rejects(attempt, (error) => ApiError.is(error, 'unauthorized'))
  assert.equal(seen.length, 3)
  for (const { headers, credentials } of seen) {
    const sent = headers as Headers
    assert.deepEqual([sent.get('x-guildhall-console'), sent.get('x-api-key'), sent.get('authorization')], ['1', null, null])
    assert.equal(credentials, 'same-origin')
  }
  const withKey = new Guildhall({ apiKey: 'glh_x', baseUrl: '', fetch })
  await assert.rejects(withKey.me.get())
  const { credentials, headers } = seen[3] as RequestInit
  assert.deepEqual([credentials, (headers as Headers).get('x-guildhall-console')], [undefined, null])
})
