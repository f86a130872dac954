import { Type } from 'typebox'
import { Flag, Id, Nullable, Text, Timestamp, Unset } from '../../core/fields.ts'
import { page, sortByDate } from '../../core/page.ts'
import { CHANGES_CUT, MAX_SHOWN_BYTES } from '../../events/changes.ts'

const Difference = Type.Object(
  {
    old: Type.Unsafe<unknown>({ description: 'Value before; null where there was none', examples: ['PLAYER'] }),
    new: Type.Unsafe<unknown>({ description: 'Value after; null where there is none', examples: ['STORYTELLER'] }),
  },
  { title: 'Difference', description: 'One field before and after' },
)

/** An entry as it is stored. */
export const AuditLogRow = Type.Object({
  id: Id('Entry identifier'),
  company_id: Id('Company identifier'),
  type: Text(100, 'What happened', 'user.updated'),
  resource_type: Text(100, 'To what kind of thing', 'user'),
  resource_id: Id('To which one'),
  developer_id: Nullable(Id('With whose key; null for the operator at the command line')),
  user_id: Nullable(Id('On whose behalf')),
  request_id: Nullable(Text(100, 'In which request', 'req_Yk3xT0c9mQe8Xw1Z')),
  changes: Type.Unsafe<Record<string, { old: unknown; new: unknown }>>({
    type: 'object',
    additionalProperties: Difference,
    'x-max-bytes': MAX_SHOWN_BYTES,
    description: 'Every field that changed',
    examples: [{ role: { old: 'PLAYER', new: 'STORYTELLER' } }],
  }),
  reason: Unset(Text(500, 'Why, where who did it said so', 'Stood by the door to the end')),
  date_created: Timestamp('When'),
})

export const AuditLog = Type.Object(
  { ...AuditLogRow.properties, truncated: Flag(CHANGES_CUT) },
  { title: 'AuditLog', description: 'A change, as it was made' },
)

const text = (description: string, example: string) => Type.Optional(Type.String({ maxLength: 100, description, examples: [example] }))
const id = (description: string) => Type.Optional(Id(description))
const time = (description: string) => Type.Optional(Timestamp(description))

export const AuditLogQuery = Type.Object({
  ...page,
  ...sortByDate,
  type: text('Only events of this type', 'user.updated'),
  resource_type: text('Only changes of this kind of thing', 'user'),
  resource_id: id('Only changes of this one'),
  developer_id: id('Only changes made with a key of this developer'),
  user_id: id('Only changes made on behalf of this user'),
  request_id: text('Only changes made in this request', 'req_Yk3xT0c9mQe8Xw1Z'),
  from: time('Only from this instant on'),
  to: time('Only before this instant'),
})
