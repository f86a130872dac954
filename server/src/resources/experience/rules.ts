import type { Role } from '../../core/access.ts'
import { type Denial, notStoryteller } from '../../core/denial.ts'
import { conflict, type Fault, forbidden, invalid, MAX_FAULTS, Problem } from '../../core/problem.ts'
import { rule } from '../../http/rule.ts'
import type { CampaignAccess } from '../campaigns/path-resource.ts'
import type { Award, Entry, OwnedEntry, Spend } from './schema.ts'

const MAX_REVERSAL_AGE_MS = 86_400_000

export const mayAward = rule<{ actor: { role: Role }; campaign: Pick<CampaignAccess, 'isStoryteller'> }>(
  'The storytellers of the campaign and ADMINs may.',
  ({ campaign }) => campaign.isStoryteller,
  notStoryteller,
)

interface InCampaign {
  actor: { id: string; role: Role }
  campaign: Pick<CampaignAccess, 'isStoryteller' | 'experience_per' | 'trait_changes'>
}

/** Where only storytellers set traits, neither a spend of a player nor its reversal changes one. */
const mayMoveTrait = ({ isStoryteller, trait_changes }: Pick<CampaignAccess, 'isStoryteller' | 'trait_changes'>) =>
  isStoryteller || trait_changes !== 'STORYTELLER'

/** The character is not known yet. Its player is checked when it is locked. */
const ownsExperience = ({ actor, campaign }: InCampaign, user_id = actor.id) =>
  campaign.experience_per === 'CHARACTER' || user_id === actor.id

export const maySpend = rule<InCampaign, Pick<Spend, 'user_id' | 'trait'>>(
  'Every user may spend their own experience and that of their own characters, but raise a trait with it only if `trait_changes` of the campaign is not STORYTELLER; the storytellers of the campaign and ADMINs may raise traits, and spend the experience of others.',
  (context, { user_id, trait }) =>
    context.campaign.isStoryteller || (ownsExperience(context, user_id) && (!trait || mayMoveTrait(context.campaign))),
  (context, { user_id }) => (ownsExperience(context, user_id) ? { reason: 'campaign_settings' } : notStoryteller(context)),
)

/** A GAIN is a spend, too, whose price was below 0. */
const isSpend = (kind: Entry['kind']) => kind === 'SPEND' || kind === 'GAIN'

/**
 * Returns true if the user may reverse the entry: storytellers any entry, players their own spends within 24 hours. `owner_id` is the
 * user whose experience it is, or the present player of the character whose experience it is.
 */
export const mayReverse = (
  { kind, owner_id, trait, date_created }: Pick<OwnedEntry, 'kind' | 'owner_id' | 'trait' | 'date_created'>,
  actor: { id: string },
  campaign: Pick<CampaignAccess, 'isStoryteller' | 'trait_changes'>,
  now: Date,
) =>
  campaign.isStoryteller ||
  (isSpend(kind) &&
    owner_id === actor.id &&
    (!trait || mayMoveTrait(campaign)) &&
    now.getTime() - Date.parse(date_created) < MAX_REVERSAL_AGE_MS)

/** The reason why the user may not reverse the entry. */
export function whyNotReverse(
  { kind, owner_id, trait }: Pick<OwnedEntry, 'kind' | 'owner_id' | 'trait'>,
  { actor, campaign }: Pick<InCampaign, 'actor'> & { campaign: Pick<CampaignAccess, 'isStoryteller' | 'trait_changes'> },
): Denial {
  if (!isSpend(kind) || owner_id !== actor.id) return notStoryteller({ actor })
  return { reason: trait && !mayMoveTrait(campaign) ? 'campaign_settings' : 'too_late' }
}

/** The recipients that an award names, each with an amount; undefined for `to`, which names none. */
export const namedIn = ({ amount, user_ids, awards }: Award): { id: string; amount: number }[] | undefined =>
  awards
    ? awards.map((one) => ({ id: (one.character_id ?? one.user_id) as string, amount: one.amount }))
    : user_ids?.map((id) => ({ id, amount: amount as number }))

/** The fields of an award that contradict each other or name a recipient twice, whatever the campaign. */
function awardFaults({ amount, user_ids, awards, to }: Award): Fault[] {
  const faults: Fault[] = []
  const fault = (field: string, message: string) => faults.push({ field, message })
  if ([user_ids, awards, to].filter((given) => given !== undefined).length !== 1)
    fault('body', 'must have exactly one of user_ids, awards and to')
  if (awards && amount !== undefined) fault('amount', 'is not accepted with awards, which have amounts of their own')
  if (!awards && amount === undefined) fault('amount', 'is required')
  const refuseSecond = (ids: (string | undefined)[], fieldOf: (i: number) => string) =>
    ids.forEach((id, i) => {
      if (id !== undefined && ids.indexOf(id) < i) fault(fieldOf(i), 'must not be named twice')
    })
  if (user_ids) refuseSecond(user_ids, (i) => `user_ids.${i}`)
  for (const name of ['user_id', 'character_id'] as const) {
    const ids = (awards ?? []).map((one) => one[name])
    refuseSecond(ids, (i) => `awards.${i}.${name}`)
  }
  awards?.forEach(({ user_id, character_id }, i) => {
    if ((user_id === undefined) === (character_id === undefined)) fault(`awards.${i}`, 'must have either user_id or character_id')
  })
  return faults
}

/** Requires exactly one way to name the recipients, and users or characters as the campaign wants them. */
export function refuseUnfitAward(award: Award, { experience_per }: Pick<CampaignAccess, 'experience_per'>): void {
  const faults = awardFaults(award)
  if (faults.length) invalid(faults)
  const wrong = experience_per === 'CHARACTER' ? 'user_id' : 'character_id'
  const unfit = (award.awards ?? []).flatMap((one, i) => (one[wrong] === undefined ? [] : [`awards.${i}.${wrong}`]))
  if (experience_per === 'CHARACTER' && award.user_ids) unfit.push('user_ids')
  refuseOtherOwner(experience_per, unfit)
}

/** Rejects fields that name users where experience belongs to characters, or the reverse. */
function refuseOtherOwner(experience_per: CampaignAccess['experience_per'], fields: string[]): void {
  if (fields.length === 0) return
  const faultsOf = (message: string) => ({ invalid_parameters: fields.slice(0, MAX_FAULTS).map((field) => ({ field, message })) })
  if (experience_per === 'USER')
    throw new Problem(
      400,
      'experience_per_user',
      'Experience in this campaign belongs to users, not to characters. Name users.',
      faultsOf('is not accepted, because experience in this campaign belongs to users'),
    )
  throw new Problem(
    400,
    'experience_per_character',
    'Experience in this campaign belongs to characters, not to users. Name characters with character_id.',
    faultsOf('is not accepted, because experience in this campaign belongs to characters'),
  )
}

/** Only player characters have experience. `user_id` is the player of each. */
export function refuseNpcs(characters: { user_id: string | null }[]): void {
  if (characters.some(({ user_id }) => user_id === null))
    conflict('no_player', 'An NPC has no player and no experience. Name player characters only.')
}

/** Requires the fields of a spend that depend on each other, and on whether experience belongs to users or to characters. */
export function refuseUnfitSpend(
  { trait, character_id, user_id }: Pick<Spend, 'trait' | 'character_id' | 'user_id'>,
  { experience_per }: Pick<CampaignAccess, 'experience_per'>,
): void {
  if (experience_per === 'CHARACTER' && user_id !== undefined) refuseOtherOwner(experience_per, ['user_id'])
  if (character_id) return
  if (experience_per === 'CHARACTER')
    invalid([{ field: 'character_id', message: 'is required, because experience in this campaign belongs to characters' }])
  if (trait) invalid([{ field: 'character_id', message: 'is required with a trait' }])
}

/** The experience of a character is spent by its player, or by a storyteller. */
export function refuseNotPlayed(
  character: { user_id: string | null },
  { actor, campaign }: { actor: { id: string }; campaign: Pick<CampaignAccess, 'isStoryteller'> },
): void {
  if (!campaign.isStoryteller && character.user_id !== actor.id) forbidden({ reason: 'not_your_character' })
}

/** Experience can only be spent on characters of the user who has it. */
export function refuseOtherPlayer(
  character: { user_id: string | null },
  user_id: string,
  { isStoryteller }: Pick<CampaignAccess, 'isStoryteller'>,
): void {
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
