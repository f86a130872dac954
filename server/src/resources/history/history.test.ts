import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertProblem } from '../../../test/harness.ts'
import { newTable, type Person } from '../../../test/table.ts'
import { moved } from './rules.ts'

test('a change is told field by field, and trait by trait', () => {
  assert.deepEqual(
    moved({
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
  assert.deepEqual(moved({ traits: { old: null, new: {} } }), [])
})

test('what happened to an NPC while it was hidden stays with the storytellers', async () => {
  const { teller, player, stranger, admin, C } = await newTable()
  const npc = await teller.make(`${C}/characters`, { name: 'Ghoul', type: 'NPC', visibility: 'STORYTELLER', traits: { hunger: 5 } })
  const history = (who: Person, query = '') => who.get(`${C}/characters/${npc}/history${query}`)
  assertProblem(await history(player), 404, 'Character not found')
  await teller.patch(`${C}/characters/${npc}`, { biography: 'Eats at night' })
  await teller.patch(`${C}/characters/${npc}`, { visibility: 'OPEN' })
  await teller.patch(`${C}/characters/${npc}`, { name: 'Mister Ghoul' })
  const told = async (who: Person, query?: string) =>
    (await history(who, query)).body.items.map(({ changes }) => (changes as unknown as { field: string }[]).map(({ field }) => field))
  assert.deepEqual(await told(player), [['name']])
  assert.deepEqual(await told(stranger), [['name']])
  assert.equal((await history(player)).body.total, 1)
  for (const who of [teller, admin]) {
    const [renamed, shown, written, created] = await told(who)
    assert.deepEqual([renamed, shown, written], [['name'], ['visibility'], ['biography']])
    assert.ok(created?.includes('traits.hunger'))
  }
  assert.deepEqual((await told(teller, '?sort=date_created&limit=1&offset=3'))[0], ['name'])
})

test('a long text is cut in the history', async () => {
  const { player, C } = await newTable()
  const id = await player.make(`${C}/characters`, { name: 'Crane' })
  await player.patch(`${C}/characters/${id}`, { biography: 'b'.repeat(10_000), traits: { wits: 2 } })
  const [changed, created] = (await player.get(`${C}/characters/${id}/history`)).body.items
  assert.deepEqual(changed?.changes, [
    { field: 'traits.wits', from: null, to: 2 },
    { field: 'biography', from: null, to: 'b'.repeat(500) },
  ])
  assert.deepEqual([changed?.truncated, created?.truncated], [true, false])
})
