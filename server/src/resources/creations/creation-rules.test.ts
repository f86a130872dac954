import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Answer, assertProblem } from '../../../test/harness.ts'
import { assertConflict, faultsOf } from '../../../test/problems.ts'
import { newTableToRule } from '../../../test/ruled-table.ts'

const GAME = {
  format: 1,
  name: 'Coast',
  source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
  groups: { stats: { min: 0, max: 100, default: 10 } },
  traits: { might: { group: 'stats' }, wits: { group: 'stats' } },
}
const POINTS = { id: 'stats', kind: 'points', of: 'stats', budget: 12 }

interface Created {
  id: string
  steps: { done: boolean; rolled: { values: number[] } | null }[]
  sheet: { traits: Record<string, number>; choices: Record<string, string> }
  faults: string[]
}

function doneOf(answer: Answer, status = 200): Created {
  assert.equal(answer.status, status, answer.text)
  return answer.body as never as Created
}

async function newStart(document: object, body: object = {}) {
  const table = await newTableToRule()
  await table.play(document)
  const all = `${table.C}/creations`
  const { id } = doneOf(await table.player.post(all, body), 201)
  return { ...table, all, path: `${all}/${id}` }
}

test('a trait that an answer leaves out has the value that it was paid for', async () => {
  const { player, path, C } = await newStart({ ...GAME, creation: { steps: [POINTS] } })
  assert.deepEqual(faultsOf(await player.put(`${path}/steps/stats`, { answer: { might: 12, wits: 10 } })), ['answer costs 22 of 12'])
  assert.deepEqual(doneOf(await player.put(`${path}/steps/stats`, { answer: { might: 12 } })).sheet.traits, { might: 12, wits: 0 })
  const { id } = doneOf(await player.post(`${path}/finish`, { name: 'Ida' }), 201)
  assert.deepEqual((await player.get(`${C}/characters/${id}`)).body.traits, { might: 12, wits: 0 })

  // What an earlier step gave is not kept beside the points.
  const steps = [{ id: 'first', kind: 'array', of: 'stats', values: [20, 1] }, POINTS]
  const both = await newStart({ ...GAME, creation: { steps } })
  doneOf(await both.player.put(`${both.path}/steps/first`, { answer: { might: 20, wits: 1 } }))
  assert.deepEqual(doneOf(await both.player.put(`${both.path}/steps/stats`, { answer: { wits: 5 } })).sheet.traits, { might: 0, wits: 5 })
})

test('whoever is no storyteller any more sees neither the creation of an NPC nor the NPC', async () => {
  const { play, teller, player, person, C } = await newTableToRule()
  const helper = await person('STORYTELLER', 'Helper')
  await play({ ...GAME, creation: { steps: [POINTS] } })
  const all = `${C}/creations`
  assert.deepEqual(faultsOf(await teller.post(all, { type: 'NPC', user_id: player.id })), [
    'user_id must be the acting user, or left out, because an NPC has no player',
  ])
  await teller.put(`${C}/members/${helper.id}`, { role: 'STORYTELLER' })
  const { id } = doneOf(await helper.post(all, { type: 'NPC' }), 201)
  const [random, finish] = [randomUUID(), randomUUID()]
  const answer = () => helper.post(`${all}/${id}/random`, {}, { 'idempotency-key': random })
  const complete = () => helper.post(`${all}/${id}/finish`, { name: 'Secret', visibility: 'STORYTELLER' }, { 'idempotency-key': finish })
  doneOf(await answer())
  const npc = doneOf(await complete(), 201)
  doneOf(await complete(), 201)
  await teller.put(`${C}/members/${helper.id}`, { role: 'PLAYER' })
  for (const reply of [
    await helper.get(`${C}/characters/${npc.id}`),
    await helper.get(`${all}/${id}`),
    await answer(),
    await complete(),
    await helper.delete(`${all}/${id}`),
  ])
    assertProblem(reply, 404)
  assert.equal((await helper.get(all)).body.total, 0)
  assert.equal((await teller.get(all)).body.total, 1)
})

test('a step with several ways is answered in one of them', async () => {
  const choices = { a: { options: { x: {}, z: {} } }, b: { options: { y: {} } } }
  const way = (slot: string) => ({ kind: 'choose', slot })
  const { play, player, teller, C } = await newTableToRule()
  await play({ ...GAME, choices, creation: { steps: [{ id: 'who', any: [way('a'), way('b')] }] } })
  assert.deepEqual(faultsOf(await player.post(`${C}/creations`, { choices: { a: 'x', b: 'y' } })), [
    'choices.b must be left out: the step who has another answer already',
  ])
  await play({ ...GAME, choices, creation: { steps: [{ id: 'who', any: [way('a'), { ...POINTS, id: undefined }] }] } })
  const { body } = await teller.post(`${C}/characters/generate`, { count: 10, choices: { a: 'x' } })
  for (const { traits } of body.items as never as { traits: object }[]) assert.deepEqual(traits, {})
})

test('creations know danger and the trackers of the campaign', async () => {
  const checks = [{ that: 'might + wits <= 10 - campaign.danger', message: 'Too dangerous.' }]
  const { player, teller, path, C } = await newStart({ ...GAME, checks, creation: { steps: [POINTS] } })
  assert.deepEqual(doneOf(await player.put(`${path}/steps/stats`, { answer: { might: 8 } })).faults, [])
  assert.equal((await teller.post(`${C}/adjust`, { danger: 5 })).status, 200)
  assert.deepEqual(doneOf(await player.get(path)).faults, ['Too dangerous.'])
  const refused = await player.post(`${path}/finish`, { name: 'Bold' })
  assertConflict(refused, 'creation_unfinished', 'The sheet breaks a rule: Too dangerous.')
  doneOf(await player.put(`${path}/steps/stats`, { answer: { might: 5 } }))
  doneOf(await player.post(`${path}/finish`, { name: 'Careful' }), 201)
})

test('random answers choose what is required, and many dice are rolled in several groups', async () => {
  const traits = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`trait_${i}`, { group: 'wide' }]))
  const document = {
    ...GAME,
    groups: { wide: { min: 100, max: 600 } },
    traits,
    choices: { job: { required: true, options: { cook: {} } } },
    creation: { steps: [{ id: 'many', kind: 'dice', of: 'wide', dice: '100d6' }] },
  }
  const { player, path } = await newStart(document)
  const filled = doneOf(await player.post(`${path}/random`, {}))
  assert.deepEqual([filled.sheet.choices, filled.faults, filled.steps[0]?.rolled?.values.length], [{ job: 'cook' }, [], 11])
  doneOf(await player.post(`${path}/finish`, { name: 'Cook' }), 201)
})

test('a dry run for somebody of another company is refused like the real request', async () => {
  const { play, teller, C } = await newTableToRule()
  await play({ ...GAME, creation: { steps: [POINTS] } })
  for (const dry_run of [true, false])
    assertProblem(await teller.post(`${C}/characters/generate`, { type: 'PLAYER', user_id: randomUUID(), dry_run }), 404)
})

test('a character has as many traits as a ruleset may define', async () => {
  const traits = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`trait_${i}`, { group: 'stats' }]))
  const points = { id: 'stats', kind: 'points', of: 'stats', budget: 1200, min: 2 }
  const document = { ...GAME, groups: { stats: { min: 0, max: 9, default: 1 } }, traits, creation: { steps: [points] } }
  const { player, path, C } = await newStart(document)
  doneOf(await player.post(`${path}/random`, {}))
  const { id } = doneOf(await player.post(`${path}/finish`, { name: 'Legion' }), 201)
  const H = `${C}/characters/${id}`
  const stored = (await player.get(H)).body.traits as Record<string, number>
  assert.equal(Object.values(stored).filter((value) => value > 1).length, 500)
  const patched = await player.patch(H, { traits: Object.fromEntries(Object.keys(traits).map((name) => [name, 3])) })
  assert.equal(patched.status, 200, patched.text)
  assert.deepEqual(faultsOf(await player.patch(H, { traits: { other: 1 } })), ['traits must have at most 500 traits in total'])
  assert.equal((await player.patch(H, { name: 'Legend' })).status, 200)
})
