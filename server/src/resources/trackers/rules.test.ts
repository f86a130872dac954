import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROLES, type Role } from '../../core/access.ts'
import { Problem } from '../../core/problem.ts'
import {
  adjustedTraits,
  boundEvents,
  completed,
  definitionOf,
  isHiddenChange,
  mayAdjust,
  mayDefineOnCampaign,
  mayDefineOnCharacter,
  mayMove,
  mayRedefine,
  movedTo,
  refuseNothing,
  refuseUnclear,
  refuseUnfit,
  shownTo,
  traitChanges,
} from './rules.ts'
import type { TrackerRow, TrackerSet } from './schema.ts'

const row: TrackerRow = {
  id: 't',
  company_id: 'co',
  campaign_id: 'c',
  character_id: 'h',
  parent_id: 'h',
  key: 'hit_points',
  label: 'Hit points',
  value: 24,
  minimum: 0,
  maximum: 31,
  start: 31,
  style: 'NUMBER',
  visibility: 'OPEN',
  movable_by: 'PLAYER',
  by_ruleset: false,
  date_created: '2026-11-15T18:30:00.000Z',
  date_modified: '2026-11-15T18:30:00.000Z',
  version: 7,
  hidden_changes: 0,
}

/** Returns the fields that a check finds at fault. */
function faultsOf(check: () => void): string[] {
  try {
    check()
  } catch (error) {
    assert.ok(error instanceof Problem && error.status === 400, String(error))
    return (error.extra.invalid_parameters ?? []).map(({ field }) => field)
  }
  return []
}

const campaignFor = (isStoryteller: boolean, isMember: boolean) => ({ isStoryteller, isMember, trait_changes: 'ANYONE' as const })
const hero = { user_id: 'me', type: 'PLAYER', visibility: 'OPEN', seesSheet: true } as const
const foreign = { ...hero, user_id: 'other' }
const npc = { user_id: null, type: 'NPC', visibility: 'OPEN', seesSheet: true } as const
const actor = (role: Role) => ({ id: 'me', role })

test('storytellers move everything, members and players what `movable_by` leaves to them', () => {
  const cases: [character: typeof hero | typeof foreign | typeof npc | undefined, isMember: boolean, movers: string[]][] = [
    [hero, true, ['MEMBERS', 'PLAYER']],
    [hero, false, ['MEMBERS', 'PLAYER']],
    [foreign, true, ['MEMBERS']],
    [foreign, false, []],
    [npc, true, ['MEMBERS']],
    [npc, false, []],
    [undefined, true, ['MEMBERS']],
    [undefined, false, []],
  ]
  for (const role of ROLES) {
    for (const [character, isMember, movers] of cases) {
      for (const movable_by of ['STORYTELLER', 'MEMBERS', 'PLAYER'] as const) {
        const context = (isStoryteller: boolean) => ({
          actor: actor(role),
          campaign: campaignFor(isStoryteller, isMember),
          ...(character && { character }),
        })
        const title = JSON.stringify([role, character, isMember, movable_by])
        assert.equal(mayMove(context(true), { movable_by }), true, title)
        assert.equal(mayMove(context(false), { movable_by }), movers.includes(movable_by), title)
        assert.equal(mayRedefine(context(true), { movable_by }), true, title)
        assert.equal(mayRedefine(context(false), { movable_by }), movable_by !== 'STORYTELLER', title)
      }
    }
  }
})

test('users who may edit a character define its trackers, storytellers those of the campaign, and nobody those of a hidden sheet', () => {
  const on = (character: typeof hero | typeof foreign | typeof npc, isStoryteller = false, seesSheet = true) => ({
    actor: actor('PLAYER'),
    campaign: campaignFor(isStoryteller, true),
    character: { ...character, seesSheet },
  })
  assert.deepEqual(
    [on(hero), on(hero, false, false), on(foreign), on(npc), on(npc, true)].map((context) => mayDefineOnCharacter(context)),
    [true, false, false, false, true],
  )
  assert.deepEqual(
    [true, false].map((isStoryteller) => mayDefineOnCampaign(on(hero, isStoryteller))),
    [true, false],
  )
  assert.deepEqual(
    [on(hero), on(hero, false, false), on(foreign)].map((context) => mayAdjust(context, { traits: { luck: 1 } })),
    [true, false, false],
  )
  assert.equal(mayAdjust(on(foreign), {}), true, 'each tracker decides')
  assert.deepEqual(mayDefineOnCharacter.why(on(hero, false, false)), { reason: 'hidden_sheet' })
  for (const trait_changes of ['STORYTELLER', 'EXPERIENCE'] as const) {
    const context = (isStoryteller: boolean) => ({ ...on(hero), campaign: { ...campaignFor(isStoryteller, true), trait_changes } })
    assert.deepEqual(
      [true, false].map((isStoryteller) => mayAdjust(context(isStoryteller), { traits: { luck: 1 } })),
      [true, false],
    )
    assert.deepEqual(mayAdjust.why(context(false), { traits: { luck: 1 } }), { reason: 'campaign_settings' })
    assert.equal(mayAdjust(context(false), {}), true, 'trackers stay free')
  }
})

test('players see nothing of a NAME_ONLY tracker from which its value follows', () => {
  const nameOnly = { ...row, visibility: 'NAME_ONLY' as const, hidden_changes: 3 }
  const shown = (isStoryteller: boolean, from: TrackerRow) => {
    const { value, start, version, visibility, ...rest } = shownTo({ isStoryteller })(from)
    assert.equal('hidden_changes' in rest, false)
    return [visibility, value, start, version]
  }
  assert.deepEqual(shown(true, nameOnly), ['NAME_ONLY', 24, 31, 7])
  assert.deepEqual(shown(false, nameOnly), ['NAME_ONLY', null, null, 4])
  assert.deepEqual(shown(false, row), ['OPEN', 24, 31, 7])
  assert.deepEqual(shown(false, { ...nameOnly, visibility: 'OPEN' }), ['OPEN', 24, 31, 4], 'that the value moved stays hidden')
})

test('a change is hidden if players see nothing of it', () => {
  const isHidden = (visibility: TrackerRow['visibility'], patch: Partial<TrackerRow>) => isHiddenChange({ ...row, visibility }, patch)
  for (const [visibility, patch, expected] of [
    ['OPEN', { value: 1 }, false],
    ['OPEN', { visibility: 'STORYTELLER' }, false],
    ['NAME_ONLY', { value: 1, start: 2 }, true],
    ['NAME_ONLY', { value: 1, label: row.label }, true],
    ['NAME_ONLY', { value: 1, label: 'Doom' }, false],
    ['NAME_ONLY', { visibility: 'OPEN' }, false],
    ['NAME_ONLY', { value: row.value }, false],
    ['STORYTELLER', { value: 1, label: 'Doom' }, true],
    ['STORYTELLER', { value: 1, visibility: 'NAME_ONLY' }, false],
  ] as const)
    assert.equal(isHidden(visibility, patch), expected, `${visibility} ${JSON.stringify(patch)}`)
})

test('defaults follow from the owner and the other fields', () => {
  const body: TrackerSet = { value: 5, minimum: 0, maximum: null, style: 'NUMBER', visibility: 'OPEN' }
  const cases: [changes: Partial<TrackerSet>, character: boolean, expected: object][] = [
    [{}, true, { label: 'doom', start: 5, movable_by: 'PLAYER' }],
    [{}, false, { label: 'doom', start: 5, movable_by: 'STORYTELLER' }],
    [{ maximum: 8 }, true, { start: 8 }],
    [{ maximum: 8, start: 0 }, true, { start: 0 }],
    [{ visibility: 'NAME_ONLY' }, true, { movable_by: 'STORYTELLER' }],
    [{ visibility: 'NAME_ONLY', movable_by: 'MEMBERS' }, true, { movable_by: 'MEMBERS' }],
    [{ label: 'Doom', movable_by: 'MEMBERS' }, false, { label: 'Doom', movable_by: 'MEMBERS' }],
  ]
  for (const [changes, character, expected] of cases) {
    const defined = definitionOf('doom', { ...body, ...changes }, character ? { character: hero } : {})
    assert.deepEqual({ ...defined, ...expected }, defined)
  }
})

test('a patch moves the start with the maximum, and takes a hidden value from players', () => {
  assert.deepEqual(completed(row, { maximum: 40 }), { maximum: 40, start: 40 })
  assert.deepEqual(completed(row, { maximum: 40, start: 10 }), { maximum: 40, start: 10 })
  assert.deepEqual(completed(row, { maximum: null }), { maximum: null })
  assert.deepEqual(completed({ ...row, start: 0 }, { maximum: 40 }), { maximum: 40 })
  assert.deepEqual(completed({ ...row, maximum: null }, { maximum: 40 }), { maximum: 40 })
  assert.deepEqual(completed(row, { visibility: 'NAME_ONLY' }), { visibility: 'NAME_ONLY', movable_by: 'STORYTELLER' })
  assert.deepEqual(completed(row, { visibility: 'OPEN' }), { visibility: 'OPEN' })
})

test('fields that depend on each other are checked together', () => {
  const cases: [changes: Partial<TrackerRow>, owner: object, faults: string[]][] = [
    [{}, { character: hero }, []],
    [{ value: 31 }, { character: hero }, []],
    [{ value: 32 }, { character: hero }, ['value']],
    [{ value: -1, start: 32 }, { character: hero }, ['value', 'start']],
    [{ maximum: null, value: 1_000_000, start: 1_000_000 }, { character: hero }, []],
    [{ minimum: 31 }, { character: hero }, ['maximum']],
    [{ minimum: 1_000_000, maximum: null }, { character: hero }, ['minimum']],
    [{ minimum: -10, maximum: -5, value: -7, start: -5 }, { character: hero }, []],
    [{ visibility: 'STORYTELLER', movable_by: 'STORYTELLER' }, { character: hero }, ['visibility']],
    [{ visibility: 'STORYTELLER', movable_by: 'STORYTELLER' }, { character: npc }, []],
    [{ visibility: 'STORYTELLER', movable_by: 'STORYTELLER' }, {}, []],
    [{ visibility: 'NAME_ONLY' }, { character: hero }, ['movable_by']],
    [{ visibility: 'NAME_ONLY', movable_by: 'MEMBERS' }, {}, ['movable_by']],
    [{ visibility: 'NAME_ONLY', movable_by: 'STORYTELLER' }, { character: hero }, []],
    [{ movable_by: 'PLAYER' }, {}, ['movable_by']],
  ]
  for (const [changes, owner, faults] of cases)
    assert.deepEqual(
      faultsOf(() => refuseUnfit({ ...row, ...changes }, owner)),
      faults,
      JSON.stringify(changes),
    )
})

test('an adjustment has one of `by` and `to`, and several at once need something to adjust', () => {
  const clamp = false
  assert.deepEqual(
    [{}, { by: 1 }, { to: 0 }, { by: 0, to: 0 }].map((body) => faultsOf(() => refuseUnclear({ ...body, clamp }))),
    [['by'], [], [], ['to']],
  )
  assert.deepEqual(
    [{}, { traits: {} }, { trackers: {} }].map((body) => faultsOf(() => refuseNothing({ ...body, clamp }))),
    [['body'], [], []],
  )
})

test('a value stays in its range: it is rejected beyond, or stops at the limit', () => {
  const cases: [adjustment: { by?: number; to?: number }, exact: number | null, clamped: number][] = [
    [{ by: 7 }, 31, 31],
    [{ by: 8 }, null, 31],
    [{ by: -24 }, 0, 0],
    [{ by: -25 }, null, 0],
    [{ to: 0 }, 0, 0],
    [{ to: -1 }, null, 0],
    [{ to: 32 }, null, 31],
    [{ by: 0 }, 24, 24],
  ]
  for (const [adjustment, exact, clamped] of cases) {
    const title = JSON.stringify(adjustment)
    assert.equal(movedTo(row, { ...adjustment, clamp: true }), clamped, title)
    if (exact !== null) assert.equal(movedTo(row, { ...adjustment, clamp: false }), exact, title)
    else
      assert.throws(
        () => movedTo(row, { ...adjustment, clamp: false }),
        { status: 409, code: 'out_of_range', message: /^hit_points is 24 and must stay between 0 and 31/ },
        title,
      )
  }
  const unlimited = { ...row, maximum: null }
  assert.equal(movedTo(unlimited, { by: 1_000_000, clamp: true }), 1_000_000)
  assert.throws(() => movedTo(unlimited, { by: 1_000_000, clamp: false }), { code: 'out_of_range' })
})

test('traits are adjusted together, and only traits that the character has', () => {
  const traits = { luck: 3, constructor_rank: 0, gold: 999_999 }
  assert.deepEqual(adjustedTraits(traits, { luck: -4, constructor_rank: 1 }, false), { luck: -1, constructor_rank: 1 })
  assert.deepEqual(adjustedTraits(traits, { gold: 5 }, true), { gold: 1_000_000 })
  assert.throws(() => adjustedTraits(traits, { gold: 5 }, false), { status: 409, code: 'out_of_range' })
  assert.deepEqual(
    faultsOf(() => adjustedTraits(traits, { luck: 1, lukc: 1, constructor: 1 }, true)),
    ['traits.lukc', 'traits.constructor'],
  )
})

test('a bound is reached once, by the change that reaches it', () => {
  const eventsOf = (before: Partial<TrackerRow>, after: Partial<TrackerRow>) =>
    boundEvents({ before: { ...row, ...before }, after: { ...row, ...before, ...after } }).map(({ type }) => type)
  assert.deepEqual(eventsOf({ value: 30 }, { value: 31 }), ['tracker.filled'])
  assert.deepEqual(eventsOf({ value: 31 }, { value: 31, label: 'HP' }), [])
  assert.deepEqual(eventsOf({ value: 1 }, { value: 0 }), ['tracker.emptied'])
  assert.deepEqual(eventsOf({ value: 31 }, { value: 0 }), ['tracker.emptied'])
  assert.deepEqual(eventsOf({ value: 31 }, { value: 30 }), [])
  assert.deepEqual(eventsOf({ value: 24 }, { maximum: 24 }), ['tracker.filled'])
  assert.deepEqual(eventsOf({ value: 31 }, { maximum: 40 }), [])
  assert.deepEqual(eventsOf({ maximum: null, value: 5 }, { value: 1_000_000 }), [])
})

test('a change of several traits is split into one change each', () => {
  const change = {
    before: { name: 'Crane', traits: { luck: 1, wits: 2, aim: 3 } },
    after: { name: 'Crane', traits: { luck: 0, wits: 2, aim: 4 } },
  }
  assert.deepEqual(
    traitChanges(change).map(({ before, after }) => [before.traits, after.traits]),
    [
      [
        { luck: 1, wits: 2, aim: 3 },
        { luck: 1, wits: 2, aim: 4 },
      ],
      [
        { luck: 1, wits: 2, aim: 4 },
        { luck: 0, wits: 2, aim: 4 },
      ],
    ],
  )
  assert.deepEqual(traitChanges({ before: change.before, after: change.before }), [])
})
