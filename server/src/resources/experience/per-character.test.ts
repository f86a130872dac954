import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { newGameTable, type Person, twoApps } from '../../../test/game-table.ts'
import { type Answer, assertProblem, call, db, engine } from '../../../test/harness.ts'
import { recordedApp as on, statementsOf } from '../../../test/recorded.ts'
import { sql } from '../../db/sql.ts'
import type { Actor } from '../../http/caller.ts'
import { experienceMismatches } from './invariants.ts'
import { award } from './ledger.ts'
import type { Balance, Entry } from './schema.ts'

const entryOf = ({ body }: Answer) => body as unknown as Entry
const entriesOf = ({ body, status, text }: Answer) => {
  assert.equal(status, 201, text)
  return body.items as unknown as Entry[]
}

/** Creates a campaign in which experience belongs to characters. The player has two of them, another player has one. */
async function newTable() {
  const table = await newGameTable()
  const { teller, player, other } = table
  const campaign_id = await teller.make('/campaigns', { name: 'Per character', experience_per: 'CHARACTER' })
  const C = `/campaigns/${campaign_id}`
  const hero = await player.make(`${C}/characters`, { name: 'Hero', traits: { wits: 1 } })
  const twin = await player.make(`${C}/characters`, { name: 'Twin' })
  const rival = await other.make(`${C}/characters`, { name: 'Rival' })
  const npc = await teller.make(`${C}/characters`, { name: 'Landlord', type: 'NPC' })
  const awards = (body: object, user: Person = teller) => user.post(`${C}/experience/awards`, { reason: 'Session 1', ...body })
  const spends = (body: object, user: Person = player, headers = {}) =>
    user.post(`${C}/experience/spends`, { amount: 1, reason: 'Trained', ...body }, headers)
  const balances = async () => {
    const { items } = (await teller.get(`${C}/experience`)).body as unknown as { items: Balance[] }
    return new Map(items.map(({ character_id, ...rest }) => [character_id, rest]))
  }
  return { ...table, campaign_id, C, hero, twin, rival, npc, awards, spends, balances }
}

function assertCode(answer: Answer, status: number, code: string, text: RegExp) {
  assertProblem(answer, status)
  assert.equal(answer.body.code, code, answer.text)
  assert.match(answer.text, text)
}

test('awards go to several recipients with amounts of their own, or to all members', async () => {
  const { teller, player, other, stranger, C, base, key } = await newGameTable()
  const awards = (body: object) => teller.post(`${C}/experience/awards`, { reason: 'Session 1', ...body })
  const named = await awards({
    awards: [
      { user_id: player.id, amount: 1_000_000 },
      { user_id: other.id.toUpperCase(), amount: 2 },
    ],
  })
  assert.deepEqual(
    entriesOf(named).map(({ user_id, amount, character_id }) => [user_id, amount, character_id]),
    [
      [player.id, 1_000_000, null],
      [other.id, 2, null],
    ],
  )
  // The teller owns the campaign and is its first member; the stranger is in the company, but no member.
  await player.make(`${C}/characters`, { name: 'Hero' })
  await other.make(`${C}/characters`, { name: 'Rival' })
  const all = entriesOf(await awards({ amount: 3, to: 'MEMBERS' }))
  assert.deepEqual(
    all.map(({ user_id, amount }) => [user_id, amount]),
    [teller.id, player.id, other.id].sort().map((id) => [id, 3]),
  )
  await call('DELETE', `${base}/users/${other.id}`, { key })
  assert.equal(entriesOf(await awards({ amount: 1, to: 'MEMBERS' })).length, 2, 'archived users get nothing')
  const own = (await player.get(`${C}/experience`)).body.items as unknown as Balance[]
  assert.equal(own.find(({ user_id }) => user_id === player.id)?.earned, 1_000_004)
  assert.equal((await stranger.get('/experience')).body.total, 0)

  const unknown = { user_id: randomUUID(), amount: 1 }
  assertProblem(await awards({ awards: [{ user_id: player.id, amount: 1 }, unknown] }), 404, 'User not found')
  assertCode(await awards({ awards: [{ character_id: randomUUID(), amount: 1 }] }), 400, 'experience_per_user', /belongs to users/)
  for (const body of [
    {},
    { amount: 1 },
    { awards: [] },
    { awards: {} },
    { awards: [player.id] },
    { awards: [{ user_id: player.id }] },
    { awards: [{ user_id: player.id, amount: 1_000_001 }] },
    { awards: [{ user_id: player.id, amount: 1, reason: 'x' }] },
    { awards: [{ user_id: null, amount: 1 }] },
    { awards: Array.from({ length: 101 }, () => ({ user_id: randomUUID(), amount: 1 })) },
    { amount: 1, to: 'members' },
    { amount: 1, to: null },
    { amount: 1, to: 'MEMBERS', user_ids: [player.id] },
  ])
    assertProblem(await awards(body), 400)
  const log = (await call('GET', `${base}/audit-logs?type=experience.awarded&limit=100`, { key })).body.items
  assert.equal(log.length, 7, 'one event for each recipient, and none for what was rejected')
})

test('an award to more than a hundred members is rejected as a whole, and so is one to nobody', async () => {
  const { teller, user, C, base, key } = await newGameTable()
  const award = (on = twoApps[0]) => teller.post(`${C}/experience/awards`, { amount: 1, reason: 'x', to: 'MEMBERS' }, {}, on)
  for (let i = 0; i < 99; i++) await teller.put(`${C}/members/${await user('PLAYER')}`, { role: 'PLAYER' })
  assert.equal(entriesOf(await award()).length, 100)
  const last = await user('PLAYER')
  await teller.put(`${C}/members/${last}`, { role: 'PLAYER' })
  assertCode(await award(), 409, 'too_many_recipients', /more than 100 members/)
  await call('DELETE', `${base}/users/${last}`, { key })
  assert.equal(entriesOf(await award()).length, 100, 'archived users do not count')

  const empty = await newTable()
  for (const [user, id] of [
    [empty.player, empty.hero],
    [empty.player, empty.twin],
  ] as const)
    await user.patch(`${empty.C}/characters/${id}`, { status: 'RETIRED' })
  await empty.other.delete(`${empty.C}/characters/${empty.rival}`)
  assertCode(await empty.awards({ amount: 1, to: 'MEMBERS' }), 409, 'no_recipients', /no ACTIVE player character/)
})

test('where experience belongs to characters, awards name characters', async () => {
  const { teller, player, other, C, campaign_id, hero, twin, rival, npc, awards, balances } = await newTable()
  const [first, second] = entriesOf(
    await awards({
      awards: [
        { character_id: rival, amount: 5 },
        { character_id: hero, amount: 7 },
      ],
    }),
  ) as [Entry, Entry]
  assert.deepEqual([first.character_id, first.user_id, first.amount, first.trait], [rival, other.id, 5, null])
  assert.deepEqual([second.character_id, second.user_id, second.amount], [hero, player.id, 7])
  // The twin is alive and ACTIVE, the rival retires, and the NPC never counts.
  await other.patch(`${C}/characters/${rival}`, { status: 'RETIRED' })
  assert.deepEqual(
    entriesOf(await awards({ amount: 1, to: 'MEMBERS' })).map(({ character_id }) => character_id),
    [hero, twin].sort(),
  )
  assert.deepEqual(
    await balances(),
    new Map(
      [[hero, player.id, 8] as const, [twin, player.id, 1] as const, [rival, other.id, 5] as const].map(([id, user_id, earned]) => [
        id,
        { user_id, campaign_id, earned, spent: 0, available: earned },
      ]),
    ),
  )
  assert.equal(entriesOf(await awards({ awards: [{ character_id: rival, amount: 1 }] })).length, 1, 'a named one need not be ACTIVE')

  assertCode(await awards({ amount: 1, user_ids: [player.id] }), 400, 'experience_per_character', /belongs to characters/)
  assertCode(await awards({ awards: [{ user_id: player.id, amount: 1 }] }), 400, 'experience_per_character', /awards\.0\.user_id/)
  assertCode(await awards({ awards: [{ character_id: npc, amount: 1 }] }), 409, 'no_player', /NPC/)
  assertProblem(await awards({ awards: [{ character_id: hero, amount: 1 }] }, player), 403)
  const elsewhere = await teller.make('/campaigns', { name: 'Elsewhere' })
  const far = await player.make(`/campaigns/${elsewhere}/characters`, { name: 'Far' })
  await player.delete(`${C}/characters/${twin}`)
  for (const character_id of [far, twin, randomUUID(), (await newTable()).hero]) {
    const body = {
      awards: [
        { character_id: hero, amount: 1 },
        { character_id, amount: 1 },
      ],
    }
    assertProblem(await awards(body), 404, 'Character not found')
  }
  assert.deepEqual([...(await balances()).keys()].sort(), [hero, rival].sort(), 'an archived character is not listed')
  assert.equal((await balances()).get(hero)?.earned, 8)
})

test('the experience of a character is spent by its player and the storytellers, from its own balance only', async () => {
  const { teller, player, other, admin, C, hero, twin, rival, npc, awards, spends, balances, campaign_id } = await newTable()
  await awards({
    awards: [
      { character_id: hero, amount: 10 },
      { character_id: rival, amount: 4 },
    ],
  })
  const spent = entryOf(await spends({ amount: 3, character_id: hero, trait: { name: 'wits', to: 2 } }))
  assert.deepEqual([spent.character_id, spent.user_id, spent.delta, spent.trait], [hero, player.id, -3, { name: 'wits', from: 1, to: 2 }])
  const traits = async () => (await player.get(`${C}/characters/${hero}`)).body.traits
  assert.deepEqual(await traits(), { wits: 2 })
  assertCode(await spends({ amount: 8, character_id: hero }), 409, 'not_enough_experience', /Only 7 experience/)
  const poor = await spends({ amount: 1, character_id: twin })
  assertCode(poor, 409, 'not_enough_experience', /Only 0 experience/)
  assert.equal(poor.body.available, 0)
  assertCode(await spends({}), 400, 'validation_failed', /character_id.*belongs to characters/)
  assertCode(await spends({ character_id: null }), 400, 'validation_failed', /character_id/)
  assertCode(await spends({ character_id: hero, user_id: player.id }), 400, 'experience_per_character', /user_id/)
  assertProblem(await spends({ character_id: rival }), 403)
  assertProblem(await spends({ character_id: npc }), 403)
  assertProblem(await spends({ character_id: rival, trait: { name: 'wits', to: 2 } }), 403)
  assertProblem(await spends({ character_id: randomUUID() }), 404, 'Character not found')
  assertCode(await spends({ character_id: npc }, teller), 409, 'no_player', /NPC/)
  for (const user of [teller, admin]) {
    const byOther = entryOf(await spends({ character_id: rival }, user))
    assert.deepEqual([byOther.user_id, byOther.awarded_by], [other.id, user.id])
  }
  assert.deepEqual([(await balances()).get(hero)?.available, (await balances()).get(rival)?.available], [7, 2])

  // The balance follows the character to another player.
  await teller.patch(`${C}/characters/${hero}`, { user_id: other.id })
  assertProblem(await spends({ character_id: hero }), 403)
  assert.equal((await spends({ character_id: hero }, other)).status, 201)
  const own = async (user: Person) => {
    const { items, lifetime, total } = (await user.get('/experience')).body as unknown as {
      items: Balance[]
      lifetime: { available: number }
      total: number
    }
    return [items.map(({ character_id, available }) => [character_id, available]), lifetime.available, total]
  }
  assert.deepEqual(await own(player), [[], 0, 0])
  assert.deepEqual(await own(other), [[hero, rival].sort().map((id) => [id, id === hero ? 6 : 2]), 8, 2])
  const found = async (query: string) => (await player.get(`${C}/experience/entries?${query}`)).body.total
  assert.deepEqual(
    [await found(`character_id=${hero}`), await found(`user_id=${player.id}`)],
    [3, 2],
    'entries keep the player of their time',
  )

  // A user also has balances of their own in other campaigns.
  const perUser = await teller.make('/campaigns', { name: 'Per user' })
  await teller.post(`/campaigns/${perUser}/experience/awards`, { amount: 5, reason: 'x', user_ids: [other.id] })
  const { items } = (await other.get('/experience')).body as unknown as { items: Balance[] }
  assert.deepEqual(
    items.map(({ campaign_id, user_id, character_id }) => [campaign_id, user_id, character_id]),
    [...[hero, rival].sort().map((id) => [campaign_id, other.id, id]), [perUser, other.id, null]],
  )
  const pages = []
  for (let offset = 0; offset < 3; offset++) pages.push(...(await other.get(`/experience?limit=1&offset=${offset}`)).body.items)
  assert.deepEqual(pages, items as unknown)
})

test('entries of characters are reversed like those of users, by the present player', async () => {
  const { teller, player, other, C, hero, awards, spends, balances, campaign_id } = await newTable()
  const [awarded] = entriesOf(await awards({ awards: [{ character_id: hero, amount: 10 }] })) as [Entry]
  const reverse = (user: Person, id: string, headers = {}) =>
    user.post(`${C}/experience/entries/${id}/reverse`, { reason: 'A mistake' }, headers)
  const spent = entryOf(await spends({ amount: 4, character_id: hero, trait: { name: 'wits', to: 2 } }))
  assertProblem(await reverse(player, awarded.id), 403)
  assertProblem(await reverse(other, spent.id), 403)
  const refused = await reverse(teller, awarded.id)
  assertCode(refused, 409, 'award_spent', /Only 6 experience is unspent/)
  assert.equal(refused.body.available, 6)
  const reversal = entryOf(await reverse(player, spent.id))
  assert.deepEqual([reversal.character_id, reversal.user_id, reversal.delta, reversal.reverses], [hero, player.id, 4, spent.id])
  assert.deepEqual((await player.get(`${C}/characters/${hero}`)).body.traits, { wits: 1 })

  const headers = { 'idempotency-key': randomUUID() }
  const parting = await spends({ amount: 1, character_id: hero }, player, headers)
  const undo = { 'idempotency-key': randomUUID() }
  const second = entryOf(await spends({ amount: 2, character_id: hero }))
  assert.equal((await reverse(player, second.id, undo)).status, 201)
  await teller.patch(`${C}/characters/${hero}`, { user_id: other.id })
  assertProblem(await spends({ amount: 1, character_id: hero }, player, headers), 403)
  assertProblem(await reverse(player, second.id, undo), 403)
  assertProblem(await reverse(player, entryOf(parting).id), 403)
  assert.equal((await reverse(other, entryOf(parting).id)).status, 201, 'the balance is that of the character, so its player decides')
  await teller.patch(`${C}/characters/${hero}`, { user_id: player.id })
  const replayed = await spends({ amount: 1, character_id: hero }, player, headers)
  assert.deepEqual([replayed.text, replayed.headers['idempotent-replayed']], [parting.text, 'true'])
  assert.equal((await reverse(teller, awarded.id)).status, 201)
  assert.deepEqual((await balances()).get(hero), { user_id: player.id, campaign_id, earned: 0, spent: 0, available: 0 })
  assert.deepEqual(await db.query(experienceMismatches), [])
})

test('experience_per changes only while there are no entries, and by those who manage the campaign', async () => {
  const { teller, player, stranger, admin, C } = await newGameTable()
  const change = (experience_per: unknown, user: Person = teller) => user.patch(C, { experience_per })
  for (const value of ['user', '', null, 1, ['USER']]) assertProblem(await change(value), 400)
  assertProblem(await teller.post('/campaigns', { name: 'x', experience_per: 'PARTY' }), 400)
  for (const user of [player, stranger]) assertProblem(await change('CHARACTER', user), 403)
  assert.equal((await change('CHARACTER')).body.experience_per, 'CHARACTER')
  assert.equal((await change('USER', admin)).body.experience_per, 'USER')
  const owned = await player.make('/campaigns', { name: 'A player’s own', experience_per: 'CHARACTER' })
  assert.equal((await player.patch(`/campaigns/${owned}`, { experience_per: 'USER' })).body.experience_per, 'USER')
  const [entry] = entriesOf(await teller.post(`${C}/experience/awards`, { amount: 1, reason: 'x', user_ids: [player.id] })) as [Entry]
  await teller.post(`${C}/experience/entries/${entry.id}/reverse`, { reason: 'x' })
  assertCode(await change('CHARACTER'), 409, 'experience_exists', /experience_per stays USER/)
  assertCode(await teller.patch(C, { name: 'Renamed', experience_per: 'CHARACTER' }), 409, 'experience_exists', /stays USER/)
  const same = await change('USER')
  assert.deepEqual([same.status, same.body.name], [200, 'Fall of Kingsport'], 'the same value is no change')
})

test('of a first award and a change of experience_per at once, on two processes, one is rejected', async () => {
  const { teller, player } = await newGameTable()
  const outcomes = new Map<string, number>()
  for (let round = 0; round < 40; round++) {
    const C = `/campaigns/${await teller.make('/campaigns', { name: `Round ${round}` })}`
    await player.make(`${C}/characters`, { name: 'Hero' })
    const [first, second] = round % 2 ? twoApps : ([...twoApps].reverse() as unknown as typeof twoApps)
    const award = () => teller.post(`${C}/experience/awards`, { amount: 1, reason: 'x', user_ids: [player.id] }, {}, first)
    const change = () => teller.patch(C, { experience_per: 'CHARACTER' }, {}, second)
    // Both processes know the caller, so that the requests meet in the database.
    for (const app of twoApps) await teller.get(`${C}/experience`, undefined, {}, app)
    const [awarded, changed] = await (round % 4 < 2
      ? Promise.all([award(), change()])
      : Promise.all([change(), award()]).then((both) => both.reverse()))
    const outcome = `${awarded?.status} ${changed?.status}`
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    assert.ok(outcome === '201 409' || outcome === '400 200', `${awarded?.text} ${changed?.text}`)
    const balances = (await teller.get(`${C}/experience`)).body.items as unknown as Balance[]
    assert.equal(balances.length, outcome === '201 409' ? 1 : 0)
  }
  assert.deepEqual(await db.query(experienceMismatches), [])
})

test('while experience_per keeps changing on two processes, awards to all belong to the final value', async () => {
  const { teller, player, C } = await newGameTable()
  await player.make(`${C}/characters`, { name: 'Hero' })
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      i % 6 === 5
        ? teller.post(`${C}/experience/awards`, { amount: 1, reason: 'x', to: 'MEMBERS' }, {}, twoApps[i % 2])
        : teller.patch(C, { experience_per: i % 2 ? 'USER' : 'CHARACTER' }, {}, twoApps[(i >> 1) % 2]),
    ),
  )
  for (const { status, text } of answers) assert.ok([200, 201, 409].includes(status), text)
  const { experience_per } = (await teller.get(C)).body
  const { items } = (await teller.get(`${C}/experience/entries?limit=100`)).body as unknown as { items: Entry[] }
  assert.ok(items.length > 0)
  for (const { character_id } of items) assert.equal(character_id !== null, experience_per === 'CHARACTER')
  assert.deepEqual(await db.query(experienceMismatches), [])
})

test('an award whose caller was identified before experience_per changed counts by the new value', async () => {
  const { company_id, teller, player, campaign_id, hero } = await newTable()
  const actor: Actor = { id: teller.id, company_id, name: 'Teller', role: 'STORYTELLER' }
  const settings = {
    joining: 'OPEN',
    experience_per: 'USER',
    ruleset_version_id: null,
    ruleset_mode: null,
    trait_changes: 'ANYONE',
  } as const
  const access = { isStoryteller: true, isMember: true, ...settings }
  const before = { actor, campaign: { id: campaign_id, user_id: teller.id, ...access } }
  const run = (body: object) => db.transaction((tx) => award(tx, before, { reason: 'x', ...body }))
  await assert.rejects(run({ amount: 1, user_ids: [player.id] }), { status: 400, code: 'experience_per_character' })
  const { reply } = await run({ amount: 1, to: 'MEMBERS' })
  assert.ok(reply.items.some(({ character_id }) => character_id === hero))
  assert.deepEqual(await db.query(experienceMismatches), [])
})

test('of a hundred concurrent spends of 10 from the 500 of a character, on two processes, fifty succeed', async () => {
  const { player, teller, C, hero, twin, awards, balances } = await newTable()
  await awards({
    awards: [
      { character_id: hero, amount: 500 },
      { character_id: twin, amount: 7 },
    ],
  })
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      (i % 3 ? player : teller).post(`${C}/experience/spends`, { amount: 10, reason: 'Greed', character_id: hero }, {}, twoApps[i % 2]),
    ),
  )
  assert.deepEqual(
    [201, 409].map((code) => answers.filter(({ status }) => status === code).length),
    [50, 50],
  )
  assert.deepEqual([(await balances()).get(hero)?.available, (await balances()).get(twin)?.available], [0, 7])
  assert.deepEqual(await db.query(experienceMismatches), [])
})

test('the ledger of characters takes as many statements as that of users, for one and for a hundred', async () => {
  const { teller, player, C, hero, rival } = await newTable()
  const many = [hero, rival]
  for (let i = many.length; i < 100; i++)
    many.push(await teller.make(`${C}/characters`, { name: `Extra ${many.length}`, user_id: player.id }))
  const count = async (send: () => Promise<Answer>, status: number) => {
    const { answer, sent } = await statementsOf(send)
    assert.equal(answer.status, status, answer.text)
    return sent.length
  }
  const awards = (ids: string[]) => () => {
    const body = { reason: 'x', awards: ids.map((character_id) => ({ character_id, amount: 5 })) }
    return teller.post(`${C}/experience/awards`, body, {}, on)
  }
  const spends = (body: object) => () =>
    player.post(`${C}/experience/spends`, { amount: 1, reason: 'x', character_id: hero, ...body }, {}, on)
  for (const user of [teller, player]) await user.get(`${C}/experience`, undefined, {}, on)
  const figures = {
    'award to one': await count(awards([hero]), 201),
    'award to a hundred': await count(awards(many), 201),
    spend: await count(spends({}), 201),
    'spend on a trait': await count(spends({ trait: { name: 'wits', to: 9 } }), 201),
    balances: await count(() => player.get(`${C}/experience`, undefined, {}, on), 200),
    'own balances': await count(() => player.get('/experience', undefined, {}, on), 200),
  }
  // Citus writes to the outbox with a statement of its own.
  const [award, spend] = engine === 'citus' ? [7, 7] : [6, 6]
  const expected = {
    'award to one': award,
    'award to a hundred': award,
    spend,
    'spend on a trait': spend + 1,
    balances: 1,
    'own balances': 2,
  }
  assert.deepEqual(figures, expected)
  // The twin is a player character too: with it, there are more than a hundred.
  assertCode(
    await teller.post(`${C}/experience/awards`, { amount: 1, reason: 'x', to: 'MEMBERS' }),
    409,
    'too_many_recipients',
    /more than 100 ACTIVE player characters/,
  )
  const [row] = await db.query<{ n: number }>(
    sql`SELECT count(*)::int AS n FROM experience_entries WHERE character_id = ANY (${many}::uuid[])`,
  )
  assert.equal(row?.n, 103)
})
