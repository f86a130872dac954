import assert from 'node:assert/strict'
import { test } from 'node:test'
import { administers, PERMISSIONS, ROLES, type Role } from '../../core/access.ts'
import type { Actor, Developer } from '../../http/caller.ts'
import { mayCreate, mayLink, mayUpdate } from './rules.ts'

const actor = (role: Role, id = 'me') => ({ id, role, company_id: 'c', name: 'n' })

test('administering a company takes a key with permission ADMIN and, if a user acts, the role ADMIN', () => {
  const allowed = PERMISSIONS.flatMap((permission) =>
    [null, ...ROLES].filter((role) => administers({ permission, actor: role && actor(role) })).map((role) => `${permission} ${role}`),
  )
  assert.deepEqual(allowed, ['ADMIN null', 'ADMIN ADMIN', 'OWNER null', 'OWNER ADMIN'])
})

test('a USER key creates only players, even on behalf of an ADMIN', () => {
  for (const caller of [{ permission: 'USER', actor: null } as const, { permission: 'USER', actor: actor('ADMIN') } as const]) {
    assert.deepEqual(
      ROLES.filter((role) => mayCreate(caller, { role })),
      ['PLAYER'],
    )
  }
})

test('a USER key links only users with the default role of the company, or players, even on behalf of an ADMIN', () => {
  const cases: [settings: { default_user_role?: 'PLAYER' | 'STORYTELLER' }, roles: Role[]][] = [
    [{}, ['PLAYER']],
    [{ default_user_role: 'PLAYER' }, ['PLAYER']],
    [{ default_user_role: 'STORYTELLER' }, ['PLAYER', 'STORYTELLER']],
  ]
  for (const [settings, roles] of cases) {
    for (const caller of [{ permission: 'USER', actor: null } as const, { permission: 'USER', actor: actor('ADMIN') } as const]) {
      assert.deepEqual(
        ROLES.filter((role) => mayLink({ ...caller, settings }, { role })),
        roles,
      )
      assert.equal(mayLink({ ...caller, settings }, {}), true, 'the role is the default one')
    }
    assert.deepEqual(
      ROLES.filter((role) => mayLink({ permission: 'ADMIN', actor: null, settings }, { role })),
      [...ROLES],
    )
  }
})

test('users may change their own name, email and metadata, and nothing else', () => {
  const me = { permission: 'USER', actor: actor('PLAYER') } as const
  const early = (caller: { permission: 'USER'; actor: Actor | null }, user_id: string) =>
    mayUpdate.early?.({ ...caller, developer: {} as Developer, token: null, session: null }, { user_id })
  assert.equal(early(me, 'me'), true)
  assert.equal(early(me, 'ME'), true)
  assert.equal(early(me, 'other'), false)
  assert.equal(early({ permission: 'USER', actor: null }, 'me'), false)
  const [ownParams, otherParams] = [{ params: { user_id: 'me' } }, { params: { user_id: 'other' } }]
  assert.equal(mayUpdate({ ...me, ...ownParams }, { name: 'x', email: 'y', metadata: {} }), true)
  assert.equal(mayUpdate({ ...me, ...ownParams }, { name: 'x', role: 'ADMIN' }), false)
  assert.equal(mayUpdate({ ...me, ...ownParams }, { external_id: 'x' }), false)
  assert.equal(mayUpdate({ permission: 'USER', actor: actor('ADMIN'), ...ownParams }, { role: 'ADMIN' }), false)
  assert.equal(mayUpdate({ permission: 'OWNER', actor: actor('PLAYER'), ...otherParams }, { name: 'x' }), false)
})
