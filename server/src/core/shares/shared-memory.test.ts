import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Holder } from './holder.ts'
import { SharedMemory } from './shared-memory.ts'

const BUDGET = { total: 64, perTenant: 48, perPart: 16 }

function memoryOf() {
  const memory = new SharedMemory(BUDGET)
  const take = (holder: Holder, bytes: number) => {
    if (memory.refuses(holder, bytes)) return false
    memory.take(holder, bytes)
    return true
  }
  return { memory, take }
}

test('a tenant takes three quarters at most, however many parts it has, and each part a quarter', () => {
  const { memory, take } = memoryOf()
  assert.deepEqual([take(['a', '1'], 16), take(['a', '1'], 1)], [true, false])
  assert.deepEqual([take(['a', '2'], 16), take(['a', '3'], 16), take(['a', '4'], 1)], [true, true, false])
  assert.deepEqual([take(['b', '1'], 16), take(['b', '2'], 1)], [true, false])
  memory.release(['a', '1'], 16)
  assert.deepEqual([take(['b', '2'], 16), take(['a', '4'], 1)], [true, false])
})

test('a tenant who holds nothing takes one, even if others have used up everything', () => {
  const { memory, take } = memoryOf()
  for (const part of ['1', '2', '3']) take(['a', part], 16)
  take(['b', '1'], 16)
  assert.deepEqual([take(['c', '1'], 8), take(['c', '1'], 1), take(['c', '2'], 1)], [true, false, false])
  memory.release(['c', '1'], 8)
  assert.ok(take(['c', '2'], 8))
})

test('property: the tenants exceed the budget by one request each at most, and everything that is released is free again', () => {
  const holder = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2', '3', '4'))
  const step = fc.oneof({ weight: 4, arbitrary: fc.tuple(holder, fc.integer({ min: 1, max: 8 })) }, { weight: 1, arbitrary: fc.nat(40) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const { memory, take } = memoryOf()
      const held: [Holder, number][] = []
      for (const one of steps) {
        if (typeof one !== 'number') {
          if (take(...one)) held.push(one)
        } else for (const [holder, bytes] of held.splice(one, 1)) memory.release(holder, bytes)
        const sum = (of: (holder: Holder) => boolean) => held.reduce((total, [each, bytes]) => total + (of(each) ? bytes : 0), 0)
        assert.ok(sum(() => true) <= BUDGET.total + 2 * 8)
        for (const tenant of ['a', 'b', 'c']) assert.ok(sum(([each]) => each === tenant) <= BUDGET.perTenant)
        for (const [[tenant, part]] of held) assert.ok(sum(([a, b]) => a === tenant && b === part) <= BUDGET.perPart)
      }
      for (const [holder, bytes] of held) memory.release(holder, bytes)
      for (const part of ['1', '2', '3']) assert.ok(take(['a', part], 16))
      assert.ok(take(['b', '1'], 16))
    }),
  )
})
