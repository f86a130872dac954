import { Type } from '@guildhall/rules/type'
import { Enum, Flag, Id, Nullable, Text, Timestamp, Unset } from '../../core/fields.ts'
import { page, sortByDate } from '../../core/page.ts'
import { EVENTS } from '../../events/catalog.ts'
import { CHANGES_CUT, MAX_SHOWN_BYTES } from '../../events/changes.ts'

const Difference = Type.Object(
  {
    old: Type.Unsafe<unknown>({ description: 'The value before. Null if there was none', examples: ['PLAYER'] }),
    new: Type.Unsafe<unknown>({ description: 'The value after. Null if there is none', examples: ['STORYTELLER'] }),
  },
  { title: 'Difference', description: 'One field before and after' },
)

/** A row of the table. */
export const AuditLogRow = Type.Object({
  id: Id('Entry identifier'),
  company_id: Id('Company identifier'),
  type: Text(100, 'Type of the event', 'user.updated'),
  resource_type: Text(100, 'Type of the resource that changed', 'user'),
  resource_id: Id('Identifier of the resource that changed'),
  developer_id: Nullable(Id('The developer whose key was used. Null for changes made on the command line')),
  user_id: Nullable(Id('The user on whose behalf the change was made')),
  request_id: Nullable(Text(100, 'Identifier of the request', 'req_Yk3xT0c9mQe8Xw1Z')),
  changes: Type.Unsafe<Record<string, { old: unknown; new: unknown }>>({
    type: 'object',
    additionalProperties: Difference,
    'x-max-bytes': MAX_SHOWN_BYTES,
    description: 'Every field that changed',
    examples: [{ role: { old: 'PLAYER', new: 'STORYTELLER' } }],
  }),
  reason: Unset(Text(500, 'The reason that the caller gave', 'Stood by the door to the end')),
  date_created: Timestamp('Time of the change'),
})

export const AuditLog = Type.Object(
  { ...AuditLogRow.properties, truncated: Flag(CHANGES_CUT) },
  { title: 'AuditLog', description: 'A change made in the company' },
)

const EVENT_TYPES = Object.keys(EVENTS)
/** A type of event begins with the type of its resource. */
const RESOURCE_TYPES = [...new Set(EVENT_TYPES.map((type) => type.split('.')[0] as string))]

const text = (description: string, example: string) => Type.Optional(Type.String({ maxLength: 100, description, examples: [example] }))
const id = (description: string) => Type.Optional(Id(description))
const time = (description: string) => Type.Optional(Timestamp(description))

export const AuditLogQuery = Type.Object({
  ...page,
  ...sortByDate,
  type: Type.Optional(Enum('AuditLogType', EVENT_TYPES, 'Only events of this type', 'user.updated')),
  resource_type: Type.Optional(Enum('AuditLogResourceType', RESOURCE_TYPES, 'Only changes of resources of this type', 'user')),
  resource_id: id('Only changes of this resource'),
  developer_id: id('Only changes made with a key of this developer'),
  user_id: id('Only changes made on behalf of this user'),
  request_id: text('Only changes made in this request', 'req_Yk3xT0c9mQe8Xw1Z'),
  from: time('Only changes at or after this time'),
  to: time('Only changes before this time'),
})
