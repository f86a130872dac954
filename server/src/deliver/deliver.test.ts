import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sequenceAll } from '../../test/follower.ts'
import { call, db, engine, pooler, stopAtEnd, url } from '../../test/harness.ts'
import type { Received } from '../../test/receiver.ts'
import { deliver, faults, isDone, newWebhook, range, until } from '../../test/webhook-scene.ts'
import { connect, type Database } from '../db/client.ts'
import type { WebhookDelivery } from '../resources/webhook-deliveries/schema.ts'

stopAtEnd(deliver())
// Another process on the same database. From the moment that it is killed, none of its statements arrive.
const connected = connect(url, { readers: 2, writers: 4, pooler, engine })
let isKilled = false
const unlessKilled = <T>(work: () => Promise<T>) => (isKilled ? Promise.reject(new Error('killed')) : work())
const second: Database = {
  ...connected,
  query: (statement) => unlessKilled(() => connected.query(statement)),
  transaction: (work) => unlessKilled(() => connected.transaction(work)),
}
stopAtEnd(deliver(second))
stopAtEnd(() => connected.close())

test('a roll arrives as the changes feed tells it, with a number', async () => {
  const hook = await newWebhook({ types: ['dice_roll.created'] })
  const { received, player, campaign_id, webhook } = hook
  const { body: roll } = await player.post('/dice-rolls', { notation: '2d6', campaign_id })
  await hook.gets(1)
  const [{ headers, body }] = received as [Received]
  const { resource, ...data } = body.data
  assert.deepEqual([body.type, data.change, data.id, resource.total], ['dice_roll.created', 'UPSERT', roll.id, roll.total])
  assert.deepEqual(
    ['webhook-id', 'guildhall-number', 'guildhall-attempt', 'guildhall-webhook', 'content-type'].map((name) => headers[name]),
    [body.id, '1', '1', webhook.id, 'application/json'],
  )
  assert.match(data.path, /\/users\/\{user_id\}\//)
  await until(() => isDone(hook), 'the result')
  const [{ id, status, attempts }] = (await hook.deliveries()) as [WebhookDelivery]
  assert.deepEqual([status, attempts], ['DELIVERED', 1])
  const { log, request } = await hook.delivery(id)
  const [attempt] = log
  // The request as it would be sent now, before it gets its time and its signature.
  assert.deepEqual([request.url, JSON.parse(request.body).data, request.headers['guildhall-attempt']], [hook.url, body.data, '2'])
  assert.deepEqual([request.headers['webhook-id'], request.headers['webhook-signature']], [body.id, undefined])
  assert.deepEqual([attempt?.status, attempt?.error, attempt?.request_headers['webhook-id'], attempt?.url], [204, null, body.id, hook.url])
})

test('a webhook sends what its view shows: that of any player, of everybody, or of one user', async () => {
  const types = ['character.*', 'note.*']
  const views = await Promise.all([newWebhook({ types, sight: 'OPEN' }), newWebhook({ types, sight: 'ALL' })])
  for (const { teller, C } of views) {
    await teller.make(`${C}/characters`, { name: 'The Hidden One', type: 'NPC', visibility: 'STORYTELLER' })
    await teller.make(`${C}/notes`, { title: 'For all', visibility: 'EVERYONE' })
  }
  const [open, all] = views as [(typeof views)[0], (typeof views)[0]]
  await Promise.all([open.gets(1), all.gets(2)])
  await Promise.all(views.map((hook) => until(() => isDone(hook), 'everything')))
  assert.deepEqual(open.types(), ['note.created'])
  assert.deepEqual(all.types().toSorted(), ['character.created', 'note.created'])
  // That something was left out shows nowhere.
  assert.deepEqual(open.numbers(), [1])
  assert.ok(!open.received.some(({ text }) => text.includes('Hidden')))
  const ofUser = await newWebhook({ types })
  const { teller, player, C, key, path } = ofUser
  const changed = await call('PATCH', path, { key, body: { sight: 'USER', user_id: teller.id } })
  assert.equal(changed.status, 200, changed.text)
  await teller.make(`${C}/characters`, { name: 'Seen by the teller', type: 'NPC', visibility: 'STORYTELLER' })
  await ofUser.gets(1)
  assert.equal((await call('PATCH', path, { key, body: { user_id: player.id } })).status, 200)
  await teller.make(`${C}/characters`, { name: 'Not seen by the player', type: 'NPC', visibility: 'STORYTELLER' })
  await teller.make(`${C}/notes`, { title: 'For all', visibility: 'EVERYONE' })
  await ofUser.gets(2)
  assert.deepEqual(ofUser.types(), ['character.created', 'note.created'])
  assert.equal(ofUser.received[0]?.body.data.resource.name, 'Seen by the teller')
})

test('what is hidden before a retry is not sent, and its number is not missing', async () => {
  let isDown = true
  const hook = await newWebhook({ types: ['character.*'] }, () => (isDown ? { status: 500 } : undefined))
  const { teller, C, received } = hook
  const id = await teller.make(`${C}/characters`, { name: 'Soon Hidden', type: 'NPC' })
  await hook.gets(1)
  assert.equal(received[0]?.body.data.resource.name, 'Soon Hidden')
  await teller.patch(`${C}/characters/${id}`, { visibility: 'STORYTELLER', name: 'Changed Name' })
  isDown = false
  await until(async () => (await hook.progress()).failures > 0, 'the failure')
  await hook.act(`deliveries/${(await hook.deliveries())[0]?.id}/retry`)
  await until(() => isDone(hook), 'the retry')
  const later = received.slice(1)
  assert.deepEqual(later.map(({ body }) => body.data.change).slice(0, 1), ['REMOVE'])
  assert.ok(later.every(({ text }) => !/Soon Hidden|Changed Name/.test(text)))
  assert.deepEqual([...new Set(hook.numbers())], range(1, new Set(hook.numbers()).size))
})

test('both secrets sign while one replaces the other', async () => {
  const hook = await newWebhook({ types: ['dice_roll.created'] })
  const { player, received, webhook } = hook
  const rotated = await hook.act('rotate', { overlap_seconds: 60 })
  assert.match(String(rotated.secret), /^whsec_[\w+/]{43}=$/)
  assert.notEqual(rotated.secret, webhook.secret)
  assert.equal((await call('POST', `${hook.path}/rotate`, { key: hook.key, body: {} })).body.code, 'rotating')
  await player.post('/dice-rolls', { notation: '1d6' })
  await hook.gets(1)
  const [{ headers, text }] = received as [Received]
  const { createHmac } = await import('node:crypto')
  const sign = (secret: unknown) =>
    `v1,${createHmac('sha256', Buffer.from(String(secret).slice(6), 'base64'))
      .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`)
      .digest('base64')}`
  assert.equal(headers['webhook-signature'], `${sign(rotated.secret)} ${sign(webhook.secret)}`)
  const { secrets } = await hook.progress()
  assert.deepEqual(
    secrets.map(({ last_four, date_expires }) => [last_four, date_expires === null]),
    [
      [String(rotated.secret).slice(-4), true],
      [webhook.secret.slice(-4), false],
    ],
  )
})

test('deliveries of two processes have dense numbers, and at most four are sent at once', async () => {
  const hook = await newWebhook({ types: ['dice_roll.created'] }, () => ({ after: 5 }))
  await Promise.all(range(1, 60).map(() => hook.player.post('/dice-rolls', { notation: '1d6' })))
  await hook.gets(60)
  await until(() => isDone(hook), 'everything')
  assert.deepEqual(
    hook.numbers().toSorted((a, b) => a - b),
    range(1, 60),
  )
  assert.equal(new Set(hook.received.map(({ headers }) => headers['webhook-id'])).size, 60)
  assert.ok(hook.busy.most <= 4 && hook.busy.most > 1, `${hook.busy.most} at once`)
})

test('an ordered webhook sends one after the other, also when some fail', async () => {
  const refused = new Set<string>()
  const hook = await newWebhook({ types: ['dice_roll.created'], ordered: true }, ({ headers }) => {
    const number = String(headers['guildhall-number'])
    if (number !== '3' || refused.has(number)) return undefined
    refused.add(number)
    return { status: 503, headers: { 'retry-after': '1' } }
  })
  await Promise.all(range(1, 12).map(() => hook.player.post('/dice-rolls', { notation: '1d6' })))
  await hook.gets(13)
  assert.deepEqual(hook.numbers(), [1, 2, 3, ...range(3, 12)])
  assert.equal(hook.busy.most, 1)
})

test('events are sent again on demand, with their ids and other numbers', async () => {
  const hook = await newWebhook({ types: ['dice_roll.created', 'note.*'] })
  const from = new Date(Date.now() - 60_000).toISOString()
  for (let i = 0; i < 3; i++) await hook.player.post('/dice-rolls', { notation: '1d6' })
  await hook.teller.make(`${hook.C}/notes`, { title: 'For all', visibility: 'EVERYONE' })
  await hook.gets(4)
  await until(() => isDone(hook), 'everything')
  const { events } = await hook.act('replay', { from, types: ['dice_roll.created'] })
  assert.ok(Number(events) >= 4)
  await hook.gets(7)
  await until(() => isDone(hook), 'the replay')
  assert.equal(hook.received.length, 7)
  assert.deepEqual(hook.numbers().toSorted(), range(1, 7))
  const ids = hook.received.map(({ headers }) => headers['webhook-id'])
  assert.deepEqual(ids.slice(4).toSorted(), ids.slice(0, 3).toSorted())
  assert.deepEqual((await hook.deliveries()).filter(({ is_replay }) => is_replay).length, 3)
  assert.equal((await hook.act('replay', { from: new Date(Date.now() + 1000).toISOString() })).events, 0)
  // A replay sends no types that the webhook does not ask for.
  await hook.act('replay', { from, types: ['character.*', 'note.created'] })
  await hook.gets(8)
  await until(() => isDone(hook), 'the replay')
  assert.deepEqual(hook.types().slice(7), ['note.created'])
  const { status, body } = await call('POST', `${hook.path}/replay`, { key: hook.key, body: { from, to: from } })
  assert.deepEqual([status, body.invalid_parameters], [400, [{ field: 'to', message: 'must be after from' }]])
})

test('a delivery that waits can be skipped, and one that arrived be sent again', async () => {
  const hook = await newWebhook({ types: ['dice_roll.created'], ordered: true }, ({ headers }) =>
    headers['guildhall-number'] === '1' ? { status: 400 } : undefined,
  )
  for (let i = 0; i < 2; i++) await hook.player.post('/dice-rolls', { notation: '1d6' })
  await hook.gets(1)
  await until(async () => (await hook.progress()).failures > 0, 'the failure')
  const [first] = (await hook.deliveries()) as [WebhookDelivery]
  assert.equal((await hook.act(`deliveries/${first.id}/skip`)).status, 'SKIPPED')
  await hook.gets(2)
  assert.deepEqual(hook.numbers(), [1, 2])
  await until(() => isDone(hook), 'everything')
  const { status, text } = await call('POST', `${hook.path}/deliveries/${first.id}/skip`, { key: hook.key })
  assert.deepEqual([status, JSON.parse(text).code], [409, 'not_pending'])
  const [, next] = (await hook.deliveries()) as [WebhookDelivery, WebhookDelivery]
  await hook.act(`deliveries/${next.id}/retry`)
  await hook.gets(3)
  assert.deepEqual(hook.numbers(), [1, 2, 2])
  assert.equal(hook.received[2]?.headers['guildhall-attempt'], '2')
})

test('a disabled webhook keeps what happens, and sends it or leaves it out when it is enabled', async () => {
  const hook = await newWebhook({ types: ['dice_roll.created'] })
  const roll = () => hook.player.post('/dice-rolls', { notation: '1d6' })
  await roll()
  await hook.gets(1)
  await until(() => isDone(hook), 'everything')
  await hook.act('disable')
  for (let i = 0; i < 3; i++) await roll()
  await until(async () => (await hook.progress()).backlog >= 4, 'the rolls, and that it was disabled')
  await hook.act('enable')
  await hook.gets(4)
  await until(() => isDone(hook), 'the backlog')
  await hook.act('disable')
  for (let i = 0; i < 3; i++) await roll()
  // A roll that has no position yet would be sent as well.
  await sequenceAll()
  await hook.act('enable', { from: 'NOW' })
  await roll()
  await hook.gets(5)
  await until(() => isDone(hook), 'everything')
  assert.deepEqual(hook.numbers().toSorted(), range(1, 5))
})

test('a ping is sent at once, and its reply is what became of it', async () => {
  const hook = await newWebhook({}, () => ({ status: 418, body: 'short and stout' }))
  await hook.act('disable')
  const attempt = (await hook.act('ping')) as unknown as Record<string, unknown>
  assert.deepEqual([attempt.status, attempt.error, attempt.response_body], [418, 'status', 'short and stout'])
  const [{ headers, body }] = hook.received as [Received]
  assert.deepEqual([body.type, body.data.webhook_id, headers['guildhall-number']], ['webhook.ping', hook.webhook.id, undefined])
  assert.equal((await hook.deliveries()).length, 0)
  await hook.stop()
  assert.equal((await hook.act('ping')).error, 'connect')
})

test('a process that dies loses nothing: another one goes on when its lease is over', async () => {
  const hook = await newWebhook({ types: ['dice_roll.created'] }, () => ({ after: 30 }))
  await Promise.all(range(1, 40).map(() => hook.player.post('/dice-rolls', { notation: '1d6' })))
  await hook.gets(5)
  isKilled = true
  await hook.gets(40)
  await until(() => isDone(hook), 'everything')
  assert.deepEqual(new Set(hook.numbers()), new Set(range(1, 40)))
})

test('no step of delivering failed, except in the process that died', () => {
  assert.deepEqual(
    faults.filter((fault) => (fault as Error).message !== 'killed'),
    [],
  )
  assert.equal(db.connections().waiting, 0)
})
