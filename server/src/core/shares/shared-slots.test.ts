import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Holder } from './holder.ts'
import { SharedSlots } from './shared-slots.ts'

/** Slots whose holders are written as `tenant/part`, and those that were given back, in order. */
function slotsOf(max: number) {
  const slots = new SharedSlots(max)
  const held: { holder: string; release: () => void }[] = []
  const given: string[] = []
  const asHolder = (name: string) => name.split('/') as unknown as Holder
  const take = (name: string): boolean => {
    if (slots.refuses(asHolder(name))) return false
    const one = {
      holder: name,
      release: slots.take(asHolder(name), () => {
        given.push(name)
        held.splice(held.indexOf(one), 1)
      }),
    }
    held.push(one)
    return true
  }
  const release = (index: number) => held.splice(index, 1)[0]?.release()
  const countOf = (name: string) => held.filter(({ holder }) => holder === name || holder.startsWith(`${name}/`)).length
  return { slots, held, given, take, release, countOf }
}

test('a tenant may use all that is free, and gives its newest slots back to another until both have the same', () => {
  const { slots, held, given, take, countOf } = slotsOf(6)
  for (let i = 0; i < 6; i++) assert.ok(take('a/one'))
  assert.ok(!take('a/one'), 'nothing is free, and nobody has more')
  const newest = held.at(-1)
  assert.ok(take('b/one'))
  assert.ok(!held.includes(newest as (typeof held)[0]), 'the newest is given back')
  newest?.release()
  assert.equal(slots.count, 6, 'a slot that was given back is not released again')
  assert.deepEqual([take('b/one'), take('b/one'), take('b/one')], [true, true, false])
  assert.deepEqual([countOf('a'), countOf('b'), given.length], [3, 3, 3])
  assert.ok(!take('a/one'), 'nothing passes back')
  assert.ok(take('c/one'))
  assert.ok(take('c/one'))
  assert.deepEqual([countOf('a'), countOf('b'), countOf('c')], [2, 2, 2])
})

test('the companies of a developer divide its share, and take nothing from another developer', () => {
  const { take, countOf } = slotsOf(8)
  for (let i = 0; i < 4; i++) for (const name of ['a/one', 'b/one']) assert.ok(take(name))
  for (let i = 0; i < 20; i++) take(`a/${i}`)
  assert.equal(countOf('b'), 4, 'twenty companies have the share of one')
  assert.ok([...Array(20).keys()].every((i) => countOf(`a/${i}`) <= 1))
  assert.ok(take('b/two'), 'a new company of a developer gets a slot of the larger one')
  assert.ok(take('b/two'))
  assert.ok(!take('b/two'))
  assert.deepEqual([countOf('b/one'), countOf('b/two')], [2, 2])
})

test('property: nothing free is withheld, nobody with no more than another has to give, and an unequal taker always gets one', () => {
  const name = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('1', '2', '3')).map((parts) => parts.join('/'))
  const step = fc.oneof({ weight: 5, arbitrary: name }, { weight: 1, arbitrary: fc.nat(50) })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.array(step, { maxLength: 80 }), (max, steps) => {
      const { slots, held, given, take, release, countOf } = slotsOf(max)
      for (const one of steps) {
        if (typeof one === 'number') {
          release(one)
          assert.equal(slots.count, held.length)
          continue
        }
        const tenant = one.split('/')[0] as string
        const tenants = ['a', 'b', 'c', 'd']
        const before = new Map(held.map(({ holder }) => [holder, countOf(holder)]))
        const ofTenants = new Map(tenants.map((each) => [each, countOf(each)]))
        const isFree = held.length < max
        const gave = given.length
        const isTaken = take(one)
        assert.equal(slots.count, held.length)
        assert.ok(held.length <= max)
        if (isFree) assert.ok(isTaken && given.length === gave)
        const ofOwn = ofTenants.get(tenant) ?? 0
        const most = Math.max(...ofTenants.values())
        if (most > ofOwn + 1) assert.ok(isTaken, 'a tenant with less than another gets one')
        if (given.length === gave) continue
        const giver = given.at(-1) as string
        const ofGiver = giver.split('/')[0] as string
        if (ofGiver === tenant) assert.ok((before.get(giver) ?? 0) > (before.get(one) ?? 0) + 1)
        else assert.ok(ofTenants.get(ofGiver) === most && most > ofOwn + 1)
      }
    }),
  )
})
