import { conflict, type Fault, forbidden, invalid } from '../../core/problem.ts'
import type { Standing } from '../campaigns/place.ts'
import type { Award, Entry, Spend } from './schema.ts'

const DAY = 86_400_000

/** Everybody spends what is theirs; who tells the campaign spends for its players too. */
export const maySpend = ({ actor, campaign }: { actor: { id: string }; campaign: Standing }, { user_id }: Pick<Spend, 'user_id'>) =>
  campaign.tells || (user_id ?? actor.id) === actor.id

/** Who tells the campaign takes back anything; a player what they spent themselves, for a day. */
export const mayReverse = (
  { kind, user_id, date_created }: Pick<Entry, 'kind' | 'user_id' | 'date_created'>,
  actor: { id: string },
  { tells }: Standing,
  now: Date,
) => tells || (kind === 'SPEND' && user_id === actor.id && now.getTime() - Date.parse(date_created) < DAY)

/** What no single field can tell. */
export function refuseTwice({ user_ids }: Award): void {
  const faults: Fault[] = []
  user_ids.forEach((id, i) => {
    if (user_ids.indexOf(id) < i) faults.push({ field: `user_ids.${i}`, message: 'is named twice' })
  })
  if (faults.length) invalid(faults)
}

export function refuseUnfit({ trait, character_id }: Spend): void {
  if (trait && !character_id) invalid([{ field: 'character_id', message: 'is required for a trait' }])
}

/** Experience is spent on characters of whose it is. */
export function refuseOthers(character: { user_id: string | null }, user_id: string, { tells }: Standing): void {
  if (character.user_id === user_id) return
  if (!tells) forbidden()
  conflict('not_their_character', 'This character is not played by the user who spends: name one that is.')
}

/** Whoever asks twice must not pay twice. */
export function refuseLower(name: string, from: number | null, to: number): void {
  if (to <= (from ?? 0)) conflict('trait_not_raised', `${name} is ${from ?? 0} already: name a higher value.`)
}

export function refuseReversed({ kind, reversed_by }: Entry): void {
  if (kind === 'REVERSAL') conflict('not_reversible', 'A reversal is not taken back itself: award or spend anew.')
  if (reversed_by) conflict('already_reversed', 'This entry was taken back already.')
}

/** A trait goes back only from where the spend put it. */
export function refuseMoved({ name, to }: NonNullable<Entry['trait']>, now: number | null): void {
  if (now !== to) conflict('trait_changed', `The spend made ${name} ${to}, and it is ${now ?? 'gone'} now: set it to ${to} first.`)
}
