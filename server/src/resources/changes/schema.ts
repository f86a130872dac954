import { type Static, Type } from '@guildhall/rules/type'
import { Enum, Flag, Id, Int, Nullable, Text, Timestamp, Unset } from '../../core/fields.ts'
import { CHANGES_CUT, MAX_SHOWN_BYTES } from '../../events/changes.ts'
import { CURSOR_LENGTH } from '../../events/cursor.ts'
import { FEED_TYPES, TYPE_FILTERS, TYPES_EXPLAINED } from '../../events/feed-types.ts'

/** A larger resource is left out: its path leads to it. */
export const MAX_RESOURCE_BYTES = 20_000
export const MAX_WAIT = 30

const Origin = Type.Object(
  {
    developer_id: Nullable(Id('The developer whose key was used')),
    user_id: Nullable(Id('The user on whose behalf the change was made')),
  },
  { title: 'FeedActor', description: 'The originator of a change' },
)

const FeedData = Type.Object(
  {
    change: Enum(
      'FeedChange',
      ['UPSERT', 'REMOVE', 'RESYNC'],
      'What to do with a copy of the resource: UPSERT: replace it by `resource`. REMOVE: delete it, and everything that refers to it. After a character, read the rolls and the experience of its campaign again: those of an archived one stay. RESYNC: replace it, and read again what belongs to it, because other parts of it may be visible now',
    ),
    resource_type: Text(100, 'Type of the resource', 'character'),
    id: Id('Identifier of the resource'),
    version: Nullable(Int(1, 2_147_483_647, 'Version of the resource that the change led to. That of `resource` may be newer', 7)),
    path: Nullable(
      Text(
        500,
        'Path that the resource can be read at. Without an acting user, it contains {user_id} for any user',
        '/api/v1/companies/019a8f3e-7c1a-7aaa-baaa-aaaaaaaaaaaa/users/019a8f3e-7c1a-7aaa-baaa-bbbbbbbbbbbb/campaigns/019a8f3e-7c1a-7aaa-baaa-cccccccccccc',
      ),
    ),
    changes: Type.Unsafe<Record<string, { old: unknown; new: unknown }> | null>({
      type: ['object', 'null'],
      additionalProperties: true,
      'x-max-bytes': MAX_SHOWN_BYTES,
      description: 'Every field that changed, with its old and new value. Null if you could not see the resource before the change',
      examples: [{ status: { old: 'ACTIVE', new: 'DEAD' } }],
    }),
    resource: Type.Unsafe<Record<string, unknown> | null>({
      type: ['object', 'null'],
      additionalProperties: true,
      'x-max-bytes': MAX_RESOURCE_BYTES,
      description:
        'The resource exactly as a GET of `path` shows it to you now, not as it was at the time of the change. Null if it is removed, or larger than 20,000 bytes',
      examples: [{ id: '019a8f3e-7c1a-7aaa-baaa-cccccccccccc', name: 'Fall of Kingsport', version: 7 }],
    }),
    truncated: Flag(`True if \`resource\` is left out because of its size, or \`changes\` is shortened. ${CHANGES_CUT}`),
  },
  { title: 'FeedData', description: 'The resource that changed' },
)

export const FeedItem = Type.Object(
  {
    id: Id('Identifier of this change. If you get it twice, it is the same change'),
    type: Enum('FeedType', FEED_TYPES, `Type of the event:\n${TYPES_EXPLAINED}`, 'dice_roll.created'),
    timestamp: Timestamp('Time of the change'),
    company_id: Id('Company of the change'),
    campaign_id: Nullable(Id('Campaign of the change')),
    actor: Unset(Origin),
    request_id: Nullable(Text(100, 'Identifier of the request', 'req_Yk3xT0c9mQe8Xw1Z')),
    reason: Unset(Text(500, 'The reason that the caller gave', 'Stood by the door to the end')),
    data: FeedData,
  },
  { title: 'FeedItem', description: 'A change, as one reader is told of it' },
)
export type FeedItem = Static<typeof FeedItem>

const Cursor = (description: string) =>
  Type.String({ maxLength: 200, description, examples: ['kq3Zb1m0Tn7cV4xY2wQ9rS6uP8aD5fG1hJ3kL0zXc'.padEnd(CURSOR_LENGTH, 'A')] })

export const ChangesReply = Type.Object(
  {
    items: Type.Array(FeedItem, { maxItems: 101, description: 'The next changes that you may see, oldest first' }),
    cursor: Cursor('Send it as `after` to get what comes next. It is only valid for you'),
    more: Flag(
      'True if there are further changes that you may see, or your rights have changed: ask again at once, even if this page has few items or none',
    ),
  },
  { title: 'Changes', description: 'A part of the feed. This is not a collection: it has no total, and is followed by its cursor' },
)
export type ChangesReply = Static<typeof ChangesReply>

export const ChangesQuery = Type.Object({
  after: Type.Optional(Cursor('The cursor of the last reply. Without it, the reply has no items and the cursor of now')),
  limit: Type.Optional(Type.Unsafe<number>({ ...Int(1, 100, 'Maximum number of items', 50), default: 50 })),
  wait: Type.Optional(Type.Unsafe<number>({ ...Int(0, MAX_WAIT, 'Seconds to wait for the next change, if there is none', 0), default: 0 })),
  types: Type.Optional(
    Type.Array(Enum('EventType', TYPE_FILTERS, 'A type of event', 'dice_roll.created'), {
      minItems: 1,
      maxItems: TYPE_FILTERS.length,
      description: 'Only these types. `character.*` stands for all types of characters',
      examples: [['dice_roll.created', 'character.*']],
    }),
  ),
  campaign_id: Type.Optional(Id('Only changes in this campaign, and those of your own user')),
})
export type ChangesQuery = Static<typeof ChangesQuery> & { limit: number; wait: number }
