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
    assert.equal(classOf(a, aHasPart, null).key === classOf(b, bHasPart, null).key, isSame))

test('a class of several users is read for nobody in particular', () => {
  assert.deepEqual(classOf(viewer('OWNER', 'STORYTELLER'), false, null), {
    key: 'role STORYTELLER ',
    viewer: { company_id: 'c1', permission: 'USER', actor: { id: NOBODY, company_id: 'c1', name: '', role: 'STORYTELLER' } },
    shared_id: NOBODY,
  })
  assert.equal(classOf(viewer('OWNER', 'STORYTELLER'), true, null).viewer.actor?.id, 'u1')
})

const MEMBERS: [string, Role, boolean, string | null, Role, boolean, string | null, boolean][] = [
  ['two players in the same campaigns', 'PLAYER', false, 'c1PLAYER', 'PLAYER', false, 'c1PLAYER', true],
  ['two players in other campaigns', 'PLAYER', false, 'c1PLAYER', 'PLAYER', false, 'c2PLAYER', false],
  ['a player in a campaign, and one in none', 'PLAYER', false, 'c1PLAYER', 'PLAYER', false, null, false],
  ['two players in a campaign, one with a part in the events', 'PLAYER', false, 'c1PLAYER', 'PLAYER', true, 'c1PLAYER', false],
  ['two storytellers in the same campaigns', 'STORYTELLER', false, 'c1PLAYER', 'STORYTELLER', false, 'c1PLAYER', false],
  ['a storyteller and a player in a campaign', 'STORYTELLER', false, 'c1PLAYER', 'PLAYER', false, 'c1PLAYER', false],
]
for (const [name, roleA, aHasPart, partsA, roleB, bHasPart, partsB, isSame] of MEMBERS)
  test(`${name} are ${isSame ? '' : 'not '}told the same`, () =>
    assert.equal(
      classOf(viewer('USER', roleA), aHasPart, partsA).key === classOf(viewer('USER', roleB, 'u2'), bHasPart, partsB).key,
      isSame,
    ))

test('a class of several members is read for nobody in particular, with the memberships of one of them', () =>
  assert.deepEqual(classOf(viewer('OWNER', 'PLAYER'), false, 'c1PLAYER'), {
    key: 'members c1PLAYER PLAYER ',
    viewer: { company_id: 'c1', permission: 'USER', actor: { id: NOBODY, company_id: 'c1', name: '', role: 'PLAYER' }, member_id: 'u1' },
    shared_id: NOBODY,
  }))
