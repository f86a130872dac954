import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable, type Person } from '../../../test/game-table.ts'
import { assertProblem } from '../../../test/harness.ts'
import { fieldChangesOf } from './rules.ts'

test('a change is listed field by field, and trait by trait', () => {
  assert.deepEqual(
    fieldChangesOf({
      status: { old: 'ACTIVE', new: 'DEAD' },
      traits: { old: { wits: 1, brawl: 2, luck: 3 }, new: { wits: 1, brawl: 3, aim: 1 } },
    }),
    [
      { field: 'status', from: 'ACTIVE', to: 'DEAD' },
      { field: 'traits.aim', from: null, to: 1 },
      { field: 'traits.brawl', from: 2, to: 3 },
      { field: 'traits.luck', from: 3, to: null },
    ],
  )
  assert.deepEqual(fieldChangesOf({ traits: { old: null, new: {} } }), [])
})

test('only storytellers see the changes made to an NPC while it was hidden', async () => {
  const { teller, player, stranger, admin, C } = await newGameTable()
  const npc = await teller.make(`${C}/characters`, { name: 'Ghoul', type: 'NPC', visibility: 'STORYTELLER', traits: { hunger: 5 } })
  const history = (person: Person, query = '') => person.get(`${C}/characters/${npc}/history${query}`)
  assertProblem(await history(player), 404, 'Character not found')
  await teller.patch(`${C}/characters/${npc}`, { biography: 'Eats at night' })
  await teller.patch(`${C}/characters/${npc}`, { visibility: 'OPEN' })
  await teller.patch(`${C}/characters/${npc}`, { name: 'Mister Ghoul' })
  const changedFields = async (person: Person, query?: string) =>
    (await history(person, query)).body.items.map(({ changes }) => (changes as unknown as { field: string }[]).map(({ field }) => field))
  assert.deepEqual(await changedFields(player), [['name']])
  assert.deepEqual(await changedFields(stranger), [['name']])
  assert.equal((await history(player)).body.total, 1)
  for (const person of [teller, admin]) {
    const [renamed, shown, written, created] = await changedFields(person)
    assert.deepEqual([renamed, shown, written], [['name'], ['visibility'], ['biography']])
    assert.ok(created?.includes('traits.hunger'))
  }
  assert.deepEqual((await changedFields(teller, '?sort=date_created&limit=1&offset=3'))[0], ['name'])
})

test('a long text is cut in the history', async () => {
  const { player, C } = await newGameTable()
  const id = await player.make(`${C}/characters`, { name: 'Crane' })
  await player.patch(`${C}/characters/${id}`, { biography: 'b'.repeat(10_000), traits: { wits: 2 } })
  const [changed, created] = (await player.get(`${C}/characters/${id}/history`)).body.items
  assert.deepEqual(changed?.changes, [
    { field: 'traits.wits', from: null, to: 2 },
    { field: 'biography', from: null, to: 'b'.repeat(500) },
  ])
  assert.deepEqual([changed?.truncated, created?.truncated], [true, false])
})
