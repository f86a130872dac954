import { type Static, Type } from 'typebox'
import { archivable, Enum, Id, Int, Name, Nullable, Text } from '../../core/fields.ts'

export const MOST = 1_000_000

const KINDS = ['WEAPON', 'EQUIPMENT', 'CONSUMABLE', 'BOOK', 'OTHER'] as const

/** What a client may write. */
const writable = {
  name: Name('Item name', 'Storm lantern'),
  description: Nullable(Text(10_000, 'What it is', 'Brass, and it never goes out')),
  kind: Enum('ItemKind', KINDS, 'What kind of thing it is; OTHER unless said otherwise', 'EQUIPMENT'),
  quantity: Int(0, MOST, 'How many of it; 1 unless said otherwise', 1),
}

export const Item = Type.Object(
  {
    id: Id('Item identifier'),
    company_id: Id('Owning company'),
    character_id: Id('Character that has it'),
    ...writable,
    ...archivable,
  },
  { title: 'Item', description: 'Something a character has' },
)
export type Item = Static<typeof Item>

export const ItemPatch = Type.Partial(Type.Object(writable), { title: 'ItemPatch' })
export type ItemPatch = Static<typeof ItemPatch>
export const ItemCreate = Type.Object({ ...ItemPatch.properties, name: writable.name }, { title: 'ItemCreate' })
export type ItemCreate = Static<typeof ItemCreate>
export const ItemAdjust = Type.Object({ quantity: Int(-MOST, MOST, 'How many to add; negative to take away', -1) }, { title: 'ItemAdjust' })
