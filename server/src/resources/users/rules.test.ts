import assert from 'node:assert/strict'
import { test } from 'node:test'
import { administers, PERMISSIONS, ROLES, type Role } from '../../core/access.ts'
import { mayChange, mayCreate, mayTouch } from './rules.ts'

const actor = (role: Role, id = 'me') => ({ id, role, company_id: 'c', name: 'n' })

test('administering takes an ADMIN key, and the role ADMIN where a user acts', () => {
  const allowed = PERMISSIONS.flatMap((permission) =>
    [null, ...ROLES].filter((role) => administers({ permission, actor: role && actor(role) })).map((role) => `${permission} ${role}`),
  )
  assert.deepEqual(allowed, ['ADMIN null', 'ADMIN ADMIN', 'OWNER null', 'OWNER ADMIN'])
})

test('a USER key links players and nobody else, also in the name of an ADMIN', () => {
  for (const who of [{ permission: 'USER', actor: null } as const, { permission: 'USER', actor: actor('ADMIN') } as const]) {
    assert.deepEqual(
      ROLES.filter((role) => mayCreate(who, role)),
      ['PLAYER'],
    )
  }
})

test('own name and email are everyone’s to change, the rest is not', () => {
  const me = { permission: 'USER', actor: actor('PLAYER') } as const
  assert.equal(mayTouch(me, 'me'), true)
  assert.equal(mayTouch(me, 'other'), false)
  assert.equal(mayTouch({ permission: 'USER', actor: null }, 'me'), false)
  assert.equal(mayChange(me, 'me', ['name', 'email']), true)
  assert.equal(mayChange(me, 'me', ['name', 'role']), false)
  assert.equal(mayChange(me, 'me', ['external_id']), false)
  assert.equal(mayChange({ permission: 'USER', actor: actor('ADMIN') }, 'me', ['role']), false)
  assert.equal(mayChange({ permission: 'OWNER', actor: actor('PLAYER') }, 'other', ['name']), false)
})
