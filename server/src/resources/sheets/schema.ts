import { type Static, Type } from 'typebox'
import { Id, Int } from '../../core/fields.ts'
import { archives } from '../../core/page.ts'
import { CharacterStatus, CharacterType, fields } from '../characters/schema.ts'
import { Item } from '../inventory/schema.ts'
import { Note } from '../notes/schema.ts'

/** At most so many of each come with a character; its own list has them all. */
export const MOST = 100

export const PARTS = ['inventory', 'notes'] as const
export type Part = (typeof PARTS)[number]

const total = (what: string) => Type.Optional(Int(0, 2_147_483_647, `How many ${what} there are in all`, 1))

export const Sheet = Type.Object(
  {
    ...fields,
    inventory: Type.Optional(Type.Array(Item, { maxItems: MOST, description: 'What it has, with `include=inventory`; the first 100' })),
    inventory_total: total('things'),
    notes: Type.Optional(Type.Array(Note, { maxItems: MOST, description: 'Notes on it, with `include=notes`; the first 100' })),
    notes_total: total('notes'),
  },
  { title: 'Sheet', description: 'A character, with what was asked to come with it' },
)
export type Sheet = Static<typeof Sheet>

const include = Type.Optional(
  Type.Array(Type.Unsafe<Part>({ type: 'string', enum: [...PARTS] }), {
    minItems: 1,
    maxItems: PARTS.length,
    uniqueItems: true,
    description: 'What comes with each character, as the acting user may see it: inventory, notes',
    examples: [['inventory', 'notes']],
  }),
)

export const SheetQuery = Type.Object({ include })
export const SheetsQuery = Type.Object({
  ...archives,
  type: Type.Optional(CharacterType('Only characters of this type')),
  status: Type.Optional(CharacterStatus('Only characters that stand so')),
  user_id: Type.Optional(Id('Only characters of this player')),
  include,
})
