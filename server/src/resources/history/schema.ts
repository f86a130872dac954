import { type Static, Type } from 'typebox'
import { Id, Nullable, Text, Timestamp, Unset } from '../../core/fields.ts'
import { order, page } from '../../core/page.ts'

const Moved = Type.Object(
  {
    field: Text(100, 'What changed; a trait as traits.name', 'traits.strength'),
    from: Type.Unsafe<unknown>({ description: 'What it was; null where there was nothing', examples: [3] }),
    to: Type.Unsafe<unknown>({ description: 'What it became; null where there is nothing', examples: [4] }),
  },
  { title: 'FieldMoved' },
)
export type Moved = Static<typeof Moved>

export const HistoryEntry = Type.Object(
  {
    id: Id('Event identifier'),
    type: Text(100, 'What happened', 'character.updated'),
    user_id: Nullable(Id('Who did it')),
    changes: Type.Array(Moved, { maxItems: 1000, description: 'Every field that changed' }),
    reason: Unset(Text(500, 'Why, where who did it said so', 'Learnt to listen')),
    date_created: Timestamp('When'),
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
