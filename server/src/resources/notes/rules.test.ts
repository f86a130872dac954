import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROLES } from '../../core/access.ts'
import { mayChange } from './rules.ts'

test('authors and ADMINs may change every note, storytellers those whose visibility is not AUTHOR', () => {
  /** The roles that may change a note of each visibility. A PLAYER is never a storyteller. */
  const allowed = (author_id: string, runsCampaign: boolean) =>
    (['EVERYONE', 'STORYTELLER', 'AUTHOR'] as const).map((visibility) =>
      ROLES.filter((role) => {
        const campaign = { isStoryteller: runsCampaign && role !== 'PLAYER' }
        return mayChange({ actor: { id: 'me', role }, campaign, note: { author_id, visibility } })
      }).join(),
    )
  assert.deepEqual(allowed('me', false), ['PLAYER,STORYTELLER,ADMIN', 'PLAYER,STORYTELLER,ADMIN', 'PLAYER,STORYTELLER,ADMIN'])
  assert.deepEqual(allowed('other', true), ['STORYTELLER,ADMIN', 'STORYTELLER,ADMIN', 'ADMIN'])
  assert.deepEqual(allowed('other', false), ['ADMIN', 'ADMIN', 'ADMIN'])
})
