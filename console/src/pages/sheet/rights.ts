import type { CharacterHandle, CharacterOverview, NoteVisibility, Tracker } from '@guildhall/client'
import type { Acting, CampaignScope } from '../../data/acting.ts'

/** The controls that a user gets on a sheet. The service decides what is allowed; these only hide controls that it would refuse. */
export interface Rights {
  isStoryteller: boolean
  isAdmin: boolean
  /** The acting user plays the character. */
  isOwn: boolean
  isMember: boolean
  mayEdit: boolean
  /** The sheet is not hidden from the acting user. */
  seesSheet: boolean
  mayEditSheet: boolean
  mayChangeTraits: boolean
  /** Traits may be raised with experience. */
  mayRaiseTraits: boolean
}

/** The character of the page, with everything that its parts need. */
export interface SheetScope {
  character: CharacterOverview
  api: CharacterHandle
  /** The path of the console for the character, from which requests are made, too. */
  path: string
  rights: Rights
}

export function rightsOf({ user }: Acting, { campaign, members, isStoryteller }: CampaignScope, character: CharacterOverview): Rights {
  const isOwn = character.user_id === user.id
  const seesSheet = character.traits !== null
  const mayEdit = isStoryteller || isOwn
  const mayEditSheet = mayEdit && seesSheet
  return {
    isStoryteller,
    isAdmin: user.role === 'ADMIN',
    isOwn,
    isMember: members.some(({ user_id }) => user_id === user.id),
    mayEdit,
    seesSheet,
    mayEditSheet,
    mayChangeTraits: mayEditSheet && (isStoryteller || campaign.trait_changes === 'ANYONE'),
    mayRaiseTraits: isStoryteller || campaign.trait_changes !== 'STORYTELLER',
  }
}

export function mayMove({ isStoryteller, isOwn, isMember }: Rights, { movable_by }: Tracker): boolean {
  if (isStoryteller) return true
  return movable_by !== 'STORYTELLER' && (isOwn || (movable_by === 'MEMBERS' && isMember))
}

export const mayDefine = ({ isStoryteller, mayEditSheet }: Rights, { movable_by }: Tracker): boolean =>
  isStoryteller || (mayEditSheet && movable_by !== 'STORYTELLER')

/** The author of a note and ADMINs may change it; storytellers may, unless it is only for its author. */
export const mayChangeNote = (
  { isStoryteller, isAdmin }: Rights,
  { author_id, visibility }: { author_id: string; visibility: NoteVisibility },
  userId: string,
): boolean => author_id === userId || isAdmin || (isStoryteller && visibility !== 'AUTHOR')
