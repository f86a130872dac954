import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { Follower, sequenceAll } from './follower.ts'
import { newGameTable } from './game-table.ts'
import { newApp, twoProcesses } from './harness.ts'
import { copyOfFeed } from './rollback.ts'
import { StreamFollower } from './stream-follower.ts'

const app = await newApp()
await app.listen({ port: 0, host: '127.0.0.1' })
const host = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

// Separate processes would give events their positions while the state of the feed is put back.
const skip = twoProcesses && 'other processes give events their positions at once'

/** A table whose feed is put back after three books. The cursors are of before the copy, and after each of the books. */
async function rolledBack() {
  const table = await newGameTable()
  const { teller, player, company_id, C } = table
  const write = async (names: string[]) => {
    for (const name of names) await teller.make(`${C}/books`, { name })
    await sequenceAll()
  }
  const goBack = await copyOfFeed(company_id)
  const before = await Follower.start(player)
  const lost: string[] = []
  const follower = new Follower(player, before.cursor)
  for (const name of ['Lost 1', 'Lost 2', 'Lost 3']) {
    await write([name])
    assert.equal((await follower.read()).length, 1)
    lost.push(follower.cursor)
  }
  return { ...table, write, goBack, before, lost }
}

const namesOf = (items: { type: string; data: { resource: Record<string, unknown> | null } }[]) =>
  items.map(({ type, data }) => (type === 'book.created' ? data.resource?.name : type))

test('a feed that was put back resets the cursors of what is lost, once, and no others', { skip }, async () => {
  const { player, goBack, write, before, lost } = await rolledBack()
  await goBack()
  // The second cursor is then of the last position, and the third one is beyond it.
  await write(['New 1', 'New 2'])
  for (const cursor of lost) assert.deepEqual(namesOf(await new Follower(player, cursor).read()), ['feed.reset'])
  await write(['New 3', 'New 4', 'New 5'])
  for (const cursor of lost) {
    const follower = new Follower(player, cursor)
    assert.deepEqual(namesOf(await follower.read()), ['feed.reset'])
    await write([`After ${cursor}`])
    assert.deepEqual(namesOf(await follower.read()), [`After ${cursor}`])
  }
  const all = ['New 1', 'New 2', 'New 3', 'New 4', 'New 5', ...lost.map((cursor) => `After ${cursor}`)]
  assert.deepEqual(namesOf(await before.read()), all)
})

test('streams notice that the feed was put back, whether they are open or resumed', { skip }, async () => {
  const { player, base, key, goBack, write, before, lost } = await rolledBack()
  const streamFrom = (after?: string) => {
    const stream = new StreamFollower(`${host}${base}/users/${player.id}/stream`, { 'x-api-key': key })
    if (after) stream.lastId = after
    return stream.open()
  }
  const open = await streamFrom()
  const early = await streamFrom(before.cursor)
  await early.until(({ data }) => data.resource?.name === 'Lost 3')
  await goBack()
  await write(['New 1', 'New 2', 'New 3', 'New 4', 'New 5'])
  for (const stream of [open, early]) assert.equal(await stream.bye(), 'reset')
  for (const [i, after] of [open.lastId, early.lastId, ...lost].entries()) {
    const stream = await streamFrom(after)
    assert.deepEqual(namesOf(await stream.until(() => true)), ['feed.reset'])
    await write([`After ${i}`])
    assert.deepEqual(namesOf(await stream.until(() => true)), [`After ${i}`])
    stream.close()
  }
  const stream = await streamFrom(before.cursor)
  const items = await stream.until(({ data }) => data.resource?.name === 'After 4')
  assert.deepEqual(namesOf(items).slice(0, 6), ['New 1', 'New 2', 'New 3', 'New 4', 'New 5', 'After 0'])
  stream.close()
})
