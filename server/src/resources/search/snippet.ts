import { fold } from '../../core/text.ts'
import { type Sql, sql } from '../../db/sql.ts'

const BEFORE = 60
const LENGTH = 200
const STEP = 64
/** How far on either side of its estimated position a hit is looked for. */
const REACH = 1000

/** A part of a text, as the database cut it around a hit. */
export interface Window {
  part: string | null
  /** Where in the part, in characters, the hit is; null where it has to be looked for. */
  hit_at: number | null
  /** Whether there is text before and after the part. */
  is_inside: boolean
  goes_on: boolean
}

/**
 * The window of a text around what was searched, cut in the database: however long the text, little of it is read here. Where the text
 * has it letter by letter, apart from the case of a to z, that is the place; else the folded text tells about where, in proportion.
 */
export const windowOf = (text: Sql, key: Sql, q: Sql, typed: Sql): Sql => sql`
  SELECT substr(t, first + 1, CASE WHEN exact THEN ${sql.number(LENGTH)} ELSE ${sql.number(2 * REACH)} END) AS part,
    CASE WHEN exact THEN at - first END AS hit_at, first > 0 AS is_inside,
    char_length(t) > first + CASE WHEN exact THEN ${sql.number(LENGTH)} ELSE ${sql.number(2 * REACH)} END AS goes_on
  FROM (SELECT *, greatest(0, at - CASE WHEN exact THEN ${sql.number(BEFORE)} ELSE ${sql.number(REACH)} END) AS first
    FROM (SELECT t, in_key = 0 OR in_text > 0 AS exact, CASE
        WHEN in_key = 0 THEN 0
        WHEN in_text > 0 THEN in_text - 1
        ELSE (in_key - 1)::bigint * char_length(t) / char_length(k) END::integer AS at
      FROM (SELECT t, k, coalesce(strpos(k, ${q}), 0) AS in_key, strpos(lower(t COLLATE "C"), lower(${typed} COLLATE "C")) AS in_text
        FROM (SELECT ${text} AS t, ${key} AS k) given) found) placed) cut`

/** Where in a text its folded form has so many characters, of which folding makes some texts more and others fewer: in small steps. */
function unfolded(text: string, at: number): number {
  let folded = 0
  for (let position = 0; position < text.length; position += STEP) {
    const step = text.slice(position, position + STEP)
    const { length } = fold(step, Number.POSITIVE_INFINITY)
    if (folded + length > at) return position + Math.floor(((at - folded) / length) * step.length)
    folded += length
  }
  return text.length
}

/** Where in the part the hit is, in UTF-16 units. If it is not there, the estimate was too far off: the part is shown from its middle. */
function placeOf({ part, hit_at }: Window, q: string): number {
  if (!part) return 0
  if (hit_at !== null) return [...part].slice(0, hit_at).join('').length
  const at = fold(part, Number.POSITIVE_INFINITY).indexOf(q)
  return at < 0 ? Math.floor(part.length / 2) : unfolded(part, at)
}

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The part of a text around a hit, cut between what a reader takes for characters. `q` is what was searched, folded. */
export function snippetOf(window: Window, q: string): string | null {
  const { part, is_inside, goes_on } = window
  if (!part) return null
  const begin = Math.max(0, placeOf(window, q) - BEFORE)
  const end = begin + LENGTH
  const [before, after] = [is_inside || begin > 0, goes_on || end < part.length]
  const shown = [...characters.segment(part.slice(begin, end))].map(({ segment }) => segment)
  // The first and the last may be half of one.
  const whole = shown.slice(before ? 1 : 0, after ? -1 : undefined)
  return `${before ? '… ' : ''}${whole.join('')}${after ? ' …' : ''}`
}
