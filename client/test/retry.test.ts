import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ApiError, Guildhall } from '../src/index.ts'
import { retryAfterOf } from '../src/retry.ts'
import { clientOf, connect, recordPauses } from './pauses.ts'

const HOUR_MS = 3_600_000
const headers = (value: string) => new Headers({ 'retry-after': value })

const printable = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) })
const date = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })
const hostile = fc.oneof(
  fc.constantFrom('soon', 'NaN', 'Infinity', '-Infinity', '-1', '', '0x10', '1e9', '3000000', '2147483648', '9'.repeat(400), '1, 1'),
  fc.constantFrom('Thu, 31 Dec 2999 23:59:59 GMT', '2999-12-31', 'Thu, 99 Foo 2999', '+275760-09-13', '-271821-04-20', 'null'),
  fc.nat({ max: Number.MAX_SAFE_INTEGER }).map(String),
  fc.double().map(String),
  date.map((one) => one.toUTCString()),
  date.map((one) => one.toISOString()),
  printable,
)

test('a Retry-After is a number of seconds or a date, and anything else counts as none', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 10, 19) })
  const expected = {
    0: 0,
    7: 7,
    1.5: 1.5,
    3000000: 3_000_000,
    'Thu, 19 Nov 2026 00:01:00 GMT': 60,
    'Thu, 19 Nov 2020 00:00:00 GMT': 0,
    soon: undefined,
    NaN: undefined,
    Infinity: undefined,
    '': undefined,
    [`1${'0'.repeat(400)}`]: undefined,
  }
  for (const [value, seconds] of Object.entries(expected)) assert.equal(retryAfterOf(headers(value)), seconds, value)
  assert.equal(retryAfterOf(new Headers()), undefined)
  const property = fc.property(hostile, (value) => {
    const seconds = retryAfterOf(headers(value))
    assert.ok(seconds === undefined || (Number.isFinite(seconds) && seconds >= 0), `${seconds}`)
  })
  fc.assert(property)
})

test('whatever a Retry-After says, a stream pauses at least as long as without one, and at most an hour', async (t) => {
  const pauses = recordPauses(t)
  const property = fc.asyncProperty(hostile, async (value) => {
    pauses.length = 0
    await connect(4, () => new Response('{}', { status: 503, headers: headers(value) }))
    // The pause doubles with each failure, and has a random part of a half.
    assert.equal(pauses.length, 3, `${pauses}`)
    for (const [i, ms] of pauses.entries()) assert.ok(ms >= 1000 * 2 ** i && ms <= HOUR_MS, `${pauses}`)
  })
  await fc.assert(property)
})

test('whatever a frame says about the time to reconnect, a stream pauses a quarter of a second to a minute', async (t) => {
  const pauses = recordPauses(t)
  const property = fc.asyncProperty(fc.oneof(hostile, fc.nat({ max: 9_999_999 }).map(String)), fc.boolean(), async (value, isBye) => {
    pauses.length = 0
    const frame = isBye
      ? `event: bye\nretry: ${value}\ndata: {"reason":"draining","retry":${JSON.stringify(value)}}\n\n`
      : `retry: ${value}\n\n`
    await connect(5, () => new Response(frame, { headers: { 'content-type': 'text/event-stream' } }))
    assert.equal(pauses.length, 4, `${pauses}`)
    for (const ms of pauses) assert.ok(ms >= 250 && ms <= 60_000, `${pauses}`)
  })
  await fc.assert(property)
})

test('whatever a Retry-After says, a request is repeated within a minute or not at all', async (t) => {
  const pauses = recordPauses(t)
  const property = fc.asyncProperty(hostile, fc.constantFrom(409, 429, 503), async (value, status) => {
    pauses.length = 0
    const gh = clientOf(() => new Response('{}', { status, headers: headers(value) }))
    const error: unknown = await gh.me.get().catch((caught) => caught)
    assert.ok(ApiError.is(error, 'unknown') && error.status === status)
    const isTooLong = (error.retryAfter ?? 0) > 60
    const isAnswer = status === 409 && error.retryAfter === undefined
    assert.equal(pauses.length, isTooLong || isAnswer ? 0 : 2, `${error.retryAfter}`)
    for (const ms of pauses) assert.ok(ms >= 0 && ms <= 61_000, `${pauses}`)
  })
  await fc.assert(property)
})

test('a request that is repeated very often pauses at most an hour', async (t) => {
  const pauses = recordPauses(t)
  await assert.rejects(clientOf(() => new Response('', { status: 502 })).me.get({ retries: 40 }))
  assert.equal(pauses.length, 40)
  for (const ms of pauses) assert.ok(ms >= 0 && ms <= HOUR_MS, `${ms} ms`)
})

test('a stream that is given back is opened again after the time in its last frame, which counts once', async (t) => {
  const pauses = recordPauses(t)
  const opening = 'retry: 1000\n\nevent: ready\nid: r0\ndata: {}\n\nid: c1\ndata: {"id":"e1"}\n\n'
  const endings = ['retry: 14000\nevent: bye\ndata: {"reason":"crowded"}\n\n', '']
  const seen: (string | null)[] = []
  const gh = new Guildhall({
    apiKey: 'glh_test',
    baseUrl: 'http://127.0.0.1',
    fetch: async (_url, init) => {
      seen.push(new Headers(init?.headers).get('last-event-id'))
      return new Response(`${opening}${endings.shift() ?? ''}`, { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  let events = 0
  for await (const _ of gh.company('c').events()) if (++events === 3) break
  assert.deepEqual(seen, [null, 'c1', 'c1'])
  const [afterCrowded = 0, afterEnd = 0] = pauses
  assert.ok(afterCrowded >= 7000 && afterCrowded <= 14_000, `${pauses}`)
  assert.ok(afterEnd <= 1000, `${pauses}`)
})
