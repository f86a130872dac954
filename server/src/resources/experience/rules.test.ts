import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayReverse, maySpend } from './rules.ts'

const now = new Date('2026-11-15T18:30:00.000Z')
const ago = (ms: number) => new Date(now.getTime() - ms).toISOString()
const DAY_MS = 86_400_000
const accessOf = (isStoryteller: boolean) => ({ id: 'c', user_id: 'x', isStoryteller, isMember: true, joining: 'OPEN' as const })

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
    const entry = { kind, user_id: isOwn ? 'me' : 'them', date_created: ago(ageMs) }
    assert.equal(mayReverse(entry, { id: 'me' }, accessOf(isStoryteller), now), may)
  })
}

test('users may spend their own experience, storytellers that of all users', () => {
  const context = (isStoryteller: boolean) => ({ actor: { id: 'me', role: 'PLAYER' as const }, campaign: accessOf(isStoryteller) })
  assert.deepEqual(
    [maySpend(context(false), {}), maySpend(context(false), { user_id: 'me' }), maySpend(context(false), { user_id: 'you' })],
    [true, true, false],
  )
  assert.equal(maySpend(context(true), { user_id: 'you' }), true)
})
