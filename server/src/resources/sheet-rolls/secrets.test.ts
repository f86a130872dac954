import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Person } from '../../../test/game-table.ts'
import { type Answer, assertProblem, db } from '../../../test/harness.ts'
import { newRuledTable, type Ruled, ruledOf } from '../../../test/ruled-table.ts'
import { sql } from '../../db/sql.ts'

const game = (rolls: object) => ({
  format: 1,
  name: 'Coast',
  source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
  groups: { stats: { min: 0, max: 9 } },
  traits: { nerve: { group: 'stats' }, wits: { group: 'stats' } },
  derived: { courage: { formula: 'nerve + doom' } },
  trackers: { doom: { max: 10, start: 0 }, tide: { scope: 'campaign', max: 10, start: 0 } },
  rolls,
})
const OUTCOMES = [{ when: 'score >= 1', code: 'kraken', label: 'The kraken wakes', outcome: 'CRITICAL' }, { code: 'never' }]
const GAME = game({
  dare: { inputs: { with: { trait: 'stats' } }, dice: { all: '1d6' }, score: 'total + with', margin: 'score - 3', outcomes: OUTCOMES },
  drown: { dice: { all: '1d6' }, score: 'total + courage', outcomes: OUTCOMES },
  sail: { dice: { all: '1d6' }, score: 'total + campaign.tide', outcomes: OUTCOMES },
})
const SECRETS = /kraken|Kraken|CRITICAL/

const verdict = ({ score, margin, code, label }: Ruled) => [score, margin, code, label]
const reasonOf = ({ body }: Answer) => (body as unknown as { reason: string }).reason
const rollsOf = async (person: Person) => (await person.get('/dice-rolls')).body.items as unknown as { id: string; ruleset: Ruled }[]

test('nobody but the storytellers sees the result of a BLIND roll, wherever they look', async () => {
  const { player, teller, other, admin, C, H } = await newRuledTable(GAME, { traits: { nerve: 4 } })
  const statistics = () => Promise.all([`${C}/statistics`, `${H}/statistics`].map(async (path) => (await player.get(path)).text))
  const before = await statistics()
  const rolled = await player.post(`${H}/rolls/dare`, { inputs: { with: 'nerve' }, visibility: 'BLIND' })
  assert.equal(rolled.status, 201, rolled.text)
  assert.deepEqual(await statistics(), before)
  assert.deepEqual(verdict(ruledOf(rolled)), [null, null, null, null])
  assert.deepEqual([rolled.body.margin, rolled.body.outcome, rolled.body.total, rolled.body.dice], [null, null, null, []])
  assert.equal(ruledOf(rolled).values.nerve, 4)
  assert.doesNotMatch(rolled.text, SECRETS)
  const { id } = rolled.body
  for (const person of [player, other]) {
    assertProblem(await person.get(`/dice-rolls/${id}`), 404)
    for (const path of ['/dice-rolls', '/dice-rolls?code=kraken', '/changes', `${H}/history`]) {
      const seen = await person.get(path)
      assert.equal(seen.status, 200, seen.text)
      assert.doesNotMatch(seen.text, SECRETS, path)
    }
    assert.equal((await person.get('/dice-rolls?code=kraken')).body.total, 0)
  }
  for (const person of [teller, admin]) {
    const { ruleset } = (await person.get(`/dice-rolls/${id}`)).body as unknown as { ruleset: Ruled }
    assert.deepEqual([ruleset.code, ruleset.label], ['kraken', 'The kraken wakes'])
    assert.equal((await person.get('/dice-rolls?code=kraken')).body.total, 1)
  }
  const events = await db.query<{ changes: object }>(sql`SELECT changes FROM events WHERE resource_id = ${id}`)
  assert.equal(events.length, 1)
  assert.doesNotMatch(JSON.stringify(events), SECRETS)
  const told = await teller.post(`${H}/rolls/dare`, { inputs: { with: 'nerve' }, visibility: 'BLIND' })
  assert.equal(ruledOf(told).code, 'kraken')
  const secret = await player.post(`${H}/rolls/dare`, { inputs: { with: 'nerve' }, visibility: 'STORYTELLER' })
  assert.equal(ruledOf(secret).code, 'kraken')
  assert.deepEqual(
    (await rollsOf(player)).map((one) => one.id),
    [secret.body.id],
  )
  assert.deepEqual(await rollsOf(other), [])
})

test('answers and values are hidden with the sheet, and the result is not', async () => {
  const { player, teller, other, H } = await newRuledTable(GAME, { traits: { nerve: 4 }, sheet_visibility: 'PLAYER' })
  const rolled = await player.post(`${H}/rolls/dare`, { inputs: { with: 'nerve' } })
  assert.deepEqual(ruledOf(rolled).values, { nerve: 4 })
  const { id } = rolled.body
  for (const person of [player, teller]) assert.deepEqual((await person.get(`/dice-rolls/${id}`)).body, rolled.body)
  const seen = await other.get(`/dice-rolls/${id}`)
  assert.deepEqual(ruledOf(seen), { ...ruledOf(rolled), inputs: {}, values: {}, choices: {} })
  assert.deepEqual([seen.body.notation, seen.body.values, seen.body.total], [null, [], rolled.body.total])
  assert.doesNotMatch(seen.text, /nerve/)
  for (const path of ['/dice-rolls', '/changes']) assert.doesNotMatch((await other.get(path)).text, /nerve/)
  const events = await db.query<{ changes: object }>(sql`SELECT changes FROM events WHERE resource_id = ${id}`)
  assert.doesNotMatch(JSON.stringify(events), /nerve/)
  for (const reply of [
    await other.get(`${H}/rolls`),
    await other.post(`${H}/rolls/dare`, {}),
    await other.post(`${H}/rolls/dare/odds`, {}),
  ])
    assertProblem(reply, 404)
  await teller.patch(H, { sheet_visibility: 'STORYTELLER' })
  assert.deepEqual(ruledOf(await player.get(`/dice-rolls/${id}`)).values, {})
  for (const reply of [await player.get(`${H}/rolls`), await player.post(`${H}/rolls/dare`, {})]) assertProblem(reply, 404)
})

test('a stored reply is not replayed to a player from whom the sheet was hidden', async () => {
  const { player, teller, H } = await newRuledTable(GAME, { traits: { nerve: 4 } })
  const headers = { 'idempotency-key': 'one-roll' }
  const send = () => player.post(`${H}/rolls/dare`, { inputs: { with: 'nerve' } }, headers)
  const first = await send()
  assert.deepEqual((await send()).body, first.body)
  await teller.patch(H, { sheet_visibility: 'STORYTELLER' })
  assertProblem(await send(), 404)
})

test('a hidden NPC is rolled for in secret, by storytellers', async () => {
  const { player, teller, C } = await newRuledTable(GAME)
  const npc = `${C}/characters/${await teller.make(`${C}/characters`, { name: 'Ghoul', type: 'NPC', visibility: 'STORYTELLER' })}`
  const roll = (visibility: string) => teller.post(`${npc}/rolls/dare`, { inputs: { with: 'wits' }, visibility })
  const refused = await roll('PUBLIC')
  assertProblem(refused, 400)
  assert.deepEqual(
    refused.body.invalid_parameters?.map(({ field }) => field),
    ['visibility'],
  )
  assert.equal((await roll('STORYTELLER')).status, 201)
  assertProblem(await player.post(`${npc}/rolls/dare`, { inputs: { with: 'wits' } }), 404)
  const open = `${C}/characters/${await teller.make(`${C}/characters`, { name: 'Guard', type: 'NPC' })}`
  const denied = await player.post(`${open}/rolls/dare`, { inputs: { with: 'wits' } })
  assertProblem(denied, 403)
  assert.equal(reasonOf(denied), 'not_your_character')
})

test('formulas read only what the roller sees, and a public roll only what everybody sees', async () => {
  const { player, teller, C, H, nonceOf } = await newRuledTable(GAME, { traits: { nerve: 1 } })
  const hide = async (path: string, visibility: string) => {
    assert.equal((await teller.patch(path, { visibility })).status, 200)
    assert.equal((await teller.post(`${path}/adjust`, { to: 5 })).status, 200)
  }
  await hide(`${H}/trackers/doom`, 'NAME_ONLY')
  await hide(`${C}/trackers/tide`, 'STORYTELLER')
  for (const [roll, name, unseen] of [
    ['drown', 'courage', 1],
    ['sail', 'campaign.tide', 0],
  ] as const) {
    assert.equal(ruledOf(await player.post(`${H}/rolls/${roll}`, {})).values[name], unseen)
    const lowest = async (person: Person) =>
      ((await person.post(`${H}/rolls/${roll}/odds`, {})).body as unknown as { scores: { score: number }[] }).scores[0]?.score
    assert.deepEqual([await lowest(player), await lowest(teller)], [unseen + 1, unseen + 6])
    const before = await nonceOf()
    const refused = await teller.post(`${H}/rolls/${roll}`, {})
    assertProblem(refused, 400)
    assert.match(refused.text, new RegExp(`not everybody sees ${name}`))
    assert.equal(await nonceOf(), before)
    const secret = await teller.post(`${H}/rolls/${roll}`, { visibility: 'STORYTELLER' })
    assert.equal(ruledOf(secret).values[name], unseen + 5)
  }
  assert.equal((await teller.post(`${H}/rolls/dare`, { inputs: { with: 'nerve' } })).status, 201)
})
