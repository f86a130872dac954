import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { newGameTable } from '../../test/game-table.ts'
import { call, clock, db, write } from '../../test/harness.ts'
import type { Received } from '../../test/receiver.ts'
import { addWebhook, isDone, newWebhook, range, until } from '../../test/webhook-scene.ts'
import { sql } from '../db/sql.ts'
import { newOutbound } from '../outbound/outbound.ts'
import { startDeliverer } from './deliverer.ts'

const faults: unknown[] = []
const failed = (error: unknown) => faults.push(error)
const { sender } = newOutbound(['127.0.0.1'])
/** Delivers with a deliverer of its own, which waits longer for answers than this test takes. */
function deliverWith(t: TestContext, limits: { maxHeld?: number; maxRequests?: number }) {
  const stop = startDeliverer({ db, sender, timeoutMs: 60_000, leaseMs: 60_000, pollMs: 50, failed, ...limits })
  t.after(stop)
}

/** Creates a company with webhooks that get no answer before `held` is resolved. An older OWNER has its share. */
async function newHangingWebhooks(count: number, held: Promise<undefined>, owner?: { id: string }) {
  const table = await newGameTable()
  if (owner)
    await write(sql`
      INSERT INTO grants (company_id, id, permission, date_created, date_modified)
      VALUES (${table.company_id}, ${owner.id}, 'OWNER', '2020-01-01', '2020-01-01')`)
  const hooks = await Promise.all(
    range(1, count).map((number) => addWebhook(table, { name: `Bot ${number}`, types: ['dice_roll.created'] }, () => held)),
  )
  await table.player.post('/dice-rolls', { notation: '1d6' })
  return { owner: table.owner, hooks, requests: () => hooks.reduce((sum, { received }) => sum + received.length, 0) }
}

test('what is sent and who signs it are read again after waiting for other webhooks', async (t) => {
  deliverWith(t, { maxRequests: 1 })
  const held = Promise.withResolvers<undefined>()
  const slow = await newWebhook({ types: ['dice_roll.created'] }, () => held.promise)
  await slow.player.post('/dice-rolls', { notation: '1d6' })
  await slow.gets(1)
  const hook = await newWebhook({ types: ['character.*'] })
  const { teller, C, received, webhook } = hook
  const id = await teller.make(`${C}/characters`, { name: 'Soon Hidden', type: 'NPC' })
  await until(async () => (await hook.deliveries())[0]?.attempts === 1, 'the delivery to wait for its place')
  await teller.patch(`${C}/characters/${id}`, { visibility: 'STORYTELLER', name: 'Changed Name' })
  const secret = String((await hook.act('rotate', { overlap_seconds: 0 })).secret)
  assert.equal(received.length, 0)
  held.resolve(undefined)
  await hook.gets(1)
  const [{ headers, body, text }] = received as [Received]
  assert.deepEqual([body.data.change, body.data.id], ['REMOVE', id])
  assert.doesNotMatch(text, /Soon Hidden|Changed Name/)
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
  const signature = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(signed)
    .digest('base64')
  assert.equal(headers['webhook-signature'], `v1,${signature}`, `not by ${webhook.secret}`)
  assert.deepEqual(faults, [])
})

test('nothing is sent to a webhook that was disabled or archived, or whose company was, while its request waited', async (t) => {
  deliverWith(t, { maxRequests: 1 })
  const held = Promise.withResolvers<undefined>()
  const types = ['dice_roll.created']
  const rollFor = async (hook: Awaited<ReturnType<typeof newWebhook>>) => {
    await hook.player.post('/dice-rolls', { notation: '1d6' })
    await until(async () => (await hook.deliveries())[0]?.attempts === 1, 'a request')
    return hook
  }
  const slow = await rollFor(await newWebhook({ types }, () => held.promise))
  const [disabled, archived, closed] = [
    await rollFor(await newWebhook({ types })),
    await rollFor(await newWebhook({ types })),
    await rollFor(await newWebhook({ types })),
  ]
  const last = await rollFor(await newWebhook({ types }))
  await disabled.act('disable')
  for (const [{ key }, path] of [
    [archived, archived.path],
    [closed, closed.base],
  ] as const)
    assert.equal((await call('DELETE', path, { key })).status, 204)
  held.resolve(undefined)
  await last.gets(1)
  assert.deepEqual(
    [slow, disabled, archived, closed].map(({ received }) => received.length),
    [1, 0, 0, 0],
  )
  await disabled.act('enable')
  await disabled.gets(1)
  assert.deepEqual(faults, [])
})

test('a developer whose endpoints hang gives webhooks of a process back to another, until both have the same', async (t) => {
  deliverWith(t, { maxHeld: 4 })
  const held = Promise.withResolvers<undefined>()
  const first = await newHangingWebhooks(3, held.promise)
  await until(() => first.requests() === 3, 'webhooks that are free')
  // Its companies divide the share of a developer: one webhook was free, and one is given back.
  const second = await newHangingWebhooks(3, held.promise, first.owner)
  await until(() => second.requests() === 2, 'half of the share')
  const modest = await newHangingWebhooks(3, held.promise)
  await until(() => modest.requests() === 2, 'half of the webhooks of the process')
  assert.deepEqual([first.requests(), second.requests()], [3, 2])
  held.resolve(undefined)
  for (const hook of [...first.hooks, ...second.hooks, ...modest.hooks]) await until(() => isDone(hook), 'what was given back')
  assert.deepEqual(faults, [])
})

test('a webhook that always has something to do gives its place to one that waits, and gets it back', async (t) => {
  deliverWith(t, { maxHeld: 1 })
  const types = ['dice_roll.created']
  const busy = await newWebhook({ types }, async () => {
    await busy.player.post('/dice-rolls', { notation: '1d6' })
    return { after: 20 }
  })
  for (const _ of range(1, 20)) await busy.player.post('/dice-rolls', { notation: '1d6' })
  await busy.gets(1)
  const quiet = await newWebhook({ types })
  await quiet.player.post('/dice-rolls', { notation: '1d6' })
  await until(async () => (await quiet.progress()).backlog > 0, 'a change to deliver')
  assert.equal(quiet.received.length, 0)
  // The time of a turn is over.
  clock.ahead += 41_000
  await quiet.gets(1)
  await busy.gets(busy.received.length + 2)
  await busy.act('disable')
  assert.deepEqual(faults, [])
})

test('a developer whose endpoints hang leaves a quarter of the requests of a process to others', async (t) => {
  deliverWith(t, { maxRequests: 4 })
  const held = Promise.withResolvers<undefined>()
  const greedy = await newHangingWebhooks(5, held.promise)
  await until(() => greedy.requests() === 3, 'three quarters of the requests')
  const modest = await newWebhook({ types: ['dice_roll.created'] })
  await modest.player.post('/dice-rolls', { notation: '1d6' })
  await modest.gets(1)
  assert.equal(greedy.requests(), 3)
  held.resolve(undefined)
  for (const hook of [...greedy.hooks, modest]) await until(() => isDone(hook), 'everything')
  assert.deepEqual(faults, [])
})
