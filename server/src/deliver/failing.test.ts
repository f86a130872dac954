import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call, clock, db, stopAtEnd, write } from '../../test/harness.ts'
import { deliver, faults, isDone, newWebhook, range, until } from '../../test/webhook-scene.ts'
import { sql } from '../db/sql.ts'
import type { WebhookDelivery } from '../resources/webhook-deliveries/schema.ts'
import { runMaintenance } from '../upkeep/maintenance.ts'

stopAtEnd(deliver())

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
type Hook = Awaited<ReturnType<typeof newWebhook>>

/** Moves the clock to just before, and then to, the time at which the endpoint is tried again, and returns how long that was after the attempt before. */
async function toNextProbe(hook: Hook, failures: number): Promise<number> {
  // Time goes on by itself, too: on a slow machine there may be more.
  await until(async () => (await hook.progress()).failures >= failures, `${failures} failures`)
  await hook.rest()
  const { date_due } = await hook.progress()
  const before = hook.received.length
  const waitMs = Date.parse(String(date_due)) - Date.now() - clock.ahead
  clock.ahead += waitMs - SECOND
  await new Promise((resolve) => setTimeout(resolve, 150))
  assert.equal(hook.received.length, before, 'nothing is sent before that time')
  clock.ahead += SECOND + 50
  await until(() => hook.received.length > before, 'the next attempt')
  return waitMs
}

const roll = (hook: Hook) => hook.player.post('/dice-rolls', { notation: '1d6' })

test('an endpoint that fails is tried after 5 s, 15 s, 1 min, 5 min and then every 15 min, and gets everything when it is back', async () => {
  let isDown = true
  const hook = await newWebhook({ types: ['dice_roll.created'] }, () => (isDown ? { status: 500 } : undefined))
  for (let i = 0; i < 6; i++) await roll(hook)
  const waits: number[] = []
  for (const failures of range(1, 6)) waits.push(await toNextProbe(hook, failures))
  const expected = [5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 15 * MINUTE]
  for (const [i, wait] of waits.entries()) assert.ok(Math.abs(wait - (expected[i] as number)) < SECOND, `${wait} is not ${expected[i]}`)
  assert.equal(hook.busy.most, 1, 'one at a time')
  // Each attempt was another delivery: one of them may be the only one that fails.
  assert.deepEqual(hook.numbers().slice(0, 6), range(1, 6))
  const { date_failing_since, pending } = await hook.progress()
  assert.ok(date_failing_since && pending === 6)
  isDown = false
  await toNextProbe(hook, 7)
  await until(() => isDone(hook), 'everything')
  assert.deepEqual(
    (await hook.deliveries()).map(({ number, status }) => [number, status]),
    range(1, 6).map((number) => [number, 'DELIVERED']),
  )
  assert.equal((await hook.progress()).date_failing_since, null)
})

test('a delivery that fails while others arrive has a schedule of its own, and does not hold them up', async () => {
  const hook = await newWebhook({ types: ['dice_roll.created'] }, ({ headers }) =>
    headers['guildhall-number'] === '1' ? { status: 422 } : undefined,
  )
  await roll(hook)
  await hook.gets(1)
  for (const [i, seconds] of [5, 60, 300, 1800].entries()) {
    await until(async () => (await hook.progress()).failures === 1, 'its failure')
    const [first] = (await hook.deliveries()) as [WebhookDelivery]
    const wait = Date.parse(String(first.date_due)) - Date.now() - clock.ahead
    assert.ok(Math.abs(wait - seconds * SECOND) < SECOND, `${wait} is not ${seconds} s`)
    await roll(hook)
    await until(async () => (await hook.progress()).backlog > 0, 'the next event')
    await hook.rest()
    clock.ahead += 5 * SECOND
    await until(async () => (await hook.deliveries())[i + 1]?.status === 'DELIVERED', 'the other delivery')
    await hook.rest()
    clock.ahead += Math.max(0, wait - 5 * SECOND)
    await until(async () => ((await hook.deliveries())[0] as WebhookDelivery).attempts > first.attempts, 'its retry')
  }
  assert.deepEqual(
    (await hook.deliveries()).map(({ status }) => status),
    ['PENDING', ...Array(4).fill('DELIVERED')],
  )
})

test('Retry-After is obeyed, in seconds and as a date', async () => {
  let retryAfter = '120'
  const hook = await newWebhook({ types: ['dice_roll.created'] }, () =>
    hook.received.length < 3 ? { status: 429, headers: { 'retry-after': retryAfter } } : undefined,
  )
  await roll(hook)
  assert.ok(Math.abs((await toNextProbe(hook, 1)) - 120 * SECOND) < SECOND)
  retryAfter = new Date(Date.now() + clock.ahead + HOUR).toUTCString()
  await until(async () => (await hook.progress()).failures === 2, 'the second failure')
  assert.ok(Math.abs((await toNextProbe(hook, 2)) - 120 * SECOND) < SECOND)
  await until(() => isDone(hook), 'everything')
})

test('a request that is accepted while another one is told to wait does not shorten the wait', async () => {
  const thirdArrived = Promise.withResolvers<void>()
  const hook = await newWebhook({ types: ['dice_roll.created'] }, async ({ headers }) => {
    // After the first one, two are sent at once. The second is told to wait when the third is on its way, and the third is accepted later.
    const is = (number: string) => headers['guildhall-number'] === number && headers['guildhall-attempt'] === '1'
    if (is('3')) thirdArrived.resolve()
    if (is('2')) await thirdArrived.promise
    if (is('2')) return { status: 429, headers: { 'retry-after': '120' } }
    return is('3') ? { after: 300 } : undefined
  })
  await hook.act('disable')
  for (let i = 0; i < 6; i++) await roll(hook)
  await until(async () => (await hook.progress()).backlog >= 6, 'the backlog')
  await hook.act('enable')
  await hook.gets(3)
  await hook.rest()
  assert.deepEqual(hook.numbers().toSorted(), [1, 2, 3])
  const { date_due } = await hook.progress()
  const waitMs = Date.parse(String(date_due)) - Date.now() - clock.ahead
  assert.ok(Math.abs(waitMs - 120 * SECOND) < 2 * SECOND, `${waitMs}`)
  await toNextProbe(hook, 1)
  await until(() => isDone(hook), 'everything')
})

test('410 disables a webhook at once, and 72 hours without a success do; enabled again, it goes on', async () => {
  let status = 410
  const hook = await newWebhook({ types: ['dice_roll.created'] }, () => (status === 204 ? undefined : { status }))
  await roll(hook)
  await until(async () => (await hook.get()).status === 'DISABLED', 'the end of the webhook')
  assert.equal((await hook.get()).disabled_reason, 'GONE')
  status = 500
  await hook.act('enable')
  await until(async () => (await hook.progress()).failures === 1, 'a failure')
  for (let hours = 0; hours < 72; hours += 12) {
    await hook.rest()
    const before = hook.received.length
    clock.ahead += 12 * HOUR
    await until(() => hook.received.length > before, 'an attempt')
    if (hours < 60) assert.equal((await hook.get()).status, 'ENABLED')
  }
  await until(async () => (await hook.get()).disabled_reason === 'FAILING', 'the end of the webhook')
  const { body } = await call('GET', `${hook.base}/audit-logs?type=webhook.disabled`, { key: hook.key })
  assert.deepEqual(body.items.map(({ changes, user_id }) => [changes.disabled_reason?.new, user_id]).toSorted(), [
    ['FAILING', null],
    ['GONE', null],
  ])
  for (let i = 0; i < 3; i++) await roll(hook)
  status = 204
  await hook.act('enable')
  const delivered = async () => (await hook.deliveries()).filter((one) => one.status === 'DELIVERED').length
  await until(async () => (await delivered()) === 4, 'everything')
})

test('however much happens while an endpoint is down, at most a hundred deliveries wait, and everything arrives', async () => {
  let isDown = true
  const hook = await newWebhook({ types: ['dice_roll.created'] }, () => (isDown ? { status: 500 } : undefined))
  for (let i = 0; i < 26; i++) await Promise.all(range(1, 10).map(() => roll(hook)))
  await until(async () => (await hook.progress()).failures > 0, 'a failure')
  await toNextProbe(hook, 1)
  const { pending, backlog } = await hook.progress()
  assert.ok(pending <= 100 && backlog >= 160, `${pending} wait, and ${backlog} behind them`)
  isDown = false
  await toNextProbe(hook, 2)
  await until(() => isDone(hook), 'everything', 30)
  assert.deepEqual(new Set(hook.numbers()), new Set(range(1, 260)))
})

test('an endpoint that was dead for 29 days gets everything when it is enabled, in order', async () => {
  let isDown = true
  const hook = await newWebhook({ types: ['dice_roll.created'], ordered: true }, () => (isDown ? { status: 500 } : undefined))
  const rolls: string[] = []
  for (let day = 1; day <= 29; day++) {
    for (let i = 0; i < 5; i++) rolls.push((await roll(hook)).body.id)
    if (day === 1) await until(async () => (await hook.progress()).failures > 0, 'a failure')
    await until(async () => (await hook.progress()).backlog + (await hook.progress()).pending >= rolls.length, 'the backlog')
    await hook.rest()
    const { failures } = await hook.progress()
    clock.ahead += DAY
    if (day <= 3) await until(async () => (await hook.progress()).failures > failures, 'another failure')
  }
  assert.equal((await hook.get()).disabled_reason, 'FAILING')
  await runMaintenance(db)
  isDown = false
  const before = hook.received.length
  await hook.act('enable', { from: 'BACKLOG' })
  await until(() => isDone(hook), 'everything', 60)
  const arrived = hook.received.slice(before)
  assert.deepEqual(
    arrived.map(({ body }) => body.data.id),
    rolls,
  )
  assert.deepEqual(
    arrived.map(({ headers }) => Number(headers['guildhall-number'])),
    range(1, rolls.length),
  )
})

test('a webhook that waited for longer than the feed is kept tells its receiver to read everything again', async () => {
  const hook = await newWebhook({ types: ['dice_roll.created'] })
  await hook.act('disable')
  await roll(hook)
  const { company_id } = hook
  // The roll is in the feed, too, and not only that the webhook was disabled.
  await until(
    async () => (await db.query(sql`SELECT 1 AS one FROM outbox WHERE company_id = ${company_id}`)).length === 0,
    'the positions of all events',
  )
  await hook.rest()
  await write(sql`DELETE FROM feed WHERE company_id = ${company_id}`)
  await write(sql`UPDATE feed_heads SET first = last + 1 WHERE company_id = ${company_id} RETURNING 1 AS one`)
  await hook.act('enable')
  await hook.gets(1)
  await roll(hook)
  await hook.gets(2)
  assert.deepEqual(hook.types(), ['feed.reset', 'dice_roll.created'])
  assert.deepEqual(hook.numbers(), [1, 2])
})

test('nothing is sent for a user who is archived, until they are restored', async () => {
  const hook = await newWebhook({ types: ['dice_roll.created'] })
  const { key, path, base, other } = hook
  assert.equal((await call('PATCH', path, { key, body: { sight: 'USER', user_id: other.id } })).status, 200)
  await call('DELETE', `${base}/users/${other.id}`, { key })
  await roll(hook)
  await until(async () => (await hook.progress()).failures > 0, 'the failure')
  assert.equal(hook.received.length, 0)
  await call('POST', `${base}/users/${other.id}/restore`, { key })
  await hook.rest()
  clock.ahead += 15 * MINUTE
  await hook.gets(1)
})

test('no step of delivering failed', () => {
  assert.deepEqual(faults, [])
  assert.equal(db.connections().waiting, 0)
})
