import type { Role } from '../../core/access.ts'
import { type Denial, notStoryteller } from '../../core/denial.ts'
import { type Fault, invalid } from '../../core/problem.ts'
import { rule } from '../../http/rule.ts'
import type { CampaignAccess } from '../campaigns/path-resource.ts'
import type { CharacterAccess } from './path-resource.ts'
import {
  type CharacterCreate,
  type CharacterPatch,
  type CharacterRow,
  MAX_CHOICES,
  MAX_CHOICES_BYTES,
  MAX_DETAILS,
  MAX_TRAITS,
  MAX_TRAITS_BYTES,
} from './schema.ts'

interface InCampaign {
  actor: { id: string; role: Role }
  campaign: Pick<CampaignAccess, 'isStoryteller'>
}
interface OnCharacter extends InCampaign {
  character: CharacterAccess
}
interface OnSheet extends OnCharacter {
  campaign: Pick<CampaignAccess, 'isStoryteller' | 'trait_changes'>
}

/** Returns true if the user sees the sheet of a row that has been read: what the predicate `seesSheet` of db/sight.ts decides in SQL. */
export const seesSheet = (
  { actor, campaign }: InCampaign,
  { sheet_visibility, user_id }: Pick<CharacterRow, 'sheet_visibility' | 'user_id'>,
) => campaign.isStoryteller || sheet_visibility === 'EVERYONE' || (sheet_visibility === 'PLAYER' && user_id === actor.id)

export const mayCreate = rule<InCampaign, Partial<Pick<CharacterCreate, 'type' | 'user_id' | 'sheet_visibility'>>>(
  'Every user may create characters for themselves; the storytellers of the campaign and ADMINs may also create NPCs, characters for other users, and sheets that only storytellers see.',
  ({ actor, campaign }, { type, user_id, sheet_visibility }) =>
    campaign.isStoryteller || (type !== 'NPC' && (user_id ?? actor.id) === actor.id && sheet_visibility !== 'STORYTELLER'),
  notStoryteller,
)

export const mayEdit = rule<OnCharacter>(
  'The player of the character, the storytellers of the campaign and ADMINs may.',
  ({ actor, campaign, character }) => campaign.isStoryteller || character.user_id === actor.id,
  { reason: 'not_your_character' },
)

export const mayEditSheet = rule<OnCharacter>(
  `${mayEdit.sentence} The player may not while the sheet is for storytellers only.`,
  (context) => mayEdit(context) && context.character.seesSheet,
  (context) => (mayEdit(context) ? { reason: 'hidden_sheet' } : mayEdit.why(context)),
)

/** Spends of experience have rules of their own: see experience/rules.ts. */
export const mayChangeTraits = rule<OnSheet>(
  `${mayEditSheet.sentence} If \`trait_changes\` of the campaign is STORYTELLER or EXPERIENCE, the player may not either.`,
  (context) => mayEditSheet(context) && (context.campaign.isStoryteller || context.campaign.trait_changes === 'ANYONE'),
  (context) => (mayEditSheet(context) ? { reason: 'campaign_settings' } : mayEditSheet.why(context)),
)

type SheetPatch = Pick<CharacterPatch, 'user_id' | 'traits' | 'choices' | 'details' | 'sheet_visibility'>

/** Returns the reason to refuse a patch, if there is one. Each field needs its own permission; if one is missing, the whole patch is rejected. */
function whyNotUpdate(context: OnSheet, { user_id, traits, choices, details, sheet_visibility }: SheetPatch): Denial | undefined {
  const { campaign, character } = context
  if (!mayEdit(context)) return mayEdit.why(context)
  if (campaign.isStoryteller) return
  if (user_id !== undefined && user_id !== character.user_id) return notStoryteller(context)
  if ((traits !== undefined || choices !== undefined) && !mayChangeTraits(context)) return mayChangeTraits.why(context)
  if (details !== undefined && !mayEditSheet(context)) return mayEditSheet.why(context)
  if (sheet_visibility === undefined) return
  if (!character.seesSheet) return { reason: 'hidden_sheet' }
  if (sheet_visibility === 'STORYTELLER') return notStoryteller(context)
}

export const mayUpdate = rule<OnSheet, SheetPatch>(
  `${mayEdit.sentence} Only storytellers and ADMINs may hand it to another player, or make its sheet one that only storytellers see or no longer so. The player may change traits and choices only if \`trait_changes\` of the campaign is ANYONE, and neither these nor details while only storytellers see the sheet.`,
  (context, patch) => whyNotUpdate(context, patch) === undefined,
  // Only a refused patch has a reason.
  (context, patch) => whyNotUpdate(context, patch) as Denial,
)

/** Where storytellers set the traits, a player creates a character without any. */
export function refuseTraitsOnCreate({ campaign }: Pick<OnSheet, 'campaign'>, body: Pick<CharacterRow, 'traits' | 'choices'>): void {
  if (campaign.isStoryteller || campaign.trait_changes !== 'STORYTELLER') return
  const given = (['traits', 'choices'] as const).filter((field) => Object.keys(body[field]).length > 0)
  if (given.length)
    invalid(given.map((field) => ({ field, message: `must be empty: in this campaign, the storytellers set the ${field} of a character` })))
}

/** Checks the fields that depend on each other, which the schema cannot express. */
export function refuseUnfit({
  type,
  user_id,
  visibility,
  traits,
  details,
  choices,
}: Pick<CharacterRow, 'type' | 'user_id' | 'visibility' | 'traits' | 'details' | 'choices'>): void {
  const faults: Fault[] = []
  if (type === 'PLAYER' && user_id === null) faults.push({ field: 'user_id', message: 'is required: only an NPC may have no player' })
  if (type === 'NPC' && user_id !== null) faults.push({ field: 'user_id', message: 'must be null for an NPC' })
  if (type === 'PLAYER' && visibility !== 'OPEN') faults.push({ field: 'visibility', message: 'must be OPEN: only an NPC can be hidden' })
  if (Object.keys(traits).length > MAX_TRAITS) faults.push({ field: 'traits', message: `must have at most ${MAX_TRAITS} traits in total` })
  else if (JSON.stringify(traits).length > MAX_TRAITS_BYTES)
    faults.push({ field: 'traits', message: `must have at most ${MAX_TRAITS_BYTES} characters as JSON` })
  if (Object.keys(details).length > MAX_DETAILS)
    faults.push({ field: 'details', message: `must have at most ${MAX_DETAILS} details in total` })
  if (Object.keys(choices).length > MAX_CHOICES)
    faults.push({ field: 'choices', message: `must have at most ${MAX_CHOICES} choices in total` })
  if (JSON.stringify(choices).length > MAX_CHOICES_BYTES)
    faults.push({ field: 'choices', message: `must have at most ${MAX_CHOICES_BYTES} characters as JSON` })
  if (faults.length) invalid(faults)
}

/** The value of a trait, or null. A trait may have any name, even `constructor`, so inherited properties do not count. */
export const traitOf = (traits: Record<string, number>, name: string): number | null =>
  Object.hasOwn(traits, name) ? (traits[name] as number) : null

/** The date of death for a new status: set when a character dies, kept while it is dead, cleared when it is no longer dead. */
export const deathOf = (
  before: Pick<CharacterRow, 'status' | 'date_died'> | null,
  status: CharacterRow['status'],
  now: Date,
): string | null => (status !== 'DEAD' ? null : before?.status === 'DEAD' ? before.date_died : now.toISOString())
