import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, Guildhall } from '../src/index.ts'
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
    await sleep(30)
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

test('a client without a credential is an error at once', () => {
  const key = process.env.NOT_SET_ANYWHERE as string
  assert.throws(() => new Guildhall({ apiKey: key, baseUrl: 'http://127.0.0.1' }), /no credential/)
})
