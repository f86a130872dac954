import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable, type Person } from '../../../test/game-table.ts'
import { assertProblem, call } from '../../../test/harness.ts'

/** A campaign with a book, a chapter and a character, and the paths of all four. */
async function newParents() {
  const table = await newGameTable()
  const { teller, player, C } = table
  const book = `${C}/books/${await teller.make(`${C}/books`, { name: 'Book' })}`
  const chapter = `${book}/chapters/${await teller.make(`${book}/chapters`, { name: 'Chapter' })}`
  const character = `${C}/characters/${await player.make(`${C}/characters`, { name: 'Crane' })}`
  return { ...table, parents: [C, book, chapter, character] }
}

test('a note is visible to the users that its visibility names', async () => {
  const { teller, player, other, stranger, admin, parents } = await newParents()
  for (const parent of parents) {
    const ids: Record<string, string> = {}
    for (const visibility of ['EVERYONE', 'STORYTELLER', 'AUTHOR'])
      ids[visibility] = await player.make(`${parent}/notes`, { title: visibility, body: '**Low** water', visibility })
    const titlesSeenBy = async (user: Person) => {
      const { items, total } = (await user.get(`${parent}/notes`)).body
      assert.equal(items.length, total)
      for (const [visibility, id] of Object.entries(ids)) {
        const found = items.some(({ title }) => title === visibility)
        const reply = await user.get(`${parent}/notes/${id}`)
        if (found) assert.equal(reply.status, 200)
        else assertProblem(reply, 404, 'Note not found')
        const refused = await user.patch(`${parent}/notes/${id}`, { title: visibility })
        if (!found) assertProblem(refused, 404, 'Note not found')
      }
      return items.map(({ title }) => title).join()
    }
    assert.equal(await titlesSeenBy(player), 'EVERYONE,STORYTELLER,AUTHOR', 'authors see what they wrote')
    assert.equal(await titlesSeenBy(teller), 'EVERYONE,STORYTELLER')
    assert.equal(await titlesSeenBy(admin), 'EVERYONE,STORYTELLER,AUTHOR')
    assert.equal(await titlesSeenBy(other), 'EVERYONE')
    assert.equal(await titlesSeenBy(stranger), 'EVERYONE', 'a storyteller of another campaign sees no secret here')

    const one = (visibility: string) => `${parent}/notes/${ids[visibility]}`
    assertProblem(await other.patch(one('EVERYONE'), { title: 'x' }), 403)
    assertProblem(await other.delete(one('EVERYONE')), 403)
    assert.equal((await teller.patch(one('EVERYONE'), { body: null })).body.body, null)
    assert.equal((await teller.delete(one('STORYTELLER'))).status, 204)
    assert.equal((await player.get(`${parent}/notes?archived=true`)).body.total, 1)
    assert.equal((await other.get(`${parent}/notes?archived=true`)).body.total, 0)
    assert.equal((await player.post(`${one('STORYTELLER')}/restore`)).status, 200)
    assert.equal((await admin.delete(one('AUTHOR'))).status, 204)
  }
})

test('each resource lists only its own notes', async () => {
  const { teller, campaign_id, parents } = await newParents()
  for (const [i, parent] of parents.entries()) await teller.make(`${parent}/notes`, { title: `Note ${i}` })
  for (const [i, parent] of parents.entries()) {
    const { items } = (await teller.get(`${parent}/notes`)).body
    assert.deepEqual(
      items.map(({ title }) => title),
      [`Note ${i}`],
    )
    assert.equal(items[0]?.campaign_id, campaign_id)
    assert.deepEqual(
      ['book_id', 'chapter_id', 'character_id'].map((name) => items[0]?.[name] !== null),
      [
        [false, false, false],
        [true, false, false],
        [true, true, false],
        [false, false, true],
      ][i],
    )
  }
})

test('a notebook is visible to its user only', async () => {
  const { base, key, player, teller } = await newGameTable()
  const made = await player.post('/notes', { title: 'What I think of the others' })
  assert.deepEqual([made.status, made.body.visibility, made.body.author_id, made.body.campaign_id], [201, 'AUTHOR', player.id, null])
  assertProblem(await player.post('/notes', { title: 'x', visibility: 'EVERYONE' }), 400)
  assertProblem(await player.patch(`/notes/${made.body.id}`, { visibility: 'EVERYONE' }), 400)
  assert.equal((await teller.get('/notes')).body.total, 0)
  assertProblem(await teller.get(`/notes/${made.body.id}`), 404)
  assert.equal((await player.patch(`/notes/${made.body.id}`, { title: 'Changed' })).body.title, 'Changed')
  assert.equal((await player.get('/notes?q=chang')).body.total, 1)
  const log = (await call('GET', `${base}/audit-logs?resource_type=note`, { key })).body
  assert.deepEqual(
    log.items.map(({ type }) => type),
    ['note.created', 'note.updated'],
  )
})

test('titles and bodies must keep to their length limits', async () => {
  const { player, C } = await newGameTable()
  for (const bad of [
    {},
    { title: ' ' },
    { title: 'x'.repeat(101) },
    { title: 'x', body: 'x'.repeat(20_001) },
    { title: 'x', visibility: 'ALL' },
    { title: 'x', author_id: player.id },
  ])
    assertProblem(await player.post(`${C}/notes`, bad), 400)
  const body = `${'ü'.repeat(19_998)}😀`
  assert.equal((await player.post(`${C}/notes`, { title: 'x', body })).body.body, body)
})
