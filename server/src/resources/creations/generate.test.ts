import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { type Answer, assertProblem, call } from '../../../test/harness.ts'
import { assertConflict, faultsOf } from '../../../test/problems.ts'
import { newTableToRule } from '../../../test/ruled-table.ts'

interface Sheet {
  traits: Record<string, number>
  choices: Record<string, string>
  faults: { level: string }[]
}
interface Generated {
  items: { id: string; name: string; type: string; user_id: string | null; visibility: string; traits: object; choices: object }[]
  sheets: { name: string; sheet: Sheet }[]
}

function generated(answer: Answer, status = 201): Generated {
  assert.equal(answer.status, status, answer.text)
  return answer.body as never as Generated
}

const GAME = {
  format: 1,
  name: 'Small game',
  source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
  groups: { stats: { min: 0, max: 5 } },
  traits: { might: { group: 'stats' }, wits: { group: 'stats' } },
  choices: { job: { label: 'Job', required: true, options: { sailor: { label: 'Old sailor' }, cook: {} } } },
  experience: { raise: [{ of: 'stats', cost: 'new * 2' }] },
  creation: {
    steps: [{ id: 'stats', kind: 'points', of: 'stats', budget: 3 }],
    tiers: { veteran: 12, legend: 1_000_000 },
  },
}

const packs = readdirSync(new URL('../../../../packs', import.meta.url)).flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? [])

test('ten characters of each pack follow its rules, and one event tells of each', async () => {
  const { play, teller, C, base, key } = await newTableToRule()
  assert.equal(packs.length, 4)
  for (const pack of packs) {
    const { version_id } = await play(pack)
    const { items, sheets } = generated(await teller.post(`${C}/characters/generate`, { count: 10 }))
    assert.deepEqual([items.length, sheets.length], [10, 10])
    for (const [i, { id, name, type, user_id }] of items.entries()) {
      assert.deepEqual([type, user_id, name], ['NPC', null, sheets[i]?.name])
      const { sheet } = (await teller.get(`${C}/characters/${id}?include=sheet`)).body as never as { sheet: Sheet }
      assert.deepEqual(sheet, sheets[i]?.sheet)
      assert.deepEqual(
        sheet.faults.filter(({ level }) => level === 'ERROR'),
        [],
        pack,
      )
      assert.equal((sheet as never as { version_id: string }).version_id, version_id)
    }
    const different = new Set(items.map(({ traits, choices }) => JSON.stringify([traits, choices])))
    assert.ok(different.size > 1, `${pack}: all characters are the same`)
  }
  const events = (await call('GET', `${base}/audit-logs?limit=100&type=character.created`, { key })).body
  assert.equal(events.total, 40)
})

test('names are numbered, or follow from the first choice', async () => {
  const { play, teller, player, C } = await newTableToRule()
  const names = async (body: object, as = teller) =>
    generated(await as.post(`${C}/characters/generate`, body)).items.map(({ name }) => name)
  await play('d10-pool')
  assert.deepEqual(await names({ count: 2, choices: { concept: 'soldier' } }), ['Soldier 1', 'Soldier 2'])
  assert.deepEqual(await names({ count: 2, name: ' Guard ' }), ['Guard 1', 'Guard 2'])
  assert.deepEqual(await names({ name: 'Mina' }), ['Mina'])
  const long = await names({ count: 10, name: 'x'.repeat(96) })
  assert.equal(long[9], `${'x'.repeat(96)} 10`)
  await play('fate-core')
  assert.deepEqual(await names({ count: 2 }), ['NPC 1', 'NPC 2'])
  assert.deepEqual(await names({ type: 'PLAYER' }, player), ['Character 1'])
  const options = { sailor: { label: '🌊'.repeat(50) } }
  await play({ ...GAME, choices: { job: { required: true, options } } })
  const [cut] = await names({})
  assert.ok(cut?.isWellFormed() && cut.endsWith('🌊 1'))
})

test('a tier spends its experience by the prices, and given choices stay', async () => {
  const { play, teller, C } = await newTableToRule()
  await play(GAME)
  for (const [tier, least, most] of [
    ['veteran', 5, 6],
    ['legend', 10, 10],
  ] as const) {
    const { sheets } = generated(await teller.post(`${C}/characters/generate`, { count: 10, tier, choices: { job: 'cook' } }))
    for (const { sheet } of sheets) {
      const dots = Object.values(sheet.traits).reduce((sum, value) => sum + value, 0)
      assert.ok(dots >= least && dots <= most, `${tier}: ${JSON.stringify(sheet.traits)}`)
      assert.deepEqual([sheet.choices, sheet.faults], [{ job: 'cook' }, []])
    }
  }
})

test('a dry run shows sheets, and stores nothing', async () => {
  const { play, teller, C, base, key } = await newTableToRule()
  await play('srd-5.2')
  const events = async () => (await call('GET', `${base}/audit-logs?limit=1`, { key })).body.total
  const before = await events()
  const { items, sheets } = generated(await teller.post(`${C}/characters/generate`, { count: 3, dry_run: true }), 200)
  assert.deepEqual([items.length, sheets.length], [0, 3])
  assert.equal(Object.keys(sheets[0]?.sheet.traits ?? {}).length, 34)
  assert.deepEqual([(await teller.get(`${C}/characters`)).body.total, await events()], [0, before])
})

test('players generate characters for themselves only, and only where they set traits', async () => {
  const { play, teller, player, other, admin, C } = await newTableToRule()
  await play('d10-pool')
  const path = `${C}/characters/generate`
  const { items } = generated(await player.post(path, { type: 'PLAYER', count: 2 }))
  assert.deepEqual(
    items.map(({ type, user_id }) => [type, user_id]),
    [
      ['PLAYER', player.id],
      ['PLAYER', player.id],
    ],
  )
  generated(await player.post(path, { type: 'PLAYER', user_id: player.id }))
  for (const body of [{}, { type: 'NPC' }, { type: 'PLAYER', user_id: other.id }, { dry_run: true }]) {
    const refused = await player.post(path, body)
    assertProblem(refused, 403)
    assert.equal((refused.body as never as { reason: string }).reason, 'role')
  }
  assert.equal(generated(await teller.post(path, { type: 'PLAYER', user_id: other.id })).items[0]?.user_id, other.id)
  generated(await admin.post(path, { count: 1 }))
  assert.equal((await teller.patch(C, { trait_changes: 'STORYTELLER' })).status, 200)
  const refused = await player.post(path, { type: 'PLAYER' })
  assertProblem(refused, 403)
  assert.equal((refused.body as never as { reason: string }).reason, 'campaign_settings')
  generated(await teller.post(path, { type: 'PLAYER', user_id: player.id }))
  assert.equal((await teller.patch(C, { trait_changes: 'EXPERIENCE' })).status, 200)
  generated(await player.post(path, { type: 'PLAYER' }))
})

test('players do not see hidden NPCs that were generated', async () => {
  const { play, teller, player, C } = await newTableToRule()
  await play('d10-pool')
  const { items } = generated(await teller.post(`${C}/characters/generate`, { count: 2, visibility: 'STORYTELLER' }))
  assert.deepEqual(
    items.map(({ visibility }) => visibility),
    ['STORYTELLER', 'STORYTELLER'],
  )
  assert.equal((await player.get(`${C}/characters`)).body.total, 0)
  assertProblem(await player.get(`${C}/characters/${items[0]?.id}`), 404)
  assert.equal((await teller.get(`${C}/characters`)).body.total, 2)
})

test('a repeated request with the same key generates nothing more', async () => {
  const { play, teller, C } = await newTableToRule()
  await play('d10-pool')
  const send = () => teller.post(`${C}/characters/generate`, { count: 2 }, { 'idempotency-key': 'generate-once' })
  assert.deepEqual(generated(await send()), generated(await send()))
  assert.equal((await teller.get(`${C}/characters`)).body.total, 2)
})

test('bad input is rejected, naming what there is', async () => {
  const { play, teller, C } = await newTableToRule()
  const send = (body: object) => teller.post(`${C}/characters/generate`, body)
  assertConflict(await send({}), 'no_ruleset')
  const { creation: _, ...without } = GAME
  await play(without)
  assertConflict(await send({}), 'no_creation')
  await play(GAME)
  assert.deepEqual(faultsOf(await send({ tier: 'hero', choices: { job: 'king', constructor: 'x' } })), [
    'choices.job must be one of sailor, cook',
    'choices.constructor is no choice of the ruleset. It has job',
    'tier must be one of veteran, legend',
  ])
  assert.deepEqual(faultsOf(await send({ tier: 'constructor' })), ['tier must be one of veteran, legend'])
  for (const body of [
    { count: 0 },
    { count: 11 },
    { count: 1.5 },
    { count: '2' },
    { type: 'MONSTER' },
    { name: '' },
    { name: 'x'.repeat(97) },
    { choices: { __proto__x: 'cook' } },
    { choices: [] },
    { tier: 3 },
    { tier: '' },
    { visibility: 'HIDDEN' },
    { type: 'PLAYER', visibility: 'STORYTELLER' },
    { type: 'NPC', user_id: teller.id },
    { type: 'PLAYER', user_id: null },
    { dry_run: 'yes' },
    { traits: {} },
  ])
    assertProblem(await send(body), 400)
  assertProblem(await send({ type: 'PLAYER', user_id: '019a8f3e-7c1a-7abc-babc-0123456789ab' }), 404)
  await play('action-dice')
  assert.deepEqual(faultsOf(await send({ tier: 'veteran', choices: { job: 'cook' } })), [
    'choices.job is no choice of the ruleset. It has none',
    'tier must not be sent: the ruleset has no tiers',
  ])
  await play({ ...GAME, checks: [{ that: 'might > 5', message: 'Nobody can be that strong.' }] })
  assertConflict(await send({ count: 2 }), 'not_generated')
  assert.equal((await teller.get(`${C}/characters`)).body.total, 0)
})
