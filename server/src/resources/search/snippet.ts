import { fold } from '../../core/text.ts'
import { type Sql, sql } from '../../db/sql.ts'

/** The number of characters shown before a hit. */
const LEAD_LENGTH = 60
const MAX_SNIPPET_LENGTH = 200
const FOLD_STEP_LENGTH = 64
/** A hit is searched for within this many characters on either side of its estimated position. */
const MAX_DISTANCE = 1000

/** A part of a text around a hit, cut by the database. */
export interface Window {
  part: string | null
  /** The position of the hit in the part, in characters. Null if it must be searched for in the folded part. */
  hit_at: number | null
  /** There is text before the part. */
  is_inside: boolean
  /** There is text after the part. */
  goes_on: boolean
}

/**
 * Cuts the window of a text around a hit in the database, so that only a small part of a long text reaches this process. If the text contains
 * the typed text, apart from the case of a to z, the position is exact. Otherwise it is estimated in proportion to the position in the folded text.
 */
export const windowOf = (text: Sql, key: Sql, q: Sql, typed: Sql): Sql => sql`
  SELECT substr(t, first + 1, CASE WHEN exact THEN ${sql.number(MAX_SNIPPET_LENGTH)} ELSE ${sql.number(2 * MAX_DISTANCE)} END) AS part,
    CASE WHEN exact THEN at - first END AS hit_at, first > 0 AS is_inside,
    char_length(t) > first + CASE WHEN exact THEN ${sql.number(MAX_SNIPPET_LENGTH)} ELSE ${sql.number(2 * MAX_DISTANCE)} END AS goes_on
  FROM (SELECT *, greatest(0, at - CASE WHEN exact THEN ${sql.number(LEAD_LENGTH)} ELSE ${sql.number(MAX_DISTANCE)} END) AS first
    FROM (SELECT t, in_key = 0 OR in_text > 0 AS exact, CASE
        WHEN in_key = 0 THEN 0
        WHEN in_text > 0 THEN in_text - 1
        ELSE (in_key - 1)::bigint * char_length(t) / char_length(k) END::integer AS at
      FROM (SELECT t, k, coalesce(strpos(k, ${q}), 0) AS in_key, strpos(lower(t COLLATE "C"), lower(${typed} COLLATE "C")) AS in_text
        FROM (SELECT ${text} AS t, ${key} AS k) given) found) placed) cut`

/** Converts a position in the folded form of a text to a position in the text. Goes in small steps, because folding lengthens or shortens a text unevenly. */
function unfoldedPosition(text: string, foldedPosition: number): number {
  let folded = 0
  for (let position = 0; position < text.length; position += FOLD_STEP_LENGTH) {
    const step = text.slice(position, position + FOLD_STEP_LENGTH)
    const { length } = fold(step, Number.POSITIVE_INFINITY)
    if (folded + length > foldedPosition) return position + Math.floor(((foldedPosition - folded) / length) * step.length)
    folded += length
  }
  return text.length
}

/** The position of the hit in the part, in UTF-16 units. If the estimate was so far off that the part lacks the hit, it is the middle. */
function hitPosition({ part, hit_at }: Window, q: string): number {
  if (!part) return 0
  if (hit_at !== null) return [...part].slice(0, hit_at).join('').length
  const foldedPosition = fold(part, Number.POSITIVE_INFINITY).indexOf(q)
  return foldedPosition < 0 ? Math.floor(part.length / 2) : unfoldedPosition(part, foldedPosition)
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The snippet of a text around a hit, cut between graphemes. `q` is folded. */
export function snippetOf(window: Window, q: string): string | null {
  const { part, is_inside, goes_on } = window
  if (!part) return null
  const begin = Math.max(0, hitPosition(window, q) - LEAD_LENGTH)
  const end = begin + MAX_SNIPPET_LENGTH
  const [before, after] = [is_inside || begin > 0, goes_on || end < part.length]
  const shown = [...graphemes.segment(part.slice(begin, end))].map(({ segment }) => segment)
  // The first and the last may be parts of a grapheme.
  const whole = shown.slice(before ? 1 : 0, after ? -1 : undefined)
  return `${before ? '… ' : ''}${whole.join('')}${after ? ' …' : ''}`
}
