import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { type Person, twoApps } from '../../../test/game-table.ts'
import { type Answer, assertProblem, call, write } from '../../../test/harness.ts'
import { assertConflict, faultsOf } from '../../../test/problems.ts'
import { newTableToRule } from '../../../test/ruled-table.ts'

interface Step {
  id: string
  done: boolean
  methods: { kind: string }[]
  method: string | null
  rolled: { values: number[]; roll_ids: string[] } | null
  answer: unknown
  faults: string[]
}
interface Creation {
  id: string
  version_id: string
  user_id: string
  type: string
  status: string
  character_id: string | null
  steps: Step[]
  sheet: { traits: Record<string, number>; choices: Record<string, string> }
  faults: string[]
}

function creationOf(answer: Answer, status = 200): Creation {
  assert.equal(answer.status, status, answer.text)
  return answer.body as never as Creation
}

const stepIn = ({ steps }: Creation, id: string) => steps.find((step) => step.id === id) as Step

async function newCreation(pack: string, body: object = {}) {
  const table = await newTableToRule()
  const { version_id } = await table.play(pack)
  const all = `${table.C}/creations`
  const started = creationOf(await table.player.post(all, body), 201)
  const path = `${all}/${started.id}`
  const answer = (step: string, sent: object, as: Person = table.player) => as.put(`${path}/steps/${step}`, sent)
  return { ...table, version_id, all, started, path, answer }
}

const SKILLS = [3, 3, 2, 2, 2, 1, 1, 1, 0, 0, 0, 0]

test('a character of the d10 pool is created step by step', async () => {
  const { player, started, version_id, path, answer, C, base, key } = await newCreation('d10-pool')
  assert.deepEqual([started.version_id, started.user_id, started.type, started.status], [version_id, player.id, 'PLAYER', 'OPEN'])
  assert.deepEqual(
    started.steps.map(({ id, done }) => [id, done]),
    [
      ['concept', false],
      ['attributes', false],
      ['skills', false],
      ['edges', false],
    ],
  )
  assertConflict(await player.post(`${path}/finish`, { name: 'Early' }), 'creation_unfinished')
  assert.match(faultsOf(await answer('concept', { answer: 'king' }))[0] ?? '', /^answer must be one of /)
  assert.deepEqual(faultsOf(await answer('concept', { answer: { might: 1 } })).length, 1)
  assert.equal(stepIn(creationOf(await answer('concept', { answer: 'soldier' })), 'concept').done, true)

  const { document } = (await player.get(`${C}/ruleset`)).body as never as { document: { traits: Record<string, { group: string }> } }
  const inGroup = (group: string) => Object.keys(document.traits).filter((name) => document.traits[name]?.group === group)
  const skills = Object.fromEntries(inGroup('skills').map((name, i) => [name, SKILLS[i] as number]))
  const spent = (group: string, dots: number[]) => inGroup(group).map((name, i) => [name, 1 + (dots[i] ?? 0)])
  const attributes = Object.fromEntries([...spent('body', [3, 3, 0]), ...spent('mind', [2, 2, 0]), ...spent('bearing', [1, 1, 1])])
  assert.deepEqual(faultsOf(await answer('attributes', { answer: { ...attributes, [inGroup('mind')[0] as string]: 4 } })).length, 1)
  assert.equal(stepIn(creationOf(await answer('attributes', { answer: attributes })), 'attributes').method, 'priority')
  const skill = inGroup('skills')[0] as string
  assert.deepEqual(faultsOf(await answer('skills', { answer: { ...skills, [skill]: 2 } })), [
    'answer must be 3, 3, 2, 2, 2, 1, 1, 1, 0, 0, 0, 0, in any order',
  ])
  assert.deepEqual(faultsOf(await answer('skills', { answer: { ...skills, shoe_size: 9 } })), ['answer shoe_size is not set in this step'])
  creationOf(await answer('skills', { answer: skills }))
  const done = creationOf(await answer('edges', { method: 'points', answer: {} }))
  assert.ok(done.steps.every((step) => step.done))
  assert.deepEqual([done.sheet.traits[skill], done.sheet.choices, done.faults], [3, { concept: 'soldier' }, []])

  const finished = await player.post(`${path}/finish`, { name: 'Mina', concept: 'A soldier who reads' })
  assert.equal(finished.status, 201, finished.text)
  assert.equal(finished.headers.location, `/api/v1${base.replace('/api/v1', '')}/users/${player.id}${C}/characters/${finished.body.id}`)
  const row = (await player.get(`${C}/characters/${finished.body.id}`)).body as never as Record<string, unknown>
  assert.deepEqual([row.name, row.user_id, row.choices], ['Mina', player.id, { concept: 'soldier' }])
  assert.equal((row.traits as Record<string, number>)[skill], 3)
  const trackers = (await player.get(`${C}/characters/${finished.body.id}/trackers`)).body.items as never as { by_ruleset: boolean }[]
  assert.deepEqual([trackers.length > 0, trackers.every(({ by_ruleset }) => by_ruleset)], [true, true])
  const after = creationOf(await player.get(path))
  assert.deepEqual([after.status, after.character_id], ['FINISHED', finished.body.id])
  assertConflict(await answer('concept', { answer: 'soldier' }), 'creation_finished')
  assertConflict(await player.delete(path), 'creation_finished')
  const { items } = (await call('GET', `${base}/audit-logs?limit=100`, { key })).body as never as { items: { type: string }[] }
  const count = (type: string) => items.filter((item) => item.type === type).length
  assert.deepEqual(
    ['started', 'answered', 'finished', 'abandoned'].map((kind) => count(`creation.${kind}`)),
    [1, 4, 1, 0],
  )
})

const ABILITIES = ['strength', 'dexterity', 'constitution', 'intelligence', 'wisdom', 'charisma']
const scores = (values: number[]) => Object.fromEntries(ABILITIES.map((name, i) => [name, values[i] as number]))

test('ability scores are an array, bought, or rolled with a proof, and the dice fall once', async () => {
  const { player, path, answer, started, all } = await newCreation('srd-5.2', { choices: { class: 'fighter' } })
  assert.deepEqual([stepIn(started, 'class').done, stepIn(started, 'class').answer], [true, 'fighter'])
  assert.deepEqual(
    stepIn(started, 'abilities').methods.map(({ kind }) => kind),
    ['array', 'points', 'dice'],
  )
  const methodOf = async (sent: object) => stepIn(creationOf(await answer('abilities', sent)), 'abilities').method
  assert.equal(await methodOf({ answer: scores([8, 10, 12, 13, 14, 15]) }), 'array')
  assert.equal(await methodOf({ answer: scores([15, 15, 15, 8, 8, 8]) }), 'points')
  assert.deepEqual(faultsOf(await answer('abilities', { method: 'points', answer: scores([15, 15, 15, 9, 8, 8]) })), [
    'answer costs 28 of 27',
  ])
  assert.equal(
    faultsOf(await answer('abilities', { answer: scores([18, 18, 18, 18, 18, 18]) })).at(-1),
    'answer has no dice yet: roll them first (dice)',
  )
  assert.deepEqual(faultsOf(await answer('abilities', { method: 'priority', answer: {} })), ['method must be one of array, points, dice'])

  const many = await Promise.all(
    [0, 1, 2, 3].map((i) => player.post(`${path}/steps/abilities/roll`, undefined, {}, twoApps[i % 2] as never)),
  )
  assert.deepEqual(many.map(({ status }) => status).sort(), [200, 409, 409, 409])
  const { rolled } = stepIn(creationOf(await player.get(path)), 'abilities')
  assert.deepEqual([rolled?.values.length, rolled?.roll_ids.length], [6, 6])
  for (const [i, id] of (rolled?.roll_ids ?? []).entries()) {
    const roll = (await player.get(`/dice-rolls/${id}`)).body as never as { notation: string; total: number; campaign_id: string }
    assert.deepEqual([roll.notation, roll.total, all.includes(roll.campaign_id)], ['4d6dl1', rolled?.values[i], true])
    const proof = (await player.get(`/dice-rolls/${id}/proof`)).body as never as { words: number[]; commitment: string }
    assert.ok(proof.words.length >= 4 && proof.commitment.length === 64)
  }
  assert.equal((await player.get('/dice-rolls')).body.total, 6)
  assertConflict(await player.post(`${path}/steps/abilities/roll`), 'already_rolled')
  assertConflict(await player.post(`${path}/steps/class/roll`), 'not_rolled')
  const values = [...(rolled?.values ?? [])].reverse()
  const better = [...values.slice(1), (values[0] as number) + 1]
  assert.equal(faultsOf(await answer('abilities', { method: 'dice', answer: scores(better) })).length, 1)
  assert.equal(await methodOf({ method: 'dice', answer: scores(values) }), 'dice')
  creationOf(await player.post(`${path}/random`, {}))
  const kept = stepIn(creationOf(await player.get(path)), 'abilities')
  assert.deepEqual([kept.answer, kept.method], [scores(values), 'dice'])
  const hero = await player.post(`${path}/finish`, { name: 'Rolled' })
  assert.equal(hero.status, 201, hero.text)
})

test('random answers fill what is open, and a tier is spent last', async () => {
  const { player, path, play, C } = await newCreation('d10-pool', { choices: { concept: 'soldier' } })
  const filled = creationOf(await player.post(`${path}/random`, { steps: ['skills'] }))
  assert.deepEqual(
    filled.steps.map(({ done }) => done),
    [true, false, true, false],
  )
  const skills = stepIn(filled, 'skills').answer
  const full = creationOf(await player.post(`${path}/random`, {}))
  assert.ok(full.steps.every(({ done }) => done))
  assert.deepEqual([stepIn(full, 'skills').answer, full.faults], [skills, []])
  assert.match(faultsOf(await player.post(`${path}/random`, { steps: ['shoes'] }))[0] ?? '', /^steps has no shoes/)
  assert.deepEqual(faultsOf(await player.post(`${path}/random`, { tier: 'veteran' })), ['tier must not be sent: the ruleset has no tiers'])
  const { document } = (await player.get(`${C}/ruleset`)).body as never as { document: { creation: object } }
  await play({ ...document, creation: { ...document.creation, tiers: { veteran: 60 } } })
  assertConflict(await player.post(`${path}/random`, {}), 'ruleset_changed')
  assertConflict(await player.post(`${path}/finish`, { name: 'Late' }), 'ruleset_changed')
  creationOf(await player.get(path))
  const next = `${C}/creations/${await player.make(`${C}/creations`, {})}`
  assertConflict(await player.post(`${next}/random`, { steps: ['skills'], tier: 'veteran' }), 'creation_unfinished')
  const sum = ({ sheet }: Creation) => Object.values(sheet.traits).reduce((total, value) => total + value, 0)
  const before = creationOf(await player.post(`${next}/random`, {}))
  const veteran = creationOf(await player.post(`${next}/random`, { tier: 'veteran' }))
  assert.ok(sum(veteran) > sum(before) && veteran.steps.every(({ done }) => done))
  const hero = await player.post(`${next}/finish`, { name: 'Veteran' })
  assert.equal(hero.status, 201, hero.text)
})

test('finishing at the same time creates one character, and at most five creations are open', async () => {
  const { player, path, all, C, other } = await newCreation('fate-core')
  creationOf(await player.post(`${path}/random`, {}))
  const finishes = await Promise.all(
    Array.from({ length: 8 }, (_, i) => player.post(`${path}/finish`, { name: `Hero ${i}` }, {}, twoApps[i % 2] as never)),
  )
  assert.deepEqual(finishes.map(({ status }) => status).sort(), [201, ...Array.from({ length: 7 }, () => 409)])
  assert.equal((await player.get(`${C}/characters`)).body.total, 1)
  const starts = await Promise.all(Array.from({ length: 20 }, (_, i) => player.post(all, {}, {}, twoApps[i % 2] as never)))
  assert.deepEqual(
    [201, 409].map((status) => starts.filter((start) => start.status === status).length),
    [5, 15],
  )
  assertConflict(starts.find(({ status }) => status === 409) as Answer, 'too_many_creations')
  creationOf(await other.post(all, {}), 201)
  const open = starts.find(({ status }) => status === 201) as Answer
  assert.equal((await player.delete(`${all}/${open.body.id}`)).status, 204)
  assert.equal(creationOf(await player.get(`${all}/${open.body.id}`)).status, 'ABANDONED')
  const withStatus = async (status: string) => (await player.get(`${all}?status=${status}`)).body.total
  assert.deepEqual([await withStatus('OPEN'), await withStatus('FINISHED'), await withStatus('ABANDONED')], [4, 1, 1])
  assertProblem(await player.get(`${all}?status=open`), 400)
  assertProblem(await player.post(`${all}/${open.body.id}/random`, {}), 404)
  assertProblem(await player.delete(`${all}/${open.body.id}`), 404)
  creationOf(await player.post(all, {}), 201)
})

test('a creation is for its user and the storytellers, and gone when it expires', async () => {
  const { player, other, teller, path, all, started, C } = await newCreation('d10-pool')
  const requests = [
    () => other.get(path),
    () => other.delete(path),
    () => other.put(`${path}/steps/concept`, { answer: 'soldier' }),
    () => other.post(`${path}/steps/skills/roll`),
    () => other.post(`${path}/random`, {}),
    () => other.post(`${path}/finish`, { name: 'Stolen' }),
  ]
  for (const request of requests) assertProblem(await request(), 404)
  assert.equal((await other.get(all)).body.total, 0)
  assert.deepEqual([(await player.get(all)).body.total, (await teller.get(all)).body.total], [1, 1])
  creationOf(await teller.put(`${path}/steps/concept`, { answer: 'soldier' }))
  assertProblem(await player.post(all, { type: 'NPC' }), 403)
  assertProblem(await player.post(all, { user_id: other.id }), 403)
  const npc = creationOf(await teller.post(all, { type: 'NPC' }), 201)
  creationOf(await teller.post(`${all}/${npc.id}/random`, {}))
  const hidden = await teller.post(`${all}/${npc.id}/finish`, { name: 'Hidden', visibility: 'STORYTELLER' })
  assert.deepEqual([hidden.status, (hidden.body as never as { user_id: null }).user_id], [201, null])
  assertProblem(await player.get(`${C}/characters/${hidden.body.id}`), 404)
  assertProblem(await player.get(`${all}/${npc.id}`), 404)
  const theirs = creationOf(await teller.post(all, { user_id: other.id }), 201)
  creationOf(await other.post(`${all}/${theirs.id}/random`, {}))
  assert.equal((await teller.patch(C, { trait_changes: 'STORYTELLER' })).status, 200)
  assertProblem(await player.put(`${path}/steps/concept`, { answer: 'soldier' }), 403)
  assertProblem(await player.post(all, {}), 403)
  await write(sql`UPDATE creations SET date_expires = now() - interval '1 second' WHERE id = ${started.id}`)
  for (const person of [player, teller]) assertProblem(await person.get(path), 404)
  assertProblem(await teller.post(`${path}/random`, {}), 404)
  assert.equal((await player.get(all)).body.total, 0)
})

test('bad input is rejected', async () => {
  const { player, answer, path, all, teller, C } = await newCreation('d10-pool')
  for (const body of [
    { type: 'MONSTER' },
    { choices: { concept: 'king' } },
    { choices: { shoes: 'red' } },
    { user_id: 'me' },
    { name: 'x' },
  ])
    assertProblem(await player.post(all, body), 400)
  for (const body of [
    {},
    { answer: null },
    { answer: 3 },
    { answer: [] },
    { answer: { skill: 'high' } },
    { answer: { Skill: 1 } },
    { answer: 'x', method: 'guess' },
  ])
    assertProblem(await answer('concept', body), 400)
  assertProblem(await answer('shoes', { answer: 'red' }), 404)
  assertProblem(await answer('constructor', { answer: 'red' }), 404)
  for (const body of [{ steps: [] }, { steps: 'all' }, { tier: 1 }, { tier: 'hero' }])
    assertProblem(await player.post(`${path}/random`, body), 400)
  creationOf(await player.post(`${path}/random`, {}))
  for (const body of [{}, { name: '' }, { name: 'x'.repeat(101) }, { name: 'x', visibility: 'STORYTELLER' }, { name: 'x', traits: {} }])
    assertProblem(await player.post(`${path}/finish`, body), 400)
  assert.equal(creationOf(await player.get(path)).status, 'OPEN')
  assert.equal((await teller.delete(`${C}/ruleset`)).status, 204)
  assertConflict(await player.post(all, {}), 'no_ruleset')
  assertConflict(await player.post(`${path}/finish`, { name: 'x' }), 'ruleset_changed')
  assert.equal((await player.delete(path)).status, 204)
})
