import { type Static, Type } from '@guildhall/rules/type'
import { grouped, MAX_LISTED_TEXT } from '../../core/excerpt.ts'
import { Flag } from '../../core/fields.ts'
import { MAX_LISTED_DETAIL, MAX_LISTED_DETAILS_BYTES } from './details.ts'
import { type Character, fields } from './schema.ts'

const [detailLength, detailsBytes] = [grouped(MAX_LISTED_DETAIL), grouped(MAX_LISTED_DETAILS_BYTES)]
/** The fields of a character that differ in lists. */
export const listed = {
  details: Type.Unsafe<Character['details']>({
    ...fields.details,
    'x-max-bytes': MAX_LISTED_DETAILS_BYTES,
    description: `${(fields.details as { description?: string }).description}. A list has the first ${detailLength} characters of each, and none if they still exceed ${detailsBytes} bytes`,
  }),
  truncated: Flag(
    `True if biography was cut after ${grouped(MAX_LISTED_TEXT)} characters, details were cut or left out, or large metadata was left out; the character itself has all of them`,
  ),
}

export const ListedCharacter = Type.Object({ ...fields, ...listed }, { title: 'Character', description: 'A character in a list' })
export type ListedCharacter = Static<typeof ListedCharacter>
