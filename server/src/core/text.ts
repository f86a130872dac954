/**
 * How many characters of a folded name, and of the folded texts of a row, are kept and searched. Texts fold to up to three times their
 * length in Korean and to eighteen times in the worst case (U+FDFA), and indexing takes time by the folded length.
 */
export const MAX_NAME_KEY = 400
export const MAX_TEXT_KEY = 60_000

const foldPiece = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    // Down, up and down again: both ß become ss, and every sigma the same one.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')

/** Puts a text on one line: control characters, line separators and bidirectional controls, which could forge another line, become spaces. */
export const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')

const PIECE = 1024

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit < 0xdc00

/** Where to cut a text, at `end` or one before, so that no surrogate pair is split. */
const boundary = (text: string, end: number) => (end < text.length && isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end)

/**
 * How names compare: without accents, without case, the same on every database whatever its locale. Folds piece by piece, so that a text
 * that grows costs no more than `max` characters; no character folds differently for what stands beside it.
 */
export function fold(text: string, max = MAX_NAME_KEY): string {
  let folded = ''
  for (let at = 0; at < text.length && folded.length < max; ) {
    const end = boundary(text, at + PIECE)
    folded += foldPiece(text.slice(at, end))
    at = end
  }
  return folded.length > max ? folded.slice(0, boundary(folded, max)) : folded
}

/** What a trigram index can find a folded text by: three letters or digits in a row, of whatever script. */
export const trigramIn = (folded: string): string | undefined => /[\p{L}\p{N}]{3}/u.exec(folded)?.[0]

/** `text` as a LIKE pattern that finds it anywhere. */
export const anywhere = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** The first text, in the order of code points, after all that begin with this one; undefined where there is none. */
export function afterPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number)
  while (points.at(-1) === 0x10ffff) points.pop()
  const last = points.pop()
  if (last === undefined) return undefined
  // Surrogates are no code points of their own.
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
}

/** Every text that differs from this one by two neighbours swapped; none of a long one, which has enough left to be known by. */
export const swaps = (text: string): string[] =>
  text.length > 12
    ? []
    : Array.from({ length: text.length - 1 }, (_, i) => `${text.slice(0, i)}${text[i + 1]}${text[i]}${text.slice(i + 2)}`).filter(
        (swap) => swap !== text && swap.isWellFormed(),
      )
