import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../core/problem.ts'
import type { CampaignAccess } from '../campaigns/path-resource.ts'
import {
  mayReverse,
  maySpend,
  namedIn,
  refuseNotPlayed,
  refuseNotRaised,
  refuseNpcs,
  refuseUnfitAward,
  refuseUnfitSpend,
  whyNotReverse,
} from './rules.ts'
import type { Award, Spend } from './schema.ts'

const now = new Date('2026-11-15T18:30:00.000Z')
const ago = (ms: number) => new Date(now.getTime() - ms).toISOString()
const DAY_MS = 86_400_000
const accessOf = (
  isStoryteller: boolean,
  experience_per: CampaignAccess['experience_per'] = 'USER',
  trait_changes: CampaignAccess['trait_changes'] = 'ANYONE',
) => ({ isStoryteller, experience_per, trait_changes })

for (const [kind, isOwn, ageMs, isStoryteller, may] of [
  ['SPEND', true, 0, false, true],
  ['SPEND', true, DAY_MS - 1, false, true],
  ['SPEND', true, DAY_MS, false, false],
  ['SPEND', false, 0, false, false],
  ['SPEND', false, 40 * DAY_MS, true, true],
  ['GAIN', true, DAY_MS - 1, false, true],
  ['GAIN', true, DAY_MS, false, false],
  ['AWARD', true, 0, false, false],
  ['AWARD', true, 40 * DAY_MS, true, true],
  ['REVERSAL', true, 0, false, false],
] as const) {
  test(`${isStoryteller ? 'a storyteller' : 'a player'} ${may ? 'may' : 'must not'} reverse ${isOwn ? 'their own' : "another user's"} ${kind} after ${ageMs} ms`, () => {
    const entry = { kind, owner_id: isOwn ? 'me' : 'them', trait: null, date_created: ago(ageMs) }
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
  // Where experience belongs to characters, the player of the character decides, which is known later.
  assert.equal(maySpend({ actor: { id: 'me', role: 'PLAYER' }, campaign: accessOf(false, 'CHARACTER') }, {}), true)
})

/** Returns the status and code of the problem that a function throws, and the fields at fault. */
function problemOf(run: () => void): string {
  try {
    run()
    return 'accepted'
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const fields = (error.extra.invalid_parameters ?? []).map(({ field }) => field)
    return [error.status, error.code, ...fields].join(' ')
  }
}

const [a, b] = ['a', 'b']
for (const [body, perUser, perCharacter] of [
  [{ amount: 1, user_ids: [a, b] }, 'accepted', '400 experience_per_character user_ids'],
  [{ amount: 1, to: 'MEMBERS' }, 'accepted', 'accepted'],
  [{ awards: [{ user_id: a, amount: 1 }] }, 'accepted', '400 experience_per_character awards.0.user_id'],
  [{ awards: [{ character_id: a, amount: 1 }] }, '400 experience_per_user awards.0.character_id', 'accepted'],
  [
    {
      awards: [
        { user_id: a, amount: 1 },
        { character_id: a, amount: 1 },
      ],
    },
    '400 experience_per_user awards.1.character_id',
    '400 experience_per_character awards.0.user_id',
  ],
] as [Partial<Award>, string, string][]) {
  test(`an award of ${JSON.stringify(body)} is ${perUser} for users, ${perCharacter} for characters`, () => {
    assert.equal(
      problemOf(() => refuseUnfitAward({ reason: 'x', ...body }, accessOf(true, 'USER'))),
      perUser,
    )
    assert.equal(
      problemOf(() => refuseUnfitAward({ reason: 'x', ...body }, accessOf(true, 'CHARACTER'))),
      perCharacter,
    )
  })
}

for (const [body, fields] of [
  [{}, 'body amount'],
  [{ amount: 1 }, 'body'],
  [{ amount: 1, user_ids: [a], to: 'MEMBERS' }, 'body'],
  [{ amount: 1, user_ids: [a], awards: [{ user_id: b, amount: 1 }] }, 'body amount'],
  [{ user_ids: [a] }, 'amount'],
  [{ to: 'MEMBERS' }, 'amount'],
  [{ amount: 1, awards: [{ user_id: a, amount: 1 }] }, 'amount'],
  [{ amount: 1, user_ids: [a, b, a, a] }, 'user_ids.2 user_ids.3'],
  [{ awards: [{ amount: 1 }] }, 'awards.0'],
  [{ awards: [{ user_id: a, character_id: b, amount: 1 }] }, 'awards.0'],
  [{ awards: [a, b, a].map((user_id) => ({ user_id, amount: 1 })) }, 'awards.2.user_id'],
  [{ awards: [b, b].map((character_id) => ({ character_id, amount: 1 })) }, 'awards.1.character_id'],
] as [Partial<Award>, string][]) {
  test(`an award of ${JSON.stringify(body)} is rejected in every campaign, because of ${fields}`, () => {
    for (const per of ['USER', 'CHARACTER'] as const)
      assert.equal(
        problemOf(() => refuseUnfitAward({ reason: 'x', ...body }, accessOf(true, per))),
        `400 validation_failed ${fields}`,
      )
  })
}

test('an award names each recipient with an amount, unless it goes to all', () => {
  assert.deepEqual(namedIn({ reason: 'x', amount: 2, user_ids: [b, a] }), [
    { id: b, amount: 2 },
    { id: a, amount: 2 },
  ])
  const awards = [
    { user_id: a, amount: 1 },
    { character_id: b, amount: 3 },
  ]
  assert.deepEqual(namedIn({ reason: 'x', awards }), [
    { id: a, amount: 1 },
    { id: b, amount: 3 },
  ])
  assert.equal(namedIn({ reason: 'x', amount: 2, to: 'MEMBERS' }), undefined)
})

const trait = { name: 'wits', to: 4 }
for (const [body, perUser, perCharacter] of [
  [{}, 'accepted', '400 validation_failed character_id'],
  [{ character_id: null }, 'accepted', '400 validation_failed character_id'],
  [{ character_id: a }, 'accepted', 'accepted'],
  [{ character_id: a, trait }, 'accepted', 'accepted'],
  [{ trait }, '400 validation_failed character_id', '400 validation_failed character_id'],
  [{ user_id: b }, 'accepted', '400 experience_per_character user_id'],
  [{ user_id: b, character_id: a }, 'accepted', '400 experience_per_character user_id'],
] as [Partial<Spend>, string, string][]) {
  test(`a spend with ${JSON.stringify(body)} is ${perUser} for users, ${perCharacter} for characters`, () => {
    assert.equal(
      problemOf(() => refuseUnfitSpend(body, accessOf(false, 'USER'))),
      perUser,
    )
    assert.equal(
      problemOf(() => refuseUnfitSpend(body, accessOf(false, 'CHARACTER'))),
      perCharacter,
    )
  })
}

test('the experience of a character is spent by its player or a storyteller, and an NPC has none', () => {
  const spends = (user_id: string | null, isStoryteller: boolean) =>
    problemOf(() => refuseNotPlayed({ user_id }, { actor: { id: 'me' }, campaign: { isStoryteller } }))
  assert.deepEqual(
    [spends('me', false), spends('you', false), spends(null, false), spends('you', true)],
    ['accepted', '403 forbidden', '403 forbidden', 'accepted'],
  )
  assert.equal(
    problemOf(() => refuseNpcs([{ user_id: 'me' }])),
    'accepted',
  )
  assert.equal(
    problemOf(() => refuseNpcs([{ user_id: 'me' }, { user_id: null }])),
    '409 no_player',
  )
})

test('where only storytellers set traits, a player neither raises one by a spend nor takes a raise back', () => {
  const actor = { id: 'me', role: 'PLAYER' as const }
  const entry = { kind: 'SPEND', owner_id: 'me', trait: { ...trait, from: 3 }, date_created: ago(0) } as const
  const cases = (['ANYONE', 'EXPERIENCE', 'STORYTELLER'] as const).flatMap((trait_changes) =>
    [false, true].map((isStoryteller) => {
      const campaign = accessOf(isStoryteller, 'USER', trait_changes)
      const perCharacter = { actor, campaign: accessOf(isStoryteller, 'CHARACTER', trait_changes) }
      assert.equal(maySpend(perCharacter, { trait }), maySpend({ actor, campaign }, { trait }))
      return [
        trait_changes,
        isStoryteller,
        maySpend({ actor, campaign }, { trait }),
        maySpend({ actor, campaign }, {}),
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
  const forbids = { actor, campaign: accessOf(false, 'USER', 'STORYTELLER') }
  assert.deepEqual(maySpend.why(forbids, { trait }), { reason: 'campaign_settings' })
  assert.deepEqual(maySpend.why(forbids, { user_id: 'you' }), { reason: 'role', needs: { role: 'STORYTELLER' } })
  assert.deepEqual(whyNotReverse(entry, forbids), { reason: 'campaign_settings' })
  assert.deepEqual(whyNotReverse({ ...entry, trait: null }, forbids), { reason: 'too_late' })
  assert.deepEqual(whyNotReverse({ ...entry, owner_id: 'you' }, forbids), { reason: 'role', needs: { role: 'STORYTELLER' } })
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
