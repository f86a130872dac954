import type { ExperienceEntryListItem } from '@guildhall/client'

const MAX_UNDO_AGE_MS = 86_400_000

interface UndoRights {
  isStoryteller: boolean
  /** The experience is the acting user's: their own or, where it belongs to characters, that of a character they play now. */
  isOwner: boolean
  /** The campaign lets the acting user raise traits with experience. */
  mayRaiseTraits: boolean
}

/** Storytellers may undo any entry once. Players may undo their own spends for a day, but not the raise of a trait where only storytellers change traits. */
export function mayUndo(
  { isStoryteller, isOwner, mayRaiseTraits }: UndoRights,
  { kind, reversed_by, trait, date_created }: Pick<ExperienceEntryListItem, 'kind' | 'reversed_by' | 'trait' | 'date_created'>,
  now: number = Date.now(),
): boolean {
  if (kind === 'REVERSAL' || reversed_by) return false
  if (isStoryteller) return true
  return (kind === 'SPEND' || kind === 'GAIN') && isOwner && (!trait || mayRaiseTraits) && now - Date.parse(date_created) < MAX_UNDO_AGE_MS
}
