/** Parses a number. An empty text has none, and other text is returned unchanged, so that the service reports the fault. */
export const numberOf = (written: string): number | string | undefined =>
  written.trim() === '' ? undefined : Number.isNaN(Number(written)) ? written : Number(written)
