import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesSight, type FeedEvent, isRepeated, type ReaderRights, tellOf } from './rules.ts'

const CAMPAIGN = 'campaign'
const event: FeedEvent = {
  position: 7,
  id: 'event',
  type: 'note.updated',
  resource_type: 'note',
  resource_id: 'note',
  campaign_id: CAMPAIGN,
  version: 2,
  developer_id: 'developer',
  user_id: 'actor',
  request_id: 'request',
  reason: null,
  date_created: '2026-11-17T08:00:00.000Z',
  visibility: null,
  visibility_before: null,
  visibility_after: null,
  author_id: null,
  sheet_visibility: null,
  shifts: false,
  changesRole: false,
  oldOwner: null,
  newOwner: null,
  oldAccess: null,
  isFurther: false,
}
const of = (resource_type: string, verb: string, fields: Partial<FeedEvent> = {}): FeedEvent => ({
  ...event,
  resource_type,
  resource_id: resource_type === 'campaign' ? CAMPAIGN : resource_type,
  type: `${resource_type}.${verb}`,
  ...fields,
})

const reader = (fields: Partial<ReaderRights> = {}, campaign?: { isStoryteller: boolean; isMember: boolean }): ReaderRights => ({
  company_id: 'company',
  user_id: 'reader',
  administers: false,
  seesAll: false,
  campaigns: new Map(campaign ? [[CAMPAIGN, campaign]] : []),
  ...fields,
})
const player = reader({}, { isStoryteller: false, isMember: true })
const storyteller = reader({}, { isStoryteller: true, isMember: true })
const passerby = reader({}, { isStoryteller: false, isMember: false })
const outsider = reader()
const admin = reader({ seesAll: true, administers: true }, { isStoryteller: true, isMember: false })
const secret = { visibility: 'STORYTELLER' }
const hiding = { visibility: 'STORYTELLER', visibility_before: 'OPEN' }
const showing = { visibility: 'STORYTELLER', visibility_after: 'OPEN' }

type Told = [type: string, change: string, showsEvent: boolean]
const rows: [title: string, FeedEvent, ReaderRights, isFound: boolean, Told[]][] = [
  ['a change', of('note', 'updated'), player, true, [['note.updated', 'UPSERT', true]]],
  ['a change in a campaign that does not exist for the reader', of('note', 'updated'), outsider, false, []],
  ['a secret change, to a player', of('note', 'updated', secret), player, false, []],
  [
    'a secret change, to its author',
    of('note', 'updated', { ...secret, author_id: 'reader' }),
    player,
    true,
    [['note.updated', 'UPSERT', true]],
  ],
  ['a secret change, to a storyteller', of('note', 'updated', secret), storyteller, true, [['note.updated', 'UPSERT', true]]],
  ['a note of its author only, to a storyteller', of('note', 'updated', { visibility: 'AUTHOR' }), storyteller, false, []],
  ['what was hidden', of('note', 'updated', hiding), player, false, [['note.vanished', 'REMOVE', false]]],
  ['what was hidden, to a storyteller', of('note', 'updated', hiding), storyteller, true, [['note.updated', 'UPSERT', true]]],
  ['what was shown', of('note', 'updated', showing), player, true, [['note.appeared', 'RESYNC', false]]],
  ['what was shown, and hidden again since', of('note', 'updated', showing), player, false, []],
  ['what was changed, and hidden since', of('note', 'updated'), player, false, [['note.vanished', 'REMOVE', false]]],
  ['what was created, and hidden since', of('note', 'created'), player, false, []],
  ['a deleted character', of('character', 'deleted'), player, false, [['character.deleted', 'REMOVE', true]]],
  ['a deleted part of a sheet', of('tracker', 'deleted'), player, false, [['tracker.deleted', 'REMOVE', false]]],
  ['a deleted character that was secret', of('character', 'deleted', secret), player, false, []],
  ['a restored character', of('character', 'restored'), player, true, [['character.restored', 'RESYNC', true]]],
  ['a sheet that was hidden or shown', of('character', 'updated', { shifts: true }), player, true, [['character.updated', 'RESYNC', true]]],
  ['a new character', of('character', 'created', { shifts: true }), player, true, [['character.created', 'UPSERT', true]]],
  [
    'a new character whose sheet is hidden',
    of('character', 'created', { shifts: true, sheet_visibility: 'PLAYER' }),
    player,
    true,
    [['character.created', 'RESYNC', true]],
  ],
  ['a voided roll of a character that was hidden since', of('dice_roll', 'voided'), player, false, []],
  ['experience that the reader does not see', of('experience', 'awarded'), player, false, []],
  ['an invite, to a player', of('invite', 'deleted'), player, false, []],
  ['an invite, to a storyteller', of('invite', 'deleted'), storyteller, false, [['invite.deleted', 'REMOVE', true]]],
  ['a grant, to a player', of('grant', 'removed', { campaign_id: null }), player, false, []],
  [
    'a grant, to an ADMIN who may not manage developers',
    of('grant', 'removed', { campaign_id: null }),
    { ...admin, administers: false },
    false,
    [],
  ],
  ['a grant, to one who may', of('grant', 'removed', { campaign_id: null }), admin, false, [['grant.removed', 'REMOVE', true]]],
  ['a notebook of somebody else', of('note', 'updated', { campaign_id: null }), player, false, []],
  ['the own notebook', of('note', 'updated', { campaign_id: null, user_id: 'reader' }), player, true, [['note.updated', 'UPSERT', true]]],
  [
    'a notebook, to a key that sees all',
    of('note', 'updated', { campaign_id: null }),
    { ...admin, user_id: null },
    true,
    [['note.updated', 'UPSERT', true]],
  ],
  [
    'a campaign that was opened',
    of('campaign', 'updated', { oldAccess: 'MEMBERS', shifts: true }),
    passerby,
    true,
    [['campaign.appeared', 'RESYNC', false]],
  ],
  [
    'a campaign that was opened, to a member',
    of('campaign', 'updated', { oldAccess: 'MEMBERS', shifts: true }),
    player,
    true,
    [['campaign.updated', 'RESYNC', true]],
  ],
  [
    'a campaign that was made private',
    of('campaign', 'updated', { oldAccess: 'COMPANY' }),
    outsider,
    false,
    [['campaign.vanished', 'REMOVE', false]],
  ],
  [
    'the own membership',
    of('member', 'added', { resource_id: 'reader' }),
    player,
    true,
    [
      ['member.added', 'UPSERT', true],
      ['sight.changed', 'RESYNC', false],
    ],
  ],
  [
    'the end of the own membership',
    of('member', 'removed', { resource_id: 'reader' }),
    outsider,
    false,
    [['sight.changed', 'REMOVE', false]],
  ],
  [
    'the own role',
    of('user', 'updated', { resource_id: 'reader', campaign_id: null, changesRole: true }),
    player,
    true,
    [
      ['user.updated', 'UPSERT', true],
      ['sight.changed', 'RESYNC', false],
    ],
  ],
  [
    'the transfer of a campaign, to its old owner',
    of('campaign', 'transferred', { oldOwner: 'reader', newOwner: 'other' }),
    player,
    true,
    [
      ['campaign.transferred', 'UPSERT', true],
      ['sight.changed', 'RESYNC', false],
    ],
  ],
  [
    'the role of somebody else',
    of('user', 'updated', { campaign_id: null, changesRole: true }),
    player,
    true,
    [['user.updated', 'UPSERT', true]],
  ],
]

for (const [title, told, rights, isFound, expected] of rows)
  test(`told: ${title}`, () => {
    const found = isFound ? { path: '', resource: { id: told.resource_id } } : undefined
    assert.deepEqual(
      tellOf(told, rights, found).map(({ type, change, showsEvent }) => [type, change, showsEvent]),
      expected,
    )
  })

test('a page ends with an event that changes what its reader sees', () => {
  assert.ok(changesSight(of('user', 'updated', { resource_id: 'reader' }), 'reader'))
  assert.ok(changesSight(of('member', 'removed', { resource_id: 'reader' }), 'reader'))
  assert.ok(!changesSight(of('member', 'removed'), 'reader'))
  assert.ok(!changesSight(of('member', 'removed', { resource_id: 'reader' }), null))
})

test('of several traits that one request adjusted, a reader who does not see the sheet is told once', () => {
  const adjusted = of('character', 'adjusted', { isFurther: true })
  assert.deepEqual(
    [
      isRepeated(adjusted, 'character.updated'),
      isRepeated(adjusted, 'character.adjusted'),
      isRepeated({ ...adjusted, isFurther: false }, 'character.updated'),
    ],
    [true, false, false],
  )
})
