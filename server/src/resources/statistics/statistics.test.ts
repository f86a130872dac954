import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable, type Person, twoApps } from '../../../test/game-table.ts'
import { call, clock, db, engine, twoProcesses, write } from '../../../test/harness.ts'
import { until } from '../../../test/until.ts'
import { migrations } from '../../db/migrate.ts'
import { sql } from '../../db/sql.ts'
import { foldTallies } from '../dice-rolls/fold.ts'
import type { DiceRoll } from '../dice-rolls/schema.ts'
import { chiSquare, daysUntil, percentages } from './rules.ts'
import type { Statistics } from './schema.ts'

const OUTCOMES = ['BOTCH', 'FAILURE', 'SUCCESS', 'CRITICAL'] as const

function expectedOutcomes(rolls: DiceRoll[]): Statistics['outcomes'] {
  const ended = OUTCOMES.map((outcome) => rolls.filter((roll) => roll.outcome === outcome).length)
  const shares = percentages(ended)
  return OUTCOMES.map((outcome, i) => ({ outcome, rolls: ended[i] as number, percent: shares[i] as number }))
}

/** Computes the statistics of these rolls one by one. */
function expected(all: DiceRoll[]): Statistics {
  const valid = all.filter(({ date_voided }) => date_voided === null)
  const rolls = valid.filter(({ source }) => source === 'SERVER')
  const manual = valid.filter(({ source }) => source === 'MANUAL')
  const naturals = (flag: 'natural_max' | 'natural_min') =>
    rolls.filter(({ dice }) => dice.some(({ flags }) => flags.includes(flag))).length
  const mean = (numbers: number[]) => (numbers.length ? Math.round((numbers.reduce((a, b) => a + b) * 100) / numbers.length) / 100 : null)
  const dice = rolls.flatMap(({ notation, dice }) =>
    dice.map(({ sides, value }) => ({ sides, face: notation?.includes('F') ? value + 1 : value - 1 })),
  )
  const sizes = [...new Set(dice.map(({ sides }) => sides))].filter((sides) => sides <= 100).sort((a, b) => a - b)
  const traits = new Map<string, number>()
  for (const { pool, values } of rolls) {
    const used = new Set(values.flatMap(({ name, value, source }) => (source === 'TRAIT' && (value > 0 || !pool) ? [name] : [])))
    for (const name of used) traits.set(name, (traits.get(name) ?? 0) + 1)
  }
  return {
    rolls: rolls.length,
    outcomes: expectedOutcomes(rolls),
    naturals: { max: naturals('natural_max'), min: naturals('natural_min') },
    manual: { rolls: manual.length, outcomes: expectedOutcomes(manual) },
    mean_pool: mean(rolls.flatMap(({ pool, dice }) => (pool ? [dice.length] : []))),
    mean_difficulty: mean(rolls.flatMap(({ pool }) => (pool?.difficulty ? [pool.difficulty] : []))),
    faces: sizes.map((sides) => {
      const observed = new Array(sides).fill(0)
      for (const die of dice) if (die.sides === sides) observed[die.face]++
      const rolled = observed.reduce((a, b) => a + b)
      return { sides, dice: rolled, expected: Math.round((rolled * 100) / sides) / 100, observed, ...chiSquare(observed) }
    }),
    traits: [...traits]
      .map(([name, rolls]) => ({ name, rolls }))
      .sort((a, b) => b.rolls - a.rolls || (a.name < b.name ? -1 : 1))
      .slice(0, 10),
    days: daysUntil(db.now(), 90).map((date) => {
      const ofDay = rolls.filter(({ date_created }) => date_created.startsWith(date))
      const [botches, failures, successes, criticals] = OUTCOMES.map((outcome) => ofDay.filter((roll) => roll.outcome === outcome).length)
      return { date, rolls: ofDay.length, botches, failures, successes, criticals } as Statistics['days'][number]
    }),
  }
}

async function listed(user: Person, filter: string): Promise<DiceRoll[]> {
  const rolls: DiceRoll[] = []
  await until(async () => {
    const { items, total } = (await user.get(`/dice-rolls?limit=100&offset=${rolls.length}&${filter}`)).body
    rolls.push(...(items as unknown as DiceRoll[]))
    return rolls.length === total
  }, 'the last page')
  return rolls
}

/** A company with rolls of every kind, or of those that existed before there were names, targets and groups. */
async function newRolls({ ofEarlierVersions = false } = {}) {
  const table = await newGameTable()
  const { teller, player, other, stranger, admin, campaign_id, C } = table
  await teller.patch(C, { desperation: 5 })
  const elsewhere = await stranger.make('/campaigns', { name: 'Elsewhere' })
  const hero = await player.make(`${C}/characters`, { name: 'Hero', traits: { strength: 3, brawl: 2, wits: 4 } })
  const rival = await other.make(`${C}/characters`, { name: 'Rival', traits: { strength: 5, brawl: -3 } })
  const npc = await teller.make(`${C}/characters`, { name: 'Landlord', type: 'NPC', traits: { brawl: 6 } })
  const hidden = await teller.make(`${C}/characters`, { name: 'Ghoul', type: 'NPC', visibility: 'STORYTELLER', traits: { hunger: 5 } })
  const shapes = (character_id?: string) => [
    { notation: '2d20kh1 + 3d6' },
    { notation: '4dF' },
    { notation: 'd1000 + d%' },
    { pool: { dice: 6, difficulty: 6, desperation_dice: 5 } },
    { pool: { dice: 4, sides: 6 } },
    ...(character_id
      ? [{ character_id, missing: 'ZERO', pool: { traits: ['strength', 'brawl', 'nonsense', 'strength'], modifier: 1, difficulty: 8 } }]
      : []),
    ...(ofEarlierVersions ? [] : newShapes(character_id)),
  ]
  const newShapes = (character_id?: string) => [
    { notation: '1d20', target: 11, naturals: true, repeat: 4 },
    { notation: '1d20 + 2d6', target: 15, manual: [20, 3, 4], naturals: true },
    { pool: { dice: 2, difficulty: 6 }, manual: [1, 5] },
    ...(character_id ? [{ character_id, missing: 'ZERO', notation: '2d20kh1 + {brawl} + {wits}', target: 12, naturals: true }] : []),
  ]
  const requests: [Person, object][] = []
  for (const [user, character_id] of [[player, hero], [other, rival], [teller, npc], [stranger], [admin]] as const) {
    for (const shape of shapes(character_id)) {
      for (const visibility of ['PUBLIC', 'STORYTELLER', 'BLIND']) requests.push([user, { campaign_id, visibility, ...shape }])
      if (!JSON.stringify(shape).includes('desperation') && !('character_id' in shape)) {
        requests.push([user, shape])
        for (const visibility of ['PUBLIC', 'STORYTELLER', 'BLIND']) requests.push([user, { ...shape, campaign_id: elsewhere, visibility }])
      }
    }
  }
  const stray = await stranger.make(`/campaigns/${elsewhere}/characters`, { name: 'Stray', type: 'NPC', traits: { claws: 4, strength: 1 } })
  requests.push([stranger, { character_id: stray, pool: { traits: ['claws', 'strength'], sides: 7 } }])
  requests.push([teller, { character_id: hidden, visibility: 'STORYTELLER', pool: { traits: ['hunger'], difficulty: 6 } }])
  const made = await Promise.all(
    requests.map(([user, body], i) => user.post('/dice-rolls', { missing: 'ZERO', ...(body as object) }, {}, twoApps[i % 2])),
  )
  for (const { status, text } of made) assert.equal(status, 201, text)
  // From here on, some rolls are in the tallies, and others wait for it.
  await foldTallies(db)
  const { status, text } = await player.post('/dice-rolls', { ...shapes(hero)[5], repeat: 3 })
  assert.equal(status, 201, text)
  return { ...table, elsewhere, hero, rival, npc, hidden, stray }
}

type Rolls = Awaited<ReturnType<typeof newRolls>>

/** Compares all statistics with the rolls that the same user sees. */
async function compare({ base, key, developer, elsewhere, hero, rival, npc, hidden, C, campaign_id, ...people }: Rolls) {
  const { teller, player, other, stranger, admin } = people
  for (const [name, user] of Object.entries({ teller, player, other, stranger, admin })) {
    const all = await listed(user, '')
    const statisticsAt = async (path: string) => (await user.get(path)).body as unknown as Statistics
    const company = await call('GET', `${base}/statistics`, { key, headers: { 'on-behalf-of': user.id } })
    assert.deepEqual(company.body as unknown, expected(all), `${name}: of the company`)
    const own = await listed(user, `user_id=${user.id}`)
    assert.deepEqual(await statisticsAt('/statistics'), expected(own), `${name}: of the user`)
    for (const id of [campaign_id, elsewhere]) {
      if ((await user.get(`/campaigns/${id}`)).status === 404) continue
      assert.deepEqual(
        await statisticsAt(`/campaigns/${id}/statistics`),
        expected(await listed(user, `campaign_id=${id}`)),
        `${name}: of a campaign`,
      )
    }
    for (const id of [hero, rival, npc, hidden]) {
      const answer = await user.get(`${C}/characters/${id}/statistics`)
      const character = await user.get(`${C}/characters/${id}`)
      assert.equal(answer.status, character.body.traits ? 200 : 404, `${name}: of a character whose sheet they ${character.body.traits}`)
      if (answer.status !== 200) continue
      assert.deepEqual(answer.body as unknown, expected(await listed(user, `character_id=${id}`)), `${name}: of a character`)
    }
  }
  assert.deepEqual((await call('GET', `${base}/statistics`, { key })).body as unknown, expected(await listed(admin, '')), 'the key alone')
  const outsider = await people.person('PLAYER')
  const { key: userKey } = await developer('USER')
  const seenByUserKey = (await call('GET', `${base}/statistics`, { key: userKey })).body as unknown
  assert.deepEqual(seenByUserKey, expected(await listed(outsider, '')), 'a USER key sees what a player outside every campaign sees')
}

test('statistics cover exactly the rolls that the user may see, also after changes of rolls and access', async () => {
  const world = await newRolls()
  const { base, key, player, teller, stranger, npc, hero, elsewhere, stray, C } = world
  await compare(world)

  const strained = (await listed(teller, '')).filter((roll) => roll.strained)
  assert.ok(strained.length > 0)
  await Promise.all(
    strained.map(({ id }, i) => teller.post(`/dice-rolls/${id}/settle`, { choice: i % 2 ? 'OVERREACH' : 'DESPAIR' }, {}, twoApps[i % 2])),
  )
  assert.ok((await listed(teller, '')).some(({ settlement }) => settlement === 'DESPAIR'))
  await compare(world)

  await foldTallies(db)
  await compare(world)
  const { admin } = world
  const rolled = await listed(admin, '')
  const voided = await Promise.all(
    rolled.flatMap(({ id }, i) => (i % 4 ? [] : [admin.post(`/dice-rolls/${id}/void`, { reason: 'Test' }, {}, twoApps[(i / 4) % 2])])),
  )
  for (const { status, text } of voided) assert.equal(status, 200, text)
  const after = await listed(admin, '')
  assert.equal(after.length, rolled.length)
  for (const source of ['SERVER', 'MANUAL'])
    assert.ok(
      after.some((roll) => roll.source === source && roll.date_voided),
      source,
    )
  await compare(world)

  const traitsSeenBy = async (user: Person) => expected(await listed(user, '')).traits.reduce((sum, { rolls }) => sum + rolls, 0)
  const open = await traitsSeenBy(world.other)
  await player.patch(`${C}/characters/${hero}`, { sheet_visibility: 'PLAYER' })
  await teller.patch(`${C}/characters/${npc}`, { sheet_visibility: 'STORYTELLER' })
  assert.ok((await traitsSeenBy(world.other)) < open && (await traitsSeenBy(teller)) >= open, 'the worlds differ')
  await compare(world)
  await teller.patch(`${C}/characters/${hero}`, { sheet_visibility: 'STORYTELLER' })
  await compare(world)
  await foldTallies(db)
  // In a private campaign, the traits on a hidden sheet are not subtracted a second time.
  await stranger.patch(`/campaigns/${elsewhere}/characters/${stray}`, { sheet_visibility: 'STORYTELLER' })
  await stranger.patch(`/campaigns/${elsewhere}`, { access: 'MEMBERS' })
  await compare(world)
  await stranger.patch(`/campaigns/${elsewhere}`, { access: 'COMPANY' })
  await compare(world)

  await teller.patch(`${C}/characters/${npc}`, { visibility: 'STORYTELLER' })
  await stranger.patch(`/campaigns/${elsewhere}/characters/${stray}`, { visibility: 'STORYTELLER' })
  await compare(world)
  await player.delete(`${C}/characters/${hero}`)
  await stranger.delete(`/campaigns/${elsewhere}`)
  await call('PATCH', `${base}/users/${teller.id}`, { key, body: { role: 'PLAYER' } })
  await compare(world)
  await stranger.post(`/campaigns/${elsewhere}/restore`)
  await teller.patch(`${C}/characters/${npc}`, { visibility: 'OPEN' })
  await compare(world)
})

test('the migration that adds statistics includes earlier rolls', {
  skip: engine === 'citus' && 'databases are distributed after it',
}, async () => {
  const { company_id } = await newRolls({ ofEarlierVersions: true })
  await foldTallies(db)
  // Rolls of earlier versions have no flags of natural faces.
  await write(sql`UPDATE dice_tallies SET natural_max = 0, natural_min = 0 WHERE company_id = ${company_id}`)
  const tables = ['dice_tallies', 'dice_days', 'dice_faces', 'dice_traits'].map(sql.id)
  const all = async () =>
    Promise.all(tables.map((name) => db.query(sql`SELECT * FROM ${name} t WHERE company_id = ${company_id} ORDER BY to_json(t)::text`)))
  const live = await all()
  for (const rows of live) assert.ok(rows.length > 3)
  for (const name of [...tables].reverse()) await write(sql`DROP TABLE ${name}`)
  await write(sql`DROP INDEX characters_hidden`)
  const text = migrations()
    .filter(({ name }) => /^00(09|10|28)_/.test(name))
    .map(({ text }) => text)
    .join('\n')
  await db.transaction(async (tx) => {
    for (const statement of text.split(/;\s*\n/)) if (statement.trim()) await tx.query(sql.raw(statement))
  })
  assert.deepEqual(await all(), live)
})

test('concurrent rolls of many users outside campaigns are all counted', async () => {
  const { base, key, person } = await newGameTable()
  const people = await Promise.all(Array.from({ length: 20 }, () => person('PLAYER')))
  const answers = await Promise.all(
    people.flatMap((user) => Array.from({ length: 10 }, (_, i) => user.post('/dice-rolls', { notation: '2d6' }, {}, twoApps[i % 2]))),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  const { rolls, faces } = (await call('GET', `${base}/statistics`, { key })).body as unknown as Statistics
  assert.deepEqual([rolls, faces[0]?.dice], [200, 400])
})

test('the statistics of a d20 table count natural faces and targets, and dice from the table on their own', async () => {
  const { player, teller, campaign_id, C } = await newGameTable()
  const hero = await player.make(`${C}/characters`, { name: 'Hero', traits: { dex_mod: -1 } })
  const attack = { notation: '2d20kh1+{dex_mod}', target: 15, naturals: true, character_id: hero }
  const { items } = (await player.post('/dice-rolls', { ...attack, repeat: 20 })).body as unknown as { items: DiceRoll[] }
  for (const manual of [
    [20, 1],
    [1, 1],
    [16, 3],
    [4, 5],
  ])
    await player.make('/dice-rolls', { ...attack, manual })
  const statistics = (await teller.get(`${C}/statistics`)).body as unknown as Statistics
  assert.deepEqual(statistics, expected(await listed(player, `campaign_id=${campaign_id}`)))
  assert.deepEqual([statistics.rolls, statistics.traits, statistics.mean_pool], [20, [{ name: 'dex_mod', rolls: 20 }], null])
  assert.deepEqual(
    statistics.outcomes.map(({ rolls }) => rolls),
    OUTCOMES.map((outcome) => items.filter((roll) => roll.outcome === outcome).length),
  )
  const kept = items.flatMap(({ dice }) => dice.filter(({ flags }) => flags.includes('kept')).map(({ value }) => value))
  const seen = (face: number) => kept.filter((value) => value === face).length
  assert.deepEqual([kept.length, statistics.naturals], [20, { max: seen(20), min: seen(1) }])
  assert.deepEqual(
    statistics.faces.map(({ sides, dice }) => [sides, dice]),
    [[20, 40]],
  )
  assert.deepEqual(statistics.manual, {
    rolls: 4,
    outcomes: OUTCOMES.map((outcome) => ({ outcome, rolls: 1, percent: 25 })),
  })
  assert.equal((await teller.get(`/dice-rolls?campaign_id=${campaign_id}`)).body.total, 24)
})

// This test is last, because ids never go back behind a time that the clock has reached.
test('a roll counts on its own day, also when it is settled later, and drops out after ninety days', { skip: twoProcesses }, async (t) => {
  const { teller, campaign_id, C } = await newGameTable()
  t.after(() => {
    clock.ahead = 0
  })
  await teller.patch(C, { desperation: 5 })
  const pool = { dice: 1, difficulty: 6, desperation_dice: 5 }
  const strained = await until(async () => {
    const roll = (await teller.post('/dice-rolls', { campaign_id, pool })).body as unknown as DiceRoll
    return roll.strained && roll.outcome !== 'FAILURE' && roll
  }, 'a strained roll that does not fail')
  assert.equal(strained.date_created.slice(0, 10), new Date().toISOString().slice(0, 10))
  const days = async () => ((await teller.get(`${C}/statistics`)).body as unknown as Statistics).days
  const rolls = (await days()).at(-1)?.rolls
  const failures = (await days()).at(-1)?.failures as number
  clock.ahead = 86_400_000
  assert.equal((await teller.post(`/dice-rolls/${strained.id}/settle`, { choice: 'DESPAIR' })).status, 200)
  assert.deepEqual(
    (await days()).slice(-2).map(({ failures }) => failures),
    [failures + 1, 0],
  )
  clock.ahead = 89 * 86_400_000
  assert.equal((await days())[0]?.rolls, rolls)
  clock.ahead = 90 * 86_400_000
  assert.equal(
    (await days()).reduce((all, { rolls }) => all + rolls, 0),
    0,
  )
})
