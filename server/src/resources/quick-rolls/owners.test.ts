import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { newGameTable, type Person, twoApps } from '../../../test/game-table.ts'
import { type Answer, assertProblem, db } from '../../../test/harness.ts'
import { sql } from '../../db/sql.ts'

interface Rolled {
  notation: string | null
  formula: string | null
  pool: { dice: number; difficulty: number | null } | null
  target: number | null
  comment: string | null
  label: string | null
  character_id: string | null
  campaign_id: string | null
}
const rolled = (answer: Answer): Rolled => {
  assert.equal(answer.status, 201, answer.text)
  return answer.body as unknown as Rolled
}

async function newHero() {
  const table = await newGameTable()
  const { player, C } = table
  const hero_id = await player.make(`${C}/characters`, { name: 'Crane', traits: { dex_mod: 2, wits: 3 } })
  return { ...table, hero_id, hero: `${C}/characters/${hero_id}` }
}

test('a quick roll holds any roll, and its fields are null when they are not set', async () => {
  const { player, hero_id } = await newHero()
  const attack = {
    notation: '1d20+{dex_mod}+{bonus}',
    target: 15,
    compare: 'AT_LEAST',
    naturals: true,
    values: { bonus: 1 },
    missing: 'ZERO',
  }
  const made = await player.post('/quick-rolls', { name: 'Attack', ...attack })
  assert.equal(made.status, 201, made.text)
  const { id, company_id, user_id, date_created, date_modified, version, ...saved } = made.body
  const unset = { campaign_id: null, character_id: null, date_archived: null }
  assert.deepEqual([saved, user_id], [{ name: 'Attack', ...attack, pool: null, rolls: null, repeat: null, ...unset }, player.id])
  assert.deepEqual((await player.get(`/quick-rolls/${id}`)).body, made.body)
  assert.deepEqual((await player.get('/quick-rolls')).body.items, [made.body])
  const once = rolled(await player.post(`/quick-rolls/${id}/roll`, { character_id: hero_id, target: 3 }))
  assert.deepEqual([once.formula, once.notation, once.target, once.comment], [attack.notation, '1d20+2+1', 3, 'Attack'])
  const other = rolled(await player.post(`/quick-rolls/${id}/roll`, { character_id: hero_id, values: { bonus: 5 }, comment: null }))
  assert.deepEqual([other.notation, other.target, other.comment], ['1d20+2+5', 15, null])
  for (const field of ['modifier', 'difficulty'])
    assert.match(
      (await player.post(`/quick-rolls/${id}/roll`, { character_id: hero_id, [field]: 2 })).text,
      /400.*the quick roll is not a pool/,
    )
})

test('several saved rolls are rolled as a group', async () => {
  const { player } = await newHero()
  const rolls = [
    { label: 'Hit "\\ é', notation: '1d20+5', target: 12 },
    { label: 'Damage', pool: { dice: 3, success: 8 } },
  ]
  const made = await player.post('/quick-rolls', { name: 'Strike', rolls, repeat: 2 })
  assert.deepEqual([made.body.rolls, made.body.repeat], [rolls, 2])
  const path = `/quick-rolls/${made.body.id}`
  const headers = { 'idempotency-key': randomUUID() }
  const group = await player.post(`${path}/roll`, {}, headers)
  assert.equal(group.status, 201, group.text)
  const { group_id, items } = group.body as unknown as { group_id: string; items: Rolled[] }
  assert.deepEqual(
    items.map(({ label, comment }) => [label, comment]),
    [0, 1].flatMap(() => rolls.map(({ label }) => [label, 'Strike'])),
  )
  assert.equal((await player.get(`/dice-rolls?group_id=${group_id}`)).body.total, 4)
  assert.equal((await player.post(`${path}/roll`, {}, headers)).text, group.text)
  const changed = await player.patch(path, { repeat: null })
  assert.deepEqual([changed.body.repeat, changed.body.rolls, changed.body.version], [null, rolls, 2])
  assert.equal((await player.patch(path, { rolls })).body.version, 2, 'the same rolls are no change')
  assert.deepEqual((await player.patch(path, { rolls: rolls.slice(1) })).body.rolls, rolls.slice(1))
})

test('a patch with a notation, pool or rolls replaces everything that is rolled, and others change single fields', async () => {
  const { player } = await newHero()
  const path = `/quick-rolls/${await player.make('/quick-rolls', { name: 'A', notation: '1d20', target: 10, values: { a: 1, b: 2 } })}`
  const content = async (patch: object) => {
    const { status, text, body } = await player.patch(path, patch)
    assert.equal(status, 200, text)
    const { name, notation, pool, target, compare, rolls, values } = body
    return { name, notation, pool, target, compare, rolls, values }
  }
  const unset = { notation: null, pool: null, target: null, compare: null, rolls: null, values: null }
  const first = { ...unset, name: 'B', notation: '1d20', target: 10, values: { a: 1, b: 2 } }
  assert.deepEqual(await content({ name: 'B' }), first)
  assert.deepEqual(await content({ compare: 'AT_MOST', values: { b: 3 } }), { ...first, compare: 'AT_MOST', values: { b: 3 } })
  assert.deepEqual(await content({ target: null, compare: null, values: null }), { ...unset, name: 'B', notation: '1d20' })
  const pool = { dice: 3, difficulty: 6, special: { count: 1, label: 'Hunger' } }
  assert.deepEqual(await content({ pool }), { ...unset, name: 'B', pool })
  const next = { dice: 4, difficulty: 6, special: { count: 2 } }
  assert.deepEqual(await content({ pool: next, notation: null }), { ...unset, name: 'B', pool: next })
  assert.deepEqual(await content({ notation: '2d6', target: 7 }), { ...unset, name: 'B', notation: '2d6', target: 7 })
  const before = await player.get(path)
  for (const bad of [
    { notation: null },
    { notation: '2d6', pool: next },
    { rolls: [{ notation: '2d6' }], target: 3 },
    { naturals: true },
    { target: null, compare: 'AT_MOST' },
    { notation: '2d' },
    { notation: '{' },
  ])
    assertProblem(await player.patch(path, bad), 400)
  assert.deepEqual((await player.get(path)).body, before.body)
})

test('a roll that can never be valid is not saved', async () => {
  const { player } = await newHero()
  const bad: object[] = [
    {},
    { notation: null },
    { notation: '' },
    { notation: 'x' },
    { notation: 5 },
    { notation: '1d6', pool: { dice: 1 } },
    { rolls: [] },
    { rolls: [{}] },
    { rolls: [{ notation: '1d6' }], notation: '1d6' },
    { rolls: Array.from({ length: 11 }, () => ({ notation: '1d6' })) },
    { notation: '1d6', repeat: 0 },
    { notation: '1d6', repeat: 21 },
    { notation: '100d6', repeat: 20 },
    { notation: '1d6', compare: 'AT_MOST' },
    { notation: '1d6', target: 1, naturals: true },
    { notation: '1d6', values: { A: 1 } },
    { notation: '1d6', missing: 'IGNORE' },
    { notation: '1d6', manual: [1] },
    { pool: { dice: 1, difficulty: 3, success: 3 } },
    { pool: {} },
    { pool: null },
  ]
  for (const body of bad) assertProblem(await player.post('/quick-rolls', { name: 'Bad', ...body }), 400)
  for (const name of [undefined, null, '', ' ', 'x'.repeat(101), 5])
    assertProblem(await player.post('/quick-rolls', { name, notation: '1d6' }), 400)
  assert.equal((await player.get('/quick-rolls')).body.total, 0)
  assert.equal((await player.post('/quick-rolls', { name: 'Unknown', notation: '1d20+{no_such}' })).status, 201, 'names may be there later')
})

test('a difficulty of the request takes the place of success', async () => {
  const { player } = await newHero()
  const id = await player.make('/quick-rolls', { name: 'A', pool: { dice: 3, success: 8 } })
  const difficulty = async (body: object) => rolled(await player.post(`/quick-rolls/${id}/roll`, body)).pool?.difficulty
  assert.deepEqual([await difficulty({}), await difficulty({ difficulty: 4 }), await difficulty({ modifier: 1 })], [8, 4, 8])
})

test('a character has quick rolls, written by the users who may edit it, and a campaign those of its storytellers', async () => {
  const { teller, player, other, admin, stranger, hero, hero_id, C, campaign_id } = await newHero()
  const body = (name: string) => ({ name, notation: '1d20+{wits}', missing: 'ZERO' })
  const writers = async (owner: string) => {
    const names = []
    for (const [name, user] of Object.entries({ teller, player, other, admin, stranger })) {
      const reply = await user.post(`${owner}/quick-rolls`, body(name))
      if (reply.status === 201) names.push(name)
      else assertProblem(reply, 403)
    }
    return names
  }
  assert.deepEqual(
    [await writers(hero), await writers(C)],
    [
      ['teller', 'player', 'admin'],
      ['teller', 'admin'],
    ],
  )
  const [ofHero] = (await other.get(`${hero}/quick-rolls?sort=name`)).body.items
  const [ofCampaign] = (await other.get(`${C}/quick-rolls?sort=name`)).body.items
  assert.deepEqual([ofHero?.user_id, ofHero?.campaign_id, ofHero?.character_id], [null, campaign_id, hero_id])
  assert.deepEqual([ofCampaign?.user_id, ofCampaign?.campaign_id, ofCampaign?.character_id], [null, campaign_id, null])
  assert.deepEqual([(await other.get(`${hero}/quick-rolls`)).body.total, (await other.get(`${C}/quick-rolls`)).body.total], [3, 2])
  const crossed = [`${C}/quick-rolls/${ofHero?.id}`, `${hero}/quick-rolls/${ofCampaign?.id}`, `/quick-rolls/${ofCampaign?.id}`]
  for (const path of crossed) {
    for (const reply of [
      teller.get(path),
      teller.patch(path, { name: 'x' }),
      teller.delete(path),
      teller.post(`${path}/restore`),
      teller.post(`${path}/roll`, {}),
    ])
      assertProblem(await reply, 404, 'Quick roll not found')
  }
  for (const [path, writer] of [
    [`${hero}/quick-rolls/${ofHero?.id}`, player],
    [`${C}/quick-rolls/${ofCampaign?.id}`, teller],
  ] as const) {
    for (const reply of [other.patch(path, { name: 'x' }), other.delete(path), other.post(`${path}/restore`)])
      assertProblem(await reply, 403)
    assert.equal((await writer.patch(path, { target: 9 })).body.target, 9)
    assert.equal((await writer.delete(path)).status, 204)
    assertProblem(await writer.get(path), 404, 'Quick roll not found')
    const archived = async (user: Person) => (await user.get(`${path.slice(0, -37)}?archived=true`)).body.total
    assert.deepEqual([await archived(writer), await archived(other)], [1, 0])
    assert.equal((await writer.post(`${path}/restore`)).body.date_archived, null)
  }
})

test('a quick roll of a character is rolled for it, and one of a campaign in it', async () => {
  const { teller, player, other, hero, hero_id, C, campaign_id } = await newHero()
  const body = { notation: '1d20+{wits}' }
  const ofHero = `${hero}/quick-rolls/${await player.make(`${hero}/quick-rolls`, { name: 'Look', ...body })}/roll`
  const ofCampaign = `${C}/quick-rolls/${await teller.make(`${C}/quick-rolls`, { name: 'Look', ...body })}/roll`
  const answer = await player.post(ofHero, {})
  const first = rolled(answer)
  assert.deepEqual([first.notation, first.character_id, first.campaign_id], ['1d20+3', hero_id, campaign_id])
  assert.ok(answer.headers.location?.endsWith(`${player.id}/dice-rolls/${answer.body.id}`))
  assertProblem(await player.post(ofHero, { character_id: hero_id }), 400)
  const denied = await other.post(ofHero, {})
  assert.deepEqual([denied.status, denied.body.reason], [403, 'not_your_character'])
  const second = rolled(await player.post(ofCampaign, { character_id: hero_id }))
  assert.deepEqual([second.notation, second.character_id, second.campaign_id], ['1d20+3', hero_id, campaign_id])
  const third = rolled(await other.post(ofCampaign, { values: { wits: 9 } }))
  assert.deepEqual([third.notation, third.character_id, third.campaign_id], ['1d20+9', null, campaign_id])
  assert.equal((await other.get('/campaigns?mine=true')).body.total, 1, 'who rolls in an open campaign joins it')
  assert.match((await other.post(ofCampaign, {})).text, /400.*wits/)
  const elsewhere = await teller.make('/campaigns', { name: 'Elsewhere' })
  const guest = await teller.make(`/campaigns/${elsewhere}/characters`, { name: 'Guest' })
  assertProblem(await teller.post(ofCampaign, { character_id: guest }), 404, 'Character not found')
})

test('a quick roll is rolled by its name: of the character, then of the user, then of the campaign', async () => {
  const { teller, player, other, hero, hero_id, C, campaign_id } = await newHero()
  const save = (user: Person, owner: string, name: string, notation: string) => user.make(`${owner}/quick-rolls`, { name, notation })
  const look = await save(player, hero, 'Lóok', '1')
  await save(player, '', 'look', '2')
  const ofCampaign = await save(teller, C, 'LOOK', '3')
  const roll = (user: Person, body: object) => user.post('/quick-rolls/roll', { name: 'lOOk', ...body })
  const notation = async (user: Person, body: object) => rolled(await roll(user, body)).notation
  assert.equal(await notation(player, { character_id: hero_id }), '1')
  assert.equal(await notation(teller, { character_id: hero_id }), '1')
  assert.equal(await notation(player, {}), '2')
  assert.equal(await notation(player, { campaign_id }), '2')
  assert.equal(await notation(other, { campaign_id }), '3')
  assertProblem(await roll(other, {}), 404, 'Quick roll not found')
  assertProblem(await player.post('/quick-rolls/roll', { name: 'loo' }), 404, 'Quick roll not found')
  for (const name of [undefined, '', null, 5, 'x'.repeat(101)]) assertProblem(await player.post('/quick-rolls/roll', { name }), 400)
  assert.equal(rolled(await roll(player, { character_id: hero_id })).comment, 'Lóok')
  await player.delete(`${hero}/quick-rolls/${look}`)
  assert.equal(await notation(player, { character_id: hero_id }), '2')
  assert.equal(await notation(teller, { character_id: hero_id }), '3', 'of the campaign that the character is in')
  await teller.delete(`${C}/quick-rolls/${ofCampaign}`)
  assertProblem(await roll(teller, { character_id: hero_id }), 404, 'Quick roll not found')
  for (const unknown of [{ character_id: randomUUID() }, { campaign_id: randomUUID() }]) {
    assertProblem(await roll(teller, unknown), 404, 'Quick roll not found')
    assertProblem(await roll(player, unknown), 404, /^(Character|Campaign) not found$/)
  }
})

test('a name finds nothing that the acting user does not see', async () => {
  const { teller, player, other, stranger, hero, hero_id, C, campaign_id } = await newHero()
  const npc_id = await teller.make(`${C}/characters`, { name: 'Ghost', type: 'NPC', visibility: 'STORYTELLER' })
  await player.make(`${hero}/quick-rolls`, { name: 'Bite', notation: '1' })
  await teller.make(`${C}/characters/${npc_id}/quick-rolls`, { name: 'Haunt', notation: '2' })
  await teller.make(`${C}/quick-rolls`, { name: 'Omen', notation: '3' })
  const roll = (user: Person, body: object) => user.post('/quick-rolls/roll', { visibility: 'STORYTELLER', ...body })
  assertProblem(await roll(other, { name: 'Bite', character_id: hero_id }), 403)
  await teller.patch(hero, { sheet_visibility: 'PLAYER' })
  assertProblem(await roll(other, { name: 'Bite', character_id: hero_id }), 404, 'Quick roll not found')
  assert.equal((await roll(player, { name: 'Bite', character_id: hero_id })).status, 201)
  await teller.patch(hero, { sheet_visibility: 'STORYTELLER' })
  assertProblem(await roll(player, { name: 'Bite', character_id: hero_id }), 404, 'Quick roll not found')
  assert.equal((await roll(teller, { name: 'Bite', character_id: hero_id })).status, 201)
  for (const name of ['Haunt', 'Omen']) {
    const [hidden, missing] = [await roll(player, { name, character_id: npc_id }), await roll(player, { name, character_id: randomUUID() })]
    for (const reply of [hidden, missing]) assertProblem(reply, 404, 'Quick roll not found')
    assert.equal((await roll(teller, { name, character_id: npc_id })).status, 201)
  }
  assert.equal((await roll(stranger, { name: 'Omen', campaign_id })).status, 201)
  await teller.patch(C, { access: 'MEMBERS' })
  assertProblem(await roll(other, { name: 'Omen', campaign_id }), 404, 'Quick roll not found')
  assertProblem(await other.get(`${C}/quick-rolls`), 404, 'Campaign not found')
  assert.equal((await roll(player, { name: 'Omen', campaign_id })).status, 201)
})

test('for users who do not see the sheet of a character, its quick rolls do not exist', async () => {
  const { teller, player, other, hero } = await newHero()
  const one = `${hero}/quick-rolls/${await player.make(`${hero}/quick-rolls`, { name: 'Bite', notation: '1d6' })}`
  const requests = (user: Person) => [
    user.get(`${hero}/quick-rolls`),
    user.get(one),
    user.post(`${hero}/quick-rolls`, { name: 'Claw', notation: '1d6' }),
    user.patch(one, { name: 'x' }),
    user.post(`${one}/roll`, {}),
    user.delete(one),
    user.post(`${one}/restore`),
  ]
  assert.equal((await other.get(one)).status, 200)
  for (const [sheet_visibility, blind] of [
    ['PLAYER', [other]],
    ['STORYTELLER', [other, player]],
  ] as const) {
    await teller.patch(hero, { sheet_visibility })
    for (const user of blind) for (const reply of requests(user)) assertProblem(await reply, 404)
    assert.equal((await teller.get(one)).status, 200)
  }
  const events = async (user: Person) =>
    (await user.get(`${hero}/history`)).body.items.map(({ type }) => String(type)).filter((type) => type.startsWith('quick_roll'))
  assert.deepEqual(await events(other), [])
})

test('the event of a roll from a sheet is as secret as the roll, not as the sheet', async () => {
  const { player, company_id, hero } = await newHero()
  const roll = `${hero}/quick-rolls/${await player.make(`${hero}/quick-rolls`, { name: 'Bite', notation: '1d6' })}/roll`
  await player.patch(hero, { sheet_visibility: 'PLAYER' })
  const secrecy = async (visibility: string) => {
    const id = await player.make(roll, { visibility })
    const [event] = await db.query<{ visibility: string | null; author_id: string | null }>(
      sql`SELECT visibility, author_id FROM events WHERE company_id = ${company_id} AND resource_id = ${id}`,
    )
    return [event?.visibility, event?.author_id]
  }
  assert.deepEqual(await secrecy('PUBLIC'), [null, null])
  assert.deepEqual(await secrecy('STORYTELLER'), ['STORYTELLER', player.id])
})

test('one of several concurrent requests creates a name on a character or a campaign, on two processes', async () => {
  const { teller, player, hero, C } = await newHero()
  for (const [user, owner] of [
    [player, hero],
    [teller, C],
  ] as const) {
    const post = (name: string, i: number) => user.post(`${owner}/quick-rolls`, { name, notation: '1d6' }, {}, twoApps[i % 2])
    const replies = await Promise.all(['Dodge', 'dodge', 'DODGE', ' Dodge ', 'dOdGe', 'Dodge'].map(post))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409])
    const [saved] = (await user.get(`${owner}/quick-rolls`)).body.items
    for (const { status, body } of replies) if (status === 409) assert.deepEqual([body.code, body.id], ['duplicate', saved?.id])
    await user.delete(`${owner}/quick-rolls/${saved?.id}`)
    assert.equal((await post('dodge', 0)).status, 201)
    assertProblem(await user.post(`${owner}/quick-rolls/${saved?.id}/restore`), 409, /quick roll with this name/)
  }
  assert.equal((await player.post('/quick-rolls', { name: 'Dodge', notation: '1d6' })).status, 201)
})

test('quick rolls go with their character and campaign, and come back with them', async () => {
  const { teller, player, hero, C } = await newHero()
  const ofHero = `${hero}/quick-rolls/${await player.make(`${hero}/quick-rolls`, { name: 'A', notation: '1d6' })}`
  const ofCampaign = `${C}/quick-rolls/${await teller.make(`${C}/quick-rolls`, { name: 'A', notation: '1d6' })}`
  await player.delete(hero)
  for (const gone of [player.get(ofHero), player.post(`${ofHero}/roll`, {})]) assertProblem(await gone, 404, 'Character not found')
  await player.post(`${hero}/restore`)
  assert.equal((await player.get(ofHero)).status, 200)
  await teller.delete(C)
  for (const gone of [player.get(ofHero), player.get(ofCampaign)]) assertProblem(await gone, 404, 'Campaign not found')
  await teller.post(`${C}/restore`)
  for (const back of [ofHero, ofCampaign]) assert.equal((await player.get(back)).status, 200)
})
