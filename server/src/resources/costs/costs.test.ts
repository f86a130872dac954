import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, assertProblem } from '../../../test/harness.ts'
import { newPricedTable } from '../../../test/priced-table.ts'
import { faultsOf } from '../../../test/problems.ts'
import type { Costs } from './schema.ts'

const costsOf = (answer: Answer) => {
  assert.equal(answer.status, 200, answer.text)
  return answer.body as never as Costs
}
const inShort = ({ items }: Costs) => items.map(({ from, to, cost, affordable }) => [from, to, cost, affordable])
for (const experience_per of ['USER', 'CHARACTER'] as const)
  test(`the next step of every trait has the price that a spend takes, with experience per ${experience_per}`, async () => {
    const { award, change, raise, player, H } = await newPricedTable('d10-pool', experience_per)
    await change({ traits: { might: 3, agility: 5 } })
    const read = async (query = '') => costsOf(await player.get(`${H}/costs${query}`))
    assert.equal((await read()).available, 0)
    await award(19)
    const { available, items } = await read()
    assert.equal(available, 19)
    const of = (trait: string) => items.find((item) => item.trait === trait)
    assert.deepEqual(of('might'), {
      trait: 'might',
      label: 'Might',
      group: 'body',
      from: 3,
      to: 4,
      cost: 20,
      affordable: false,
      refused: null,
    })
    assert.deepEqual([of('agility')?.cost, of('agility')?.affordable, of('agility')?.refused], [null, false, 'agility goes from 1 to 5.'])
    assert.deepEqual([of('endurance')?.from, of('endurance')?.cost, of('endurance')?.affordable], [1, 10, true])
    assert.deepEqual([of('hunted')?.cost, of('hunted')?.affordable], [-2, true])

    const affordable = await read('?affordable=true')
    assert.deepEqual(
      affordable.items,
      items.filter((item) => item.affordable),
    )
    assert.equal((await read('?affordable=false')).items.length, items.length - affordable.items.length)
    assert.deepEqual(inShort(await read('?trait=might')), [[3, 4, 20, false]])
    // The steps of one trait are paid together: 3, 6 and 9 are 18.
    assert.deepEqual(inShort(await read('?trait=fighting&to=4')), [
      [0, 1, 3, true],
      [1, 2, 6, true],
      [2, 3, 9, true],
      [3, 4, 12, false],
    ])
    const shown = await read('?trait=fighting&to=3')
    const amount = shown.items.reduce((sum, { cost }) => sum + (cost ?? 0), 0)
    const spent = await raise('fighting', 3, { amount })
    assert.deepEqual([spent.status, (spent.body as never as { amount: number }).amount], [201, 18])
    assert.equal((await read()).available, 1)
    assert.deepEqual((await read('?trait=fighting&to=3')).items, [], 'it already has this value')
  })

test('steps end where the ruleset does not allow one, and a trait that experience does not raise says so', async () => {
  const { award, change, player, H } = await newPricedTable('srd-5.2')
  await change({ traits: { level: 1 } })
  await award(2700)
  const read = async (query: string) => costsOf(await player.get(`${H}/costs${query}`))
  assert.deepEqual(
    (await read('?trait=level&to=20')).items.map(({ to, cost, refused }) => [to, cost, refused]),
    [
      [2, 0, null],
      [3, 0, null],
      [4, 0, null],
      [5, null, 'level cannot be raised to 5 yet.'],
    ],
  )
  const { items } = await read('')
  const other = items.find(({ refused }) => refused?.endsWith('is not raised with experience.'))
  assert.ok(other)
  for (const query of ['', `&to=${other.to}`]) assert.deepEqual((await read(`?trait=${other.trait}${query}`)).items, [other])
})

test('costs need a ruleset and a sheet that the reader sees', async () => {
  const { award, player, other, teller, admin, C, H } = await newPricedTable('d10-pool')
  await award(8)
  assert.equal(costsOf(await other.get(`${H}/costs`)).available, 8)
  const hidden = await teller.make(`${C}/characters`, { name: 'Second', user_id: player.id, sheet_visibility: 'PLAYER' })
  assertProblem(await other.get(`${C}/characters/${hidden}/costs`), 404)
  for (const reader of [player, teller, admin]) assert.equal(costsOf(await reader.get(`${C}/characters/${hidden}/costs`)).available, 8)
  // Experience of a user is hidden with one of their sheets, also where another sheet is seen.
  assert.equal(costsOf(await other.get(`${H}/costs`)).available, 0)
  const npc = await teller.make(`${C}/characters`, { name: 'Guard', type: 'NPC', visibility: 'STORYTELLER' })
  assertProblem(await player.get(`${C}/characters/${npc}/costs`), 404)
  assert.equal(costsOf(await teller.get(`${C}/characters/${npc}/costs`)).available, 0)
  assert.equal((await teller.delete(`${C}/characters/${hidden}`)).status, 204)
  assertProblem(await player.get(`${C}/characters/${hidden}/costs`), 404)
  assert.equal((await teller.delete(`${C}/ruleset`)).status, 204)
  const without = await player.get(`${H}/costs`)
  assertProblem(without, 409)
  assert.equal(without.body.code, 'no_ruleset')
})

test('values that a reader does not see count as never set', async () => {
  const document = {
    format: 1,
    name: 'Doom',
    source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
    groups: { stats: { min: 0, max: 200 } },
    traits: { nerve: { group: 'stats' } },
    trackers: { doom: { scope: 'campaign', max: 10, start: 0 } },
    experience: { raise: [{ of: 'nerve', cost: 'new + doom' }] },
  }
  const { award, raise, player, teller, C, H } = await newPricedTable(document)
  await award(100)
  assert.equal((await teller.patch(`${C}/trackers/doom`, { visibility: 'STORYTELLER' })).status, 200)
  assert.equal((await teller.post(`${C}/trackers/doom/adjust`, { to: 7 })).status, 200)
  const costs = async (by: typeof player) => costsOf(await by.get(`${H}/costs`)).items[0]?.cost
  assert.deepEqual([await costs(player), await costs(teller)], [1, 8])
  const paid = await raise('nerve', 1)
  assert.deepEqual([paid.status, (paid.body as never as { price: number }).price], [201, 1])
})

test('a query that asks for steps that there are not names the parameter', async () => {
  const { player, H } = await newPricedTable({
    format: 1,
    name: 'Long',
    source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
    groups: { stats: { min: -10, max: 200 } },
    traits: { nerve: { group: 'stats', default: 0 } },
    experience: { raise: [{ of: 'nerve', cost: '1' }] },
  })
  const read = (query: string) => player.get(`${H}/costs?${query}`)
  assert.deepEqual(faultsOf(await read('trait=lasers')), ['trait is no trait of the ruleset'])
  assert.deepEqual(faultsOf(await read('trait=nerv')), ['trait is no trait of the ruleset: did you mean nerve?'])
  assert.deepEqual(faultsOf(await read('trait=constructor&to=3')), ['trait is no trait of the ruleset'])
  assert.deepEqual(faultsOf(await read('to=3')), ['trait is required with to'])
  assert.deepEqual(faultsOf(await read('trait=nerve&to=201')), ['to is not accepted: nerve goes from -10 to 200'])
  assert.deepEqual(faultsOf(await read('trait=nerve&to=101')), ['to is not accepted: at most 100 steps are paid at once'])
  assert.equal(costsOf(await read('trait=nerve&to=100')).items.length, 100)
  assert.deepEqual(costsOf(await read('trait=nerve&to=-3')).items, [])
  for (const query of ['trait=Might', 'trait=', 'to=x', 'trait=nerve&to=1.5', 'trait=nerve&to=1000001', 'affordable=yes', 'price=3'])
    assertProblem(await read(query), 400)
})
