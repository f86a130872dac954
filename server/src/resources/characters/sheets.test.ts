import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable, type Person } from '../../../test/game-table.ts'
import { assertProblem } from '../../../test/harness.ts'

interface Sheet {
  inventory?: Record<string, unknown>[]
  inventory_total?: number
  notes?: Record<string, unknown>[]
  notes_total?: number
}

test('one request returns the whole sheet, as far as the acting user may see it', async () => {
  const { player, other, teller, C } = await newGameTable()
  const path = `${C}/characters/${await player.make(`${C}/characters`, { name: 'Crane' })}`
  const item = await player.post(`${path}/inventory`, { name: 'Lantern' })
  await player.delete(`${path}/inventory/${await player.make(`${path}/inventory`, { name: 'Lost' })}`)
  const note = await player.post(`${path}/notes`, { title: 'Open' })
  await teller.make(`${path}/notes`, { title: 'Secret', visibility: 'STORYTELLER' })
  await player.make(`${path}/notes`, { title: 'Mine', visibility: 'AUTHOR' })
  const sheet = async (user: Person, query: string) => (await user.get(`${path}${query}`)).body as unknown as Sheet
  const bare = await sheet(player, '')
  assert.deepEqual([bare.inventory, bare.notes_total], [undefined, undefined])
  const whole = await sheet(player, '?include=inventory,notes')
  assert.deepEqual(whole.inventory, [{ ...item.body, truncated: false }], 'an item is the same in a sheet and on its own')
  assert.deepEqual(whole.notes?.[0], { ...note.body, truncated: false })
  assert.deepEqual([whole.inventory_total, whole.notes_total], [1, 2])
  const titles = async (user: Person) => (await sheet(user, '?include=notes')).notes?.map(({ title }) => title)
  assert.deepEqual(await titles(teller), ['Open', 'Secret'])
  assert.deepEqual(await titles(other), ['Open'])
  const listed = (await other.get(`${C}/characters?include=notes,inventory`)).body.items[0] as unknown as Sheet
  const { external_id, metadata, ...preview } = item.body
  assert.deepEqual([external_id, metadata], [null, {}], 'which the list leaves out')
  assert.deepEqual([listed.notes_total, listed.inventory], [1, [{ ...preview, truncated: false }]])
  for (const bad of ['include=', 'include=spells', 'include=notes,spells', 'include=notes,notes', 'include=NOTES'])
    assertProblem(await player.get(`${path}?${bad}`), 400)
})

test('a sheet includes the first 100 items in list order, and their total number', async () => {
  const { player, C } = await newGameTable()
  const path = `${C}/characters/${await player.make(`${C}/characters`, { name: 'Hoarder' })}`
  for (let i = 0; i < 103; i++) await player.make(`${path}/inventory`, { name: `Thing ${i}` })
  const { inventory, inventory_total } = (await player.get(`${path}?include=inventory`)).body as unknown as Sheet
  assert.equal(inventory_total, 103)
  assert.deepEqual(
    inventory?.map(({ name }) => name),
    Array.from({ length: 100 }, (_, i) => `Thing ${i}`),
  )
})
