import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable, type Person, twoApps } from '../../../test/game-table.ts'
import { assertProblem, call, db } from '../../../test/harness.ts'
import { sql } from '../../db/sql.ts'

const numbersIn = async (person: Person, path: string) => {
  const { items } = (await person.get(`${path}?sort=number&limit=100`)).body
  return items.map(({ number, name }) => `${number} ${name}`)
}

for (const kind of ['books', 'chapters'] as const) {
  const newShelf = async () => {
    const table = await newGameTable()
    const book = kind === 'chapters' ? await table.teller.make(`${table.C}/books`, { name: 'Book' }) : ''
    return { ...table, all: kind === 'books' ? `${table.C}/books` : `${table.C}/books/${book}/chapters` }
  }

  test(`${kind} are numbered in the order of creation, and stay without gaps when they are moved, archived and restored`, async () => {
    const { base, key, teller, player, all } = await newShelf()
    const ids: string[] = []
    for (const name of ['A', 'B', 'C', 'D']) ids.push(await teller.make(all, { name }))
    assert.deepEqual(await numbersIn(teller, all), ['1 A', '2 B', '3 C', '4 D'])
    const move = (i: number, number: unknown) => teller.put(`${all}/${ids[i]}/number`, { number })
    const moved = await move(3, 1)
    assert.deepEqual([moved.status, moved.body.number, moved.body.version], [200, 1, 2])
    assert.deepEqual(await numbersIn(teller, all), ['1 D', '2 A', '3 B', '4 C'])
    await move(3, 3)
    assert.deepEqual(await numbersIn(teller, all), ['1 A', '2 B', '3 D', '4 C'])
    await move(0, 4)
    assert.deepEqual(await numbersIn(teller, all), ['1 B', '2 D', '3 C', '4 A'])
    assert.equal((await move(0, 4)).body.version, 2, 'it already has this number')
    const beyond = await move(0, 5)
    assertProblem(beyond, 400)
    assert.deepEqual(beyond.body.invalid_parameters, [{ field: 'number', message: 'must be at most 4, the number of the last' }])
    for (const bad of [0, -1, 1.5, '1', null]) assertProblem(await move(0, bad), 400)
    const { items } = (await call('GET', `${base}/audit-logs?type=${kind.slice(0, -1)}.moved&sort=-date_created`, { key })).body
    assert.deepEqual(items[0]?.changes, { number: { old: 1, new: 4 } })

    assert.equal((await teller.delete(`${all}/${ids[3]}`)).status, 204)
    assert.deepEqual(await numbersIn(teller, all), ['1 B', '2 C', '3 A'])
    const gone = (await call('GET', `${base}/audit-logs?type=${kind.slice(0, -1)}.deleted`, { key })).body.items[0]
    assert.deepEqual(gone?.changes.number, { old: 2, new: null })
    assert.deepEqual(
      (await teller.get(`${all}?archived=true`)).body.items.map(({ number }) => number),
      [null],
    )
    assertProblem(await teller.put(`${all}/${ids[3]}/number`, { number: 1 }), 404)
    assert.equal((await teller.post(`${all}/${ids[3]}/restore`)).body.number, 4)
    assert.deepEqual(await numbersIn(teller, all), ['1 B', '2 C', '3 A', '4 D'])
    assert.deepEqual(
      (await teller.get(`${all}?sort=-number&limit=2`)).body.items.map(({ name }) => name),
      ['D', 'A'],
    )
    assert.deepEqual(
      (await teller.get(all)).body.items.map(({ name }) => name),
      ['B', 'C', 'A', 'D'],
      'lists are in the order of the numbers',
    )
    assert.deepEqual(
      (await teller.get(`${all}?sort=date_created`)).body.items.map(({ name }) => name),
      ['A', 'B', 'C', 'D'],
    )
    assert.deepEqual((await teller.patch(`${all}/${ids[1]}`, { name: 'Bee' })).body.number, 1)

    for (const refused of [
      player.post(all, { name: 'x' }),
      player.put(`${all}/${ids[0]}/number`, { number: 1 }),
      player.delete(`${all}/${ids[0]}`),
    ])
      assertProblem(await refused, 403)
    assert.equal((await player.get(`${all}?archived=true`)).body.total, 0)
  })

  test(`${kind} stay 1 to n under fifty creations, moves, deletions and restores at once on two processes`, async () => {
    const { teller, all } = await newShelf()
    const ids: string[] = []
    for (let i = 0; i < 12; i++) ids.push(await teller.make(all, { name: `Old ${i}` }))
    for (const id of ids.slice(0, 4)) await teller.delete(`${all}/${id}`)
    const work = Array.from({ length: 50 }, (_, i) => {
      const [on, id] = [twoApps[i % 2], ids[i % 12]]
      if (i % 5 === 0) return teller.post(all, { name: `New ${i}` }, {}, on)
      if (i % 5 === 1) return teller.delete(`${all}/${id}`, undefined, {}, on)
      if (i % 5 === 2) return teller.post(`${all}/${id}/restore`, undefined, {}, on)
      return teller.put(`${all}/${id}/number`, { number: 1 + (i % 7) }, {}, on)
    })
    const statuses = (await Promise.all(work)).map(({ status }) => status)
    for (const status of statuses) assert.ok([200, 201, 204, 400, 404].includes(status), String(status))
    assert.equal(statuses.filter((status) => status === 201).length, 10)
    const { items, total } = (await teller.get(`${all}?sort=number&limit=100`)).body
    assert.deepEqual(
      items.map(({ number }) => number),
      Array.from({ length: total }, (_, i) => i + 1),
    )
    assert.ok(total >= 10)
  })

  test(`${kind} created at once get different numbers`, async () => {
    const { teller, all } = await newShelf()
    const made = await Promise.all(Array.from({ length: 20 }, (_, i) => teller.post(all, { name: `Part ${i}` }, {}, twoApps[i % 2])))
    assert.deepEqual(
      made.map(({ body }) => Number(body.number)).sort((a, b) => a - b),
      Array.from({ length: 20 }, (_, i) => i + 1),
    )
  })

  test(`${kind}: of a move and a change of the same version only one succeeds, and a move to the end ends there`, async () => {
    const { teller, all } = await newShelf()
    const ids: string[] = []
    for (let i = 0; i < 6; i++) ids.push(await teller.make(all, { name: `Number ${i}` }))
    for (const id of ids.slice(2)) {
      const tag = { 'if-match': '"1"' }
      const replies = await Promise.all([
        teller.put(`${all}/${id}/number`, { number: 1 }, tag, twoApps[0]),
        teller.patch(`${all}/${id}`, { name: 'Changed' }, tag, twoApps[1]),
      ])
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412])
    }
    for (const id of ids.slice(1, 5)) {
      const before = (await teller.get(all)).body.total
      const [moved] = await Promise.all([
        teller.put(`${all}/${ids[0]}/number`, { number: before }, {}, twoApps[0]),
        teller.delete(`${all}/${id}`, undefined, {}, twoApps[1]),
      ])
      if (moved.status === 200) assert.equal((await teller.get(`${all}/${ids[0]}`)).body.number, before - 1)
      else assertProblem(moved, 400)
      await teller.put(`${all}/${ids[0]}/number`, { number: 1 })
    }
  })

  test(`${kind} can be moved into the same gap any number of times`, async () => {
    const { teller, all } = await newShelf()
    const ids: string[] = []
    for (const name of ['first', 'x', 'y', 'last']) ids.push(await teller.make(all, { name }))
    for (let i = 0; i < 80; i++) assert.equal((await teller.put(`${all}/${ids[1 + (i % 2)]}/number`, { number: 2 })).body.number, 2)
    assert.deepEqual(await numbersIn(teller, all), ['1 first', '2 y', '3 x', '4 last'])
    const [{ highest } = { highest: 0 }] = await db.query<{ highest: number }>(sql`SELECT max(version) AS highest FROM ${sql.id(kind)}`)
    assert.ok(highest <= 81, 'rows that only made room have no new version')
  })
}

test('a chapter is hidden with its book, and the owner of a campaign may add books', async () => {
  const { teller, player, C } = await newGameTable()
  const book = await teller.make(`${C}/books`, { name: 'Book' })
  const chapter = await teller.make(`${C}/books/${book}/chapters`, { name: 'Chapter' })
  await teller.delete(`${C}/books/${book}/chapters/${chapter}`)
  await teller.delete(`${C}/books/${book}`)
  assertProblem(await teller.get(`${C}/books/${book}/chapters`), 404, 'Book not found')
  assertProblem(
    await teller.post(`${C}/books/${book}/chapters/${chapter}/restore`),
    409,
    'The book this belongs to is archived. Restore the book first.',
  )
  const ownCampaign = await player.make('/campaigns', { name: 'Own' })
  assert.equal((await player.post(`/campaigns/${ownCampaign}/books`, { name: 'Mine' })).status, 201)
})
