import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { newGameTable, type Person, twoApps } from '../../../test/game-table.ts'
import { type Answer, assertProblem, call, clock, db, engine, twoProcesses, write } from '../../../test/harness.ts'
import { recordedApp as on, statementsOf } from '../../../test/recorded.ts'
import { sql } from '../../db/sql.ts'
import { experienceMismatches } from './invariants.ts'
import type { Balance, Entry } from './schema.ts'

const DAY_MS = 86_400_000
const entryOf = ({ body }: Answer) => body as unknown as Entry

async function newAward(amount: number) {
  const table = await newGameTable()
  const { teller, player, C } = table
  const answer = await teller.post(`${C}/experience/awards`, { amount, reason: 'Session 1', user_ids: [player.id] })
  assert.equal(answer.status, 201, answer.text)
  const balance = async (user = player) => {
    const { items } = (await teller.get(`${C}/experience`)).body as unknown as { items: Balance[] }
    const { earned = 0, spent = 0, available = 0 } = items.find(({ user_id }) => user_id === user.id) ?? {}
    return { earned, spent, available }
  }
  const [award] = answer.body.items as unknown as [Entry]
  return { ...table, award, balance }
}

test('an award writes one entry for each user, or none at all', async () => {
  const { base, key, company_id, teller, player, other, stranger, admin, campaign_id, C } = await newGameTable()
  const awards = (user: Person, body: object) => user.post(`${C}/experience/awards`, { amount: 3, reason: 'Session 1', ...body })
  const answer = await awards(teller, { user_ids: [other.id, player.id] })
  assert.equal(answer.status, 201, answer.text)
  assert.equal(answer.headers.location, undefined)
  const [first, second] = answer.body.items as unknown as [Entry, Entry]
  assert.deepEqual([first.user_id, second.user_id], [other.id, player.id], 'entries are in the order of the users')
  const { id, date_created, ...rest } = second
  assert.deepEqual(rest, {
    company_id,
    kind: 'AWARD',
    amount: 3,
    delta: 3,
    price: null,
    user_id: player.id,
    campaign_id,
    character_id: null,
    trait: null,
    reason: 'Session 1',
    awarded_by: teller.id,
    reverses: null,
    reversed_by: null,
    metadata: {},
    truncated: false,
  })
  assert.equal((await awards(admin, { user_ids: [player.id] })).status, 201)

  assertProblem(await awards(player, { user_ids: [player.id] }), 403)
  assertProblem(await awards(stranger, { user_ids: [player.id] }), 403)
  const twice = await awards(teller, { user_ids: [player.id, other.id, player.id] })
  assertProblem(twice, 400)
  assert.match(twice.text, /user_ids\.2.*named twice/)
  const foreign = await newGameTable()
  for (const unknown of [foreign.player.id, randomUUID()])
    assertProblem(await awards(teller, { user_ids: [player.id, unknown] }), 404, 'User not found')
  await call('DELETE', `${base}/users/${other.id}`, { key })
  assertProblem(await awards(teller, { user_ids: [player.id, other.id] }), 404, 'User not found')
  for (const body of [
    { amount: 0 },
    { amount: 1_000_001 },
    { amount: undefined },
    { amount: 1.5 },
    { amount: '3' },
    { amount: -3 },
    { reason: '' },
    { reason: '   ' },
    { reason: 'x'.repeat(501) },
    { user_ids: [] },
    { user_ids: Array.from({ length: 101 }, () => randomUUID()) },
    { user_ids: ['x'] },
    { user_ids: player.id },
    { to: 'MEMBERS' },
    { to: 'EVERYBODY', user_ids: undefined },
    { awards: [{ user_id: player.id, amount: 1 }] },
    { nonsense: 1 },
  ])
    assertProblem(await awards(teller, { user_ids: [player.id], ...body }), 400)

  const balances = (await player.get(`${C}/experience`)).body
  assert.deepEqual(
    [balances.items, balances.total],
    [[{ user_id: player.id, campaign_id, character_id: null, earned: 6, spent: 0, available: 6 }], 1],
  )
  const own = (await player.get('/experience')).body as unknown as { items: Balance[]; lifetime: object }
  assert.deepEqual([own.items, own.lifetime], [balances.items, { earned: 6, spent: 0, available: 6 }])
  const log = (await call('GET', `${base}/audit-logs?type=experience.awarded`, { key })).body.items
  assert.equal(log.length, 3)
  assert.deepEqual([log[2]?.reason, log[2]?.changes?.balance?.new], ['Session 1', { earned: 6, spent: 0, available: 6 }])
})

test('a spend raises a trait, and its reversal restores the trait', async () => {
  const { base, key, teller, player, other, C, award, balance } = await newAward(10)
  const hero = await player.make(`${C}/characters`, { name: 'Hero', traits: { strength: 3 } })
  const rival = await other.make(`${C}/characters`, { name: 'Rival' })
  const spends = (user: Person, body: object) => user.post(`${C}/experience/spends`, { amount: 4, reason: 'Trained', ...body })
  const raise = { character_id: hero, trait: { name: 'strength', to: 4 } }
  const spent = entryOf(await spends(player, raise))
  assert.deepEqual([spent.kind, spent.delta, spent.trait], ['SPEND', -4, { name: 'strength', from: 3, to: 4 }])
  assert.deepEqual(await balance(), { earned: 10, spent: 4, available: 6 })
  const traits = async () => (await player.get(`${C}/characters/${hero}`)).body.traits as Record<string, number>
  assert.deepEqual(await traits(), { strength: 4 })

  const assertConflict = async (reply: Promise<Answer>, code: string, detail: RegExp) => {
    const answer = await reply
    assertProblem(answer, 409)
    assert.equal(answer.body.code, code)
    assert.match(answer.text, detail)
    return answer.body
  }
  await assertConflict(spends(player, raise), 'trait_not_raised', /strength is already 4/)
  await assertConflict(spends(player, { ...raise, trait: { name: 'wits', to: 0 } }), 'trait_not_raised', /wits is already 0/)
  const refused = await assertConflict(spends(player, { amount: 7 }), 'not_enough_experience', /Only 6 experience is available/)
  assert.equal(refused.available, 6)
  await assertConflict(spends(player, { amount: 7, ...raise, trait: { name: 'strength', to: 5 } }), 'not_enough_experience', /Only 6 exp/)
  assert.deepEqual(await traits(), { strength: 4 }, 'a trait is not raised if it is not paid for')
  await assertConflict(spends(teller, { user_id: player.id, character_id: rival }), 'not_their_character', /does not play this character/)
  assertProblem(await spends(player, { character_id: rival }), 403)
  assertProblem(await spends(player, { character_id: rival, trait: { name: 'wits', to: 1 } }), 403)
  assertProblem(await spends(player, { user_id: other.id }), 403)
  assertProblem(await spends(player, { character_id: randomUUID() }), 404, 'Character not found')
  assertProblem(await spends(teller, { user_id: randomUUID() }), 404, 'User not found')
  assertProblem(await spends(player, { trait: { name: 'wits', to: 1 } }), 400)
  for (const trait of [
    { name: 'Wits', to: 1 },
    { name: 'wits', to: 1_000_001 },
    { name: 'wits' },
    { name: 'wits', to: 1, from: 0 },
    'wits',
  ])
    assertProblem(await spends(player, { character_id: hero, trait }), 400)

  const reverse = (user: Person, id: string, reason = 'A mistake') => user.post(`${C}/experience/entries/${id}/reverse`, { reason })
  assertProblem(await reverse(other, spent.id), 403)
  assertProblem(await reverse(player, award.id), 403)
  await assertConflict(reverse(teller, award.id), 'award_spent', /Only 6 experience is unspent/)
  await player.patch(`${C}/characters/${hero}`, { traits: { strength: 5 } })
  await assertConflict(reverse(player, spent.id), 'trait_changed', /set strength to 4, but it is now 5/)
  await player.patch(`${C}/characters/${hero}`, { traits: { strength: null } })
  await assertConflict(reverse(player, spent.id), 'trait_changed', /no longer has it/)
  await player.patch(`${C}/characters/${hero}`, { traits: { strength: 4 } })
  await player.delete(`${C}/characters/${hero}`)
  await assertConflict(reverse(player, spent.id), 'character_archived', /Restore the character first/)
  await player.post(`${C}/characters/${hero}/restore`)
  const reversal = entryOf(await reverse(player, spent.id))
  assert.deepEqual(
    [reversal.kind, reversal.amount, reversal.delta, reversal.reverses, reversal.trait],
    ['REVERSAL', 4, 4, spent.id, { name: 'strength', from: 4, to: 3 }],
  )
  assert.deepEqual(await traits(), { strength: 3 })
  assert.deepEqual(await balance(), { earned: 10, spent: 0, available: 10 })
  await assertConflict(reverse(teller, spent.id), 'already_reversed', /already/)
  await assertConflict(reverse(teller, reversal.id), 'not_reversible', /Make a new award or spend/)
  assert.equal(entryOf(await player.get(`${C}/experience/entries/${spent.id}`)).reversed_by, reversal.id)
  assertProblem(await reverse(teller, randomUUID()), 404, 'Entry not found')

  // A trait may have the name of an inherited property.
  const odd = entryOf(await spends(player, { amount: 1, character_id: hero, trait: { name: 'constructor', to: 2 } }))
  assert.deepEqual(odd.trait, { name: 'constructor', from: null, to: 2 })
  assert.equal((await reverse(player, odd.id)).status, 201)
  assert.equal((await other.get(`${C}/characters/${hero}/history?limit=1`)).body.total, 10)
  // A former player must not change the character by reversing their spend.
  const parting = entryOf(await spends(player, { amount: 1, character_id: hero, trait: { name: 'strength', to: 9 } }))
  await teller.patch(`${C}/characters/${hero}`, { user_id: other.id })
  assertProblem(await reverse(player, parting.id), 403)
  await teller.patch(`${C}/characters/${hero}`, { user_id: player.id })
  assert.equal((await reverse(player, parting.id)).status, 201)

  // A reversal removes a trait that the character did not have before.
  const learned = entryOf(await spends(teller, { user_id: player.id, character_id: hero, trait: { name: 'wits', to: 1 } }))
  assert.deepEqual([learned.awarded_by, learned.user_id, learned.trait], [teller.id, player.id, { name: 'wits', from: null, to: 1 }])
  assert.equal((await reverse(teller, learned.id)).status, 201)
  assert.deepEqual(await traits(), { strength: 3 })
  assert.equal((await reverse(teller, award.id)).status, 201)
  assert.deepEqual(await balance(), { earned: 0, spent: 0, available: 0 })

  const history = (await other.get(`${C}/characters/${hero}/history?limit=100`)).body.items as unknown as {
    type: string
    user_id: string
    reason: string | null
    changes: object[]
  }[]
  assert.deepEqual(history[0]?.changes, [{ field: 'traits.wits', from: 1, to: null }])
  assert.deepEqual(
    history.map(({ type, user_id, reason }) => [type.split('.')[1], user_id === teller.id, reason]),
    [
      ['updated', true, 'A mistake'],
      ['updated', true, 'Trained'],
      ['updated', false, 'A mistake'],
      ['updated', true, null],
      ['updated', true, null],
      ['updated', false, 'Trained'],
      ['updated', false, 'A mistake'],
      ['updated', false, 'Trained'],
      ['updated', false, 'A mistake'],
      ['restored', false, null],
      ['deleted', false, null],
      ['updated', false, null],
      ['updated', false, null],
      ['updated', false, null],
      ['updated', false, 'Trained'],
      ['created', false, null],
    ],
  )
  const listed = (await other.get(`${C}/experience/entries?kind=SPEND&limit=1`)).body.items as unknown as Entry[]
  assert.equal(listed[0]?.reversed_by, reversal.id, 'the list shows the reversal too')
  const types = (await call('GET', `${base}/audit-logs?resource_type=experience&limit=100`, { key })).body.items
  assert.deepEqual(
    types.map(({ type }) => type),
    ['awarded', ...Array(4).fill(['spent', 'reversed']).flat(), 'reversed'].map((type) => `experience.${type}`),
  )
})

test('the ledger can be filtered, and is archived and restored with its campaign', async () => {
  const { base, key, teller, player, other, C, award } = await newAward(10)
  const hero = await player.make(`${C}/characters`, { name: 'Hero' })
  await teller.post(`${C}/experience/awards`, { amount: 2, reason: 'Late', user_ids: [other.id] })
  const spent = entryOf(await player.post(`${C}/experience/spends`, { amount: 1, reason: 'Book', character_id: hero }))
  await teller.post(`${C}/experience/entries/${spent.id}/reverse`, { reason: 'Lost it' })
  const found = async (query: string) => (await other.get(`${C}/experience/entries?${query}`)).body.items.map(({ kind }) => kind)
  assert.deepEqual(await found(''), ['AWARD', 'AWARD', 'SPEND', 'REVERSAL'])
  assert.deepEqual(await found('sort=-date_created&limit=1'), ['REVERSAL'])
  assert.deepEqual(await found(`user_id=${other.id}`), ['AWARD'])
  assert.deepEqual(await found(`character_id=${hero}`), ['SPEND', 'REVERSAL'])
  assert.deepEqual(await found('kind=SPEND'), ['SPEND'])
  assert.deepEqual(await found(`from=${encodeURIComponent(spent.date_created)}`), ['SPEND', 'REVERSAL'])
  assert.deepEqual(await found(`to=${encodeURIComponent(award.date_created)}`), [])
  assertProblem(await other.get(`${C}/experience/entries?kind=GIFT`), 400)
  for (const method of ['PATCH', 'PUT', 'DELETE'] as const) {
    const path = `${base}/users/${teller.id}${C}/experience/entries/${award.id}`
    assertProblem(await call(method, path, { key, ...(method !== 'DELETE' && { body: { amount: 1 } }) }), 405)
  }

  await teller.delete(C)
  assertProblem(await player.get(`${C}/experience`), 404, 'Campaign not found')
  assertProblem(await player.get(`${C}/experience/entries`), 404, 'Campaign not found')
  assertProblem(await player.post(`${C}/experience/spends`, { amount: 1, reason: 'Book' }), 404, 'Campaign not found')
  const archived = (await player.get('/experience')).body as unknown as { total: number; lifetime: { earned: number } }
  assert.deepEqual([archived.total, archived.lifetime.earned], [0, 0])
  await teller.post(`${C}/restore`)
  assert.deepEqual(await found('limit=0'), [])
  assert.equal((await player.get('/experience')).body.total, 1)
  const elsewhere = await newGameTable()
  assertProblem(await elsewhere.teller.get(`${elsewhere.C}/experience/entries/${award.id}`), 404, 'Entry not found')
  // The balances of two campaigns of one company are separate.
  const other_id = await teller.make('/campaigns', { name: 'Elsewhere' })
  const there = `/campaigns/${other_id}/experience`
  assertProblem(await teller.get(`${there}/entries/${award.id}`), 404, 'Entry not found')
  assertProblem(await teller.post(`${there}/entries/${award.id}/reverse`, { reason: 'x' }), 404, 'Entry not found')
  await teller.post(`${there}/awards`, { amount: 7, reason: 'There', user_ids: [player.id] })
  await player.post(`${there}/spends`, { amount: 2, reason: 'There' })
  const sums = ({ items }: { items: unknown }) => (items as Balance[]).map(({ earned, spent, available }) => [earned, spent, available])
  assert.deepEqual(sums((await teller.get(there)).body), [[7, 2, 5]])
  const own = (await player.get('/experience')).body as unknown as { items: Balance[]; lifetime: object }
  assert.deepEqual(sums(own), [
    [10, 0, 10],
    [7, 2, 5],
  ])
  assert.deepEqual(own.lifetime, { earned: 17, spent: 2, available: 15 })
})

test('of a hundred concurrent spends of 10 from 500, on two processes, fifty succeed', async () => {
  const { player, C, balance } = await newAward(500)
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => player.post(`${C}/experience/spends`, { amount: 10, reason: 'Greed' }, {}, twoApps[i % 2])),
  )
  const [spent, rejected] = [answers.filter(({ status }) => status === 201), answers.filter(({ status }) => status === 409)]
  assert.deepEqual([spent.length, rejected.length], [50, 50])
  assert.deepEqual(await balance(), { earned: 500, spent: 500, available: 0 })
})

test('concurrent awards to the same users in different orders never deadlock', async () => {
  const { teller, player, other, C } = await newGameTable()
  const deadlocks = async () =>
    (await db.query<{ n: number }>(sql`SELECT deadlocks AS n FROM pg_stat_database WHERE datname = current_database()`))[0]?.n
  const before = await deadlocks()
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) => {
      const user_ids = i % 4 < 2 ? [player.id, other.id] : [other.id, player.id]
      return teller.post(`${C}/experience/awards`, { amount: 1, reason: 'x', user_ids }, {}, twoApps[i % 2])
    }),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  await db.query(sql`SELECT pg_stat_clear_snapshot()`)
  assert.equal(await deadlocks(), before)
})

test('concurrent requests reverse an entry once, raise a trait once, and spend once with the same idempotency key', async () => {
  const { teller, player, C, award, balance } = await newAward(100)
  const hero = await player.make(`${C}/characters`, { name: 'Hero', traits: { strength: 1 } })
  const twelveTimes = (send: (on: (typeof twoApps)[number]) => Promise<Answer>) =>
    Promise.all(Array.from({ length: 12 }, (_, i) => send(twoApps[i % 2] as (typeof twoApps)[number])))
  const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort()
  const once = [201, ...new Array(11).fill(409)]
  const body = { amount: 5, reason: 'Trained', character_id: hero, trait: { name: 'strength', to: 2 } }
  const raised = await twelveTimes((on) => player.post(`${C}/experience/spends`, body, {}, on))
  assert.deepEqual(statuses(raised), once)
  assert.deepEqual(await balance(), { earned: 100, spent: 5, available: 95 })
  const spent = entryOf(raised.find(({ status }) => status === 201) as Answer)
  const reversals = await twelveTimes((on) => teller.post(`${C}/experience/entries/${spent.id}/reverse`, { reason: 'No' }, {}, on))
  assert.deepEqual(statuses(reversals), once)
  for (const { status, body } of reversals) if (status === 409) assert.equal(body.code, 'already_reversed')
  assert.deepEqual(
    statuses(await twelveTimes((on) => teller.post(`${C}/experience/entries/${award.id}/reverse`, { reason: 'No' }, {}, on))),
    once,
  )
  await teller.post(`${C}/experience/awards`, { amount: 100, reason: 'After all', user_ids: [player.id] })
  const headers = { 'idempotency-key': randomUUID() }
  const keyed = await twelveTimes((on) => player.post(`${C}/experience/spends`, { amount: 5, reason: 'Once' }, headers, on))
  assert.deepEqual(new Set(keyed.map(({ text }) => text)).size, 1)
  assert.deepEqual(await balance(), { earned: 100, spent: 5, available: 95 })
})

test('after concurrent requests on two processes, balances are the sums of their entries and never negative', async () => {
  const { teller, player, other, C } = await newGameTable()
  const users = [player, other]
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          act: fc.constantFrom('award', 'spend', 'reverse'),
          userIndex: fc.nat(1),
          amount: fc.integer({ min: 1, max: 20 }),
          pick: fc.nat(),
        }),
        { minLength: 10, maxLength: 30 },
      ),
      async (acts) => {
        const known = (await teller.get(`${C}/experience/entries?limit=100&sort=-date_created`)).body.items as unknown as Entry[]
        const answers = await Promise.all(
          acts.map(({ act, userIndex, amount, pick }, i) => {
            const [user, app] = [users[userIndex] as Person, twoApps[i % 2]]
            const entry = known.length ? known[pick % known.length] : undefined
            if (act === 'spend') return user.post(`${C}/experience/spends`, { amount, reason: act }, {}, app)
            if (act === 'reverse' && entry) return teller.post(`${C}/experience/entries/${entry.id}/reverse`, { reason: act }, {}, app)
            const user_ids = pick % 2 ? [user.id] : [player.id, other.id].sort(() => (pick % 3) - 1)
            return teller.post(`${C}/experience/awards`, { amount, reason: 'award', user_ids }, {}, app)
          }),
        )
        for (const { status, text } of answers) assert.ok(status === 201 || status === 409, text)
        assert.deepEqual(await db.query(experienceMismatches), [])
        const { items } = (await teller.get(`${C}/experience`)).body as unknown as { items: Balance[] }
        for (const { user_id, earned, spent, available } of items) {
          const [{ sum } = { sum: 0 }] = await db.query<{ sum: number }>(
            sql`SELECT sum(delta)::bigint AS sum FROM experience_entries WHERE user_id = ${user_id}`,
          )
          assert.deepEqual([available, available], [sum, earned - spent])
          assert.ok(available >= 0 && spent >= 0)
        }
      },
    ),
    { numRuns: 15, endOnFailure: true },
  )
  for (const damage of [
    sql`UPDATE experience_balances SET earned = earned + 1 WHERE user_id = ${player.id}`,
    sql`UPDATE experience_balances SET earned = earned - 1, spent = spent + 1 WHERE user_id = ${other.id} AND earned - spent > 1`,
    sql`DELETE FROM experience_balances WHERE user_id = ${other.id}`,
  ])
    await write(damage).then(async () => assert.ok((await db.query(experienceMismatches)).length > 0, 'the check finds the mismatch'))
  assert.equal((await db.query(experienceMismatches)).length, 2)
})

test('the ledger needs few statements, as many for a hundred users as for one', async (t) => {
  const { teller, player, C, user } = await newAward(100)
  const hero = await player.make(`${C}/characters`, { name: 'Hero' })
  const many = [player.id]
  for (let i = many.length; i < 100; i++) many.push(await user('PLAYER'))
  const count = async (send: () => Promise<Answer>, status: number) => {
    const { answer, sent } = await statementsOf(send)
    assert.equal(answer.status, status, answer.text)
    return sent.length
  }
  const awards = (user_ids: string[]) => () => teller.post(`${C}/experience/awards`, { amount: 1, reason: 'x', user_ids }, {}, on)
  const spends = (body: object) => () => player.post(`${C}/experience/spends`, { amount: 1, reason: 'x', ...body }, {}, on)
  for (const user of [teller, player]) await user.get(`${C}/experience`, undefined, {}, on)
  const figures = {
    'award to one': await count(awards([player.id]), 201),
    'award to a hundred': await count(awards(many), 201),
    spend: await count(spends({}), 201),
    'spend on a trait': await count(spends({ character_id: hero, trait: { name: 'wits', to: 1 } }), 201),
    balances: await count(() => player.get(`${C}/experience`, undefined, {}, on), 200),
    'own balances': await count(() => player.get('/experience', undefined, {}, on), 200),
    history: await count(() => player.get(`${C}/characters/${hero}/history`, undefined, {}, on), 200),
  }
  t.diagnostic(JSON.stringify(figures))
  // Citus writes to the outbox with a statement of its own.
  const outbox = engine === 'citus' ? 1 : 0
  assert.deepEqual(figures, {
    'award to one': 6 + outbox,
    'award to a hundred': 6 + outbox,
    spend: 5 + outbox,
    'spend on a trait': 7 + outbox,
    balances: 1,
    'own balances': 2,
    history: 2,
  })
})

// This test is last, because ids never go back behind a time that the clock has reached.
test('a player can reverse a spend for 24 hours, to the second', { skip: twoProcesses }, async (t) => {
  const { player, C } = await newAward(10)
  const spend = async () => entryOf(await player.post(`${C}/experience/spends`, { amount: 1, reason: 'Whim' })).id
  const [early, late] = [await spend(), await spend()]
  t.after(() => {
    clock.ahead = 0
  })
  clock.ahead = DAY_MS - 5_000
  assert.equal((await player.post(`${C}/experience/entries/${early}/reverse`, { reason: 'Sorry' })).status, 201)
  clock.ahead = DAY_MS
  assertProblem(await player.post(`${C}/experience/entries/${late}/reverse`, { reason: 'Sorry' }), 403)
})
