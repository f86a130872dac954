import type { Role } from '../../core/access.ts'
import { type Fault, invalid } from '../../core/problem.ts'
import type { Standing } from '../campaigns/place.ts'
import type { Somebody } from './place.ts'
import { type Character, type CharacterCreate, type CharacterPatch, MOST_TRAITS } from './schema.ts'

type Who = { id: string; role: Role }
type Here = { actor: Who; campaign: Standing; character: Somebody }

/** Everybody makes characters of their own; NPCs, and characters for others, are made by who tells the campaign. */
export const mayCreate = ({ id }: Who, { tells }: Standing, { type = 'PLAYER', user_id }: Pick<CharacterCreate, 'type' | 'user_id'>) =>
  tells || (type === 'PLAYER' && (user_id ?? id) === id)

/** Everybody manages their own characters; who tells the campaign manages all. */
export const mayEdit = ({ actor, campaign, character }: Here) => campaign.tells || character.user_id === actor.id

/** A character is handed over by who tells the campaign. */
export const mayPatch = (here: Here, { user_id }: Pick<CharacterPatch, 'user_id'>) =>
  mayEdit(here) && (user_id === undefined || user_id === here.character.user_id || here.campaign.tells)

/** What no single field can tell. */
export function refuseUnfit({ type, user_id, visibility, traits }: Pick<Character, 'type' | 'user_id' | 'visibility' | 'traits'>): void {
  const faults: Fault[] = []
  if (type === 'PLAYER' && user_id === null) faults.push({ field: 'user_id', message: 'must be a user: only an NPC is nobody’s' })
  if (type === 'NPC' && user_id !== null) faults.push({ field: 'user_id', message: 'must be null for an NPC' })
  if (type === 'PLAYER' && visibility !== 'OPEN') faults.push({ field: 'visibility', message: 'must be OPEN: only an NPC can be hidden' })
  if (Object.keys(traits).length > MOST_TRAITS) faults.push({ field: 'traits', message: `must not be more than ${MOST_TRAITS} in all` })
  if (faults.length) invalid(faults)
}

/** What a character has of a trait, if it has it: a trait may be called as anything, `constructor` too. */
export const traitOf = (traits: Record<string, number>, name: string): number | null =>
  Object.hasOwn(traits, name) ? (traits[name] as number) : null

/** Death is stamped when it comes, and lifted when it is undone. */
export const deathOf = (before: Pick<Character, 'status' | 'date_died'> | null, status: Character['status'], now: Date): string | null =>
  status !== 'DEAD' ? null : before?.status === 'DEAD' ? before.date_died : now.toISOString()
