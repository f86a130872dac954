import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable } from '../../../test/game-table.ts'
import { assertProblem } from '../../../test/harness.ts'

test('a book includes its first chapters in their order, and their number', async () => {
  const { teller, player, C } = await newGameTable()
  const [first, second] = [await teller.make(`${C}/books`, { name: 'First' }), await teller.make(`${C}/books`, { name: 'Second' })]
  const chapters = `${C}/books/${first}/chapters`
  for (let n = 1; n <= 22; n++) await teller.make(chapters, { name: `Chapter ${n}`, description: 'é'.repeat(1500) })
  const [gone] = (await teller.get(`${chapters}?sort=-number`)).body.items
  await teller.delete(`${chapters}/${gone?.id}`)
  const [last] = (await teller.get(`${chapters}?sort=-number`)).body.items
  await teller.put(`${chapters}/${last?.id}/number`, { number: 1 })
  type Part = { number: number; name: string; description: string; truncated: boolean; date_created: string }
  const parts = (body: unknown) => (body as { chapters: Part[] }).chapters

  const { items } = (await player.get(`${C}/books?include=chapters`)).body
  assert.deepEqual(
    items.map((book) => [book.id, parts(book).length, book.chapters_total]),
    [
      [first, 20, 21],
      [second, 0, 0],
    ],
  )
  assert.deepEqual(
    parts(items[0])
      .map(({ number, name }) => `${number} ${name}`)
      .slice(0, 3),
    ['1 Chapter 21', '2 Chapter 1', '3 Chapter 2'],
  )
  assert.deepEqual([parts(items[0])[0]?.description, parts(items[0])[0]?.truncated], ['é'.repeat(200), true])

  const { body } = await player.get(`${C}/books/${first}?include=chapters`)
  assert.deepEqual([parts(body).length, body.chapters_total, body.number], [21, 21, 1])
  const listed = (await player.get(`${chapters}?limit=100`)).body.items
  assert.deepEqual(parts(body), listed as unknown, 'the same as in their own list')
  for (const path of [`${C}/books`, `${C}/books/${first}`]) {
    assert.equal('chapters' in (await player.get(path)).body, false)
    for (const bad of ['include=', 'include=notes', 'include=chapters,chapters']) assertProblem(await player.get(`${path}?${bad}`), 400)
  }
  assertProblem(await player.get(`${chapters}?include=chapters`), 400)
})
