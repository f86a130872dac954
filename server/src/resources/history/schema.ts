import { type Static, Type } from 'typebox'
import { Flag, Id, Nullable, Text, Timestamp, Unset } from '../../core/fields.ts'
import { order, page } from '../../core/page.ts'
import { CHANGES_CUT, MAX_SHOWN_BYTES } from '../../events/changes.ts'
import { MOST_TRAITS } from '../characters/schema.ts'

const Moved = Type.Object(
  {
    field: Text(100, 'What changed; a trait as traits.name', 'traits.strength'),
    from: Type.Unsafe<unknown>({ description: 'What it was; null where there was nothing', examples: [3] }),
    to: Type.Unsafe<unknown>({ description: 'What it became; null where there is nothing', examples: [4] }),
  },
  { title: 'FieldMoved' },
)
export type Moved = Static<typeof Moved>

/** Beyond the changes of the event: each trait, before and after, is an entry of its own with the names of its fields. */
const MAX_BYTES = MAX_SHOWN_BYTES + 2 * MOST_TRAITS * 45

export const HistoryEntry = Type.Object(
  {
    id: Id('Event identifier'),
    type: Text(100, 'What happened', 'character.updated'),
    user_id: Nullable(Id('Who did it')),
    changes: Type.Array(Moved, { maxItems: 1000, 'x-max-bytes': MAX_BYTES, description: 'Every field that changed' }),
    reason: Unset(Text(500, 'Why, where who did it said so', 'Learnt to listen')),
    date_created: Timestamp('When'),
    truncated: Flag(CHANGES_CUT),
  },
  { title: 'HistoryEntry', description: 'A change of a character, as it was made' },
)

export const HistoryQuery = Type.Object({
  ...page,
  sort: Type.Optional({
    ...order(['date_created', '-date_created']),
    description: 'Order of the changes; newest first unless said otherwise',
  }),
})
