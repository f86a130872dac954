/** The options of a Select, from a map of values to labels. */
export const optionsOf = <T extends string>(words: Record<T, string>): [T, string][] => Object.entries(words) as [T, string][]
