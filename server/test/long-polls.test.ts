import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { buildApp } from '../src/app.ts'
import { sql } from '../src/db/sql.ts'
import { FeedWatch, watchOf } from '../src/events/watch.ts'
import { MAX_LONG_POLLS_PER_USER } from '../src/http/limits/long-polls.ts'
import type { ChangesReply } from '../src/resources/changes/schema.ts'
import { operations } from '../src/resources/index.ts'
import { sequenceAll } from './follower.ts'
import { newGameTable } from './game-table.ts'
import { type Answer, assertProblem, call, db, newCompany, testConfig, write } from './harness.ts'
import { channelOf, streaming } from './streaming.ts'
import { repeat, until } from './until.ts'

const lines: string[] = []
const sink = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk))
    done()
  },
})
const app = buildApp(db, testConfig(), { logger: pino({ base: null }, sink), operations: [...operations, ...streaming] })
after(() => app.close())

/** Users of one application, who wait for the messages of the test channel with their tokens, or with the key of the application. */
async function newWaiters() {
  const { base, key, user, company_id } = await newCompany()
  const channel = channelOf(company_id)
  const waiter = async () => {
    const root = `${base}/users/${await user('PLAYER')}`
    const issued = await call('POST', `${root}/tokens`, { key, body: {}, on: app })
    const headers = { authorization: `Bearer ${(issued.body as unknown as { token: string }).token}` }
    const ask = (credential: { key: string } | { headers: typeof headers }, wait: number, slow: number) =>
      call('GET', `${root}/test/changes?after=${channel.position}&wait=${wait}&slow=${slow}`, { ...credential, on: app })
    return { withToken: (wait = 30, slow = 0) => ask({ headers }, wait, slow), withKey: (wait = 30) => ask({ key }, wait, 0) }
  }
  const begun = (count: number) =>
    until(
      () => channel.wakes.size === count,
      () => `${channel.wakes.size} of ${count} requests wait`,
    )
  return { channel, waiter, begun }
}

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)
const statuses = async (replies: Promise<Answer>[]) => [...new Set((await Promise.all(replies)).map(({ status }) => status))]

test('a user has at most ten requests that wait, and takes none from the other users of the application', async () => {
  const { channel, waiter, begun } = await newWaiters()
  const [greedy, other] = [await waiter(), await waiter()]
  const waiting = times(MAX_LONG_POLLS_PER_USER - 1, () => greedy.withToken())
  await begun(MAX_LONG_POLLS_PER_USER - 1)
  waiting.push(greedy.withKey())
  await begun(MAX_LONG_POLLS_PER_USER)
  lines.length = 0
  for (const refused of [await greedy.withToken(), await greedy.withKey()]) {
    assertProblem(refused, 429, /^The user has 10 requests that wait for changes, the maximum/)
    assert.deepEqual([refused.body.code, refused.headers['retry-after']], ['too_many_waits', '3'])
  }
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)).map(({ level, msg, status, err }) => [level, msg, status, err]),
    times(2, () => [30, 'answered', 429, undefined]),
  )
  assert.equal((await greedy.withToken(0)).status, 200, 'a request that does not wait needs no place')
  await begun(MAX_LONG_POLLS_PER_USER)
  waiting.push(other.withToken())
  await begun(MAX_LONG_POLLS_PER_USER + 1)
  await channel.publish('Wake up')
  assert.deepEqual(await statuses(waiting), [200])
  const again = times(MAX_LONG_POLLS_PER_USER, () => greedy.withToken())
  await begun(MAX_LONG_POLLS_PER_USER)
  await channel.publish('Wake up')
  assert.deepEqual(await statuses(again), [200], 'the places of replies are free again')
})

test('a developer has at most 500 requests that wait with a key; those with tokens do not count', async () => {
  const { channel, waiter, begun } = await newWaiters()
  const waiting: Promise<Answer>[] = []
  for (let user = 0; user < 500 / MAX_LONG_POLLS_PER_USER; user++) {
    const { withKey } = await waiter()
    waiting.push(...times(MAX_LONG_POLLS_PER_USER, () => withKey()))
    await begun(waiting.length)
  }
  const last = await waiter()
  const refused = await last.withKey()
  assertProblem(refused, 429, /^The developer has 500 requests/)
  assert.equal(refused.body.code, 'too_many_waits')
  waiting.push(last.withToken())
  await begun(501)
  await channel.publish('Wake up')
  assert.deepEqual(await statuses(waiting), [200])
})

test('a wait is over at its time, however many changes there were that the reader may not see', async () => {
  const { channel, waiter, begun } = await newWaiters()
  const reader = await waiter()
  // Woken all the time, the request would never end if each attempt waited for the whole time, or if the time of an attempt did not count.
  const waiting = reader.withToken(1, 100)
  await begun(1)
  const stop = repeat(() => channel.wakes.forEach((wake) => void wake()))
  const { status, body } = await waiting
  await stop()
  assert.deepEqual([status, body.position], [200, 0])
  const { attempts } = body as unknown as { attempts: number }
  assert.ok(attempts > 1, `each attempt goes on from the one before: ${attempts}`)
})

test('a reader who is woken by hidden changes goes on after them, and is told the next one', async (t) => {
  const { teller, player, C, company_id } = await newGameTable()
  const npc = await teller.make(`${C}/characters`, { name: 'Ghoul', type: 'NPC', visibility: 'STORYTELLER' })
  await sequenceAll()
  const { cursor } = (await player.get('/changes')).body as unknown as ChangesReply
  const { mock } = t.mock.method(watchOf(db), 'next')
  const waiting = player.get(`/changes?after=${cursor}&wait=20`)
  for (const [i, name] of ['Ghost', 'Ghast'].entries()) {
    await until(() => mock.callCount() > i, 'the reader to wait')
    assert.equal((await teller.patch(`${C}/characters/${npc}`, { name })).status, 200)
    await sequenceAll()
  }
  await until(() => mock.callCount() === 3, 'the reader to wait again')
  // If they were looked at again, they would be told now.
  await write(sql`UPDATE characters SET visibility = 'OPEN' WHERE company_id = ${company_id} AND id = ${npc}`)
  await write(sql`
    UPDATE events SET visibility = NULL, visibility_before = NULL, visibility_after = NULL WHERE company_id = ${company_id} AND resource_id = ${npc}`)
  const again = (await player.get(`/changes?after=${cursor}`)).body as unknown as ChangesReply
  assert.deepEqual(
    again.items.map(({ type }) => type),
    ['character.updated', 'character.updated'],
  )
  await teller.make(`${C}/characters`, { name: 'Crane' })
  await sequenceAll()
  const told = (await waiting).body as unknown as ChangesReply
  assert.deepEqual(
    told.items.map(({ type, data }) => [type, data.resource?.name]),
    [['character.created', 'Crane']],
  )
  assert.deepEqual(((await player.get(`/changes?after=${told.cursor}`)).body as unknown as ChangesReply).items, [])
})

test('a reader of a feed is woken at once, or after their quiet time, and never after their time', async () => {
  const watch = new FeedWatch(db)
  const company_id = db.newId()
  const { signal } = new AbortController()
  const ended: string[] = []
  const next = (name: string, after: number, milliseconds: number, quietMs: number) =>
    watch.next(company_id, after, { milliseconds, quietMs, signal }).then(() => ended.push(name))
  const advance = (last: number) => watch.advanced([{ company_id, last }])
  const readers = [next('at once', 0, 60_000, 0), next('quiet', 0, 60_000, 300), next('over', 0, 100, 60_000)]
  for (let last = 1; last < 5; last++) advance(last)
  await Promise.all(readers)
  assert.deepEqual(ended, ['at once', 'over', 'quiet'])
  await Promise.all([next('nothing new', 4, 100, 0), next('came between a read and its wait', 3, 60_000, 0)])
  assert.deepEqual(ended.slice(3), ['came between a read and its wait', 'nothing new'])
})
