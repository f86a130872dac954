import type { Role } from '../../core/access.ts'
import { notStoryteller } from '../../core/denial.ts'
import { type Fault, invalid } from '../../core/problem.ts'
import { rule } from '../../http/rule.ts'
import type { CampaignAccess } from '../campaigns/path-resource.ts'
import type { CharacterAccess } from './path-resource.ts'
import { type Character, type CharacterCreate, type CharacterPatch, MAX_TRAITS } from './schema.ts'

interface InCampaign {
  actor: { id: string; role: Role }
  campaign: Pick<CampaignAccess, 'isStoryteller'>
}
interface OnCharacter extends InCampaign {
  character: CharacterAccess
}

export const mayCreate = rule<InCampaign, Partial<Pick<CharacterCreate, 'type' | 'user_id'>>>(
  'Every user may create characters for themselves; the storytellers of the campaign and ADMINs may also create NPCs and characters for other users.',
  ({ actor, campaign }, { type, user_id }) => campaign.isStoryteller || (type !== 'NPC' && (user_id ?? actor.id) === actor.id),
  notStoryteller,
)

export const mayEdit = rule<OnCharacter>(
  'The player of the character, the storytellers of the campaign and ADMINs may.',
  ({ actor, campaign, character }) => campaign.isStoryteller || character.user_id === actor.id,
  { reason: 'not_your_character' },
)

export const mayUpdate = rule<OnCharacter, Pick<CharacterPatch, 'user_id'>>(
  'The player of the character, the storytellers of the campaign and ADMINs may; only storytellers and ADMINs may hand it to another player.',
  (context, { user_id }) =>
    mayEdit(context) && (user_id === undefined || user_id === context.character.user_id || context.campaign.isStoryteller),
  (context) => (mayEdit(context) ? notStoryteller(context) : mayEdit.why(context)),
)

/** Checks the fields that depend on each other, which the schema cannot express. */
export function refuseUnfit({ type, user_id, visibility, traits }: Pick<Character, 'type' | 'user_id' | 'visibility' | 'traits'>): void {
  const faults: Fault[] = []
  if (type === 'PLAYER' && user_id === null) faults.push({ field: 'user_id', message: 'is required: only an NPC may have no player' })
  if (type === 'NPC' && user_id !== null) faults.push({ field: 'user_id', message: 'must be null for an NPC' })
  if (type === 'PLAYER' && visibility !== 'OPEN') faults.push({ field: 'visibility', message: 'must be OPEN: only an NPC can be hidden' })
  if (Object.keys(traits).length > MAX_TRAITS) faults.push({ field: 'traits', message: `must have at most ${MAX_TRAITS} traits in total` })
  if (faults.length) invalid(faults)
}

/** The value of a trait, or null. A trait may have any name, even `constructor`, so inherited properties do not count. */
export const traitOf = (traits: Record<string, number>, name: string): number | null =>
  Object.hasOwn(traits, name) ? (traits[name] as number) : null

/** The date of death for a new status: set when a character dies, kept while it is dead, cleared when it is no longer dead. */
export const deathOf = (before: Pick<Character, 'status' | 'date_died'> | null, status: Character['status'], now: Date): string | null =>
  status !== 'DEAD' ? null : before?.status === 'DEAD' ? before.date_died : now.toISOString()
