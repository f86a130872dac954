import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSequencer } from '../src/events/runner.ts'
import type { FeedItem } from '../src/resources/changes/schema.ts'
import { sessionOf, userSession, withSession } from './console.ts'
import { Follower, sequenceAll } from './follower.ts'
import { newGameTable } from './game-table.ts'
import { type CallOptions, call, db, newDeveloper, pooler, stopAtEnd, url } from './harness.ts'
import { randomOf } from './random.ts'
import { ask, guildhall, type Service, startService } from './service.ts'
import { StreamFollower } from './stream-follower.ts'
import { until } from './until.ts'

// The longest time between two checks, so that only hints end a stream while a test waits for it. No hints arrive through a pooler.
const env = {
  DATABASE_URL: url,
  DATABASE_POOLER: pooler ? 'transaction' : 'none',
  STREAMS_CHECK: pooler ? '1' : '15',
  MAX_IN_FLIGHT: '48',
}
const services = await Promise.all([startService(env), startService(env)])
const [first, second] = services as [Service, Service]
stopAtEnd(startSequencer(db, { advanced: () => {}, failed: () => {} }))

type Table = Awaited<ReturnType<typeof newGameTable>>
const random = randomOf()
const idsOf = (items: FeedItem[]) => items.map(({ id }) => id)

test('on two processes, a stream that is cut at random loses nothing, and repeats only what has the same id', async () => {
  const { player, teller, C, base, key, campaign_id } = await newGameTable()
  const start = await Follower.start(player)
  const users = `${base}/users`
  const headers = { 'x-api-key': key }
  const open = () => new StreamFollower('', headers)
  const [cut, whole, ofCampaign] = [open(), open(), open()]
  for (const [i, stream] of [cut, whole].entries()) {
    stream.lastId = start.cursor
    await stream.open(`${services[i]?.base}${users}/${player.id}/stream`)
  }
  ofCampaign.lastId = start.cursor
  await ofCampaign.open(`${second.base}${users}/${player.id}${C}/stream`)
  let isWriting = true
  let cuts = 0
  const note = await teller.make(`${C}/notes`, { title: 'Counted', visibility: 'EVERYONE' })
  const writers = Array.from({ length: 6 }, async (_, writer) => {
    for (let i = 0; i < 25; i++) {
      const service = services[(i + writer) % 2] as Service
      const path = `${base}/users/${teller.id}${C}`
      const written =
        writer < 2
          ? await ask(service, 'PATCH', `${path}/notes/${note}`, key, { body: `${writer} ${i}` })
          : await ask(service, 'POST', `${path}/notes`, key, { title: `${writer} ${i}`, visibility: i % 3 ? 'EVERYONE' : 'STORYTELLER' })
      assert.ok(written.status < 300, written.text)
      // However fast the writers are, the stream is cut in between.
      await until(() => cuts >= i / 5, 'cuts')
    }
  })
  const cutting = (async () => {
    for (; isWriting; cuts++) {
      await cut.readFor(random.next() * 150)
      await cut.open(`${services[cuts % 2]?.base}${users}/${player.id}/stream`)
    }
  })()
  await Promise.all(writers)
  isWriting = false
  await cutting
  await call('PATCH', `${base}/users/${player.id}`, { key, body: { name: 'The end' } })
  await sequenceAll()
  const isEnd = ({ type }: FeedItem) => type === 'user.updated'
  for (const stream of [cut, whole, ofCampaign]) if (!stream.items.some(isEnd)) await stream.until(isEnd)
  const told = await start.read()
  assert.equal(told.length, 1 + 50 + 4 * 25 - 4 * 9 + 1)
  assert.deepEqual(idsOf(whole.items), idsOf(told), 'a stream that is not cut tells everything once, in order')
  assert.deepEqual([...new Set(idsOf(cut.items))], idsOf(told), 'nothing is lost, and what is repeated has the same id')
  assert.deepEqual(idsOf(ofCampaign.items), idsOf(told), 'everything was in the campaign, and the role is the own one')
  assert.ok(cuts > 3, `the stream was cut ${cuts} times`)
  const versions = whole.items.flatMap(({ data }) => (data.id === note ? [data.version as number] : []))
  assert.deepEqual(
    versions,
    Array.from({ length: 51 }, (_, i) => i + 1),
  )
  assert.ok(campaign_id)
  for (const stream of [cut, whole, ofCampaign]) stream.close()
})

test('nothing secret reaches a user after the change of their role, on either process', async () => {
  const { teller, person, C, base, key } = await newGameTable()
  const demoted = await person('STORYTELLER', 'Demoted')
  const spectator = await person('STORYTELLER', 'Spectator')
  await teller.put(`${C}/members/${demoted.id}`, { role: 'STORYTELLER' })
  const note = await teller.make(`${C}/notes`, { title: 'Secret', visibility: 'STORYTELLER' })
  await sequenceAll()
  const open = (service: Service, id: string) =>
    new StreamFollower(`${service.base}${base}/users/${id}/stream`, { 'x-api-key': key }).open()
  const streams = await Promise.all([open(first, demoted.id), open(second, demoted.id)])
  const watching = await open(second, spectator.id)
  const path = `${base}/users/${teller.id}${C}`
  let visibleUntil = Number.POSITIVE_INFINITY
  for (let i = 0; i < 200; i++) {
    const service = services[i % 2] as Service
    if (i === 100) {
      const role = { role: 'PLAYER' }
      for (const { id } of [demoted, spectator]) assert.equal((await ask(service, 'PATCH', `${base}/users/${id}`, key, role)).status, 200)
    }
    const { body } = await ask(service, 'PATCH', `${path}/notes/${note}`, key, { body: `Word ${i}` })
    if (i === 100) visibleUntil = body.version
    if (i % 4 === 0) await ask(service, 'POST', `${path}/characters`, key, { name: `Ghoul ${i}`, type: 'NPC', visibility: 'STORYTELLER' })
  }
  await ask(first, 'PATCH', path, key, { name: 'The end' })
  for (const stream of streams) {
    if (!stream.items.some(({ type }) => type === 'campaign.updated')) await stream.until(({ type }) => type === 'campaign.updated')
    const at = stream.items.findIndex(({ type }) => type === 'sight.changed')
    assert.ok(at > 0, 'the change of the role is told')
    assert.ok(
      stream.items.slice(0, at).some(({ type }) => type === 'note.updated'),
      'secrets are told before',
    )
    assert.deepEqual(
      stream.items.slice(at + 1).flatMap(({ type }) => (/^user\./.test(type) ? [] : [type])),
      ['campaign.updated'],
    )
    for (const { data } of stream.items) {
      const { version = 0 } = (data.id === note && (data.resource as { version: number } | null)) || {}
      assert.ok(version < visibleUntil, `version ${version} was written after the change of the role`)
    }
    stream.close()
  }
  if (!watching.items.some(({ type }) => type === 'campaign.updated')) await watching.until(({ type }) => type === 'campaign.updated')
  assert.deepEqual(
    watching.items.filter(({ type }) => /^(note|character)\./.test(type)),
    [],
    'a storyteller of another campaign is told no secret',
  )
  watching.close()
})

type Headers = Record<string, string>
type Removal = ['DELETE' | 'POST' | 'PATCH', path: string, CallOptions]

interface Ending {
  headers: Headers
  path?: string
  removal: Removal
  reason?: string
}

/** The credential and the path with which a stream is opened, the request that takes its right away, and the reason that the stream gives. */
const ENDINGS: Record<string, (table: Table) => Promise<Ending>> = {
  'the key is revoked': async ({ developer }) => {
    const { key, key_id } = await developer('USER')
    return { headers: { 'x-api-key': key }, path: '/stream', removal: ['DELETE', `/developers/me/keys/${key_id}`, { key }] }
  },
  'the key is rotated without an overlap': async ({ developer }) => {
    const { key, key_id } = await developer('USER')
    const removal: Removal = ['POST', `/developers/me/keys/${key_id}/rotate`, { key, body: { overlap_seconds: 0 } }]
    return { headers: { 'x-api-key': key }, removal, reason: 'expired' }
  },
  'an operator revokes the key': async ({ developer }) => {
    const [{ id, key, key_id }, operator] = [await developer('USER'), await newDeveloper(true)]
    return { headers: { 'x-api-key': key }, removal: ['DELETE', `/admin/developers/${id}/keys/${key_id}`, { key: operator.key }] }
  },
  'the developer is deleted': async ({ developer }) => {
    const [{ id, key }, operator] = [await developer('USER'), await newDeveloper(true)]
    return { headers: { 'x-api-key': key }, removal: ['DELETE', `/admin/developers/${id}`, { key: operator.key }] }
  },
  'the developer is no operator any more': async () => {
    const [{ id, key }, operator] = [await newDeveloper(true), await newDeveloper(true)]
    return {
      headers: { 'x-api-key': key },
      removal: ['PATCH', `/admin/developers/${id}`, { key: operator.key, body: { is_global_admin: false } }],
    }
  },
  'the access is removed': async ({ developer, C, player, company_id, key }) => {
    const { id, key: removed } = await developer('USER')
    const path = `/users/${player.id}${C}/stream`
    return { headers: { 'x-api-key': removed }, path, removal: ['DELETE', `/companies/${company_id}/developers/${id}`, { key }] }
  },
  'the user is archived': async ({ C, player, company_id, key }) => {
    const path = `/users/${player.id}${C}/stream`
    return { headers: { 'x-api-key': key }, path, removal: ['DELETE', `/companies/${company_id}/users/${player.id}`, { key }] }
  },
  'the company is archived': async ({ company_id, key }) => ({
    headers: { 'x-api-key': key },
    removal: ['DELETE', `/companies/${company_id}`, { key }],
  }),
  'the token is deleted': async (table) => {
    const { headers, tokens, id } = await newToken(table, table.key)
    return { headers, removal: ['DELETE', `${tokens}/${id}`, { key: table.key }] }
  },
  'all tokens of the user are revoked': async (table) => {
    const { headers, tokens } = await newToken(table, table.key)
    return { headers, removal: ['POST', `${tokens}/revoke`, { key: table.key }] }
  },
  'the key that issued the token is revoked': async (table) => {
    const { key, key_id } = await table.developer('USER')
    const { headers } = await newToken(table, key)
    return { headers, removal: ['DELETE', `/developers/me/keys/${key_id}`, { key }] }
  },
  'the developer signs out of the console': async ({ key }) => {
    const headers = withSession(await sessionOf(key))
    return { headers, path: '/stream', removal: ['DELETE', '/console-session', { headers }] }
  },
  'the user signs out of the console': async ({ base, player, key }) => {
    const headers = withSession(await userSession(base, player.id, key))
    return { headers, removal: ['DELETE', '/console-session', { headers }] }
  },
}

async function newToken({ base, company_id, player }: Table, key: string) {
  const made = await call('POST', `${base}/users/${player.id}/tokens`, { key, body: { scope: 'READ', expires_in: 3600 } })
  assert.equal(made.status, 201, made.text)
  const { id, token } = made.body as unknown as { id: string; token: string }
  return { id, headers: { authorization: `Bearer ${token}` }, tokens: `/companies/${company_id}/users/${player.id}/tokens` }
}

for (const [name, ending] of Object.entries(ENDINGS)) {
  test(`a stream ends soon on every process after ${name}`, async () => {
    const table = await newGameTable()
    const { base, player } = table
    const { headers, path = `/users/${player.id}/stream`, removal, reason = 'revoked' } = await ending(table)
    const streams = services.map((service) => new StreamFollower(`${service.base}${base}${path}`, headers))
    for (const stream of streams) await stream.open()
    const [method, from, options] = removal
    const removed = await call(method, `/api/v1${from}`, options)
    assert.ok(removed.status < 300, removed.text)
    for (const stream of streams) assert.equal(await stream.bye(), reason)
  })
}

test('a stream ends soon after the command line revokes its key, and others go on', async () => {
  const { player, base, key, developer } = await newGameTable()
  const revoked = await developer('USER')
  const open = (one: string) => new StreamFollower(`${first.base}${base}/stream`, { 'x-api-key': one }).open()
  const [ends, stays] = [await open(revoked.key), await open(key)]
  const { code, output } = await guildhall(['keys', 'revoke', revoked.key_id, '--yes'], {
    DATABASE_URL: url,
    DATABASE_POOLER: env.DATABASE_POOLER,
  })
  assert.equal(code, 0, output)
  assert.equal(await ends.bye(), 'revoked')
  await call('PATCH', `${base}/users/${player.id}`, { key, body: { name: 'Still here' } })
  await stays.until(({ data }) => data.changes?.name?.new === 'Still here')
  stays.close()
})

test('sixty streams take no turn of other requests', async () => {
  const { player, C, person, base, key } = await newGameTable()
  const people = await Promise.all(Array.from({ length: 6 }, () => person('PLAYER')))
  const streams = await Promise.all(
    people.flatMap(({ id }) =>
      Array.from({ length: 10 }, () => new StreamFollower(`${first.base}${base}/users/${id}/stream`, { 'x-api-key': key }).open()),
    ),
  )
  const replies = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      ask(first, 'POST', `${base}/users/${player.id}${C}/notes`, key, { title: `Note ${i}`, visibility: 'EVERYONE' }),
    ),
  )
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
  const hasAll = (items: FeedItem[]) => items.filter(({ type }) => type === 'note.created').length === 60
  for (const stream of streams) if (!hasAll(stream.items)) await stream.until(() => hasAll(stream.items))
  for (const stream of streams) stream.close()
})
