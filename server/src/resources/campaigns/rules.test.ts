import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROLES, type Role } from '../../core/access.ts'
import { adjusted, mayChange, mayCreate, mayManage, maySet, mayTransfer, refuseMove } from './rules.ts'
import { STATUSES } from './schema.ts'

const me = (role: Role) => ({ id: 'me', role })
/** `tells` is decided in SQL: an ADMIN always does, a STORYTELLER in own campaigns, a PLAYER never. */
const standings = (role: Role) => [
  { id: 'c', user_id: 'other', tells: role === 'ADMIN', what: 'another’s' },
  { id: 'c', user_id: 'me', tells: role !== 'PLAYER', what: 'own' },
  ...(role === 'STORYTELLER' ? [{ id: 'c', user_id: 'other', tells: true, what: 'told' }] : []),
]
const allowed = (may: (actor: ReturnType<typeof me>, standing: ReturnType<typeof standings>[number]) => boolean) =>
  ROLES.flatMap((role) => standings(role).flatMap((standing) => (may(me(role), standing) ? [`${role} ${standing.what}`] : [])))

test('who may do what in which campaign', () => {
  const tellers = ['STORYTELLER own', 'STORYTELLER told', 'ADMIN another’s', 'ADMIN own']
  assert.deepEqual(
    allowed((actor, campaign) => mayManage({ actor, campaign })),
    ['PLAYER own', ...tellers],
  )
  assert.deepEqual(
    allowed((actor, campaign) => mayChange({ actor, campaign }, { name: 'x' })),
    ['PLAYER own', ...tellers],
  )
  assert.deepEqual(
    allowed((actor, campaign) => mayChange({ actor, campaign }, { danger: 1 })),
    ['STORYTELLER another’s', ...tellers],
    'settings: any storyteller, no player',
  )
  assert.deepEqual(
    allowed((actor, campaign) => mayChange({ actor, campaign }, { danger: 1, name: 'x' })),
    tellers,
    'one refused refuses all',
  )
  assert.deepEqual(allowed(mayTransfer), ['PLAYER own', 'STORYTELLER own', 'ADMIN another’s', 'ADMIN own'])
})

test('who may create a campaign, and set danger and desperation', () => {
  const who = (may: (actor: ReturnType<typeof me>) => boolean) => ROLES.filter((role) => may(me(role)))
  assert.deepEqual(
    who((actor) => mayCreate(actor, { campaign_creation: 'ANYONE' })),
    [...ROLES],
  )
  assert.deepEqual(
    who((actor) => mayCreate(actor, { campaign_creation: 'STORYTELLER' })),
    ['STORYTELLER', 'ADMIN'],
  )
  for (const field of ['danger', 'desperation'])
    assert.deepEqual(
      who((actor) => maySet(actor, { [field]: 0 })),
      ['STORYTELLER', 'ADMIN'],
    )
  assert.equal(maySet(me('PLAYER'), { name: 'x' }), true)
})

test('a status moves as it is told, and names where it can go', () => {
  const moves = STATUSES.flatMap((from) =>
    STATUSES.filter((to) => {
      try {
        refuseMove(from, to)
        return from !== to
      } catch {
        return false
      }
    }).map((to) => `${from} ${to}`),
  )
  assert.deepEqual(moves, ['PLANNED ACTIVE', 'ACTIVE PAUSED', 'ACTIVE COMPLETED', 'PAUSED ACTIVE', 'PAUSED COMPLETED', 'COMPLETED ACTIVE'])
  assert.throws(() => refuseMove('PLANNED', 'COMPLETED'), /A campaign that is PLANNED can become ACTIVE, not COMPLETED\./)
  assert.throws(() => refuseMove('ACTIVE', 'PLANNED'), /can become PAUSED or COMPLETED, not PLANNED\./)
})

test('settings are adjusted together or not at all', () => {
  assert.deepEqual(adjusted({ danger: 2, desperation: 0 }, { danger: 3 }), { danger: 5 })
  assert.deepEqual(adjusted({ danger: 2, desperation: 4 }, { danger: -2, desperation: 1 }), { danger: 0, desperation: 5 })
  assert.throws(() => adjusted({ danger: 2, desperation: 0 }, { danger: 1, desperation: -1 }), /desperation is 0/)
  assert.throws(() => adjusted({ danger: 2, desperation: 0 }, { danger: 4 }), /danger is 2 and stays between 0 and 5/)
})
