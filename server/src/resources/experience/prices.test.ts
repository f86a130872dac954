import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Answer, assertProblem, db } from '../../../test/harness.ts'
import { newPricedTable } from '../../../test/priced-table.ts'
import { assertConflict, faultsOf } from '../../../test/problems.ts'
import { until } from '../../../test/until.ts'
import { sql } from '../../db/sql.ts'
import { experienceMismatches } from './invariants.ts'
import type { Entry } from './schema.ts'

const entryOf = (answer: Answer) => {
  assert.equal(answer.status, 201, answer.text)
  return answer.body as never as Entry
}
const paid = (answer: Answer) => {
  const { kind, amount, delta, price, trait } = entryOf(answer)
  return [kind, amount, delta, price, trait?.from, trait?.to]
}
const mismatchesOf = async (company_id: string) =>
  (await db.query<{ company_id: string }>(experienceMismatches)).filter((row) => row.company_id === company_id)

for (const experience_per of ['USER', 'CHARACTER'] as const) {
  test(`raises are paid at the prices of the ruleset, with experience per ${experience_per}`, async () => {
    const { award, change, raise, balance, traits, company_id, teller, player, C } = await newPricedTable('d10-pool', experience_per)
    await change({ traits: { might: 2 } })
    // A burden gives experience to a character that never had any.
    assert.deepEqual(paid(await raise('hunted', 1)), ['GAIN', 2, 2, -2, null, 1])
    assert.deepEqual(await balance(), [2, 0, 2])
    assertConflict(await raise('might', 4), 'not_enough_experience', 'Only 2 experience is available. Spend at most that much.')
    await award(60)
    assert.deepEqual(paid(await raise('fighting', 3)), ['SPEND', 18, -18, 18, null, 3])
    assert.deepEqual(paid(await raise('might', 4, { amount: 35 })), ['SPEND', 35, -35, 35, 2, 4])
    assert.deepEqual(paid(await raise('hunted', 2, { amount: -2 })), ['GAIN', 2, 2, -2, 1, 2])
    assert.deepEqual(await balance(), [64, 53, 11])
    assert.deepEqual(await traits(), { might: 4, fighting: 3, hunted: 2 })
    // The default of agility is 1, so its first step is the one to 2.
    assert.deepEqual(paid(await raise('agility', 2)), ['SPEND', 10, -10, 10, null, 2])
    const gains = (await player.get(`${C}/experience/entries?kind=GAIN`)).body as never as { items: Entry[] }
    assert.deepEqual(
      gains.items.map(({ kind, price }) => `${kind} ${price}`),
      ['GAIN -2', 'GAIN -2'],
    )
    const events = await db.query<{ type: string }>(
      sql`SELECT type FROM events WHERE company_id = ${company_id} AND type IN ('experience.spent', 'experience.gained') ORDER BY id`,
    )
    const [gain, spend] = ['experience.gained', 'experience.spent']
    assert.deepEqual(
      events.map(({ type }) => type),
      [gain, spend, spend, gain, spend],
    )
    assert.equal((await teller.get(`${C}/experience/entries`)).body.total, 6)
    assert.deepEqual(await mismatchesOf(company_id), [])
  })
}

test('a player pays exactly the price; storytellers and everybody in an advisory campaign name any amount', async () => {
  const { award, change, raise, balance, pin, version_id, teller, admin, company_id } = await newPricedTable('d10-pool')
  await award(100)
  await change({ traits: { might: 3 } })
  const sentence = 'might from 3 to 4 costs 20, not 15. Read costs again.'
  assertConflict(await raise('might', 4, { amount: 15 }), 'price_changed', sentence)
  for (const amount of [0, 21, -20]) assertConflict(await raise('might', 4, { amount }), 'price_changed')
  for (const amount of [0, 2]) assertConflict(await raise('hunted', 1, { amount }), 'price_changed')
  assert.deepEqual(await balance(), [100, 0, 100])
  assert.deepEqual(paid(await raise('might', 4, { amount: 15 }, { by: teller })), ['SPEND', 15, -15, 20, 3, 4])
  assert.deepEqual(paid(await raise('might', 5, { amount: 0 }, { by: admin })), ['SPEND', 0, 0, 25, 4, 5])
  assert.deepEqual(paid(await raise('hunted', 1, { amount: 3 }, { by: teller })), ['SPEND', 3, -3, -2, null, 1])
  assertConflict(await raise('hunted', 2, { amount: -1 }, { by: teller }), 'price_changed')
  await pin(version_id, 'ADVISORY')
  assert.deepEqual(paid(await raise('lore', 2, { amount: 1 })), ['SPEND', 1, -1, 9, null, 2])
  assert.deepEqual(paid(await raise('lore', 3)), ['SPEND', 9, -9, 9, 2, 3])
  assertConflict(await raise('lore', 4, { amount: -1 }), 'price_changed')
  assert.deepEqual(await balance(), [100, 28, 72])
  assert.deepEqual(await mismatchesOf(company_id), [])
})

test('a level costs nothing once enough experience is earned, and the entry is kept', async () => {
  const { award, change, raise, balance, traits, teller, player, C, company_id } = await newPricedTable('srd-5.2')
  await change({ traits: { level: 1 } })
  await award(6500)
  await change({ traits: { level: 5 } })
  assertConflict(await raise('level', 6), 'needs_not_met', 'level cannot be raised to 6 yet.')
  await award(7500)
  assertConflict(await raise('level', 7), 'needs_not_met', 'level cannot be raised to 7 yet.')
  const free = entryOf(await raise('level', 6))
  assert.deepEqual([free.kind, free.amount, free.delta, free.price], ['SPEND', 0, 0, 0])
  assert.deepEqual([await balance(), (await traits()).level], [[14000, 0, 14000], 6])
  const undone = entryOf(await player.post(`${C}/experience/entries/${free.id}/reverse`, { reason: 'Too soon' }))
  assert.deepEqual([undone.kind, undone.amount, undone.delta, undone.price], ['REVERSAL', 0, 0, null])
  assert.deepEqual([await balance(), (await traits()).level], [[14000, 0, 14000], 5])
  assertConflict(await teller.post(`${C}/experience/entries/${free.id}/reverse`, { reason: 'Again' }), 'already_reversed')
  assert.deepEqual(await mismatchesOf(company_id), [])
})

/** A ruleset in which each step costs the same, and the first one of luck nothing. */
const priced = (cost: number, rest: object = {}) => ({
  format: 1,
  name: 'Prices',
  source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
  groups: { stats: { min: 0, max: 1000 } },
  traits: {
    nerve: { group: 'stats' },
    luck: { group: 'stats' },
    curse: { group: 'stats' },
    fixed: { group: 'stats' },
    late: { group: 'stats' },
  },
  experience: {
    raise: [
      { of: 'nerve', cost: String(cost) },
      { of: 'luck', cost: '(new - 1) * 3' },
      { of: 'curse', cost: `-${cost}` },
      { of: 'late', cost: 'xp.spent + 1', needs: 'new <= xp.earned' },
    ],
  },
  ...rest,
})

test('a reversal moves the amount of the entry, whatever the price is by then', async () => {
  const { award, raise, balance, traits, pin, publish, ruleset_id, player, teller, C, company_id } = await newPricedTable(priced(4))
  // Nobody was ever awarded anything: an entry of 0 needs no balance.
  const free = entryOf(await raise('luck', 1))
  assert.deepEqual([free.amount, await mismatchesOf(company_id)], [0, []])
  const gain = entryOf(await raise('curse', 2))
  await award(10)
  const spend = entryOf(await raise('nerve', 3))
  assert.deepEqual([gain.amount, spend.amount, await balance()], [8, 12, [18, 12, 6]])
  await pin((await publish(priced(9), ruleset_id)).version_id)
  const undo = (id: string, by = player) => by.post(`${C}/experience/entries/${id}/reverse`, { reason: 'Undo' })
  const detail = 'Only 6 experience is unspent, and the gain was 8. Reverse the spends first.'
  assertConflict(await undo(gain.id), 'award_spent', detail)
  assert.deepEqual(await traits(), { luck: 1, curse: 2, nerve: 3 })
  assert.deepEqual([entryOf(await undo(spend.id)).delta, await balance()], [12, [18, 0, 18]])
  assert.deepEqual([entryOf(await undo(gain.id)).delta, await balance()], [-8, [10, 0, 10]])
  const again = entryOf(await raise('luck', 2))
  assertConflict(await undo(free.id), 'trait_changed')
  assert.deepEqual([entryOf(await undo(again.id)).delta, entryOf(await undo(free.id)).delta], [3, 0])
  assert.deepEqual([await traits(), await balance()], [{}, [10, 0, 10]])
  const repriced = entryOf(await raise('nerve', 1))
  assert.equal((await teller.delete(`${C}/ruleset`)).status, 204)
  assert.deepEqual([entryOf(await undo(repriced.id, teller)).delta, await balance()], [9, [10, 0, 10]])
  assert.deepEqual(await mismatchesOf(company_id), [])
})

for (const experience_per of ['USER', 'CHARACTER'] as const)
  test(`of 50 concurrent raises, exactly those are paid that the balance covers, with experience per ${experience_per}`, async () => {
    const steps = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`skill_${i}`, { group: 'stats' }]))
    const document = priced(4, { traits: { ...priced(4).traits, ...steps } })
    document.experience.raise.push({ of: 'stats', cost: '4' })
    const { award, raise, balance, traits, company_id } = await newPricedTable(document, experience_per)
    await award(7 * 4 + 3)
    // They wait for one balance. On a slow machine the last ones wait too long: they are told that nothing was done, and to try again.
    const raiseOnce = (i: number) =>
      until(async () => {
        const reply = await raise(`skill_${i}`, 1, { amount: 4 }, { i })
        return (reply.status !== 503 || !reply.headers['retry-after']) && reply
      }, 'a turn')
    const replies = await Promise.all(Array.from({ length: 50 }, (_, i) => raiseOnce(i)))
    const codes = replies.map(({ status, body }) => (status === 201 ? 'paid' : body.code))
    assert.deepEqual([codes.filter((code) => code === 'paid').length, new Set(codes).size], [7, 2])
    assert.ok(codes.includes('not_enough_experience'))
    assert.deepEqual([await balance(), Object.keys(await traits()).length], [[31, 28, 3], 7])
    assert.deepEqual(await mismatchesOf(company_id), [])
  })

test('concurrent raises of one trait, and prices that depend on what was spent, count each step once', async () => {
  const { award, raise, balance, traits, player, C, company_id } = await newPricedTable(priced(4))
  await award(20)
  const same = await Promise.all(Array.from({ length: 10 }, (_, i) => raise('nerve', 1, {}, { i })))
  assert.deepEqual(same.map(({ status, body }) => (status === 201 ? 'paid' : body.code)).sort(), [
    'paid',
    ...Array.from({ length: 9 }, () => 'trait_not_raised'),
  ])
  // Other spends of the same balance move it at the same time: each price is that of the balance as the raise finds it.
  const raises = Array.from({ length: 3 }, (_, i) => raise('late', i + 1, {}, { i }))
  const spends = Array.from({ length: 3 }, () => player.post(`${C}/experience/spends`, { amount: 1, reason: 'Other' }))
  await Promise.all([...raises, ...spends])
  type Changes = {
    [Field in 'amount' | 'trait' | 'balance']: { new: Field extends 'balance' ? { spent: number } : Entry[Field & keyof Entry] }
  }
  const events = await db.query<{ changes: Changes }>(sql`
    SELECT changes FROM events WHERE company_id = ${company_id} AND type = 'experience.spent'`)
  const late = events.filter(({ changes: { trait } }) => trait?.new?.name === 'late')
  assert.ok(late.length >= 1)
  for (const { changes } of late) {
    const { from, to } = changes.trait.new as { from: number | null; to: number }
    const spentBefore = changes.balance.new.spent - changes.amount.new
    assert.equal(changes.amount.new, (spentBefore + 1) * (to - (from ?? 0)))
  }
  assert.deepEqual([(await traits()).nerve, (await balance())[0]], [1, 20])
  assert.deepEqual(await mismatchesOf(company_id), [])
})

test('a raise that the ruleset does not offer names the field or the reason', async () => {
  const { award, raise, balance, change, traits, player, C, hero } = await newPricedTable(priced(1_000_000_000))
  await award(50)
  assert.deepEqual(faultsOf(await raise('lasers', 1)), ['trait.name is no trait of the ruleset'])
  assert.deepEqual(faultsOf(await raise('nervs', 1)), ['trait.name is no trait of the ruleset: did you mean nerve?'])
  for (const name of ['constructor', 'to_string', 'has_own_property'])
    assert.deepEqual(faultsOf(await raise(name, 1)), ['trait.name is no trait of the ruleset'])
  assert.deepEqual(faultsOf(await raise('nerve', 1001)), ['trait.to is not accepted: nerve goes from 0 to 1000'])
  assert.deepEqual(faultsOf(await raise('nerve', 101)), ['trait.to is not accepted: at most 100 steps are paid at once'])
  assert.deepEqual(faultsOf(await raise('nerve', 2)), ['trait.to costs more than 1000000000 at once: raise the trait in smaller steps'])
  assert.deepEqual(faultsOf(await raise('curse', 2)).length, 1)
  assertConflict(await raise('nerve', 1), 'not_enough_experience')
  assertConflict(await raise('fixed', 1), 'not_for_experience', 'fixed is not raised with experience.')
  assertConflict(await raise('late', 51), 'needs_not_met', 'late cannot be raised to 51 yet.')
  await change({ traits: { luck: 3 } })
  assertConflict(await raise('luck', 3), 'trait_not_raised', 'luck is at 3. Name a higher value.')
  assertConflict(await raise('luck', -1), 'trait_not_raised')
  for (const amount of [1.5, '3', null, 1_000_000_001, -1_000_000_001, [], {}]) assertProblem(await raise('luck', 4, { amount }), 400)
  for (const trait of [
    { name: 'Luck', to: 4 },
    { name: 'luck' },
    { to: 4 },
    { name: 'luck', to: 1.5 },
    { name: 'luck', to: 4, from: 3 },
    'luck',
  ])
    assertProblem(await raise('luck', 4, { trait }), 400)
  assert.deepEqual(faultsOf(await player.post(`${C}/experience/spends`, { reason: 'x', character_id: hero })), ['amount is required'])
  for (const amount of [0, -1])
    assert.deepEqual(faultsOf(await player.post(`${C}/experience/spends`, { amount, reason: 'x', character_id: hero })), [
      'amount must be >= 1',
    ])
  assert.deepEqual([await balance(), await traits()], [[50, 0, 50], { luck: 3 }])
})

test('without a ruleset an amount of 1 or more is required, and a raise that breaks a check is refused', async () => {
  const checks = [{ that: 'nerve + luck <= 3', message: 'At most three together.' }]
  const { award, raise, balance, teller, C } = await newPricedTable(priced(1, { checks }))
  await award(20)
  assert.deepEqual(faultsOf(await raise('nerve', 4)), ['sheet At most three together.'])
  assert.deepEqual(await balance(), [20, 0, 20])
  assert.equal((await teller.delete(`${C}/ruleset`)).status, 204)
  assert.deepEqual(faultsOf(await raise('nerve', 4)), ['amount is required'])
  for (const amount of [0, -1]) assert.deepEqual(faultsOf(await raise('nerve', 4, { amount })), ['amount must be >= 1'])
  assert.deepEqual(paid(await raise('nerve', 4, { amount: 2 })), ['SPEND', 2, -2, null, null, 4])
})

test('a repeated request is paid once, and where storytellers set traits no player raises one', async () => {
  const { award, raise, balance, player, teller, C, hero } = await newPricedTable(priced(4))
  await award(20)
  const key = { 'idempotency-key': randomUUID() }
  const body = { reason: 'Learned', character_id: hero, trait: { name: 'nerve', to: 1 } }
  const [first, second] = [await player.post(`${C}/experience/spends`, body, key), await player.post(`${C}/experience/spends`, body, key)]
  assert.deepEqual([first.status, second.body.id], [201, first.body.id])
  assert.deepEqual(await balance(), [20, 4, 16])
  await teller.patch(C, { trait_changes: 'STORYTELLER' })
  assertProblem(await raise('nerve', 2), 403)
  assert.deepEqual(paid(await raise('nerve', 2, {}, { by: teller })), ['SPEND', 4, -4, 4, 1, 2])
  await teller.patch(C, { trait_changes: 'EXPERIENCE' })
  assert.deepEqual(paid(await raise('nerve', 3)), ['SPEND', 4, -4, 4, 2, 3])
})
