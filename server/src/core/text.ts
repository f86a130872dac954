/**
 * The maximum number of characters of a folded name, and of the folded texts of a row, that are stored and searched. Korean texts fold to
 * three times their length, the worst case (U+FDFA) to eighteen times, and the time for indexing depends on the folded length.
 */
const MAX_NAME_KEY = 400
export const MAX_TEXT_KEY = 60_000

const foldPiece = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    // Lower, upper and lower again: ß and ẞ both become ss, and all sigmas become the same.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')

/** Puts a text on one line: control characters, line separators and bidirectional controls, which could forge a line, become spaces. */
export const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')

const PIECE_LENGTH = 1024

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit < 0xdc00

/** Returns `end`, or the index before it if a cut at `end` would split a surrogate pair. */
const boundary = (text: string, end: number) => (end < text.length && isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end)

/**
 * Folds a text for comparison: without accents and case, and independent of the locale of the database. Folds piece by piece, so that the
 * cost depends on `max` and not on the length; no character folds differently because of its neighbors.
 */
export function fold(text: string, max = MAX_NAME_KEY): string {
  let folded = ''
  for (let start = 0; start < text.length && folded.length < max; ) {
    const end = boundary(text, start + PIECE_LENGTH)
    folded += foldPiece(text.slice(start, end))
    start = end
  }
  return folded.length > max ? folded.slice(0, boundary(folded, max)) : folded
}

/** Returns the first three letters or digits in a row, of any script. Without them a trigram index cannot find the text. */
export const trigramIn = (folded: string): string | undefined => /[\p{L}\p{N}]{3}/u.exec(folded)?.[0]

/** Makes a LIKE pattern that finds `text` anywhere. */
export const anywhere = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Returns the first text, in the order of code points, after all texts with this prefix. Undefined if there is none. */
export function afterPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number)
  while (points.at(-1) === 0x10ffff) points.pop()
  const last = points.pop()
  if (last === undefined) return undefined
  // Surrogates are not characters: skip them.
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
}

/** Returns every text with two neighboring characters swapped. Returns none for a long text: enough of its trigrams match despite a swap. */
export const swaps = (text: string): string[] =>
  text.length > 12
    ? []
    : Array.from({ length: text.length - 1 }, (_, i) => `${text.slice(0, i)}${text[i + 1]}${text[i]}${text.slice(i + 2)}`).filter(
        (swap) => swap !== text && swap.isWellFormed(),
      )
