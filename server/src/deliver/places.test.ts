import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { db, stopAtEnd } from '../../test/harness.ts'
import type { Received } from '../../test/receiver.ts'
import { newWebhook, until } from '../../test/webhook-scene.ts'
import { newOutbound } from '../outbound/outbound.ts'
import { startDeliverer } from './deliverer.ts'
import { Places } from './places.ts'

const faults: unknown[] = []
const failed = (error: unknown) => faults.push(error)
const { sender } = newOutbound(['127.0.0.1'])
// A process that sends one request at a time, and waits longer than this test takes.
stopAtEnd(startDeliverer({ db, sender, timeoutMs: 60_000, leaseMs: 60_000, pollMs: 50, maxRequests: 1, failed }))

test('what is sent and who signs it are read again after waiting for other webhooks', async () => {
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

test('places are used in the order of arrival, and given back after a failure', async () => {
  const places = new Places(1)
  const done: [string, boolean][] = []
  const use = (name: string, fails = false) =>
    places.use(async (hasWaited) => {
      done.push([name, hasWaited])
      if (fails) throw new Error(name)
    })
  const all = await Promise.allSettled([use('first', true), use('second'), use('third')])
  assert.deepEqual(
    all.map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled'],
  )
  assert.deepEqual(done, [
    ['first', false],
    ['second', true],
    ['third', true],
  ])
  await use('fourth')
  assert.deepEqual(done.at(-1), ['fourth', false])
})
