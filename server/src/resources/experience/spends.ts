import { conflict } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { EventDraft, SecretRow } from '../../events/record.ts'
import { secretSheetOf } from '../characters/hidden-sheets.ts'
import { type CampaignContext, holdCharacter, setTrait } from '../characters/queries.ts'
import { traitOf } from '../characters/rules.ts'
import type { CharacterRow } from '../characters/schema.ts'
import { followSheet } from '../trackers/ruled.ts'
import { holdUser } from '../users/queries.ts'
import { addEarned, addSpent, availableTo, type EntryDraft, eventOf, holderIn, writeEntries } from './balances.ts'
import { agreedCost, refuseUnfitAmount } from './price-rules.ts'
import { priceIn } from './prices.ts'
import { getEntry } from './queries.ts'
import { refuseNotPlayed, refuseNotRaised, refuseNpcs, refuseOtherPlayer, refuseUnfitSpend } from './rules.ts'
import type { Entry, Spend } from './schema.ts'
import { refuseHiddenSheet } from './sheets.ts'

export async function spend(db: Tx, context: CampaignContext, body: Spend) {
  const { actor, campaign } = context
  refuseUnfitSpend(body, campaign)
  refuseUnfitAmount(body, campaign)
  const { reason, character_id = null, user_id = actor.id, metadata = {} } = body
  const isPerCharacter = campaign.experience_per === 'CHARACTER'
  if (user_id !== actor.id) await holdUser(db, actor.company_id, user_id)
  const refuseCharacter = (character: CharacterRow) => {
    if (isPerCharacter) {
      refuseNotPlayed(character, context)
      refuseNpcs([character])
    } else refuseOtherPlayer(character, user_id, campaign)
    refuseHiddenSheet(context, character)
  }
  const sideEvents: EventDraft<'character.updated' | 'tracker.created' | 'tracker.updated'>[] = []
  let trait: Entry['trait'] = null
  let player: string | null = null
  let partOf: SecretRow | undefined
  let price: number | null = null
  // Without a ruleset, the amount is required.
  let cost = body.amount as number
  if (body.trait && character_id) {
    const { name, to } = body.trait
    const change = await setTrait(db, context, character_id, name, to, async (character) => {
      refuseCharacter(character)
      const priced = await priceIn(db, context, character, { name, to })
      if (!priced) return refuseNotRaised(name, traitOf(character.traits, name), to)
      price = priced.cost
      cost = agreedCost(name, priced, body.amount, campaign)
    })
    player = change.after.user_id
    trait = { name, from: traitOf(change.before.traits, name), to }
    partOf = secretSheetOf(change.after)
    sideEvents.push({ type: 'character.updated', ...change, reason }, ...(await followSheet(db, context, change.after)))
  } else if (character_id) {
    const character = await holdCharacter(db, context, character_id)
    refuseCharacter(character)
    player = character.user_id
    partOf = secretSheetOf(character)
  }
  const owner = { user_id: player ?? user_id, character_id }
  const isGain = cost < 0
  const amount = Math.abs(cost)
  const draft = { kind: isGain ? 'GAIN' : 'SPEND', amount, delta: 0 - cost, price } as const
  const entry: EntryDraft = { ...owner, ...draft, trait, reason, reverses: null, metadata }
  const moveBalance = isGain ? addEarned(context, [{ holder_id: holderIn(context, owner), amount }]) : addSpent(context, owner, amount)
  const [written] = await writeEntries(db, context, [entry], moveBalance)
  if (!written) {
    const available = await availableTo(db, context, owner)
    return conflict('not_enough_experience', `Only ${available} experience is available. Spend at most that much.`, { available })
  }
  const event = isGain ? ('experience.gained' as const) : ('experience.spent' as const)
  return { ...eventOf(written), event, partOf, reply: written.entry, sideEvents }
}

/** Repeats the checks of the entry and of the character's player before the reply of a spend is replayed. */
export async function refuseSpend(db: Db, context: CampaignContext, { character_id }: Spend, { id }: Pick<Entry, 'id'>): Promise<void> {
  await getEntry(db, context, id)
  if (context.campaign.experience_per === 'USER' || context.campaign.isStoryteller || !character_id) return
  const [character] = await db.query<{ user_id: string | null }>(
    sql`SELECT user_id FROM characters WHERE company_id = ${context.actor.company_id} AND id = ${character_id}`,
  )
  refuseNotPlayed(character ?? { user_id: null }, context)
}
