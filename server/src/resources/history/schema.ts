import { type Static, Type } from '@guildhall/rules/type'
import { Flag, Id, Nullable, Text, Timestamp, Unset } from '../../core/fields.ts'
import { order, page } from '../../core/page.ts'
import { CHANGES_CUT, MAX_SHOWN_BYTES } from '../../events/changes.ts'
import { MAX_DETAILS, MAX_TRAITS } from '../characters/schema.ts'

const FieldChange = Type.Object(
  {
    field: Text(100, 'The field that changed. A trait is named traits.<name>, a detail details.<name>', 'traits.strength'),
    from: Type.Unsafe<unknown>({ description: 'The value before. Null if there was none', examples: [3] }),
    to: Type.Unsafe<unknown>({ description: 'The value after. Null if there is none', examples: [4] }),
  },
  { title: 'FieldMoved', description: 'A field before and after a change' },
)
export type FieldChange = Static<typeof FieldChange>

/**
 * A history entry is larger than the changes of its event, because each trait and detail becomes an entry with field names of its own, 34 bytes. A request changes each of
 * them once. A ruleset may rename all traits, which become twice as many entries; then nothing else has changed, and both sets of traits take 31,000 bytes.
 */
const MAX_BYTES = MAX_SHOWN_BYTES + (MAX_TRAITS + MAX_DETAILS + 100) * 40

export const HistoryEntry = Type.Object(
  {
    id: Id('Event identifier'),
    type: Text(100, 'Type of the event', 'character.updated'),
    user_id: Nullable(Id('The user who made the change')),
    changes: Type.Array(FieldChange, { maxItems: 1200, 'x-max-bytes': MAX_BYTES, description: 'Every field that changed' }),
    reason: Unset(Text(500, 'The reason that the user gave', 'Learned to listen')),
    date_created: Timestamp('Time of the change'),
    truncated: Flag(CHANGES_CUT),
  },
  { title: 'HistoryEntry', description: 'A change of a character' },
)

export const HistoryQuery = Type.Object({
  ...page,
  sort: Type.Optional({
    ...order(['date_created', '-date_created']),
    default: '-date_created' as const,
    description: 'Order of the changes. `-` is descending',
  }),
})
