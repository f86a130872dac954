import { type Static, Type } from '@guildhall/rules/type'
import { applicationFields, applicationPatch, archivable, Enum, Id, Int, Name, Nullable, Text, WithDefault } from '../../core/fields.ts'

export const MAX_QUANTITY = 1_000_000

const KINDS = ['WEAPON', 'EQUIPMENT', 'CONSUMABLE', 'BOOK', 'OTHER'] as const

/** The fields that clients may write. */
const writable = {
  name: Name('Name of the item', 'Storm lantern'),
  description: Nullable(Text(10_000, 'Description of the item', 'Brass, and it never goes out')),
  kind: Enum('ItemKind', KINDS, 'Kind of the item', 'EQUIPMENT'),
  quantity: Int(0, MAX_QUANTITY, 'Number of pieces', 1),
  ...applicationFields('item'),
}

export const Item = Type.Object(
  {
    id: Id('Item identifier'),
    company_id: Id('Owning company'),
    character_id: Id('Character that has the item'),
    ...writable,
    ...archivable,
  },
  { title: 'Item', description: 'An item in the inventory of a character' },
)
export type Item = Static<typeof Item>

export const ItemPatch = Type.Partial(Type.Object({ ...writable, ...applicationPatch }), { title: 'ItemPatch' })
export type ItemPatch = Static<typeof ItemPatch>
export const ItemCreate = Type.Object(
  {
    ...Type.Partial(Type.Object(writable)).properties,
    name: writable.name,
    kind: WithDefault(writable.kind, 'OTHER'),
    quantity: WithDefault(writable.quantity, 1),
  },
  { title: 'ItemCreate' },
)
export type ItemCreate = Static<typeof ItemCreate>
export const ItemAdjust = Type.Object(
  { quantity: Int(-MAX_QUANTITY, MAX_QUANTITY, 'Number of pieces to add; negative to take away', -1) },
  { title: 'ItemAdjust' },
)
