import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inSlices } from './slices.ts'

test('many items are handled in slices of ten, with other work in between', async () => {
  const seen: string[] = []
  setImmediate(() => {
    seen.push('other work')
    setImmediate(() => seen.push('other work'))
  })
  await inSlices(Array(25).keys(), (i) => seen.push(String(i)))
  assert.deepEqual(
    seen.flatMap((entry, at) => (entry === 'other work' ? [at] : [])),
    [10, 21],
  )
  assert.deepEqual(
    seen.filter((entry) => entry !== 'other work'),
    Array.from({ length: 25 }, (_, i) => String(i)),
  )
})

test('items that are removed while others are handled do no harm', async () => {
  const items = new Set([1, 2, 3])
  const seen: number[] = []
  await inSlices(items, (item) => {
    seen.push(item)
    items.clear()
  })
  assert.deepEqual(seen, [1, 2, 3])
})
