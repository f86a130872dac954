import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Health, judge, judgeNothing } from './judge.ts'
import { FAILING_MS, MAX_WIDTH, probeMs, retryAfterMs, retryMs, widerAfter } from './schedule.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

const NOW = new Date('2026-11-17T12:00:00Z')
const after = (milliseconds: number) => new Date(NOW.getTime() + milliseconds)
const before = (milliseconds: number) => after(-milliseconds)

const HEALTHY: Health = { failures: 0, failingSince: null, width: MAX_WIDTH, pausedUntil: null, askedToWait: false }
const FAILING: Health = { failures: 2, failingSince: before(HOUR_MS), width: 1, pausedUntil: before(0), askedToWait: false }
const NEW = { failures: 0 }
const answer = (status: number | null, retryAfter?: string) => ({ status, retryAfter })
const dueAt = ({ delivery }: ReturnType<typeof judge>) => (delivery.status === 'PENDING' ? delivery.dueAt : undefined)

test('an endpoint that fails is tried again after 5 s, 15 s, 1 min, 5 min, and then every 15 min, give or take a fifth', () => {
  const nominal = [5 * SECOND_MS, 15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 15 * MINUTE_MS]
  for (const [random, factor] of [
    [0, 0.8],
    [0.5, 1],
    [1, 1.2],
  ] as const)
    assert.deepEqual(
      nominal.map((_, i) => probeMs(i + 1, random)),
      nominal.map((milliseconds) => milliseconds * factor),
      `random ${random}`,
    )
  assert.equal(probeMs(500, 0.5), 15 * MINUTE_MS)
})

test('an endpoint is paused by these times, one failure after the other', () => {
  let health = HEALTHY
  let now = NOW
  const pauses = Array.from({ length: 6 }, () => {
    health = judge(health, NEW, answer(500), now, 0.5).health
    const before = now
    now = health.pausedUntil as Date
    return (now.getTime() - before.getTime()) / SECOND_MS
  })
  assert.deepEqual(pauses, [5, 15, 60, 300, 900, 900])
  assert.deepEqual([health.failures, health.failingSince, health.width], [6, NOW, 1])
})

test('a delivery that fails while others succeed is tried for 71.6 hours, and has then failed', () => {
  let failures = 0
  let totalMs = 0
  for (let attempt = 1; attempt <= 10; attempt++) {
    const { delivery } = judge(HEALTHY, { failures }, answer(500), NOW, 0.5)
    assert.ok(delivery.status === 'PENDING', `attempt ${attempt}`)
    assert.equal(delivery.failures, attempt)
    assert.equal(delivery.dueAt.getTime() - NOW.getTime(), retryMs(attempt, 0.5))
    totalMs += delivery.dueAt.getTime() - NOW.getTime()
    failures = delivery.failures
  }
  assert.equal(Math.round((totalMs / HOUR_MS) * 10) / 10, 71.6)
  const { delivery, disabled } = judge(HEALTHY, { failures }, answer(500), NOW, 0.5)
  assert.deepEqual([delivery, disabled], [{ status: 'FAILED' }, undefined])
})

test('the times of a delivery vary by a fifth, and get no shorter', () => {
  const nominal = Array.from({ length: 10 }, (_, i) => retryMs(i + 1, 0.5) as number)
  assert.deepEqual(nominal.slice(0, 3), [5 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS])
  assert.deepEqual(
    nominal,
    [...nominal].sort((a, b) => a - b),
  )
  for (const [i, milliseconds] of nominal.entries()) {
    assert.equal(retryMs(i + 1, 0), milliseconds * 0.8)
    assert.equal(retryMs(i + 1, 1), milliseconds * 1.2)
  }
  assert.equal(retryMs(11, 0.5), undefined)
})

test('Retry-After is a number of seconds or a date, from 1 second to 24 hours', () => {
  const cases: [string | undefined, number | undefined][] = [
    ['30', 30 * SECOND_MS],
    [' 30 ', 30 * SECOND_MS],
    ['1', SECOND_MS],
    ['0', SECOND_MS],
    ['86400', 24 * HOUR_MS],
    ['86401', 24 * HOUR_MS],
    ['999999999', 24 * HOUR_MS],
    [after(90 * SECOND_MS).toUTCString(), 90 * SECOND_MS],
    [before(HOUR_MS).toUTCString(), SECOND_MS],
    [after(48 * HOUR_MS).toUTCString(), 24 * HOUR_MS],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ]
  for (const [header, expected] of cases) assert.equal(retryAfterMs(header, NOW), expected, String(header))
})

test('requests that fail together pause the endpoint once', () => {
  const first = judge({ ...HEALTHY, width: 4 }, NEW, answer(500), NOW, 0.5)
  const second = judge(first.health, NEW, answer(500), after(SECOND_MS), 0.5)
  assert.deepEqual(second.health, first.health)
  assert.deepEqual(second.delivery, { status: 'PENDING', failures: 0, dueAt: after(SECOND_MS) })
})

test('Retry-After counts with 429 and 503 only', () => {
  for (const status of [429, 503]) {
    const verdict = judge(HEALTHY, { failures: 3 }, answer(status, '120'), NOW, 0.5)
    assert.deepEqual(verdict.health.pausedUntil, after(120 * SECOND_MS))
    assert.deepEqual(verdict.delivery, { status: 'PENDING', failures: 4, dueAt: after(retryMs(4, 0.5) as number) })
    const without = judge(HEALTHY, { failures: 3 }, answer(status), NOW, 0.5)
    assert.deepEqual(without.health.pausedUntil, after(5 * SECOND_MS), 'without the header')
    assert.deepEqual(without.delivery, { status: 'PENDING', failures: 4, dueAt: after(retryMs(4, 0.5) as number) })
  }
  for (const status of [301, 400, 404, 500, 502, 504])
    assert.deepEqual(judge(HEALTHY, NEW, answer(status, '120'), NOW, 0.5).health.pausedUntil, after(5 * SECOND_MS), String(status))
})

test('of requests that end together, the longest Retry-After counts, and neither a failure nor a success shortens it', () => {
  const asked = (health: Health, seconds: string, at = NOW) => judge(health, NEW, answer(429, seconds), at, 0.5).health
  const failed = judge(HEALTHY, NEW, answer(500), NOW, 0.5).health
  assert.deepEqual(asked(failed, '120').pausedUntil, after(120 * SECOND_MS), 'after a failure')
  assert.deepEqual(asked(asked(HEALTHY, '120'), '10').pausedUntil, after(120 * SECOND_MS), 'after a longer one')
  assert.deepEqual(asked(asked(HEALTHY, '120'), '10').askedToWait, true)
  assert.deepEqual(asked(asked(HEALTHY, '10'), '120').pausedUntil, after(120 * SECOND_MS), 'after a shorter one')
  assert.equal(asked(asked(HEALTHY, '10'), '120').failures, 1, 'they are one failure')
  const waiting = asked(HEALTHY, '120')
  const accepted = judge(waiting, NEW, answer(204), after(SECOND_MS), 0.5)
  assert.deepEqual(accepted.delivery, { status: 'DELIVERED' })
  assert.deepEqual([accepted.health.pausedUntil, accepted.health.failingSince], [after(120 * SECOND_MS), null])
  // A pause that nobody asked for ends with a success, and so does one that is over.
  assert.equal(judge(failed, NEW, answer(204), after(SECOND_MS), 0.5).health.pausedUntil, null)
  assert.deepEqual(judge(waiting, NEW, answer(204), after(121 * SECOND_MS), 0.5).health, {
    failures: 0,
    failingSince: null,
    width: 2,
    pausedUntil: null,
    askedToWait: false,
  })
})

test('any status from 200 to 299 is a success, and nothing else is', () => {
  for (const status of [200, 201, 204, 299])
    assert.deepEqual(judge(HEALTHY, NEW, answer(status), NOW, 0.5).delivery, { status: 'DELIVERED' })
  for (const status of [null, 101, 199, 300, 302, 304, 400, 500])
    assert.equal(judge(HEALTHY, NEW, answer(status), NOW, 0.5).delivery.status, 'PENDING', String(status))
})

test('410 disables the webhook as GONE, and leaves the delivery as it was', () => {
  for (const health of [HEALTHY, FAILING]) {
    const { delivery, disabled } = judge(health, { failures: 2 }, answer(410), NOW, 0.5)
    assert.deepEqual([disabled, delivery], ['GONE', { status: 'PENDING', failures: 2, dueAt: NOW }])
  }
})

test('72 hours of failures without a success disable the webhook as FAILING', () => {
  const since = (milliseconds: number): Health => ({ ...FAILING, failingSince: before(milliseconds) })
  for (const status of [null, 500, 503]) {
    assert.equal(judge(since(FAILING_MS - 1), NEW, answer(status), NOW, 0.5).disabled, undefined)
    const { delivery, disabled } = judge(since(FAILING_MS), { failures: 2 }, answer(status), NOW, 0.5)
    assert.deepEqual([disabled, delivery], ['FAILING', { status: 'PENDING', failures: 2, dueAt: NOW }])
  }
  assert.equal(judge(since(FAILING_MS * 2), NEW, answer(410), NOW, 0.5).disabled, 'GONE')
  assert.equal(judge(since(FAILING_MS * 2), NEW, answer(200), NOW, 0.5).disabled, undefined)
  assert.equal(FAILING_MS, 72 * HOUR_MS)
})

test('an endpoint to which nothing can be sent fails, is paused, and is disabled after 72 hours', () => {
  const { health, disabled } = judgeNothing(HEALTHY, NOW, 0.5)
  assert.deepEqual(
    [health, disabled],
    [{ failures: 1, failingSince: NOW, width: 1, pausedUntil: after(5 * SECOND_MS), askedToWait: false }, undefined],
  )
  assert.equal(judgeNothing({ ...FAILING, failingSince: before(FAILING_MS - 1) }, NOW, 0.5).disabled, undefined)
  assert.equal(judgeNothing({ ...FAILING, failingSince: before(FAILING_MS) }, NOW, 0.5).disabled, 'FAILING')
})

test('an endpoint that is back gets 1 request at once, then 2, then 4, and not more', () => {
  const widths = [1]
  for (let health: Health = { ...FAILING, width: 1 }; widths.length < 5; widths.push(health.width))
    health = judge(health, NEW, answer(204), NOW, 0.5).health
  assert.deepEqual(widths, [1, 2, 4, 4, 4])
  assert.equal(widerAfter(MAX_WIDTH), MAX_WIDTH)
  assert.equal(judge(HEALTHY, NEW, answer(500), NOW, 0.5).health.width, 1, 'after a failure')
})

test('a success forgets the failures of the endpoint', () => {
  const { health, delivery } = judge(FAILING, { failures: 2 }, answer(200), NOW, 0.5)
  assert.deepEqual(health, { failures: 0, failingSince: null, width: 2, pausedUntil: null, askedToWait: false })
  assert.deepEqual(delivery, { status: 'DELIVERED' })
})

test('a failure while the endpoint fails does not count for the delivery, not even for one that has no attempt left', () => {
  for (const failures of [0, 3, 10])
    for (const status of [null, 500, 503]) {
      const verdict = judge(FAILING, { failures }, answer(status), NOW, 0.5)
      assert.deepEqual(verdict.delivery, { status: 'PENDING', failures, dueAt: NOW })
      assert.deepEqual([verdict.health.failures, verdict.health.failingSince], [3, FAILING.failingSince])
    }
})

test('a failure right after a success counts for the delivery', () => {
  const { health } = judge(FAILING, NEW, answer(200), NOW, 0.5)
  const verdict = judge(health, { failures: 1 }, answer(500), NOW, 0.5)
  assert.deepEqual(verdict.delivery, { status: 'PENDING', failures: 2, dueAt: after(MINUTE_MS) })
  assert.deepEqual(verdict.health, {
    failures: 1,
    failingSince: NOW,
    width: 1,
    pausedUntil: after(5 * SECOND_MS),
    askedToWait: false,
  })
  assert.equal(dueAt(judge(verdict.health, { failures: 2 }, answer(500), NOW, 0.5)), NOW, 'the one after it is that of the endpoint')
})
