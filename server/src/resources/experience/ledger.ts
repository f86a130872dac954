import { MAX_LISTED_TEXT, maxMetadataBytes } from '../../core/excerpt.ts'
import { conflict, forbidden } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { EventDraft, SecretRow } from '../../events/record.ts'
import { type CampaignContext, setTrait } from '../characters/queries.ts'
import { traitOf } from '../characters/rules.ts'
import { followSheet } from '../trackers/ruled.ts'
import { addEarned, availableTo, type EntryDraft, eventOf, holderIn, takeEarnedBack, takeSpentBack, writeEntries } from './balances.ts'
import './invariants.ts'
import { secretSheetOf } from '../characters/hidden-sheets.ts'
import { getEntry } from './queries.ts'
import { experiencePerOf, holdRecipients, type Recipient } from './recipients.ts'
import { mayReverse, refuseChangedTrait, refuseNotPlayed, refuseReversed, refuseUnfitAward, whyNotReverse } from './rules.ts'
import type { Award, Entry, Reverse } from './schema.ts'
import { findSheet } from './sheets.ts'

/** An entry among many: without large metadata, like in a list. */
function excerptOf(entry: Entry): Entry & { truncated: boolean } {
  const truncated = Buffer.byteLength(JSON.stringify(entry.metadata)) > maxMetadataBytes(MAX_LISTED_TEXT)
  return { ...entry, ...(truncated && { metadata: {} }), truncated }
}

export async function award(db: Tx, context: CampaignContext, body: Award): ReturnType<typeof writeAwards> {
  const { campaign } = context
  refuseUnfitAward(body, campaign)
  const recipients = await holdRecipients(db, context, body)
  if (recipients) return writeAwards(db, context, recipients, body)
  // The campaign is held, so its `experience_per` is final now.
  return award(db, { ...context, campaign: { ...campaign, experience_per: await experiencePerOf(db, context) } }, body)
}

async function writeAwards(db: Tx, context: CampaignContext, recipients: Recipient[], { reason, metadata = {} }: Award) {
  // Locks the balances in one order, so that concurrent awards cannot deadlock.
  const additions = recipients
    .map((one) => ({ holder_id: holderIn(context, one), amount: one.amount }))
    .sort((a, b) => (a.holder_id < b.holder_id ? -1 : 1))
  const common = { kind: 'AWARD', price: null, trait: null, reason, reverses: null, metadata } as const
  const entries = recipients.map((one): EntryDraft => ({ ...one, ...common, delta: one.amount }))
  const written = await writeEntries(db, context, entries, addEarned(context, additions))
  // No single entry is the subject of the request, so each one is a side event.
  const sheets = new Map(recipients.map((one) => [holderIn(context, one), one.sheet]))
  const sideEvents = written.map((one) => ({
    type: 'experience.awarded' as const,
    ...eventOf(one),
    partOf: sheets.get(holderIn(context, one.entry)),
  }))
  return { before: null, after: null, reply: { items: written.map(({ entry }) => excerptOf(entry)) }, sideEvents }
}

/** Requires a live character, because the reversal changes its trait. */
async function refuseArchived(db: Db, { actor }: CampaignContext, id: string): Promise<void> {
  const [live] = await db.query(
    sql`SELECT id FROM characters WHERE company_id = ${actor.company_id} AND id = ${id} AND date_archived IS NULL`,
  )
  if (!live) conflict('character_archived', 'The character whose trait the spend raised is archived. Restore the character first.')
}

/** Repeats the permission check of a reversal before its reply is replayed. The age of the entry no longer matters then. */
export async function refuseReversal(db: Db, context: CampaignContext, id: string): Promise<void> {
  const entry = await getEntry(db, context, id)
  if (!mayReverse(entry, context.actor, context.campaign, new Date(entry.date_created))) forbidden(whyNotReverse(entry, context))
}

export async function reverse(db: Tx, context: CampaignContext, id: string, { reason, metadata = {} }: Reverse) {
  // A concurrent reversal of the same entry waits for this lock, and then reads that the entry is reversed.
  db.send(sql`SELECT id FROM experience_entries WHERE company_id = ${context.actor.company_id} AND id = ${id} FOR NO KEY UPDATE`)
  const entry = await getEntry(db, context, id)
  const { user_id, amount, kind, trait, character_id } = entry
  if (!mayReverse(entry, context.actor, context.campaign, db.now())) forbidden(whyNotReverse(entry, context))
  refuseReversed(entry)
  const sideEvents: EventDraft<'character.updated' | 'tracker.created' | 'tracker.updated'>[] = []
  let partOf: SecretRow | undefined
  if (trait && character_id) {
    await refuseArchived(db, context, character_id)
    const change = await setTrait(db, context, character_id, trait.name, trait.from, (character) => {
      // The character may have another player since the spend.
      refuseNotPlayed(character, context)
      refuseChangedTrait(trait, traitOf(character.traits, trait.name))
    })
    partOf = secretSheetOf(change.after)
    sideEvents.push({ type: 'character.updated', ...change, reason }, ...(await followSheet(db, context, change.after)))
  }
  if (character_id) partOf ??= await findSheet(db, context, character_id)
  const moveBalance = kind === 'SPEND' ? takeSpentBack(context, entry, amount) : takeEarnedBack(context, entry, amount)
  const traitBack = trait && { name: trait.name, from: trait.to, to: trait.from }
  const owner = { user_id, character_id }
  const draft = { kind: 'REVERSAL', amount, delta: 0 - entry.delta, price: null } as const
  const opposite: EntryDraft = { ...owner, ...draft, trait: traitBack, reason, reverses: id, metadata }
  const [written] = await writeEntries(db, context, [opposite], moveBalance)
  if (!written) {
    const available = await availableTo(db, context, entry)
    const detail = `Only ${available} experience is unspent, and the ${kind === 'GAIN' ? 'gain' : 'award'} was ${amount}. Reverse the spends first.`
    return conflict('award_spent', detail, { available })
  }
  return { ...eventOf(written), partOf, reply: written.entry, sideEvents }
}
