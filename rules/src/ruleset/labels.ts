/** The label of a part that has none of its own: `animal_handling` becomes Animal handling. */
export const labelOf = (name: string): string => {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
