import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Follower, sequenceAll } from '../../../test/follower.ts'
import { newGameTable, type Person } from '../../../test/game-table.ts'
import { db, newApp, twoProcesses, write } from '../../../test/harness.ts'
import { BOOKS_BY_ID, FEED, INVITES_BY_ID, pausedDb } from '../../../test/paused.ts'
import { StreamFollower } from '../../../test/stream-follower.ts'
import { FairQueue } from '../../core/shares/fair-queue.ts'
import { sql } from '../../db/sql.ts'
import { markOf, NO_MARK } from '../../events/cursor.ts'
import { purgeFeed } from '../../events/retention.ts'
import type { ChangesReply } from '../changes/schema.ts'
import { CompanyFeed } from './company-feed.ts'
import type { Follower as StreamReader } from './follower.ts'
import { READS } from './hub.ts'

const paused = pausedDb()
const app = await newApp({}, undefined, paused.db)
await app.listen({ port: 0, host: '127.0.0.1' })
const host = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

type Table = Awaited<ReturnType<typeof newGameTable>>
const streamOf = ({ base, key }: Table, { id }: Person, rest = '/stream') =>
  new StreamFollower(`${host}${base}/users/${id}${rest}`, { 'x-api-key': key })

// Separate processes give events their positions before the test says so.
const skip = twoProcesses && 'other processes give events their positions at once'

test('what was read while a membership was lost is not sent', { skip }, async () => {
  for (const isBehind of [false, true]) {
    const table = await newGameTable()
    const { teller, stranger, C } = table
    await teller.put(`${C}/members/${stranger.id}`, { role: 'STORYTELLER' })
    await sequenceAll()
    const stream = await streamOf(table, stranger).open()
    if (isBehind) stream.close()
    const isRead = paused.before(INVITES_BY_ID, async () => {
      assert.equal((await teller.delete(`${C}/members/${stranger.id}`)).status, 204)
    })
    assert.equal((await teller.post(`${C}/invites`, { role: 'PLAYER' })).status, 201)
    await sequenceAll()
    if (isBehind) await stream.open()
    await isRead
    await sequenceAll()
    await stream.until(({ type }) => type === 'sight.changed')
    assert.deepEqual(
      stream.items.filter(({ type }) => type.startsWith('invite.')),
      [],
      `behind ${isBehind}`,
    )
    stream.close()
  }
})

test('members who are told the same are told all of it if one of them leaves while it is read', { skip }, async () => {
  for (const leaver of [0, 1]) {
    const table = await newGameTable()
    const { teller, C } = table
    const people = [await table.person('PLAYER'), await table.person('PLAYER')]
    for (const { id } of people) await teller.put(`${C}/members/${id}`, { role: 'PLAYER' })
    assert.equal((await teller.patch(C, { access: 'MEMBERS' })).status, 200)
    await sequenceAll()
    const streams: StreamFollower[] = []
    for (const person of people) streams.push(await streamOf(table, person).open())
    await sleep(300)
    const isRead = paused.before(BOOKS_BY_ID, async () => {
      assert.equal((await teller.delete(`${C}/members/${people[leaver]?.id}`)).status, 204)
    })
    await teller.make(`${C}/books`, { name: 'For members' })
    await sequenceAll()
    await isRead
    await sequenceAll()
    const [gone, staying] = leaver === 0 ? streams : streams.toReversed()
    assert.equal((await staying?.until(({ type }) => type === 'book.created'))?.at(-1)?.data.resource?.name, 'For members')
    await gone?.until(({ type }) => type === 'sight.changed')
    assert.deepEqual(
      gone?.items.filter(({ type }) => type === 'book.created'),
      [],
    )
    for (const stream of streams) stream.close()
  }
})

/** Writes five books, and deletes the positions of the first three in the moment before they are read. */
async function purgeWhileReading({ teller, C, company_id }: Table): Promise<void> {
  const [head] = await db.query<{ last: number }>(sql`SELECT last FROM feed_heads WHERE company_id = ${company_id}`)
  for (let i = 0; i < 5; i++) await teller.make(`${C}/books`, { name: `Book ${i}` })
  void paused.before(FEED, async () => {
    await write(sql`UPDATE feed SET date_created = '2020-01-01' WHERE company_id = ${company_id} AND position <= ${(head?.last ?? 0) + 3}`)
    assert.ok((await purgeFeed(db, new Date('2021-01-01'))) > 0)
  })
  await sequenceAll()
}

test('positions that are deleted while they are read are a reset of changes', { skip }, async () => {
  const table = await newGameTable()
  const { player } = table
  const { cursor } = await Follower.start(player)
  await purgeWhileReading(table)
  const get = async (after: string) => (await player.get(`/changes?after=${after}`, undefined, {}, app)).body as unknown as ChangesReply
  const { items, cursor: next } = await get(cursor)
  assert.deepEqual(
    items.map(({ type }) => type),
    ['feed.reset'],
  )
  assert.deepEqual((await get(next)).items, [])
})

test('positions that are deleted while they are read are a reset of every open stream', { skip }, async () => {
  const table = await newGameTable()
  const { teller, player } = table
  const quiet = await teller.make('/campaigns', { name: 'Quiet' })
  await sequenceAll()
  // The second one asked for nothing of what is read.
  const streams = await Promise.all([streamOf(table, player).open(), streamOf(table, player, `/campaigns/${quiet}/stream`).open()])
  await sleep(300)
  await purgeWhileReading(table)
  for (const stream of streams) {
    assert.equal(await stream.bye(), 'reset')
    await stream.open()
    assert.equal((await stream.until(() => true))[0]?.type, 'feed.reset')
    stream.close()
  }
})

test('a look at the end of the feed ends the streams that it contradicts, as they were before it', async () => {
  const { company_id } = await newGameTable()
  const feed = new CompanyFeed(db, new FairQueue({ ...READS, running: 1, runningPerTenant: 1 }), company_id, () => {})
  const [epoch, mark] = [crypto.randomUUID(), markOf(crypto.randomUUID())]
  const follow = (position: number, its = mark) => {
    const ends: string[] = []
    const closes: (() => void)[] = []
    // Nothing is read for them.
    const connection = { isOpen: false, end: (reason: string) => ends.push(reason), onClose: (close: () => void) => closes.push(close) }
    const follower = { connection, epoch, place: { position, mark: its } } as unknown as StreamReader
    feed.follow(follower, true)
    return { follower, ends, leave: () => closes.map((close) => close()) }
  }
  const readers = [follow(4), follow(5), follow(5, NO_MARK), follow(6), follow(5, mark ^ 1n)]
  const look = feed.placesNow()
  // They go on while the end is read.
  for (const { follower } of readers) follower.place = { position: 9, mark: 1n }
  const late = follow(9)
  look(epoch, { position: 5, mark })
  assert.deepEqual(
    [...readers, late].map(({ ends }) => ends),
    [[], [], [], ['reset'], ['reset'], []],
  )
  feed.placesNow()(crypto.randomUUID(), { position: 9, mark: NO_MARK })
  for (const { ends } of [...readers, late]) assert.equal(ends.at(-1), 'reset')
  for (const { leave } of [...readers, late]) leave()
})
