import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SharedCache } from './shared-cache.ts'

const keys = (tenant: string, count: number) => Array.from({ length: count }, (_, i) => `${tenant}${i}`)
const known = (cache: SharedCache<string>, names: string[]) => names.filter((key) => cache.get(key) !== undefined)

test('a tenant takes all that is free, and pushes out no more than makes the shares even', () => {
  const cache = new SharedCache<string>(10)
  const add = (tenant: string, count: number) => {
    for (const key of keys(tenant, count)) cache.set(tenant, key, key)
  }
  add('a', 12)
  assert.deepEqual(known(cache, keys('a', 12)), keys('a', 12).slice(2), 'the oldest is given up')
  add('b', 4)
  assert.deepEqual(known(cache, [...keys('a', 12), ...keys('b', 4)]), [...keys('a', 12).slice(6), ...keys('b', 4)])
  for (let i = 0; i < 100; i++) cache.set('a', `more ${i}`, '')
  assert.deepEqual(known(cache, keys('b', 4)), keys('b', 4), 'b has no more than half, and loses nothing')
})

test('an entry that is used or set again is kept for longest, and one that is deleted makes room', () => {
  const cache = new SharedCache<string>(3)
  for (const key of ['x', 'y', 'z']) cache.set('one', key, key)
  cache.get('x')
  cache.set('one', 'w', 'w')
  assert.deepEqual(known(cache, ['w', 'x', 'y', 'z']), ['w', 'x', 'z'])
  for (const key of ['a', 'b', 'c', 'a', 'd']) cache.set('one', key, key)
  assert.deepEqual(known(cache, ['a', 'b', 'c', 'd']), ['a', 'c', 'd'])
  cache.delete('c')
  cache.delete('c')
  cache.set('one', 'e', 'e')
  assert.deepEqual(known(cache, ['a', 'd', 'e']), ['a', 'd', 'e'])
  cache.set('two', 'a', 'of another tenant')
  assert.equal(cache.get('a'), 'of another tenant')
})

test('a tenant is counted by what it has now, however often it set it', () => {
  const cache = new SharedCache<string>(5)
  for (let i = 0; i < 10; i++) for (const key of ['a0', 'a1']) cache.set('a', key, '')
  for (const key of ['b0', 'b1', 'b2', 'b3']) cache.set('b', key, '')
  assert.deepEqual(known(cache, ['a0', 'a1', 'b0', 'b1', 'b2', 'b3']), ['a0', 'a1', 'b1', 'b2', 'b3'])
})

test('an entry that is larger than the cache is not kept', () => {
  const cache = new SharedCache<string>(10)
  cache.set('a', 'small', '', 2)
  cache.set('b', 'large', '', 11)
  assert.deepEqual(known(cache, ['small', 'large']), ['small'])
})

test('property: the limit holds, and a tenant with no more than an even share loses nothing', () => {
  const step = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(9), fc.integer({ min: 1, max: 3 }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const max = 18
      const cache = new SharedCache<number>(max)
      const latest = new Map<string, { tenant: string; size: number }>()
      for (const [tenant, i, size] of steps) {
        const key = `${tenant}${i}`
        latest.set(key, { tenant, size })
        const before = [...latest.keys()].filter((each) => each === key || cache.get(each) !== undefined)
        cache.set(tenant, key, size, size)
        const sizeOf = (names: string[], owner?: string) =>
          names.reduce((sum, name) => sum + (!owner || latest.get(name)?.tenant === owner ? (latest.get(name)?.size ?? 0) : 0), 0)
        const after = [...latest.keys()].filter((each) => cache.get(each) !== undefined)
        assert.ok(sizeOf(after) <= max)
        for (const owner of ['a', 'b', 'c'])
          if (sizeOf(before, owner) <= max / 3) assert.equal(sizeOf(after, owner), sizeOf(before, owner), owner)
      }
    }),
  )
})
