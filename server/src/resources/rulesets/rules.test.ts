import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Permission, Role } from '../../core/access.ts'
import { mayWriteRules } from './rules.ts'

const caller = (permission: Permission, role?: Role) => ({
  permission,
  actor: role ? { id: 'user', company_id: 'company', name: 'A user', role } : null,
})

test('storytellers and admins write with any key, and without an acting user an ADMIN key does', () => {
  for (const permission of ['USER', 'ADMIN', 'OWNER'] as const) {
    assert.equal(mayWriteRules(caller(permission, 'PLAYER')), false)
    assert.deepEqual(mayWriteRules.why(caller(permission, 'PLAYER')), { reason: 'role', needs: { role: 'STORYTELLER' } })
    assert.equal(mayWriteRules(caller(permission, 'STORYTELLER')), true)
    assert.equal(mayWriteRules(caller(permission, 'ADMIN')), true)
    assert.equal(mayWriteRules(caller(permission)), permission !== 'USER')
  }
  assert.deepEqual(mayWriteRules.why(caller('USER')), { reason: 'key_permission', needs: { permission: 'ADMIN' } })
})
