import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../../test/until.ts'
import { FairQueue, QueueFull } from './fair-queue.ts'

/** Jobs that run until `endOne` ends them, and the order in which they began. */
function jobsOn(queue: FairQueue) {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const refused: string[] = []
  const submit = (caller: string, name = caller, part = '') =>
    queue
      .run([caller, part], () => {
        begun.push(name)
        return new Promise<void>((resolve) => ends.push(resolve))
      })
      .catch((error) => {
        assert.ok(error instanceof QueueFull)
        refused.push(name)
      })
  const endOne = async () => {
    ends.shift()?.()
    await setImmediate()
  }
  return { begun, refused, submit, endOne }
}

test('callers take turns, however much one of them sent first', async () => {
  const { begun, submit, endOne } = jobsOn(
    new FairQueue({ running: 1, runningPerTenant: 1, waiting: 100, waitMs: 1000, overloadWaitMs: 1000 }),
  )
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) submit(name[0] as string, name)
  for (let i = 0; i < 7; i++) await endOne()
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('one caller never takes all the room', async () => {
  const queue = new FairQueue({ running: 4, runningPerTenant: 3, waiting: 100, waitMs: 1000, overloadWaitMs: 1000 })
  const { begun, submit, endOne } = jobsOn(queue)
  for (let i = 0; i < 10; i++) submit('greedy')
  assert.deepEqual([queue.running, queue.waiting], [3, 7])
  submit('modest')
  assert.deepEqual([queue.running, queue.waiting, begun.at(-1)], [4, 7, 'modest'])
  for (let i = 0; i < 11; i++) await endOne()
  assert.deepEqual([queue.running, queue.waiting, begun.length], [0, 0, 11])
})

test('when it is full, the newest of the longest line is refused, and a modest caller is not', async () => {
  const queue = new FairQueue({ running: 1, runningPerTenant: 1, waiting: 3, waitMs: 1000, overloadWaitMs: 1000 })
  const { refused, submit } = jobsOn(queue)
  for (const name of ['a1', 'a2', 'a3', 'a4']) submit('a', name)
  submit('a', 'a5')
  submit('b', 'b1')
  submit('c', 'c1')
  await setImmediate()
  assert.deepEqual(refused, ['a5', 'a4', 'a3'])
  submit('d', 'd1')
  await setImmediate()
  assert.deepEqual(
    [refused, queue.waiting, queue.refused],
    [['a5', 'a4', 'a3', 'd1'], 3, 4],
    'all lines are equally short: the newcomer is refused',
  )
})

test('a job that waits too long is refused, and a failing one makes room', async () => {
  const queue = new FairQueue({ running: 1, runningPerTenant: 1, waiting: 10, waitMs: 100, overloadWaitMs: 100 })
  const { refused, submit, endOne, begun } = jobsOn(queue)
  submit('a', 'long')
  submit('a', 'late')
  await until(() => refused.length > 0, 'the refusal')
  assert.deepEqual([refused, queue.waiting], [['late'], 0])
  await endOne()
  await assert.rejects(
    queue.run(['a', ''], () => Promise.reject(new Error('broken'))),
    /broken/,
  )
  submit('a', 'last')
  assert.deepEqual(begun, ['long', 'last'])
})

test('in a queue that keeps overflowing few wait, and not for long', async () => {
  const queue = new FairQueue({ running: 1, runningPerTenant: 1, waiting: 3, waitMs: 60_000, overloadWaitMs: 20 })
  const { begun, refused, submit, endOne } = jobsOn(queue)
  for (const name of ['a', 'b', 'c', 'd', 'e']) submit('one', name)
  await sleep(500)
  assert.deepEqual([begun, refused], [['a'], ['e']], 'a burst is worked off, however long it takes')
  submit('one', 'f')
  await until(() => refused.length === 5, 'the refusals')
  assert.deepEqual(refused, ['e', 'f', 'b', 'c', 'd'], 'an overflow that lasts is an overload')
  submit('one', 'g')
  submit('one', 'h')
  await endOne()
  assert.deepEqual([begun, refused.slice(5)], [['a', 'g'], ['h']])
})

test('the parts of a tenant take turns in its turns, and the longest of them is refused first', async () => {
  const queue = new FairQueue({ running: 1, runningPerTenant: 1, waiting: 7, waitMs: 60_000, overloadWaitMs: 60_000 })
  const { begun, refused, submit, endOne } = jobsOn(queue)
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) submit('a', name, 'first')
  for (const name of ['a6', 'a7']) submit('a', name, 'second')
  submit('b', 'b1')
  submit('a', 'a8', 'third')
  submit('a', 'a9', 'first')
  await setImmediate()
  assert.deepEqual(refused.toSorted(), ['a5', 'a9'])
  for (let i = 0; i < 8; i++) await endOne()
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'a6', 'a8', 'a3', 'a7', 'a4'])
})

test('a newcomer whose line would be the longest of its tenant is refused, and takes no place of an equal one', async () => {
  const queue = new FairQueue({ running: 1, runningPerTenant: 1, waiting: 4, waitMs: 60_000, overloadWaitMs: 60_000 })
  const { refused, submit } = jobsOn(queue)
  submit('a', 'running', 'first')
  for (const part of ['first', 'second']) for (const i of [1, 2]) submit('a', `${part} ${i}`, part)
  submit('a', 'second 3', 'second')
  await setImmediate()
  assert.deepEqual(refused, ['second 3'])
})
