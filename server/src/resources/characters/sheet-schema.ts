import { type Static, type TObject, Type } from 'typebox'
import { Excerpt, grouped, MAX_LISTED_TEXT } from '../../core/excerpt.ts'
import { Id, Int } from '../../core/fields.ts'
import { archives } from '../../core/page.ts'
import { Item } from '../inventory/schema.ts'
import { Note } from '../notes/schema.ts'
import { CharacterStatus, CharacterType, fields } from './schema.ts'

export const PARTS = ['inventory', 'notes'] as const
export type Part = (typeof PARTS)[number]

/** How much of each part comes with a character: how many rows, and how many characters of their texts. */
export interface Share {
  rows: number
  text: number
}
export const WITH_ONE: Share = { rows: 100, text: MAX_LISTED_TEXT }
/** A list brings up to 100 characters, each with its parts, and must fit into one response. */
export const WITH_EACH: Share = { rows: 10, text: 200 }

const total = (what: string) => Type.Optional(Int(0, 2_147_483_647, `How many ${what} there are in all`, 1))

/** A character with its parts; the collections of the character have all of them, and their texts in full. */
function sheet({ rows, text }: Share, suffix: string) {
  const part = <S extends TObject>(schema: S, name: Part, what: string) =>
    Type.Optional(
      Type.Array(Excerpt(schema, suffix, text), {
        maxItems: rows,
        description: `${what}, with \`include=${name}\`: the first ${rows}, their texts cut to ${grouped(text)} characters`,
      }),
    )
  return Type.Object(
    {
      ...fields,
      inventory: part(Item, 'inventory', 'What it has'),
      inventory_total: total('things'),
      notes: part(Note, 'notes', 'Notes on it'),
      notes_total: total('notes'),
    },
    { title: 'Sheet', description: 'A character, with what was asked to come with it' },
  )
}
export const Sheet = sheet(WITH_ONE, 'ListItem')
export type Sheet = Static<typeof Sheet>
export const ListedSheet = sheet(WITH_EACH, 'Preview')

const include = Type.Optional(
  Type.Array(Type.Unsafe<Part>({ type: 'string', enum: [...PARTS] }), {
    minItems: 1,
    maxItems: PARTS.length,
    uniqueItems: true,
    description:
      'What comes with each character, as the acting user may see it: inventory, notes. A single character brings the first 100 of each with 1,000 characters of their texts; a list brings the first 10 of each with 200 characters',
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
