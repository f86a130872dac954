import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { bothWorlds, isTakenBy, masked, reads, sharedWorlds, VIEWERS, WORD, type World } from './worlds.ts'

// A campaign that is played by a ruleset, as users read it who may not see its secrets: sheets, costs, rolls and experience follow from values that they see.

const QUERIES = [
  '',
  'include=sheet',
  'include=sheet,inventory,notes',
  'include=sheet,trackers,experience,rolls,player',
  'include=sheet&sort=name&limit=1&offset=1',
  'include=sheet&type=NPC',
  'include=sheet&archived=true',
  'include=members,characters,trackers,experience,latest_chapter,rolls',
  'trait=nerve&to=9',
  'trait=hunted&to=3',
  'kind=GAIN',
  'code=kraken',
  'code=calm',
  `q=${WORD}`,
  'limit=100',
]

test('every read of a ruled campaign gives the same reply with and without secrets', async () => {
  const { worlds, keys } = await sharedWorlds()
  const ops = reads.filter(({ params }) => params.some(({ name }) => ['campaign_id', 'ruleset_id', 'roll_id'].includes(name)))
  let compared = 0
  for (const op of ops) {
    const characters = op.params.some(({ name }) => name === 'character_id') ? [0, 1, 2, 3] : [0]
    for (const i of characters)
      for (const query of QUERIES.filter((query) => isTakenBy(op, query)))
        for (const viewer of VIEWERS) {
          if (viewer === 'nobody' && op.actor === 'path') continue
          const path = ({ params, ruled }: World, user_id: string) => {
            const { campaign_id, ruleset_id, version_id, roll_id, ids } = ruled
            const ofRuled = { campaign_id, ruleset_id, version_id, roll_id, character_id: ids[i] as string, roll: 'dare' }
            const key = characters.length === 1 ? 'tide' : i % 2 ? 'health' : 'dread'
            const filled = { ...params, ...ofRuled, key, user_id, note_id: randomUUID(), item_id: randomUUID() }
            return `/api/v1${op.fill((name) => filled[name as 'user_id'])}${query && `?${query}`}`
          }
          const [without, withSecrets] = await bothWorlds(worlds, keys, viewer, path)
          const read = `${op.id}?${query} of character ${i} as ${viewer}`
          assert.equal(masked(withSecrets), masked(without), read)
          if (withSecrets.status !== 200) continue
          compared++
          assert.ok(!withSecrets.text.includes(WORD), read)
        }
  }
  assert.ok(compared > 300, `only ${compared} replies were compared`)
})

test('storytellers see the secrets of a ruled campaign', async () => {
  const { worlds } = await sharedWorlds()
  const sheets = []
  for (const { teller, ruled } of worlds) {
    const { items } = (await teller.get(`${ruled.R}/characters?include=sheet`)).body as unknown as {
      items: { name: string; sheet: { derived: { grit: number }; faults: object[] } }[]
    }
    sheets.push(items.map(({ name, sheet }) => [name, sheet.derived.grit, sheet.faults.length]))
  }
  assert.deepEqual(sheets[0]?.length, 4)
  assert.deepEqual(sheets[1]?.length, 5)
  assert.notDeepEqual(sheets[1]?.[0], sheets[0]?.[0])
})

test('the odds and the price that a player is told follow from what they see', async () => {
  const { worlds } = await sharedWorlds()
  const told = []
  for (const { player, ruled } of worlds) {
    const H = `${ruled.R}/characters/${ruled.ids[0]}`
    const odds = await player.post(`${H}/rolls/dare/odds`, { spends: { push: 1 } })
    const rolled = await player.post(`${H}/rolls/dare`, {})
    const raise = { reason: 'Learned', character_id: ruled.ids[0], trait: { name: 'nerve', to: 5 } }
    const spent = await player.post(`${ruled.R}/experience/spends`, raise)
    assert.deepEqual([odds.status, rolled.status, spent.status], [200, 201, 201])
    told.push([odds, rolled, spent].map(masked))
  }
  assert.deepEqual(told[1], told[0])
  assert.match(String(told[0]), /"code":"calm"/)
})
