import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Permission, Role } from '../../core/access.ts'
import { NOBODY } from '../../core/ids.ts'
import type { Viewer } from '../campaigns/across.ts'
import { classOf } from './rules.ts'

const viewer = (permission: Permission, role?: Role, id = 'u1'): Viewer => ({
  company_id: 'c1',
  permission,
  actor: role ? { id, company_id: 'c1', name: 'Mina', role } : null,
})

const SAME: [string, Viewer, boolean, Viewer, boolean, boolean][] = [
  ['two players without a part', viewer('USER', 'PLAYER'), false, viewer('USER', 'PLAYER', 'u2'), false, true],
  ['two players with a part', viewer('USER', 'PLAYER'), true, viewer('USER', 'PLAYER', 'u2'), true, false],
  ['a player with a part, and one without', viewer('USER', 'PLAYER'), true, viewer('USER', 'PLAYER', 'u2'), false, false],
  ['two streams of one user', viewer('USER', 'PLAYER'), true, viewer('OWNER', 'PLAYER'), true, true],
  ['a player and a storyteller', viewer('USER', 'PLAYER'), false, viewer('USER', 'STORYTELLER', 'u2'), false, false],
  ['players of keys with other permissions', viewer('USER', 'PLAYER'), false, viewer('OWNER', 'PLAYER', 'u2'), false, true],
  ['admins of keys that do not administer, and do', viewer('USER', 'ADMIN'), false, viewer('ADMIN', 'ADMIN', 'u2'), false, false],
  ['one admin with a part, by such keys', viewer('USER', 'ADMIN'), true, viewer('ADMIN', 'ADMIN'), true, false],
  ['admins of keys that administer', viewer('ADMIN', 'ADMIN'), false, viewer('OWNER', 'ADMIN', 'u2'), false, true],
  ['two keys with the same permission', viewer('ADMIN'), false, viewer('ADMIN'), true, true],
  ['two keys with other permissions', viewer('ADMIN'), false, viewer('USER'), false, false],
  ['a key and a user', viewer('USER'), false, viewer('USER', 'PLAYER'), false, false],
]

for (const [name, a, aHasPart, b, bHasPart, isSame] of SAME)
  test(`${name} are ${isSame ? '' : 'not '}told the same`, () =>
    assert.equal(classOf(a, aHasPart).key === classOf(b, bHasPart).key, isSame))

test('a class of several users is read for nobody in particular', () => {
  assert.deepEqual(classOf(viewer('OWNER', 'STORYTELLER'), false), {
    key: 'role STORYTELLER ',
    viewer: { company_id: 'c1', permission: 'USER', actor: { id: NOBODY, company_id: 'c1', name: '', role: 'STORYTELLER' } },
    shared_id: NOBODY,
  })
  assert.equal(classOf(viewer('OWNER', 'STORYTELLER'), true).viewer.actor?.id, 'u1')
})
