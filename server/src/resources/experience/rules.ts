import { conflict, type Fault, forbidden, invalid } from '../../core/problem.ts'
import { rule } from '../../http/rule.ts'
import type { CampaignAccess } from '../campaigns/path-resource.ts'
import type { Award, Entry, Spend } from './schema.ts'

const MAX_REVERSAL_AGE_MS = 86_400_000

export const mayAward = rule<{ campaign: CampaignAccess }>(
  'The storytellers of the campaign and ADMINs may.',
  ({ campaign }) => campaign.isStoryteller,
)

/** Where only storytellers set traits, neither a spend of a player nor its reversal changes one. */
const mayMoveTrait = ({ isStoryteller, trait_changes }: CampaignAccess) => isStoryteller || trait_changes !== 'STORYTELLER'

export const maySpend = rule<{ actor: { id: string }; campaign: CampaignAccess }, Pick<Spend, 'user_id' | 'trait'>>(
  'Every user may spend their own experience, but raise a trait with it only if `trait_changes` of the campaign is not STORYTELLER; the storytellers of the campaign and ADMINs may raise traits, and spend the experience of other users.',
  ({ actor, campaign }, { user_id, trait }) =>
    campaign.isStoryteller || ((user_id ?? actor.id) === actor.id && (!trait || mayMoveTrait(campaign))),
)

/** Returns true if the user may reverse the entry: storytellers any entry, players their own spends within 24 hours. */
export const mayReverse = (
  { kind, user_id, trait, date_created }: Pick<Entry, 'kind' | 'user_id' | 'trait' | 'date_created'>,
  actor: { id: string },
  campaign: CampaignAccess,
  now: Date,
) =>
  campaign.isStoryteller ||
  (kind === 'SPEND' &&
    user_id === actor.id &&
    (!trait || mayMoveTrait(campaign)) &&
    now.getTime() - Date.parse(date_created) < MAX_REVERSAL_AGE_MS)

export function refuseDuplicateUsers({ user_ids }: Award): void {
  const faults: Fault[] = []
  user_ids.forEach((id, i) => {
    if (user_ids.indexOf(id) < i) faults.push({ field: `user_ids.${i}`, message: 'must not be named twice' })
  })
  if (faults.length) invalid(faults)
}

export function refuseTraitWithoutCharacter({ trait, character_id }: Spend): void {
  if (trait && !character_id) invalid([{ field: 'character_id', message: 'is required with a trait' }])
}

/** Experience can only be spent on characters of the user who has it. */
export function refuseOtherPlayer(character: { user_id: string | null }, user_id: string, { isStoryteller }: CampaignAccess): void {
  if (character.user_id === user_id) return
  if (!isStoryteller) forbidden()
  conflict('not_their_character', 'The user who spends does not play this character. Name a character of that user.')
}

/** Requires a higher value, so that a repeated request does not pay twice for the same value. */
export function refuseNotRaised(name: string, from: number | null, to: number): void {
  if (to <= (from ?? 0)) conflict('trait_not_raised', `${name} is already ${from ?? 0}. Name a value above ${from ?? 0}.`)
}

export function refuseReversed({ kind, reversed_by }: Entry): void {
  if (kind === 'REVERSAL') conflict('not_reversible', 'A reversal cannot be reversed. Make a new award or spend instead.')
  if (reversed_by) conflict('already_reversed', `This entry is already reversed by entry ${reversed_by}. An entry can be reversed once.`)
}

/** A reversal may restore a trait only while it has the value that the spend gave it. */
export function refuseChangedTrait({ name, to }: NonNullable<Entry['trait']>, current: number | null): void {
  if (current === to) return
  const present = current === null ? 'the character no longer has it' : `it is now ${current}`
  conflict('trait_changed', `The spend set ${name} to ${to}, but ${present}. Set it to ${to} first.`)
}
