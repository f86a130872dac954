import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable } from '../../../test/game-table.ts'
import { assertProblem } from '../../../test/harness.ts'
import { recordedApp, statementsOf } from '../../../test/recorded.ts'
import type { DiceRoll } from './schema.ts'

const messageOf = (reply: { body: Record<string, unknown> }) => JSON.stringify(reply.body.invalid_parameters)

test('notation reads traits, trackers and inputs, and the roll stores them with the resolved notation', async () => {
  const { player, teller, C } = await newGameTable()
  const hero = await player.make(`${C}/characters`, { name: 'Tora', traits: { str_mod: 3, dex_mod: -1, bonus: 9 } })
  await player.put(`${C}/characters/${hero}/trackers/hp`, { label: 'Hit points', value: 12, maximum: 31 })
  await teller.put(`${C}/trackers/doom`, { label: 'Doom', value: 2, maximum: 6 })
  const body = { notation: '2d20kh1+{str_mod}+{dex_mod} + {hp} - {hp.max} + {doom}*{bonus}', values: { bonus: 2 }, character_id: hero }
  const made = (await player.post('/dice-rolls', body)).body as unknown as DiceRoll
  assert.equal(made.notation, '2d20kh1+3-1 + 12 - 31 + 2*2')
  assert.equal(made.formula, body.notation)
  assert.deepEqual(made.values, [
    { name: 'str_mod', value: 3, source: 'TRAIT' },
    { name: 'dex_mod', value: -1, source: 'TRAIT' },
    { name: 'hp', value: 12, source: 'TRACKER' },
    { name: 'hp.max', value: 31, source: 'TRACKER' },
    { name: 'doom', value: 2, source: 'TRACKER' },
    { name: 'bonus', value: 2, source: 'INPUT' },
  ])
  const kept = made.dice.find(({ flags }) => flags.includes('kept'))?.value as number
  assert.equal(made.total, kept + 3 - 1 + 12 - 31 + 4)
  assert.deepEqual(
    made.terms.map(({ notation, sign, subtotal }) => `${sign}${notation}=${subtotal}`),
    [`+2d20kh1=${kept}`, '+3=3', '-1=1', '+12=12', '-31=31', '+2*2=4'],
  )
  assert.match(made.text, /^Tora: 2d20kh1\+3-1 \+ 12 - 31 \+ 2\*2: \[[~\d ]+\]\+3-1 \+ 12 - 31 \+ 2\*2 = -?\d+$/)
  assert.deepEqual((await player.get(`/dice-rolls/${made.id}`)).body, made)
})

test('an unknown name is rejected with the nearest names that the roller may see, in notation and in pools', async () => {
  const { player, teller, C } = await newGameTable()
  const hero = await player.make(`${C}/characters`, { name: 'Crane', traits: { persuasion: 3, perception: 2 } })
  await teller.put(`${C}/trackers/persuasive_doom`, { label: 'x', value: 1, visibility: 'STORYTELLER' })
  await teller.put(`${C}/trackers/persuasions`, { label: 'x', value: 1, visibility: 'NAME_ONLY' })
  for (const body of [{ notation: '1d20+{persausion}' }, { pool: { traits: ['persausion'] } }]) {
    const reply = await player.post('/dice-rolls', { ...body, character_id: hero })
    assertProblem(reply, 400)
    assert.match(messageOf(reply), /unknown name persausion\. Did you mean persuasion, perception\?/)
    assert.doesNotMatch(messageOf(reply), /doom|persuasions/, 'hidden trackers are not suggested')
  }
  for (const name of ['persuasive_doom', 'persuasions'])
    assertProblem(await player.post('/dice-rolls', { notation: `1d20+{${name}}`, character_id: hero }), 400)
  const zero = (await player.post('/dice-rolls', { notation: '7+{magic}', missing: 'ZERO', character_id: hero }))
    .body as unknown as DiceRoll
  assert.deepEqual([zero.total, zero.values], [7, [{ name: 'magic', value: 0, source: 'MISSING' }]])
  for (const [notation, message] of [
    ['1d20+{}', /a name is missing/],
    ['1d20+{Strength}', /snake_case/],
    ['1d20+{a', /not closed/],
    ['{minus}d6', /0 or more/],
    ['{none}d6', /at least one die/],
  ] as const) {
    const reply = await player.post('/dice-rolls', { notation, values: { minus: -1, none: 0 }, character_id: hero })
    assertProblem(reply, 400)
    assert.match(messageOf(reply), message)
  }
  const alone = await player.post('/dice-rolls', { notation: '1d20+{persuasion}' })
  assert.match(messageOf(alone), /"character_id","message":"is required for persuasion/)
  assert.equal((await player.post('/dice-rolls', { notation: '1d20+{bonus}', values: { bonus: 2 } })).status, 201)
})

test('a public roll does not use a tracker that players do not see', async () => {
  const { player, teller, C, campaign_id } = await newGameTable()
  await teller.put(`${C}/trackers/doom`, { label: 'Doom', value: 4, visibility: 'STORYTELLER' })
  // Every object has something of this name.
  await teller.put(`${C}/trackers/constructor`, { label: 'Builder', value: 4, visibility: 'STORYTELLER' })
  assertProblem(await teller.post('/dice-rolls', { notation: '1d6+{constructor}', campaign_id }), 400)
  const body = { notation: '1d6+{doom}', campaign_id }
  const open = await teller.post('/dice-rolls', body)
  assertProblem(open, 400)
  assert.match(messageOf(open), /must be STORYTELLER or BLIND: not everybody sees doom/)
  assert.equal((await teller.post('/dice-rolls', { ...body, visibility: 'STORYTELLER' })).status, 201)
  assertProblem(await player.post('/dice-rolls', { ...body, visibility: 'STORYTELLER' }), 400)
})

test('users who do not see the sheet see the dice and the result, and no value of the sheet', async () => {
  const { player, other, teller, C } = await newGameTable()
  const traits = { str_mod: 3, prof: 2 }
  const hero = await player.make(`${C}/characters`, { name: 'Tora', traits, sheet_visibility: 'PLAYER' })
  const body = { notation: '1d20+{str_mod}*{prof}+{luck}', values: { luck: 5 }, target: 10, comment: 'Climb', character_id: hero }
  const made = (await player.post('/dice-rolls', body)).body as unknown as DiceRoll
  const seen = (await other.get(`/dice-rolls/${made.id}`)).body as unknown as DiceRoll
  const die = made.dice[0]?.value
  assert.deepEqual([seen.notation, seen.formula, seen.values, seen.terms], [null, null, [], []])
  assert.deepEqual([seen.total, seen.outcome, seen.dice[0]?.value], [made.total, made.outcome, die])
  assert.equal(seen.text, `Tora (Climb): ${die} … = ${made.total} against 10, ${made.outcome}`)
  assert.deepEqual((await teller.get(`/dice-rolls/${made.id}`)).body, made)
})

test('a roll with two traits takes as many statements as one without, and one with trackers takes one more', async () => {
  const { player, C } = await newGameTable()
  const hero = await player.make(`${C}/characters`, { name: 'Tora', traits: { str_mod: 3, prof: 2 } })
  await player.put(`${C}/characters/${hero}/trackers/hp`, { label: 'HP', value: 5 })
  const count = async (body: object) => {
    const send = () => player.post('/dice-rolls', { ...body, character_id: hero }, {}, recordedApp)
    const { answer, sent } = await statementsOf(send)
    assert.equal(answer.status, 201, answer.text)
    return sent.length
  }
  await count({ notation: '1d20' })
  const plain = await count({ notation: '1d20' })
  assert.equal(await count({ notation: '1d20+{str_mod}+{prof}' }), plain)
  assert.equal(await count({ pool: { traits: ['str_mod', 'prof'] } }), plain)
  assert.equal(await count({ notation: '1d20+{str_mod}+{hp}+{hp}' }), plain + 1)
  assert.equal(await count({ pool: { traits: ['str_mod', 'hp'] } }), plain + 1)
})
