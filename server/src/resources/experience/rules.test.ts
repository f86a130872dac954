import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayReverse, maySpend } from './rules.ts'

const now = new Date('2026-11-15T18:30:00.000Z')
const ago = (ms: number) => new Date(now.getTime() - ms).toISOString()
const DAY = 86_400_000
const standing = (tells: boolean) => ({ id: 'c', user_id: 'x', tells })

for (const [kind, mine, age, tells, may] of [
  ['SPEND', true, 0, false, true],
  ['SPEND', true, DAY - 1, false, true],
  ['SPEND', true, DAY, false, false],
  ['SPEND', false, 0, false, false],
  ['SPEND', false, 40 * DAY, true, true],
  ['AWARD', true, 0, false, false],
  ['AWARD', true, 40 * DAY, true, true],
  ['REVERSAL', true, 0, false, false],
] as const) {
  test(`${tells ? 'a storyteller' : 'a player'} ${may ? 'takes back' : 'does not take back'} ${mine ? 'their own' : "another's"} ${kind} after ${age} ms`, () => {
    const entry = { kind, user_id: mine ? 'me' : 'them', date_created: ago(age) }
    assert.equal(mayReverse(entry, { id: 'me' }, standing(tells), now), may)
  })
}

test('everybody spends their own, a storyteller for all', () => {
  const here = (tells: boolean) => ({ actor: { id: 'me' }, campaign: standing(tells) })
  assert.deepEqual(
    [maySpend(here(false), {}), maySpend(here(false), { user_id: 'me' }), maySpend(here(false), { user_id: 'you' })],
    [true, true, false],
  )
  assert.equal(maySpend(here(true), { user_id: 'you' }), true)
})
