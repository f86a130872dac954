import type { Role } from '../../core/access.ts'
import { type Denial, notStoryteller } from '../../core/denial.ts'
import { conflict, type Fault, forbidden, invalid } from '../../core/problem.ts'
import { rule } from '../../http/rule.ts'
import type { CampaignAccess } from '../campaigns/path-resource.ts'
import type { Award, Entry, Spend } from './schema.ts'

const MAX_REVERSAL_AGE_MS = 86_400_000

export const mayAward = rule<{ actor: { role: Role }; campaign: CampaignAccess }>(
  'The storytellers of the campaign and ADMINs may.',
  ({ campaign }) => campaign.isStoryteller,
  notStoryteller,
)

export const maySpend = rule<{ actor: { id: string; role: Role }; campaign: CampaignAccess }, Pick<Spend, 'user_id'>>(
  'Every user may spend their own experience; the storytellers of the campaign and ADMINs may also spend the experience of other users.',
  ({ actor, campaign }, { user_id }) => campaign.isStoryteller || (user_id ?? actor.id) === actor.id,
  notStoryteller,
)

/** Returns true if the user may reverse the entry: storytellers any entry, players their own spends within 24 hours. */
export const mayReverse = (
  { kind, user_id, date_created }: Pick<Entry, 'kind' | 'user_id' | 'date_created'>,
  actor: { id: string },
  { isStoryteller }: CampaignAccess,
  now: Date,
) => isStoryteller || (kind === 'SPEND' && user_id === actor.id && now.getTime() - Date.parse(date_created) < MAX_REVERSAL_AGE_MS)

/** The reason why the user may not reverse the entry. */
export const whyNotReverse = ({ kind, user_id }: Pick<Entry, 'kind' | 'user_id'>, actor: { id: string; role: Role }): Denial =>
  kind === 'SPEND' && user_id === actor.id ? { reason: 'too_late' } : notStoryteller({ actor })

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
  if (!isStoryteller) forbidden({ reason: 'not_your_character' })
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
