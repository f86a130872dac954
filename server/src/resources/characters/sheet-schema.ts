import { type Static, type TObject, Type } from '@guildhall/rules/type'
import { Excerpt, grouped, MAX_LISTED_TEXT } from '../../core/excerpt.ts'
import { Id, Int, Nullable, withoutApplicationData } from '../../core/fields.ts'
import { archives, byExternalId } from '../../core/page.ts'
import { Balance } from '../experience/schema.ts'
import { Item } from '../inventory/schema.ts'
import { Note } from '../notes/schema.ts'
import { MAX_TRACKERS, Tracker } from '../trackers/schema.ts'
import { listed } from './listed-schema.ts'
import { includedSheet } from './ruled-sheet.ts'
import { CharacterStatus, CharacterType, fields } from './schema.ts'

export const PARTS = ['inventory', 'notes'] as const
export type Part = (typeof PARTS)[number]
/** The parts that a list and a single character have in common. */
export const LISTED_PARTS = [...PARTS, 'sheet', 'trackers', 'experience'] as const
export type ListedPart = (typeof LISTED_PARTS)[number]

/** The parts that may take as much as several characters with all other parts. */
const LARGE_PARTS = ['sheet', 'trackers'] as const satisfies ListedPart[]
const MAX_WITH_LARGE_PART = 20

/** The large ones of some parts, and the maximum of `limit` with them, so that the list fits into one response. */
export function limitWith(include: ListedPart[]): { large: ListedPart[]; max: number } | undefined {
  const large = LARGE_PARTS.filter((part) => include.includes(part))
  return large.length ? { large, max: MAX_WITH_LARGE_PART / large.length } : undefined
}

/** The limits of each part in a sheet: the number of rows, the length of their texts in characters, and their fields. */
export interface PartLimits {
  rows: number
  text: number
  schemas: Record<Part, TObject>
}
export const SHEET_LIMITS: PartLimits = { rows: 100, text: MAX_LISTED_TEXT, schemas: { inventory: Item, notes: Note } }
/** A list has up to 100 characters with their parts, and must fit into one response. */
export const LIST_LIMITS: PartLimits = {
  rows: 10,
  text: 200,
  schemas: { inventory: withoutApplicationData(Item), notes: withoutApplicationData(Note) },
}

const HIDDEN = 'Null if the sheet is hidden from the acting user'
const total = (name: Part, plural: string, note = '') =>
  Int(0, 2_147_483_647, `Total number of ${plural}, with \`include=${name}\`${note}`, 1)

/** A character with the first rows of its parts. The collections below the character have all rows, with their full texts. */
function sheet({ rows, text, schemas }: PartLimits, suffix: string) {
  const part = (name: Part, noun: string, note = '') =>
    Type.Array(Excerpt(schemas[name], suffix, text), {
      maxItems: rows,
      description: `${noun} of the character, with \`include=${name}\`: the first ${rows}, with texts cut to ${grouped(text)} characters${note}`,
    })
  return Type.Object(
    {
      ...fields,
      inventory: Type.Optional(Nullable(part('inventory', 'Items', `. ${HIDDEN}`))),
      inventory_total: Type.Optional(Nullable(total('inventory', 'items', `. ${HIDDEN}`))),
      notes: Type.Optional(part('notes', 'Notes')),
      notes_total: Type.Optional(total('notes', 'notes')),
      sheet: Type.Optional({ ...includedSheet, 'x-max-items-with': MAX_WITH_LARGE_PART }),
      trackers: Type.Optional({
        ...Nullable(
          Type.Array(Excerpt(Tracker), {
            maxItems: MAX_TRACKERS,
            description: `The trackers of the character, with \`include=trackers\`. ${HIDDEN}`,
          }),
        ),
        'x-max-items-with': MAX_WITH_LARGE_PART,
      }),
      experience: Type.Optional({
        ...Nullable(Balance),
        description:
          'The experience of the character or, where it belongs to users, of its player, with `include=experience`. Null if there is none, or if it is hidden',
      }),
    },
    { title: 'Sheet', description: 'A character, with the parts named by `include`' },
  )
}
export const Sheet = sheet(SHEET_LIMITS, 'ListItem')
export type Sheet = Static<typeof Sheet>

export const ListedSheet = Type.Object(
  { ...sheet(LIST_LIMITS, 'Preview').properties, ...listed },
  { title: 'Sheet', description: 'A character, with the parts named by `include`' },
)
export type ListedSheet = Static<typeof ListedSheet>

const include = Type.Optional(
  Type.Array(Type.Unsafe<ListedPart>({ type: 'string', enum: [...LISTED_PARTS] }), {
    minItems: 1,
    maxItems: LISTED_PARTS.length,
    uniqueItems: true,
    description: `Parts to include with each character, as far as the acting user may see them. A single character includes the first 100 items and notes with texts of up to 1,000 characters; a list includes the first 10 of each with texts of up to 200 characters, without \`external_id\` and \`metadata\`. \`sheet\` is everything that follows from the ruleset of the campaign, as for a single character. With it or with \`trackers\`, \`limit\` is at most ${MAX_WITH_LARGE_PART}, and with both at most ${MAX_WITH_LARGE_PART / 2}`,
    examples: [['trackers', 'experience']],
  }),
)

export const SheetsQuery = Type.Object({
  ...archives,
  type: Type.Optional(CharacterType('Only characters of this type')),
  status: Type.Optional(CharacterStatus('Only characters with this status')),
  player_id: Type.Optional(Id('Only characters of this player')),
  ...byExternalId,
  include,
})
