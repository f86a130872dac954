/** Returns every value once, without null and undefined. */
export const unique = <T>(values: Iterable<T | null | undefined>): T[] =>
  [...new Set(values)].filter((value): value is T => value !== null && value !== undefined)
