import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Person } from '../../../test/game-table.ts'
import { newGameTable } from '../../../test/game-table.ts'
import { assertProblem } from '../../../test/harness.ts'
import { recordedApp, statementsOf } from '../../../test/recorded.ts'
import { newRuledTable } from '../../../test/ruled-table.ts'

const GAME = {
  format: 1,
  name: 'Coast',
  source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
  groups: { stats: { min: 0, max: 5 } },
  traits: { nerve: { group: 'stats' }, body: { group: 'stats', default: 1 } },
  derived: { grit: { formula: 'nerve + body + campaign.danger + xp.earned + tide * 10 - wounded * 2 - health * 100' } },
  choices: { job: { required: true, options: { sailor: {}, cook: {} } } },
  trackers: { health: { max: 'body + 5' }, tide: { scope: 'campaign', max: 10, start: 0 } },
  conditions: { wounded: { most: 3 } },
}

interface Ruled {
  id: string
  name: string
  sheet: { derived: { grit: number }; faults: object[] } | null
}

/** Makes characters with open, hidden and partly hidden sheets. */
async function newCast(experience_per: 'USER' | 'CHARACTER') {
  const table = await newRuledTable(GAME, { traits: { nerve: 2 }, choices: { job: 'sailor' } })
  const { teller, player, other, C, H } = table
  assert.equal((await teller.patch(C, { experience_per })).status, 200)
  await player.put(`${H}/conditions/wounded`, { level: 2 })
  const masked = await other.make(`${C}/characters`, { name: 'Masked', sheet_visibility: 'PLAYER', traits: { nerve: 9 } })
  const cursed = await teller.make(`${C}/characters`, { name: 'Cursed', user_id: other.id, sheet_visibility: 'STORYTELLER' })
  const npc = await teller.make(`${C}/characters`, { name: 'NPC', type: 'NPC' })
  await teller.make(`${C}/characters`, { name: 'Ghoul', type: 'NPC', visibility: 'STORYTELLER' })
  const move = async (path: string, to: number, visibility: string) => {
    assert.equal((await teller.patch(path, { visibility })).status, 200)
    assert.equal((await teller.post(`${path}/adjust`, { to })).status, 200)
  }
  await move(`${C}/characters/${npc}/trackers/health`, 1, 'NAME_ONLY')
  await move(`${H}/trackers/health`, 2, 'OPEN')
  await move(`${C}/trackers/tide`, 7, 'STORYTELLER')
  const holders =
    experience_per === 'USER'
      ? [player, other].map(({ id }) => ({ user_id: id }))
      : [masked, cursed].map((character_id) => ({ character_id }))
  await teller.make(`${C}/experience/awards`, {
    reason: 'Play',
    awards: holders.map((holder, i) => ({ ...holder, amount: 1000 * (i + 1) })),
  })
  return { ...table, masked, cursed, npc }
}

const listed = async (person: Person, C: string, query = '') => {
  const { status, body, text } = await person.get(`${C}/characters?include=sheet&limit=20${query}`)
  assert.equal(status, 200, text)
  return body.items as unknown as Ruled[]
}

for (const experience_per of ['USER', 'CHARACTER'] as const)
  test(`a list has the sheets of the single characters, for every reader, with experience per ${experience_per}`, async () => {
    const { C, player, other, teller, admin, stranger } = await newCast(experience_per)
    const seen = []
    for (const person of [player, other, teller, admin, stranger]) {
      const items = await listed(person, C)
      for (const { id, sheet } of items) {
        const single = (await person.get(`${C}/characters/${id}?include=sheet`)).body as unknown as Ruled
        assert.deepEqual(sheet, single.sheet)
      }
      seen.push(items.map(({ name, sheet }) => `${name} ${sheet ? sheet.derived.grit : null}`).join(', '))
    }
    const perUser = experience_per === 'USER'
    // Players see neither the tide nor the health of the NPC, and the experience of others only without a hidden sheet.
    assert.deepEqual(seen, [
      `Mina ${perUser ? 799 : -201}, Masked null, Cursed null, NPC -599`,
      `Mina ${perUser ? 799 : -201}, Masked ${perUser ? 1410 : 410}, Cursed null, NPC -599`,
      ...Array(2).fill(
        perUser ? 'Mina 869, Masked 1480, Cursed 1471, NPC -29, Ghoul -529' : 'Mina -131, Masked 480, Cursed 1471, NPC -29, Ghoul -529',
      ),
      `Mina ${perUser ? 799 : -201}, Masked null, Cursed null, NPC -599`,
    ])
  })

test('a list with sheets takes the other parts, filters and cursors, and archived characters', async () => {
  const { C, teller, player, npc, H } = await newCast('USER')
  await player.make(`${H}/inventory`, { name: 'Lantern' })
  const whole = await listed(player, C, '&sort=name')
  const [both] = (await player.get(`${C}/characters?include=notes,sheet,inventory&player_id=${player.id}`)).body.items as unknown as [
    Ruled & { inventory_total: number; notes: [] },
  ]
  assert.deepEqual([both.inventory_total, both.notes], [1, []])
  assert.deepEqual(both.sheet, whole.find(({ id }) => id === both.id)?.sheet)
  const walked: Ruled[] = []
  for (let after = ''; after !== 'null'; ) {
    const { body } = await player.get(`${C}/characters?include=sheet&sort=name&limit=1${after && `&after=${after}`}`)
    walked.push(...(body.items as unknown as Ruled[]))
    after = String(body.next_cursor)
  }
  assert.deepEqual(walked, whole)
  assert.deepEqual((await player.get(`${C}/characters?include=sheet&limit=0`)).body.items, [])
  const before = (await listed(teller, C, '&type=NPC')).find(({ id }) => id === npc)
  assert.equal((await teller.delete(`${C}/characters/${npc}`)).status, 204)
  const [archived] = await listed(teller, C, '&archived=true')
  assert.deepEqual([archived?.id, archived?.sheet], [npc, before?.sheet])
})

test('a page with sheets is limited, and says so', async () => {
  const { C, player } = await newCast('USER')
  const refused = await player.get(`${C}/characters?include=sheet,notes&limit=21`)
  assertProblem(refused, 400)
  assert.deepEqual(refused.body.invalid_parameters, [{ field: 'limit', message: 'must be at most 20 with include=sheet' }])
  const both = await player.get(`${C}/characters?include=trackers,sheet&limit=11`)
  assert.equal(both.body.invalid_parameters[0]?.message, 'must be at most 10 with include=sheet,trackers', both.text)
  for (const page of ['trackers,sheet&limit=10', 'trackers,experience&limit=20', 'notes&limit=100'])
    assert.equal((await player.get(`${C}/characters?include=${page}`)).status, 200)
})

test('without a ruleset there is no sheet, in a list as on a single character', async () => {
  const { C, player } = await newGameTable()
  const id = await player.make(`${C}/characters`, { name: 'Hero' })
  assert.deepEqual(
    (await listed(player, C)).map(({ sheet }) => sheet),
    [null],
  )
  assert.equal(((await player.get(`${C}/characters/${id}?include=sheet`)).body as unknown as Ruled).sheet, null)
})

test('sheets take no further statement', async () => {
  const { C, H, player } = await newCast('USER')
  for (const path of [`${C}/characters?include=sheet`, `${H}?include=sheet`]) {
    const read = () => player.get(path, undefined, {}, recordedApp)
    // The first read identifies the caller, and compiles the ruleset.
    await read()
    const { answer, sent } = await statementsOf(read)
    assert.deepEqual([answer.status, sent.length], [200, 1], answer.text)
  }
})
