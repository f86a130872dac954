import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Step } from './scripted-server.ts'
import { problem, scripted } from './scripted-server.ts'

const NUMBERS = Array.from({ length: 25 }, (_, i) => ({ id: String(i) }))

/** Serves a list of 25 items: by offset, and if asked to, also by cursor. */
const list =
  (hasCursors: boolean): Step =>
  (reply, { path }) => {
    const query = new URL(path, 'http://server').searchParams
    assert.ok(!(query.has('after') && query.has('offset')), 'a position is a cursor or an offset')
    const [limit, offset] = [Number(query.get('limit') ?? 10), Number(query.get('after')?.slice(1) ?? query.get('offset') ?? 0)]
    const items = NUMBERS.slice(offset, offset + limit)
    const next = offset + items.length < NUMBERS.length ? `c${offset + items.length}` : null
    reply.setHeader('content-type', 'application/json')
    reply.end(JSON.stringify({ items, limit, offset, total: NUMBERS.length, ...(hasCursors && { next_cursor: next }) }))
  }

for (const hasCursors of [true, false]) {
  const how = hasCursors ? 'by cursor' : 'by offset'
  test(`a list is one page if it is awaited, and all items if it is iterated, ${how}`, async () => {
    const { gh, seen } = await scripted([list(hasCursors)])
    const page = await gh.companies.list()
    assert.deepEqual([page.items.length, page.total, seen.length], [10, 25, 1])
    const ids: string[] = []
    for await (const { id } of gh.companies.list({ limit: 10 })) ids.push(id)
    assert.deepEqual(
      ids,
      NUMBERS.map(({ id }) => id),
    )
    assert.equal(seen.length, 4)
    assert.equal(seen.at(-1)?.path, `/api/v1/companies?limit=10&${hasCursors ? 'after=c20' : 'offset=20'}`)
  })

  test(`a list has its pages, its first items, and begins where the query says, ${how}`, async () => {
    const { gh, seen } = await scripted([list(hasCursors)])
    const sizes: number[] = []
    for await (const { items } of gh.companies.list({ limit: 10, offset: 3 }).pages()) sizes.push(items.length)
    assert.deepEqual(sizes, [10, 10, 2])
    assert.equal((await gh.companies.list().all()).length, 25)
    assert.equal(seen.length, 4, 'all items are read in pages of 100')
    assert.deepEqual(await gh.companies.list().all(3), NUMBERS.slice(0, 3))
    assert.equal(seen.at(-1)?.path, '/api/v1/companies?limit=3')
    assert.deepEqual(await gh.companies.list({ limit: 4 }).all(5), NUMBERS.slice(0, 5))
    assert.deepEqual(await gh.companies.list().all(0), [])
    for await (const _ of gh.companies.list({ limit: 10 })) break
    assert.equal(seen.length, 8, 'a loop that ends early reads no further page')
  })
}

test('a list that is not awaited sends nothing, and an error reaches every way to read it', async () => {
  const { gh, seen } = await scripted([problem(403, 'forbidden')])
  const companies = gh.companies.list()
  assert.equal(seen.length, 0)
  await assert.rejects(Promise.resolve(companies), { code: 'forbidden' })
  await assert.rejects(companies.all(), { code: 'forbidden' })
  assert.equal(await companies.catch(() => 'caught'), 'caught')
  assert.equal(seen.length, 3)
})
