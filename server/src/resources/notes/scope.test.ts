import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable, type Person } from '../../../test/game-table.ts'
import { assertProblem } from '../../../test/harness.ts'

test('scope=all lists the notes on everything in a campaign that the user may see, and author_id those of one author', async () => {
  const { teller, player, other, stranger, admin, C } = await newGameTable()
  const book = `${C}/books/${await teller.make(`${C}/books`, { name: 'Book' })}`
  const chapter = `${book}/chapters/${await teller.make(`${book}/chapters`, { name: 'Chapter' })}`
  const character = `${C}/characters/${await player.make(`${C}/characters`, { name: 'Crane' })}`
  const parents = [C, book, chapter, character]
  const npc = `${C}/characters/${await teller.make(`${C}/characters`, { name: 'Hidden', type: 'NPC', visibility: 'STORYTELLER' })}`
  for (const [i, parent] of parents.entries()) {
    await player.make(`${parent}/notes`, { title: `Open ${i}` })
    await player.make(`${parent}/notes`, { title: `Own ${i}`, visibility: 'AUTHOR' })
    await teller.make(`${parent}/notes`, { title: `Secret ${i}`, visibility: 'STORYTELLER' })
  }
  await teller.make(`${npc}/notes`, { title: 'Open, but on a hidden character' })
  await player.make('/notes', { title: 'In a notebook' })
  const elsewhere = await stranger.make('/campaigns', { name: 'Elsewhere' })
  await player.make(`/campaigns/${elsewhere}/notes`, { title: 'Elsewhere' })
  const titles = async (person: Person, query: string) => {
    const { items, total } = (await person.get(`${C}/notes?limit=100&${query}`)).body
    assert.equal(items.length, total)
    return items.map(({ title }) => title)
  }
  const each = (...words: string[]) => [0, 1, 2, 3].flatMap((i) => words.map((word) => `${word} ${i}`))
  assert.deepEqual(await titles(player, 'scope=all'), each('Open', 'Own'))
  assert.deepEqual(await titles(other, 'scope=all'), each('Open'))
  assert.deepEqual(await titles(stranger, 'scope=all'), each('Open'), 'a storyteller of another campaign')
  assert.deepEqual(await titles(teller, 'scope=all'), [...each('Open', 'Secret'), 'Open, but on a hidden character'])
  assert.deepEqual(await titles(admin, 'scope=all'), [...each('Open', 'Own', 'Secret'), 'Open, but on a hidden character'])
  assert.deepEqual(await titles(teller, `scope=all&author_id=${teller.id.toUpperCase()}`), [
    ...each('Secret'),
    'Open, but on a hidden character',
  ])
  assert.deepEqual(await titles(player, `author_id=${teller.id}`), [])
  for (const query of ['', 'scope=campaign']) assert.deepEqual(await titles(player, query), ['Open 0', 'Own 0'])
  assert.deepEqual(await titles(player, 'scope=all&q=open&sort=-name'), each('Open').reverse())

  const [first] = (await player.get(`${C}/notes`)).body.items
  await player.patch(`${C}/notes/${first?.id}`, { title: 'Changed' })
  assert.equal((await titles(player, 'scope=all&sort=-date_modified'))[0], 'Changed')

  // What is on something archived is archived with it, and comes back with it.
  await player.delete(`${character}/notes/${(await player.get(`${character}/notes`)).body.items[0]?.id}`)
  assert.deepEqual(await titles(player, 'scope=all&archived=true'), ['Open 3'])
  assert.deepEqual(await titles(other, 'scope=all&archived=true'), [])
  await teller.delete(book)
  assert.deepEqual(await titles(other, 'scope=all'), ['Changed'])
  await teller.delete(character)
  assert.deepEqual(await titles(player, 'scope=all'), ['Changed', 'Own 0'])
  assert.deepEqual(await titles(player, 'scope=all&archived=true'), [], 'its character has to be restored first')
  await teller.post(`${book}/restore`)
  assert.deepEqual(await titles(other, 'scope=all'), ['Changed', 'Open 1', 'Open 2'])
  for (const bad of ['scope=ALL', 'scope=', 'author_id=me', 'author_id=']) assertProblem(await player.get(`${C}/notes?${bad}`), 400)
  assertProblem(await player.get(`${book}/notes?scope=all`), 400)
})
