import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call, newCompany } from '../../../test/harness.ts'

test('every enumerated value of the schemas is listed', async () => {
  const { base, key } = await newCompany()
  assert.deepEqual((await call('GET', `${base}/options`, { key })).body as unknown, {
    campaign_creation: ['ANYONE', 'STORYTELLER'],
    campaign_status: ['PLANNED', 'ACTIVE', 'PAUSED', 'COMPLETED'],
    character_status: ['ACTIVE', 'RETIRED', 'DEAD'],
    character_type: ['PLAYER', 'NPC'],
    character_visibility: ['OPEN', 'STORYTELLER'],
    default_user_role: ['PLAYER', 'STORYTELLER'],
    experience_kind: ['AWARD', 'SPEND', 'REVERSAL'],
    item_kind: ['WEAPON', 'EQUIPMENT', 'CONSUMABLE', 'BOOK', 'OTHER'],
    member_role: ['STORYTELLER', 'PLAYER'],
    note_visibility: ['EVERYONE', 'STORYTELLER', 'AUTHOR'],
    permission: ['USER', 'ADMIN', 'OWNER'],
    roll_outcome: ['BOTCH', 'FAILURE', 'SUCCESS', 'CRITICAL'],
    roll_visibility: ['PUBLIC', 'STORYTELLER', 'BLIND'],
    search_type: ['campaign', 'character', 'book', 'chapter', 'note', 'user'],
    settlement: ['OVERREACH', 'DESPAIR'],
    role: ['PLAYER', 'STORYTELLER', 'ADMIN'],
  })
})
