/** How names compare: without accents, without case, the same on every database whatever its locale. */
export const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    // Up and down again: ß becomes ss, and every sigma the same one.
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')

/** `text` as a LIKE pattern that finds it anywhere. */
export const anywhere = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
