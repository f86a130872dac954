import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { buildApp } from '../src/app.ts'
import { sql } from '../src/db/sql.ts'
import { FeedWatch } from '../src/events/watch.ts'
import { MAX_LONG_POLLS_PER_USER } from '../src/http/limits/long-polls.ts'
import type { ChangesReply } from '../src/resources/changes/schema.ts'
import { operations } from '../src/resources/index.ts'
import { sequenceAll } from './follower.ts'
import { newGameTable } from './game-table.ts'
import { type Answer, assertProblem, call, db, newCompany, testConfig, write } from './harness.ts'
import { channelOf, streaming } from './streaming.ts'

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
  const begun = async (count: number) => {
    for (const end = Date.now() + 10_000; channel.wakes.size !== count; await sleep(10))
      assert.ok(Date.now() < end, `${channel.wakes.size} of ${count} requests wait`)
  }
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
  while (waiting.length < 500) {
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
  const startedAt = performance.now()
  const waiting = reader.withToken(2, 200)
  await begun(1)
  for (; performance.now() - startedAt < 1900; await sleep(20)) for (const wake of channel.wakes) wake()
  const { status, body } = await waiting
  const ms = performance.now() - startedAt
  assert.deepEqual([status, body.position], [200, 0])
  const { attempts } = body as unknown as { attempts: number }
  assert.ok(attempts >= 5, `each attempt goes on from the one before: ${attempts}`)
  // The attempts took most of the time.
  assert.ok(ms > 1990 && ms < 3000, `it took ${Math.round(ms)} ms`)
})

test('a reader who is woken by hidden changes goes on after them, and is told the next one', async () => {
  const { teller, player, C, company_id } = await newGameTable()
  const npc = await teller.make(`${C}/characters`, { name: 'Ghoul', type: 'NPC', visibility: 'STORYTELLER' })
  await sequenceAll()
  const { cursor } = (await player.get('/changes')).body as unknown as ChangesReply
  const waiting = player.get(`/changes?after=${cursor}&wait=20`)
  for (const name of ['Ghost', 'Ghast']) {
    assert.equal((await teller.patch(`${C}/characters/${npc}`, { name })).status, 200)
    await sequenceAll()
    await sleep(800)
  }
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
  const next = async (after: number, milliseconds: number, quietMs: number) => {
    const startedAt = performance.now()
    await watch.next(company_id, after, { milliseconds, quietMs, signal })
    return performance.now() - startedAt
  }
  const advance = (last: number) => watch.advanced([{ company_id, last }])
  const [atOnce, later, over] = [next(0, 20_000, 0), next(0, 20_000, 300), next(0, 100, 20_000)]
  for (let last = 1; last < 5; last++) advance(last)
  assert.ok((await atOnce) < (await later))
  assert.ok((await later) > 290 && (await later) < 10_000)
  assert.ok((await over) < 10_000)
  assert.ok((await next(4, 100, 0)) > 90, 'there is nothing new')
  assert.ok((await next(3, 20_000, 0)) < 10_000, 'what came between a read and its wait is not missed')
})
