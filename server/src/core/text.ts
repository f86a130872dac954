/** How names compare: without accents, without case, the same on every database whatever its locale. */
export const fold = (text: string) =>
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

/** `text` as a LIKE pattern that finds it anywhere. */
export const anywhere = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Every text that differs from this one by two neighbours swapped; none of a long one, which has enough left to be known by. */
export const swaps = (text: string): string[] =>
  text.length > 12
    ? []
    : Array.from({ length: text.length - 1 }, (_, i) => `${text.slice(0, i)}${text[i + 1]}${text[i]}${text.slice(i + 2)}`).filter(
        (swap) => swap !== text && swap.isWellFormed(),
      )
