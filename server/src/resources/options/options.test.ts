import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call, newCompany } from '../../../test/harness.ts'
import { EVENTS } from '../../events/catalog.ts'
import { FEED_TYPES, TYPE_FILTERS } from '../../events/feed-types.ts'

test('every enumerated value of the schemas is listed', async () => {
  const { base, key } = await newCompany()
  assert.deepEqual((await call('GET', `${base}/options`, { key })).body as unknown, {
    audit_log_resource_type: [...new Set(Object.keys(EVENTS).map((type) => type.split('.')[0]))],
    audit_log_type: Object.keys(EVENTS),
    campaign_access: ['COMPANY', 'MEMBERS'],
    campaign_creation: ['ANYONE', 'STORYTELLER'],
    campaign_joining: ['OPEN', 'INVITE'],
    campaign_status: ['PLANNED', 'ACTIVE', 'PAUSED', 'COMPLETED'],
    character_status: ['ACTIVE', 'RETIRED', 'DEAD'],
    character_type: ['PLAYER', 'NPC'],
    creation_method: ['choose', 'array', 'points', 'priority', 'dice'],
    creation_status: ['OPEN', 'FINISHED', 'ABANDONED'],
    character_visibility: ['OPEN', 'STORYTELLER'],
    event_type: TYPE_FILTERS,
    default_user_role: ['PLAYER', 'STORYTELLER'],
    experience_kind: ['AWARD', 'SPEND', 'GAIN', 'REVERSAL'],
    experience_per: ['USER', 'CHARACTER'],
    experience_recipients: ['MEMBERS'],
    feed_type: FEED_TYPES,
    item_kind: ['WEAPON', 'EQUIPMENT', 'CONSUMABLE', 'BOOK', 'OTHER'],
    levels_display: ['SHOWN', 'HIDDEN'],
    member_role: ['STORYTELLER', 'PLAYER'],
    missing_names: ['REJECT', 'ZERO'],
    note_visibility: ['EVERYONE', 'STORYTELLER', 'AUTHOR'],
    permission: ['USER', 'ADMIN', 'OWNER'],
    pool_ones: ['SUBTRACT', 'IGNORE'],
    roll_compare: ['AT_LEAST', 'AT_MOST'],
    roll_outcome: ['BOTCH', 'FAILURE', 'SUCCESS', 'CRITICAL'],
    roll_visibility: ['PUBLIC', 'STORYTELLER', 'BLIND'],
    search_type: ['campaign', 'character', 'item', 'book', 'chapter', 'note', 'user'],
    ruleset_mode: ['STRICT', 'ADVISORY'],
    ruleset_term_kind: ['TERM', 'TRAIT', 'DERIVED', 'TRACKER', 'CONDITION', 'CHOICE', 'OPTION', 'ROLL'],
    ruleset_version_status: ['DRAFT', 'PUBLISHED', 'RETIRED'],
    sheet_visibility: ['EVERYONE', 'PLAYER', 'STORYTELLER'],
    settlement: ['OVERREACH', 'DESPAIR'],
    token_scope: ['READ', 'PLAY'],
    tracker_mover: ['STORYTELLER', 'MEMBERS', 'PLAYER'],
    tracker_style: ['NUMBER', 'CLOCK', 'BOXES'],
    tracker_visibility: ['OPEN', 'NAME_ONLY', 'STORYTELLER'],
    trait_changes: ['ANYONE', 'STORYTELLER', 'EXPERIENCE'],
    role: ['PLAYER', 'STORYTELLER', 'ADMIN'],
    webhook_delivery_status: ['PENDING', 'DELIVERED', 'FAILED', 'SKIPPED'],
    webhook_sight: ['OPEN', 'ALL', 'USER'],
    webhook_start: ['BACKLOG', 'NOW'],
    webhook_type: ['*', ...TYPE_FILTERS],
  })
})
