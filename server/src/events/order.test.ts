import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inOrder, type Waiting } from './order.ts'

const event = (id: string, resource_id: string, version: number | null): Waiting => ({
  company_id: 'c',
  id,
  resource_id,
  version,
})
const idsOf = (events: Waiting[]) => events.map(({ id }) => id).join('')

test('events are ordered by id, and those of one resource by version', () => {
  for (const [events, expected] of [
    [[], ''],
    [[event('b', 'x', 1), event('a', 'y', 1)], 'ab'],
    [[event('a', 'x', 2), event('b', 'y', 1), event('c', 'x', 1)], 'cba'],
    [[event('a', 'x', 3), event('b', 'x', 1), event('c', 'y', 9), event('d', 'x', 2)], 'bdca'],
    [[event('a', 'x', 2), event('b', 'x', 2), event('c', 'x', 1)], 'cab'],
    [[event('b', 'x', null), event('a', 'x', null)], 'ab'],
    [[event('a', 'x', 2), event('b', 'x', null), event('c', 'x', 1)], 'cba'],
  ] as const)
    assert.equal(idsOf(inOrder([...events])), expected)
})

test('whatever the order of the ids, versions of one resource never go backwards and nothing is lost', () => {
  let seed = 7
  const random = (n: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed % n
  }
  for (let round = 0; round < 200; round++) {
    const versions = new Map<string, number>()
    const events = Array.from({ length: 30 }, (_, i) => {
      const resource = `r${random(5)}`
      versions.set(resource, (versions.get(resource) ?? 0) + 1)
      return event(`${String(random(1000)).padStart(4, '0')}-${i}`, resource, versions.get(resource) as number)
    })
    const ordered = inOrder(events)
    assert.deepEqual(new Set(ordered), new Set(events))
    const last = new Map<string, number>()
    for (const { resource_id, version } of ordered) {
      assert.ok((version as number) > (last.get(resource_id) ?? 0))
      last.set(resource_id, version as number)
    }
  }
})
