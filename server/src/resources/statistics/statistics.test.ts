import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call, clock, db, twoProcesses, write } from '../../../test/harness.ts'
import { newTable, type Person, twoApps } from '../../../test/table.ts'
import { migrations } from '../../db/migrate.ts'
import { sql } from '../../db/sql.ts'
import type { DiceRoll } from '../dice-rolls/schema.ts'
import { chiSquare, daysUntil, percentages } from './rules.ts'
import type { Statistics } from './schema.ts'

const OUTCOMES = ['BOTCH', 'FAILURE', 'SUCCESS', 'CRITICAL'] as const

/** What statistics of these rolls must say, worked out roll by roll. */
function expected(rolls: DiceRoll[]): Statistics {
  const ended = OUTCOMES.map((outcome) => rolls.filter((roll) => roll.outcome === outcome).length)
  const shares = percentages(ended)
  const mean = (numbers: number[]) => (numbers.length ? Math.round((numbers.reduce((a, b) => a + b) * 100) / numbers.length) / 100 : null)
  const dice = rolls.flatMap(({ notation, dice }) =>
    dice.map(({ sides, value }) => ({ sides, face: notation?.includes('F') ? value + 1 : value - 1 })),
  )
  const sizes = [...new Set(dice.map(({ sides }) => sides))].filter((sides) => sides <= 100).sort((a, b) => a - b)
  const traits = new Map<string, number>()
  for (const { pool } of rolls) {
    const used = new Set(pool?.traits.flatMap(({ name, value }) => (value ? [name] : [])))
    for (const name of used) traits.set(name, (traits.get(name) ?? 0) + 1)
  }
  return {
    rolls: rolls.length,
    outcomes: OUTCOMES.map((outcome, i) => ({ outcome, rolls: ended[i] as number, percent: shares[i] as number })),
    mean_pool: mean(rolls.flatMap(({ pool, dice }) => (pool ? [dice.length] : []))),
    mean_difficulty: mean(rolls.flatMap(({ pool }) => (pool?.difficulty ? [pool.difficulty] : []))),
    faces: sizes.map((sides) => {
      const observed = new Array(sides).fill(0)
      for (const die of dice) if (die.sides === sides) observed[die.face]++
      const fallen = observed.reduce((a, b) => a + b)
      return { sides, dice: fallen, expected: Math.round((fallen * 100) / sides) / 100, observed, ...chiSquare(observed) }
    }),
    traits: [...traits]
      .map(([name, rolls]) => ({ name, rolls }))
      .sort((a, b) => b.rolls - a.rolls || (a.name < b.name ? -1 : 1))
      .slice(0, 10),
    days: daysUntil(db.now(), 90).map((date) => {
      const those = rolls.filter(({ date_created }) => date_created.startsWith(date))
      const [botches, failures, successes, criticals] = OUTCOMES.map((outcome) => those.filter((roll) => roll.outcome === outcome).length)
      return { date, rolls: those.length, botches, failures, successes, criticals } as Statistics['days'][number]
    }),
  }
}

async function listed(who: Person, filter: string): Promise<DiceRoll[]> {
  const rolls: DiceRoll[] = []
  for (;;) {
    const { items, total } = (await who.get(`/dice-rolls?limit=100&offset=${rolls.length}&${filter}`)).body
    rolls.push(...(items as unknown as DiceRoll[]))
    if (rolls.length === total) return rolls
  }
}

/** A company where dice fell in every way there is. */
async function played() {
  const table = await newTable()
  const { teller, player, other, stranger, admin, campaign_id, C } = table
  await teller.patch(C, { desperation: 5 })
  const elsewhere = await stranger.make('/campaigns', { name: 'Elsewhere' })
  const hero = await player.make(`${C}/characters`, { name: 'Hero', traits: { strength: 3, brawl: 2, wits: 4 } })
  const rival = await other.make(`${C}/characters`, { name: 'Rival', traits: { strength: 5 } })
  const npc = await teller.make(`${C}/characters`, { name: 'Landlord', type: 'NPC', traits: { brawl: 6 } })
  const hidden = await teller.make(`${C}/characters`, { name: 'Ghoul', type: 'NPC', visibility: 'STORYTELLER', traits: { hunger: 5 } })
  const shapes = (character_id?: string) => [
    { notation: '2d20kh1 + 3d6' },
    { notation: '4dF' },
    { notation: 'd1000 + d%' },
    { pool: { dice: 6, difficulty: 6, desperation_dice: 5 } },
    { pool: { dice: 4, sides: 6 } },
    ...(character_id
      ? [{ character_id, pool: { traits: ['strength', 'brawl', 'nonsense', 'strength'], modifier: 1, difficulty: 8 } }]
      : []),
  ]
  const asked: [Person, object][] = []
  for (const [who, character_id] of [[player, hero], [other, rival], [teller, npc], [stranger], [admin]] as const) {
    for (const shape of shapes(character_id)) {
      for (const visibility of ['PUBLIC', 'STORYTELLER', 'BLIND']) asked.push([who, { campaign_id, visibility, ...shape }])
      if (!JSON.stringify(shape).includes('desperation') && !('character_id' in shape)) {
        asked.push([who, shape])
        for (const visibility of ['PUBLIC', 'STORYTELLER', 'BLIND']) asked.push([who, { ...shape, campaign_id: elsewhere, visibility }])
      }
    }
  }
  const stray = await stranger.make(`/campaigns/${elsewhere}/characters`, { name: 'Stray', type: 'NPC', traits: { claws: 4 } })
  asked.push([stranger, { character_id: stray, pool: { traits: ['claws'], sides: 7 } }])
  asked.push([teller, { character_id: hidden, visibility: 'STORYTELLER', pool: { traits: ['hunger'], difficulty: 6 } }])
  const made = await Promise.all(asked.map(([who, body], i) => who.post('/dice-rolls', body, {}, twoApps[i % 2])))
  for (const { status, text } of made) assert.equal(status, 201, text)
  return { ...table, elsewhere, hero, rival, npc, hidden, stray }
}

type Played = Awaited<ReturnType<typeof played>>

/** Every statistic is what the rolls come to that the same person is shown. */
async function compare({ base, key, developer, elsewhere, hero, rival, npc, hidden, C, campaign_id, ...people }: Played) {
  const { teller, player, other, stranger, admin } = people
  for (const [name, who] of Object.entries({ teller, player, other, stranger, admin })) {
    const all = await listed(who, '')
    const of = async (path: string) => (await who.get(path)).body as unknown as Statistics
    const company = await call('GET', `${base}/statistics`, { key, headers: { 'on-behalf-of': who.id } })
    assert.deepEqual(company.body as unknown, expected(all), `${name}: of the company`)
    const mine = await listed(who, `user_id=${who.id}`)
    assert.deepEqual(await of('/statistics'), expected(mine), `${name}: of oneself`)
    for (const id of [campaign_id, elsewhere]) {
      if ((await who.get(`/campaigns/${id}`)).status === 404) continue
      assert.deepEqual(await of(`/campaigns/${id}/statistics`), expected(await listed(who, `campaign_id=${id}`)), `${name}: of a campaign`)
    }
    for (const id of [hero, rival, npc, hidden]) {
      const answer = await who.get(`${C}/characters/${id}/statistics`)
      assert.equal(answer.status, (await who.get(`${C}/characters/${id}`)).status)
      if (answer.status !== 200) continue
      assert.deepEqual(answer.body as unknown, expected(await listed(who, `character_id=${id}`)), `${name}: of a character`)
    }
  }
  assert.deepEqual((await call('GET', `${base}/statistics`, { key })).body as unknown, expected(await listed(admin, '')), 'the key alone')
  const outsider = await people.person('PLAYER')
  const { key: lesser } = await developer('USER')
  const least = (await call('GET', `${base}/statistics`, { key: lesser })).body as unknown
  assert.deepEqual(least, expected(await listed(outsider, '')), 'a USER key sees what a player outside every campaign sees')
}

test('statistics are what the rolls come to that the same person may see, whatever becomes of both', async () => {
  const world = await played()
  const { base, key, player, teller, stranger, npc, hero, elsewhere, stray, C } = world
  await compare(world)

  const strained = (await listed(teller, '')).filter((roll) => roll.strained)
  assert.ok(strained.length > 0)
  await Promise.all(
    strained.map(({ id }, i) => teller.post(`/dice-rolls/${id}/settle`, { choice: i % 2 ? 'OVERREACH' : 'DESPAIR' }, {}, twoApps[i % 2])),
  )
  assert.ok((await listed(teller, '')).some(({ settlement }) => settlement === 'DESPAIR'))
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

test('what was rolled before there were statistics is in them', async () => {
  const { company_id } = await played()
  const tables = ['dice_tallies', 'dice_days', 'dice_faces', 'dice_traits'].map(sql.id)
  const all = async () =>
    Promise.all(tables.map((name) => db.query(sql`SELECT * FROM ${name} t WHERE company_id = ${company_id} ORDER BY to_json(t)::text`)))
  const live = await all()
  for (const rows of live) assert.ok(rows.length > 3)
  for (const name of [...tables].reverse()) await write(sql`DROP TABLE ${name}`)
  await write(sql`DROP INDEX characters_hidden`)
  const text = migrations()
    .filter(({ name }) => /^00(09|10)_/.test(name))
    .map(({ text }) => text)
    .join('\n')
  await db.transaction(async (tx) => {
    for (const statement of text.split(/;\s*\n/)) if (statement.trim()) await tx.query(sql.words(statement))
  })
  assert.deepEqual(await all(), live)
})

test('rolls outside campaigns, by many at once, wait for nobody for long and are all counted', async () => {
  const { base, key, person } = await newTable()
  const people = await Promise.all(Array.from({ length: 20 }, () => person('PLAYER')))
  const answers = await Promise.all(
    people.flatMap((who) => Array.from({ length: 10 }, (_, i) => who.post('/dice-rolls', { notation: '2d6' }, {}, twoApps[i % 2]))),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  const { rolls, faces } = (await call('GET', `${base}/statistics`, { key })).body as unknown as Statistics
  assert.deepEqual([rolls, faces[0]?.dice], [200, 400])
})

// The last: ids go on from where a clock once was.
test('a roll is in its own day, when it is settled too, and leaves after ninety', { skip: twoProcesses }, async (t) => {
  const { teller, campaign_id, C } = await newTable()
  t.after(() => {
    clock.ahead = 0
  })
  await teller.patch(C, { desperation: 5 })
  const pool = { dice: 1, difficulty: 6, desperation_dice: 5 }
  let strained: DiceRoll
  do strained = (await teller.post('/dice-rolls', { campaign_id, pool })).body as unknown as DiceRoll
  while (!strained.strained || strained.outcome === 'FAILURE')
  const day = (ahead: number) => strained.date_created.slice(0, 10) === new Date(Date.now() + ahead).toISOString().slice(0, 10)
  assert.ok(day(0))
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
