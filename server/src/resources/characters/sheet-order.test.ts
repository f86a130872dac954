import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Follower } from '../../../test/follower.ts'
import { newGameTable } from '../../../test/game-table.ts'
import { type Answer, db } from '../../../test/harness.ts'
import { sql } from '../../db/sql.ts'

const names = (value: unknown) => Object.keys(value as object)

test('a sheet keeps the order in which it was written, in every reply', async () => {
  const { player, teller, C } = await newGameTable()
  const reader = await Follower.start(player)
  const traits = { strength: 8, dexterity: 16, constitution: 12, intelligence: 10, wisdom: 14, charisma: 13, ac: 15 }
  const details = { species: 'Halfling', class: 'Rogue', background: 'Urchin', age: '19' }
  const created = await player.post(`${C}/characters`, { name: 'Tora', traits, details, choices: { species: 'halfling', class: 'rogue' } })
  const path = `${C}/characters/${created.body.id}`
  const replies = async (): Promise<Answer['body'][]> => [
    (await player.get(path)).body,
    (await player.get(`${path}?include=inventory,sheet`)).body,
    ...(await Promise.all(
      ['', '?sort=name', '?include=inventory', '?include=sheet'].map(
        async (query) => (await teller.get(`${C}/characters${query}`)).body.items[0] as never,
      ),
    )),
    (await player.get('/characters')).body.items[0] as never,
    ((await player.get(`${C}?include=characters`)).body as unknown as { characters: Answer['body'][] }).characters[0] as Answer['body'],
    (await reader.read()).findLast(({ data }) => data.resource_type === 'character')?.data.resource as never,
  ]
  const assertOrder = async (expected: { traits: string[]; details: string[] }) => {
    for (const body of await replies())
      assert.deepEqual({ traits: names(body.traits), details: names(body.details) }, expected, JSON.stringify(body))
  }
  assert.deepEqual([names(created.body.traits), names(created.body.choices)], [names(traits), ['species', 'class']])
  await assertOrder({ traits: names(traits), details: names(details) })

  const patched = await player.patch(path, {
    traits: { zeal: 1, wisdom: 15, ac: null, aim: 2 },
    details: { age: '20', class: null, eyes: 'green' },
  })
  const after = {
    traits: ['strength', 'dexterity', 'constitution', 'intelligence', 'wisdom', 'charisma', 'zeal', 'aim'],
    details: ['species', 'background', 'age', 'eyes'],
  }
  assert.deepEqual(names(patched.body.traits), after.traits, 'keys that are there keep their places, new ones follow')
  await assertOrder(after)
  await player.post(`${path}/adjust`, { traits: { dexterity: 1 } })
  await assertOrder(after)
})

test('a long detail is cut in its place', async () => {
  const { player, C } = await newGameTable()
  const details = { zodiac: 'Ram', story: 's'.repeat(300), ally: 'Mina' }
  await player.make(`${C}/characters`, { name: 'Tora', details })
  const [listed] = (await player.get(`${C}/characters`)).body.items
  assert.deepEqual(
    [Object.entries(listed?.details as object), listed?.truncated],
    [Object.entries({ ...details, story: 's'.repeat(200) }), true],
  )
})

test('what a process of the previous version writes is what is read', async () => {
  const { player, C, company_id } = await newGameTable()
  const id = await player.make(`${C}/characters`, { name: 'Tora', traits: { wits: 3, aim: 1 } })
  await db.transaction(async (tx) =>
    tx.send(sql`UPDATE characters SET traits = '{"wits": 4, "aim": 1, "brawl": 2}' WHERE company_id = ${company_id} AND id = ${id}`),
  )
  const path = `${C}/characters/${id}`
  assert.deepEqual((await player.get(path)).body.traits, { wits: 4, aim: 1, brawl: 2 })
  assert.deepEqual(names((await player.patch(path, { traits: { zeal: 1 } })).body.traits), ['aim', 'wits', 'brawl', 'zeal'])
})
