import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesIn } from '@guildhall/dice/names'
import { NotationFault } from '@guildhall/dice/notation'
import fc from 'fast-check'
import { ROLES, type Role } from '../../core/access.ts'
import type { CampaignAccess } from '../campaigns/path-resource.ts'
import type { CharacterAccess } from './path-resource.ts'
import {
  deathOf,
  mayChangeTraits,
  mayCreate,
  mayEdit,
  mayEditSheet,
  mayUpdate,
  refuseTraitsOnCreate,
  refuseUnfit,
  seesSheet,
} from './rules.ts'
import { SHEET_VISIBILITIES, TraitName } from './schema.ts'

const me = (role: Role) => ({ id: 'me', role })
/** The roles that make a user a storyteller of the campaign. A PLAYER is none, even in a campaign they own. */
const CAMPAIGNS = [
  { name: 'own campaign', storytellers: ['STORYTELLER', 'ADMIN'] },
  { name: 'another user’s campaign', storytellers: ['ADMIN'] },
]
const allowed = (
  may: (context: { actor: ReturnType<typeof me>; campaign: Pick<CampaignAccess, 'isStoryteller' | 'trait_changes'> }) => boolean,
  trait_changes: CampaignAccess['trait_changes'] = 'ANYONE',
) =>
  ROLES.flatMap((role) =>
    CAMPAIGNS.flatMap(({ name, storytellers }) => {
      const campaign = { isStoryteller: storytellers.includes(role), trait_changes }
      return may({ actor: me(role), campaign }) ? [`${role}, ${name}`] : []
    }),
  )

const EVERYBODY = [
  'PLAYER, own campaign',
  'PLAYER, another user’s campaign',
  'STORYTELLER, own campaign',
  'STORYTELLER, another user’s campaign',
  'ADMIN, own campaign',
  'ADMIN, another user’s campaign',
]
const STORYTELLERS = ['STORYTELLER, own campaign', 'ADMIN, own campaign', 'ADMIN, another user’s campaign']
const own = { user_id: 'me', type: 'PLAYER', visibility: 'OPEN', seesSheet: true } as const
const anothers = { user_id: 'other', type: 'PLAYER', visibility: 'OPEN', seesSheet: true } as const
const npc = { user_id: null, type: 'NPC', visibility: 'OPEN', seesSheet: true } as const

test('users may create characters for themselves, storytellers also NPCs and characters for others', () => {
  const create = (body: NonNullable<Parameters<typeof mayCreate>[1]>) => allowed((context) => mayCreate(context, body))
  assert.deepEqual(create({}), EVERYBODY)
  assert.deepEqual(create({ type: 'PLAYER', user_id: 'me' }), EVERYBODY)
  assert.deepEqual(create({ user_id: null }), EVERYBODY)
  assert.deepEqual(create({ user_id: 'other' }), STORYTELLERS)
  assert.deepEqual(create({ type: 'NPC' }), STORYTELLERS)
})

test('players may edit their own characters, and only storytellers may hand one over', () => {
  const edit = (character: CharacterAccess) => allowed((context) => mayEdit({ ...context, character }))
  assert.deepEqual(edit(own), EVERYBODY)
  assert.deepEqual(edit(anothers), STORYTELLERS)
  assert.deepEqual(edit(npc), STORYTELLERS)
  const update = (character: CharacterAccess, user_id: string) => allowed((context) => mayUpdate({ ...context, character }, { user_id }))
  assert.deepEqual(update(own, 'me'), EVERYBODY)
  assert.deepEqual(update(own, 'other'), STORYTELLERS)
  assert.deepEqual(update(anothers, 'me'), STORYTELLERS)
})

test('the sheet is for everyone, for its player and the storytellers, or for the storytellers alone', () => {
  const seers = SHEET_VISIBILITIES.map((sheet_visibility) =>
    [own, anothers, npc].map((character) => allowed((context) => seesSheet(context, { ...character, sheet_visibility }))),
  )
  assert.deepEqual(seers, [
    [EVERYBODY, EVERYBODY, EVERYBODY],
    [EVERYBODY, STORYTELLERS, STORYTELLERS],
    [STORYTELLERS, STORYTELLERS, STORYTELLERS],
  ])
})

test('only storytellers make a sheet one that only storytellers see, or no longer so', () => {
  const hide = (character: CharacterAccess, sheet_visibility: (typeof SHEET_VISIBILITIES)[number]) =>
    allowed((context) => mayUpdate({ ...context, character }, { sheet_visibility }))
  for (const visibility of ['EVERYONE', 'PLAYER'] as const) {
    assert.deepEqual(hide(own, visibility), EVERYBODY)
    assert.deepEqual(hide({ ...own, seesSheet: false }, visibility), STORYTELLERS)
    assert.deepEqual(
      allowed((context) => mayCreate(context, { sheet_visibility: visibility })),
      EVERYBODY,
    )
  }
  assert.deepEqual(hide(own, 'STORYTELLER'), STORYTELLERS)
  assert.deepEqual(
    allowed((context) => mayCreate(context, { sheet_visibility: 'STORYTELLER' })),
    STORYTELLERS,
  )
})

test('a player who does not see the sheet of their character may rename it, but not write on the sheet', () => {
  /** Storytellers see every sheet. */
  const hidden = <Context extends { campaign: Pick<CampaignAccess, 'isStoryteller'> }>(context: Context) => ({
    ...context,
    character: { ...own, seesSheet: context.campaign.isStoryteller },
  })
  const update = (body: Parameters<typeof mayUpdate>[1]) => allowed((context) => mayUpdate(hidden(context), body))
  assert.deepEqual(update({}), EVERYBODY)
  assert.deepEqual(update({ traits: { wits: 1 } }), STORYTELLERS)
  assert.deepEqual(update({ details: { clan: 'x' } }), STORYTELLERS)
  for (const may of [mayEditSheet, mayChangeTraits])
    assert.deepEqual(
      allowed((context) => may(hidden(context))),
      STORYTELLERS,
    )
})

for (const [trait_changes, changers] of [
  ['ANYONE', EVERYBODY],
  ['STORYTELLER', STORYTELLERS],
  ['EXPERIENCE', STORYTELLERS],
] as const) {
  test(`with trait_changes ${trait_changes}, ${changers === EVERYBODY ? 'players' : 'only storytellers'} change traits`, () => {
    const context = { character: own }
    assert.deepEqual(
      allowed((given) => mayChangeTraits({ ...given, ...context }), trait_changes),
      changers,
    )
    assert.deepEqual(
      allowed((given) => mayUpdate({ ...given, ...context }, { traits: { wits: 1 } }), trait_changes),
      changers,
    )
    const details = allowed((given) => mayUpdate({ ...given, ...context }, { details: { clan: 'x' } }), trait_changes)
    assert.deepEqual(details, EVERYBODY, 'details are free')
  })
}

test('a player creates a character without traits where the storytellers set them', () => {
  const creates = (trait_changes: CampaignAccess['trait_changes'], traits: Record<string, number>) =>
    allowed(({ campaign }) => {
      try {
        refuseTraitsOnCreate({ campaign }, { traits, choices: {} })
        return true
      } catch (error) {
        assert.match(JSON.stringify((error as { extra: object }).extra), /"traits".*storytellers set the traits/)
        return false
      }
    }, trait_changes)
  assert.deepEqual(creates('STORYTELLER', { wits: 1 }), STORYTELLERS)
  assert.deepEqual(creates('STORYTELLER', {}), EVERYBODY)
  assert.deepEqual(creates('EXPERIENCE', { wits: 1 }), EVERYBODY)
  assert.deepEqual(creates('ANYONE', { wits: 1 }), EVERYBODY)
})

test('fields that contradict each other are named', () => {
  const fields = (character: Partial<Parameters<typeof refuseUnfit>[0]>) => {
    try {
      refuseUnfit({ ...own, traits: {}, details: {}, choices: {}, ...character })
      return []
    } catch (error) {
      return (error as { extra: { invalid_parameters: { field: string }[] } }).extra.invalid_parameters.map(({ field }) => field)
    }
  }
  assert.deepEqual(fields({}), [])
  assert.deepEqual(fields(npc), [])
  assert.deepEqual(fields({ ...npc, visibility: 'STORYTELLER' }), [])
  assert.deepEqual(fields({ user_id: null, visibility: 'STORYTELLER' }), ['user_id', 'visibility'])
  assert.deepEqual(fields({ ...npc, user_id: 'me' }), ['user_id'])
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`t${i}`, 1]))
  assert.deepEqual(fields({ traits: many(500) }), [])
  assert.deepEqual(fields({ traits: many(501) }), ['traits'])
  const long = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`t${i}`.padEnd(64, 'x'), -1_000_000]))
  assert.deepEqual(fields({ traits: long(200) }), [])
  assert.deepEqual(fields({ traits: long(201) }), ['traits'])
  const texts = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`t${i}`, 'x']))
  assert.deepEqual(fields({ details: texts(100) }), [])
  assert.deepEqual(fields({ details: texts(101), traits: many(501) }), ['traits', 'details'])
})

test('the date of death is set once, and cleared with the status', () => {
  const now = new Date('2026-11-15T18:30:00.000Z')
  assert.equal(deathOf(null, 'ACTIVE', now), null)
  assert.equal(deathOf(null, 'DEAD', now), now.toISOString())
  assert.equal(deathOf({ status: 'ACTIVE', date_died: null }, 'DEAD', now), now.toISOString())
  assert.equal(deathOf({ status: 'DEAD', date_died: 'then' }, 'DEAD', now), 'then')
  assert.equal(deathOf({ status: 'DEAD', date_died: 'then' }, 'RETIRED', now), null)
})

test('names in braces are the names of traits', () => {
  const { pattern, maxLength } = TraitName as { pattern?: string; maxLength?: number }
  const trait = new RegExp(pattern ?? assert.fail())
  const letters = fc.string({ unit: fc.constantFrom('a', 'z', '0', '_', 'A', '-', 'é'), minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(letters, (name) => {
      if (trait.test(name)) assert.deepEqual(namesIn(`{${name}}`), [name])
      else assert.throws(() => namesIn(`{${name}}`), NotationFault)
    }),
    { numRuns: 2000, seed: 1 },
  )
  assert.equal(maxLength, 64)
})
