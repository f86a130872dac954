import type { CharacterStatus, CharacterType, CharacterVisibility, SheetVisibility } from '@guildhall/client'

/** The words for the values of a character, which several pages show. */
export const statusWords: Record<CharacterStatus, string> = { ACTIVE: 'Active', RETIRED: 'Retired', DEAD: 'Dead' }
export const typeWords: Record<CharacterType, string> = { PLAYER: 'Player character', NPC: 'NPC' }
export const visibilityWords: Record<CharacterVisibility, string> = { OPEN: 'Everyone', STORYTELLER: 'Storytellers only' }
export const sheetWords: Record<SheetVisibility, string> = {
  EVERYONE: 'Everyone',
  PLAYER: 'Its player and the storytellers',
  STORYTELLER: 'Storytellers only',
}

/** The name of a trait, a detail or a tracker as people write it: `animal_ken` is "Animal ken". */
export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A name that a person wrote as the service wants it: "Animal ken" is `animal_ken`. */
export const nameOf = (label: string): string =>
  label
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
