import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROLES, type Role } from '../../core/access.ts'
import type { Somebody } from './place.ts'
import { deathOf, mayCreate, mayEdit, mayPatch, refuseUnfit } from './rules.ts'

const me = (role: Role) => ({ id: 'me', role })
/** Own campaigns are those they tell; a PLAYER tells none, even those they own. */
const CAMPAIGNS = [
  { what: 'own campaign', told: ['STORYTELLER', 'ADMIN'] },
  { what: 'another’s campaign', told: ['ADMIN'] },
]
const allowed = (may: (actor: ReturnType<typeof me>, campaign: { id: string; user_id: string; tells: boolean }) => boolean) =>
  ROLES.flatMap((role) =>
    CAMPAIGNS.flatMap(({ what, told }) =>
      may(me(role), { id: 'c', user_id: 'x', tells: told.includes(role) }) ? [`${role}, ${what}`] : [],
    ),
  )

const EVERYBODY = [
  'PLAYER, own campaign',
  'PLAYER, another’s campaign',
  'STORYTELLER, own campaign',
  'STORYTELLER, another’s campaign',
  'ADMIN, own campaign',
  'ADMIN, another’s campaign',
]
const TELLERS = ['STORYTELLER, own campaign', 'ADMIN, own campaign', 'ADMIN, another’s campaign']
const own = { user_id: 'me', type: 'PLAYER', visibility: 'OPEN' } as const
const others = { user_id: 'other', type: 'PLAYER', visibility: 'OPEN' } as const
const npc = { user_id: null, type: 'NPC', visibility: 'OPEN' } as const

test('who may create which characters', () => {
  const create = (body: Parameters<typeof mayCreate>[2]) => allowed((actor, campaign) => mayCreate(actor, campaign, body))
  assert.deepEqual(create({}), EVERYBODY)
  assert.deepEqual(create({ type: 'PLAYER', user_id: 'me' }), EVERYBODY)
  assert.deepEqual(create({ user_id: null }), EVERYBODY)
  assert.deepEqual(create({ user_id: 'other' }), TELLERS)
  assert.deepEqual(create({ type: 'NPC' }), TELLERS)
})

test('who may change, hand over, archive and restore which characters', () => {
  const edit = (character: Somebody) => allowed((actor, campaign) => mayEdit({ actor, campaign, character }))
  assert.deepEqual(edit(own), EVERYBODY)
  assert.deepEqual(edit(others), TELLERS)
  assert.deepEqual(edit(npc), TELLERS)
  const patch = (character: Somebody, user_id: string) =>
    allowed((actor, campaign) => mayPatch({ actor, campaign, character }, { user_id }))
  assert.deepEqual(patch(own, 'me'), EVERYBODY)
  assert.deepEqual(patch(own, 'other'), TELLERS)
  assert.deepEqual(patch(others, 'me'), TELLERS)
})

test('what does not fit together is named', () => {
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

test('death is stamped once, and lifted with the status', () => {
  const now = new Date('2026-11-15T18:30:00.000Z')
  assert.equal(deathOf(null, 'ACTIVE', now), null)
  assert.equal(deathOf(null, 'DEAD', now), now.toISOString())
  assert.equal(deathOf({ status: 'ACTIVE', date_died: null }, 'DEAD', now), now.toISOString())
  assert.equal(deathOf({ status: 'DEAD', date_died: 'then' }, 'DEAD', now), 'then')
  assert.equal(deathOf({ status: 'DEAD', date_died: 'then' }, 'RETIRED', now), null)
})
