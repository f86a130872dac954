import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROLES, type Role } from '../../core/access.ts'
import type { CampaignAccess } from '../campaigns/path-resource.ts'
import type { CharacterAccess } from './path-resource.ts'
import { deathOf, mayCreate, mayEdit, mayUpdate, refuseUnfit } from './rules.ts'

const me = (role: Role) => ({ id: 'me', role })
/** The roles that make a user a storyteller of the campaign. A PLAYER is none, even in a campaign they own. */
const CAMPAIGNS = [
  { name: 'own campaign', storytellers: ['STORYTELLER', 'ADMIN'] },
  { name: 'another user’s campaign', storytellers: ['ADMIN'] },
]
const allowed = (may: (context: { actor: ReturnType<typeof me>; campaign: Pick<CampaignAccess, 'isStoryteller'> }) => boolean) =>
  ROLES.flatMap((role) =>
    CAMPAIGNS.flatMap(({ name, storytellers }) => {
      const campaign = { isStoryteller: storytellers.includes(role) }
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
const own = { user_id: 'me', type: 'PLAYER', visibility: 'OPEN' } as const
const anothers = { user_id: 'other', type: 'PLAYER', visibility: 'OPEN' } as const
const npc = { user_id: null, type: 'NPC', visibility: 'OPEN' } as const

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

test('fields that contradict each other are named', () => {
  const fields = (character: Partial<Parameters<typeof refuseUnfit>[0]>) => {
    try {
      refuseUnfit({ ...own, traits: {}, ...character })
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
  assert.deepEqual(fields({ traits: many(200) }), [])
  assert.deepEqual(fields({ traits: many(201) }), ['traits'])
})

test('the date of death is set once, and cleared with the status', () => {
  const now = new Date('2026-11-15T18:30:00.000Z')
  assert.equal(deathOf(null, 'ACTIVE', now), null)
  assert.equal(deathOf(null, 'DEAD', now), now.toISOString())
  assert.equal(deathOf({ status: 'ACTIVE', date_died: null }, 'DEAD', now), now.toISOString())
  assert.equal(deathOf({ status: 'DEAD', date_died: 'then' }, 'DEAD', now), 'then')
  assert.equal(deathOf({ status: 'DEAD', date_died: 'then' }, 'RETIRED', now), null)
})
