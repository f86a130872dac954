import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertProblem, call } from '../../../test/harness.ts'
import { newTable, type Person } from '../../../test/table.ts'

/** A campaign with one of everything a note can hang on. */
async function pegs() {
  const table = await newTable()
  const { teller, player, C } = table
  const book = `${C}/books/${await teller.make(`${C}/books`, { name: 'Book' })}`
  const chapter = `${book}/chapters/${await teller.make(`${book}/chapters`, { name: 'Chapter' })}`
  const character = `${C}/characters/${await player.make(`${C}/characters`, { name: 'Crane' })}`
  return { ...table, pegs: [C, book, chapter, character] }
}

test('a note hangs where it was written, and is seen by whom it is for', async () => {
  const { teller, player, other, stranger, admin, pegs: all } = await pegs()
  for (const peg of all) {
    const ids: Record<string, string> = {}
    for (const visibility of ['EVERYONE', 'STORYTELLER', 'AUTHOR'])
      ids[visibility] = await player.make(`${peg}/notes`, { title: visibility, body: '**Low** water', visibility })
    const seen = async (who: Person) => {
      const { items, total } = (await who.get(`${peg}/notes`)).body
      assert.equal(items.length, total)
      for (const [visibility, id] of Object.entries(ids)) {
        const found = items.some(({ title }) => title === visibility)
        const reply = await who.get(`${peg}/notes/${id}`)
        if (found) assert.equal(reply.status, 200)
        else assertProblem(reply, 404, 'Note not found')
        const refused = await who.patch(`${peg}/notes/${id}`, { title: visibility })
        if (!found) assertProblem(refused, 404, 'Note not found')
      }
      return items.map(({ title }) => title).join()
    }
    assert.equal(await seen(player), 'EVERYONE,STORYTELLER,AUTHOR', 'authors see what they wrote')
    assert.equal(await seen(teller), 'EVERYONE,STORYTELLER')
    assert.equal(await seen(admin), 'EVERYONE,STORYTELLER,AUTHOR')
    assert.equal(await seen(other), 'EVERYONE')
    assert.equal(await seen(stranger), 'EVERYONE', 'a storyteller of something else is nobody here')

    const one = (visibility: string) => `${peg}/notes/${ids[visibility]}`
    assertProblem(await other.patch(one('EVERYONE'), { title: 'x' }), 403)
    assertProblem(await other.delete(one('EVERYONE')), 403)
    assert.equal((await teller.patch(one('EVERYONE'), { body: null })).body.body, null)
    assert.equal((await teller.delete(one('STORYTELLER'))).status, 204)
    assert.equal((await player.get(`${peg}/notes?archived=true`)).body.total, 1)
    assert.equal((await other.get(`${peg}/notes?archived=true`)).body.total, 0)
    assert.equal((await player.post(`${one('STORYTELLER')}/restore`)).status, 200)
    assert.equal((await admin.delete(one('AUTHOR'))).status, 204)
  }
})

test('notes of one place are not those of another', async () => {
  const { teller, campaign_id, pegs: all } = await pegs()
  for (const [i, peg] of all.entries()) await teller.make(`${peg}/notes`, { title: `Note ${i}` })
  for (const [i, peg] of all.entries()) {
    const { items } = (await teller.get(`${peg}/notes`)).body
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

test('a notebook is its user’s own', async () => {
  const { base, key, player, teller } = await newTable()
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

test('titles and bodies have their bounds', async () => {
  const { player, C } = await newTable()
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
