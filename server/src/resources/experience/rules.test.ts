import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CampaignAccess } from '../campaigns/path-resource.ts'
import { mayReverse, maySpend, refuseNotRaised } from './rules.ts'

const now = new Date('2026-11-15T18:30:00.000Z')
const ago = (ms: number) => new Date(now.getTime() - ms).toISOString()
const DAY_MS = 86_400_000
const accessOf = (isStoryteller: boolean, trait_changes: CampaignAccess['trait_changes'] = 'ANYONE') => ({
  id: 'c',
  user_id: 'x',
  isStoryteller,
  trait_changes,
})

for (const [kind, isOwn, ageMs, isStoryteller, may] of [
  ['SPEND', true, 0, false, true],
  ['SPEND', true, DAY_MS - 1, false, true],
  ['SPEND', true, DAY_MS, false, false],
  ['SPEND', false, 0, false, false],
  ['SPEND', false, 40 * DAY_MS, true, true],
  ['AWARD', true, 0, false, false],
  ['AWARD', true, 40 * DAY_MS, true, true],
  ['REVERSAL', true, 0, false, false],
] as const) {
  test(`${isStoryteller ? 'a storyteller' : 'a player'} ${may ? 'may' : 'must not'} reverse ${isOwn ? 'their own' : "another user's"} ${kind} after ${ageMs} ms`, () => {
    const entry = { kind, user_id: isOwn ? 'me' : 'them', trait: null, date_created: ago(ageMs) }
    assert.equal(mayReverse(entry, { id: 'me' }, accessOf(isStoryteller), now), may)
  })
}

test('users may spend their own experience, storytellers that of all users', () => {
  const context = (isStoryteller: boolean) => ({ actor: { id: 'me' }, campaign: accessOf(isStoryteller) })
  assert.deepEqual(
    [maySpend(context(false), {}), maySpend(context(false), { user_id: 'me' }), maySpend(context(false), { user_id: 'you' })],
    [true, true, false],
  )
  assert.equal(maySpend(context(true), { user_id: 'you' }), true)
})

test('where only storytellers set traits, a player neither raises one by a spend nor takes a raise back', () => {
  const trait = { name: 'wits', to: 4 }
  const entry = { kind: 'SPEND', user_id: 'me', trait: { ...trait, from: 3 }, date_created: ago(0) } as const
  const cases = (['ANYONE', 'EXPERIENCE', 'STORYTELLER'] as const).flatMap((trait_changes) =>
    [false, true].map((isStoryteller) => {
      const campaign = accessOf(isStoryteller, trait_changes)
      return [
        trait_changes,
        isStoryteller,
        maySpend({ actor: { id: 'me' }, campaign }, { trait }),
        maySpend({ actor: { id: 'me' }, campaign }, {}),
        mayReverse(entry, { id: 'me' }, campaign, now),
        mayReverse({ ...entry, trait: null }, { id: 'me' }, campaign, now),
      ]
    }),
  )
  assert.deepEqual(cases, [
    ['ANYONE', false, true, true, true, true],
    ['ANYONE', true, true, true, true, true],
    ['EXPERIENCE', false, true, true, true, true],
    ['EXPERIENCE', true, true, true, true, true],
    ['STORYTELLER', false, false, true, false, true],
    ['STORYTELLER', true, true, true, true, true],
  ])
})

test('a trait that is not on the sheet counts as 0, and a negative one can be raised to another negative value', () => {
  for (const [from, to] of [
    [-3, -2],
    [-1, 0],
    [null, 1],
    [999_999, 1_000_000],
  ] as const)
    refuseNotRaised('luck', from, to)
  for (const [from, to] of [
    [null, 0],
    [null, -1],
    [-2, -2],
    [3, -4],
  ] as const)
    assert.throws(() => refuseNotRaised('luck', from, to), {
      code: 'trait_not_raised',
      message: `luck is already ${from ?? 0}. Name a value above ${from ?? 0}.`,
    })
})
