import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Follower, sequenceAll } from '../../../test/follower.ts'
import { newGameTable, type Person } from '../../../test/game-table.ts'
import { assertProblem, call, db, newApp, twoProcesses, write } from '../../../test/harness.ts'
import { NOTES_BY_ID, pausedDb } from '../../../test/paused.ts'
import { follow } from '../../../test/sse.ts'
import { isItem, itemOf, StreamFollower } from '../../../test/stream-follower.ts'
import { sql } from '../../db/sql.ts'
import { openCursor } from '../../events/cursor.ts'
import type { ChangesReply } from '../changes/schema.ts'

const app = await newApp()
await app.listen({ port: 0, host: '127.0.0.1' })
const host = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

type Table = Awaited<ReturnType<typeof newGameTable>>
const streamOf = ({ base, key }: Table, { id }: Person, rest = '/stream') =>
  new StreamFollower(`${host}${base}/users/${id}${rest}`, { 'x-api-key': key }).open()

/** Renames a user, which everybody is told: the last item of a test. */
async function finish({ base, key, admin }: Table, name = 'The end') {
  await call('PATCH', `${base}/users/${admin.id}`, { key, body: { name } })
  await sequenceAll()
}
const isEnd =
  (name = 'The end') =>
  ({ type, data }: { type: string; data: { changes: Record<string, { new: unknown }> | null } }) =>
    type === 'user.updated' && data.changes?.name?.new === name

// Separate processes give events their positions while the test still writes, and a stream then tells an earlier state than a later page.
const skip = twoProcesses && 'other processes give events their positions at once'

test('a stream tells each reader what changes tells them', { skip }, async () => {
  const table = await newGameTable()
  const { player, other, teller, stranger, admin, C, base, key } = table
  const people = [player, other, teller, stranger, admin]
  const followers: Follower[] = []
  for (const person of people) followers.push(await Follower.start(person))
  const streams = await Promise.all(people.map((person) => streamOf(table, person)))
  const ofCampaign = await streamOf(table, other, `${C}/stream`)
  const ofTypes = await streamOf(table, other, '/stream?types=note.*,user.updated')
  const hero = await player.make(`${C}/characters`, { name: 'Crane "\n\u2028 Zoë 🎲', traits: { wits: 3 } })
  await player.patch(`${C}/characters/${hero}`, { sheet_visibility: 'PLAYER' })
  await player.make('/dice-rolls', { notation: '2d6', character_id: hero, visibility: 'STORYTELLER' })
  await other.make('/notes', { title: 'Mine alone' })
  await teller.make(`${C}/notes`, { title: 'Secret', visibility: 'STORYTELLER' })
  await teller.make(`${C}/notes`, { title: 'Known', visibility: 'EVERYONE' })
  const ghoul = await teller.make(`${C}/characters`, { name: 'Ghoul', type: 'NPC', visibility: 'OPEN' })
  await teller.patch(`${C}/characters/${ghoul}`, { visibility: 'STORYTELLER' })
  await call('PATCH', `${base}/users/${other.id}`, { key, body: { email: 'other@example.com' } })
  await teller.put(`${C}/members/${other.id}`, { role: 'PLAYER' })
  await finish(table)
  for (const [i, stream] of streams.entries()) {
    const items = await stream.until(isEnd())
    assert.deepEqual(items, await followers[i]?.read(), `reader ${i}`)
    assert.ok(items.length >= 6, `reader ${i} is told ${items.length} changes`)
  }
  const told = (i: number) => streams[i]?.items.find(({ data }) => data.id === other.id && data.resource_type === 'user')?.data.changes
  assert.deepEqual([told(0), told(1)], [{}, { email: { old: null, new: 'other@example.com' } }], 'others are not told what their email is')
  const paths = streams.map(({ items }) => items.flatMap(({ data }) => /\/users\/([^/]+)\/campaigns/.exec(data.path ?? '')?.[1] ?? []))
  for (const [i, ids] of paths.entries()) assert.deepEqual(new Set(ids), new Set(ids.length ? [people[i]?.id] : []))
  await teller.patch(C, { access: 'MEMBERS' })
  await finish(table, 'Really')
  const hidden = await streams[3]?.until(isEnd('Really'))
  assert.deepEqual(
    hidden?.map(({ type }) => type),
    ['campaign.vanished', 'user.updated'],
  )
  await streams[1]?.until(isEnd('Really'))
  const all = [...(streams[1]?.items ?? [])]
  const byTypes = await ofTypes.until(isEnd('Really'))
  assert.deepEqual(
    byTypes,
    all.filter(({ type }) => /^note\./.test(type) || type === 'user.updated'),
  )
  await teller.patch(C, { description: 'Last' })
  await sequenceAll()
  const inCampaign = await ofCampaign.until(({ type, data }) => type === 'campaign.updated' && Boolean(data.changes?.description))
  const expected = (await streams[1]?.until(({ type, data }) => type === 'campaign.updated' && Boolean(data.changes?.description))) ?? []
  assert.deepEqual(
    inCampaign,
    [...all, ...expected].filter(
      ({ campaign_id, type, data }) => campaign_id === table.campaign_id || (type === 'user.updated' && data.id === other.id),
    ),
  )
  for (const stream of [...streams, ofCampaign, ofTypes]) stream.close()
})

test('a cursor of the changes begins a stream, and an id of a stream goes on in the changes', async () => {
  const table = await newGameTable()
  const { player, other, teller, C, base, key } = table
  const follower = await Follower.start(player)
  await teller.make(`${C}/books`, { name: 'One' })
  await sequenceAll()
  const stream = await streamOf(table, player, `/stream?after=${follower.cursor}`)
  const [book] = await stream.until(({ type }) => type === 'book.created')
  assert.equal((book?.data.resource as { name: string } | undefined)?.name, 'One')
  const again = new Follower(player, stream.lastId)
  assert.deepEqual(await again.read(), [])
  await teller.make(`${C}/books`, { name: 'Two' })
  assert.deepEqual(
    (await again.read()).map(({ type }) => type),
    ['book.created'],
  )
  // Last-Event-ID wins over `after`.
  const resumed = await follow(`${host}${base}/users/${player.id}/stream?after=${follower.cursor}`, {
    'x-api-key': key,
    'last-event-id': stream.lastId,
  })
  assert.equal((itemOf(await resumed.until(isItem)).data.resource as { name: string }).name, 'Two')
  for (const [person, after] of [
    [other, stream.lastId],
    [player, 'x'],
    [player, `${stream.lastId}A`],
    [player, '%00'],
    [player, 'a'.repeat(201)],
  ] as const) {
    const wrong = await person.get(`/stream?after=${after}`, undefined, {}, app)
    assertProblem(wrong, 400)
    assert.equal(wrong.body.invalid_parameters[0]?.field, 'after')
  }
  const wrong = await player.get('/stream', undefined, { 'last-event-id': 'nonsense' }, app)
  assertProblem(wrong, 400)
  assert.equal(wrong.body.invalid_parameters[0]?.field, 'Last-Event-ID')
  assertProblem(await call('GET', `${base}/stream?after=${stream.lastId}`, { key, on: app }), 400)
  stream.close()
  resumed.close()
})

test('a user who left the campaign is told more of their own character than others', async () => {
  const table = await newGameTable()
  const { player, other, teller, C } = table
  const hero = `${C}/characters/${await player.make(`${C}/characters`, { name: 'Hero', sheet_visibility: 'PLAYER', traits: { wits: 1 } })}`
  assert.equal((await teller.delete(`${C}/members/${player.id}`)).status, 204)
  const people = [player, other]
  const followers: Follower[] = []
  for (const person of people) followers.push(await Follower.start(person))
  const streams = await Promise.all(people.map((person) => streamOf(table, person)))
  const seen: string[][] = [[], []]
  const changes: [string, () => Promise<unknown>][] = [
    ['character', () => teller.patch(hero, { traits: { wits: 2 } })],
    ['item', () => teller.make(`${hero}/inventory`, { name: 'Lantern' })],
    ['tracker', () => teller.put(`${hero}/trackers/hp`, { value: 3, maximum: 5 })],
    ['roll', () => teller.make('/dice-rolls', { notation: '1d20+{wits}', character_id: hero.slice(-36) })],
    ['quick roll', () => teller.make(`${hero}/quick-rolls`, { name: 'Quick', notation: '1d6' })],
  ]
  for (const [name, change] of changes) {
    await change()
    await finish(table, name)
    for (const [i, stream] of streams.entries()) {
      const items = await stream.until(isEnd(name))
      assert.deepEqual(items, await followers[i]?.read(), `${name}, reader ${i}`)
      seen[i]?.push(JSON.stringify(items.map(({ type, data: { resource } }) => [type, resource])))
    }
  }
  for (const [i, [name]] of changes.entries()) assert.notEqual(seen[0]?.[i], seen[1]?.[i], `${name} is the same for both`)
  for (const stream of streams) stream.close()
})

test('a key without an acting user is told what its permission shows', async () => {
  const table = await newGameTable()
  const { teller, player, C, base, key, developer } = table
  const keys = [key, (await developer('ADMIN')).key, (await developer('USER')).key]
  await sequenceAll()
  const streams = await Promise.all(keys.map((one) => new StreamFollower(`${host}${base}/stream`, { 'x-api-key': one }).open()))
  const onBehalf = await new StreamFollower(`${host}${base}/stream`, { 'x-api-key': key, 'on-behalf-of': player.id }).open()
  const cursors = await Promise.all(
    keys.map(async (one) => ((await call('GET', `${base}/changes`, { key: one })).body as unknown as ChangesReply).cursor),
  )
  await teller.make(`${C}/notes`, { title: 'Secret', visibility: 'STORYTELLER' })
  await player.make('/notes', { title: 'Own' })
  await finish(table)
  const types = async (stream: StreamFollower) => (await stream.until(isEnd())).map(({ type }) => type)
  for (const [i, stream] of streams.entries()) {
    const isAdmin = i < 2
    assert.deepEqual(await types(stream), [...(isAdmin ? ['note.created', 'note.created'] : []), 'user.updated'])
    const { items } = (await call('GET', `${base}/changes?after=${cursors[i]}`, { key: keys[i] as string })).body as unknown as ChangesReply
    assert.deepEqual(stream.items, items)
    if (isAdmin) assert.match(stream.items[0]?.data.path ?? '', /\/users\/{user_id}\/campaigns\//)
  }
  assert.deepEqual(await types(onBehalf), ['note.created', 'user.updated'])
  for (const stream of [...streams, onBehalf]) stream.close()
})

test('a cursor of another epoch gets one reset, which is not lost before it arrives, and then what is new', async () => {
  const table = await newGameTable()
  const { player, teller, C, base, key } = table
  const { cursor } = await Follower.start(player)
  const live = await streamOf(table, player)
  await write(sql`UPDATE feed_state SET epoch = ${crypto.randomUUID()}`)
  await teller.make(`${C}/books`, { name: 'Before' })
  await sequenceAll()
  assert.equal(await live.bye(), 'reset', 'an open stream ends')
  const old = live.lastId
  for (const after of [cursor, old]) {
    const stream = new StreamFollower(`${host}${base}/users/${player.id}/stream`, { 'x-api-key': key })
    stream.lastId = after
    await stream.open()
    assert.equal(stream.lastId, after, 'a client that is cut off here gets the reset again')
    const [reset] = await stream.until(({ type }) => type === 'feed.reset')
    assert.deepEqual([reset?.data.change, reset?.data.resource_type], ['RESYNC', 'company'])
    await teller.make(`${C}/books`, { name: 'After' })
    await sequenceAll()
    assert.equal((await stream.until(({ type }) => type === 'book.created')).length, 1)
    const again = await new Follower(player, stream.lastId).read()
    assert.deepEqual(again, [])
    stream.close()
  }
})

test('bookmarks lead past what the reader may not see', async () => {
  const table = await newGameTable()
  const { player, teller, C, base, key } = table
  await sequenceAll()
  const stream = await follow(`${host}${base}/users/${player.id}/stream`, { 'x-api-key': key })
  await stream.until(({ event }) => event === 'ready')
  for (let i = 0; i < 3; i++) await teller.make(`${C}/notes`, { title: `Secret ${i}`, visibility: 'STORYTELLER' })
  await sequenceAll()
  const { company_id } = table
  const [{ cursor_key, epoch, last }] = (await db.query(
    sql`SELECT s.cursor_key, s.epoch, h.last FROM feed_state s, feed_heads h WHERE h.company_id = ${company_id}`,
  )) as [{ cursor_key: Buffer; epoch: string; last: number }]
  const opened = (id = '') => openCursor(cursor_key, { company_id, reader_id: `user ${player.id}` }, id)
  const { id } = await stream.until((frame) => frame.event === 'bookmark' && opened(frame.id)?.position === last, 30_000)
  assert.equal(opened(id)?.isOf(epoch), true)
  await teller.patch(C, { description: 'New' })
  const after = (await new Follower(player, id as string).read()).map(({ type }) => type)
  assert.deepEqual(after, ['campaign.updated'])
  stream.close()
})

test('what was read while a role changed is not sent', async () => {
  const paused = pausedDb()
  const on = await newApp({}, undefined, paused.db)
  await on.listen({ port: 0, host: '127.0.0.1' })
  const table = await newGameTable()
  const { teller, stranger, C, base, key } = table
  await teller.put(`${C}/members/${stranger.id}`, { role: 'STORYTELLER' })
  const note = `${C}/notes/${await teller.make(`${C}/notes`, { title: 'Secret', body: 'Before', visibility: 'STORYTELLER' })}`
  await sequenceAll()
  const url = `http://127.0.0.1:${(on.server.address() as AddressInfo).port}${base}/users/${stranger.id}/stream`
  for (const isBehind of [false, true]) {
    await call('PATCH', `${base}/users/${stranger.id}`, { key, body: { role: 'STORYTELLER' } })
    await sequenceAll()
    const stream = await new StreamFollower(url, { 'x-api-key': key }).open()
    if (isBehind) stream.close()
    const isRead = paused.before(NOTES_BY_ID, async () => {
      await call('PATCH', `${base}/users/${stranger.id}`, { key, body: { role: 'PLAYER' } })
      await teller.patch(note, { body: 'After' })
    })
    await teller.patch(note, { body: 'During' })
    await sequenceAll()
    if (isBehind) await stream.open()
    await isRead
    await sleep(200)
    await finish(table, `Behind ${isBehind}`)
    const items = await stream.until(isEnd(`Behind ${isBehind}`))
    assert.ok(items.some(({ type }) => type === 'sight.changed'))
    assert.ok(!JSON.stringify(items).includes('After'), JSON.stringify(items.map(({ data }) => data.resource)))
    stream.close()
  }
})
