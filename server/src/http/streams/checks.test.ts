import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Connection, Stream } from './connection.ts'
import { Streams } from './streams.ts'

/** Streams with one that is open, whose callers are looked up by a statement that the test answers. */
function openStreams() {
  const streams = new Streams(10, (error) => assert.fail(String(error)))
  const session = { caller: { developer: { id: 'developer' }, actor: null, token: null }, target: {} }
  streams.add({ session, onClose: () => {} } as unknown as Connection, {} as Stream)
  const answers: (() => void)[] = []
  const check = streams.checkEvery(12_000, () => new Promise((resolve) => answers.push(() => resolve(new Map()))))
  const answer = async () => {
    answers.at(-1)?.()
    await new Promise(setImmediate)
  }
  return { check, answer, started: () => answers.length }
}

test('streams are checked at intervals, and soon after a right has ended, once for many', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const { check, answer, started } = openStreams()
  for (let i = 0; i < 50; i++) check.soon()
  t.mock.timers.tick(1000)
  assert.equal(started(), 1)
  await answer()
  t.mock.timers.tick(10_000)
  assert.equal(started(), 1, 'there is nothing new')
  t.mock.timers.tick(1000)
  assert.equal(started(), 2, 'the interval goes on')
  await answer()
  check.soon()
  check.stop()
  t.mock.timers.tick(60_000)
  assert.equal(started(), 2)
})

test('a right that ends while streams are checked is looked at again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const { check, answer, started } = openStreams()
  check.soon()
  t.mock.timers.tick(300)
  check.soon()
  t.mock.timers.tick(1000)
  assert.equal(started(), 1, 'one check runs at a time')
  await answer()
  t.mock.timers.tick(300)
  assert.equal(started(), 2)
  check.stop()
})
