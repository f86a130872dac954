import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROLES } from '../../core/access.ts'
import { mayChange } from './rules.ts'

test('who may change which notes', () => {
  const allowed = (author_id: string, tells: boolean) =>
    (['EVERYONE', 'STORYTELLER', 'AUTHOR'] as const).map((visibility) =>
      ROLES.filter((role) => mayChange({ id: 'me', role }, tells && role !== 'PLAYER', { author_id, visibility })).join(),
    )
  assert.deepEqual(allowed('me', false), ['PLAYER,STORYTELLER,ADMIN', 'PLAYER,STORYTELLER,ADMIN', 'PLAYER,STORYTELLER,ADMIN'])
  assert.deepEqual(allowed('other', true), ['STORYTELLER,ADMIN', 'STORYTELLER,ADMIN', 'ADMIN'])
  assert.deepEqual(allowed('other', false), ['ADMIN', 'ADMIN', 'ADMIN'])
})
