import { MAX_LISTED_TEXT, maxMetadataBytes } from '../../core/excerpt.ts'
import { timeOf } from '../../core/ids.ts'
import { conflict, forbidden } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { EventDraft } from '../../events/record.ts'
import { type CampaignContext, holdCharacter, setTrait } from '../characters/queries.ts'
import { traitOf } from '../characters/rules.ts'
import { holdUser, holdUsers } from '../users/queries.ts'
import { columns, getEntry } from './queries.ts'
import {
  mayReverse,
  refuseChangedTrait,
  refuseDuplicateUsers,
  refuseNotRaised,
  refuseOtherPlayer,
  refuseReversed,
  refuseTraitWithoutCharacter,
} from './rules.ts'
import type { Award, Entry, Reverse, Spend } from './schema.ts'

type EntryDraft = Omit<Entry, 'id' | 'company_id' | 'campaign_id' | 'awarded_by' | 'date_created' | 'user_id' | 'reversed_by'>

/** Runs `moveBalances` and writes an entry for each user whose balance it moved. */
async function writeEntries(db: Tx, { actor, campaign }: CampaignContext, user_ids: string[], draft: EntryDraft, moveBalances: Sql) {
  const moved = await db.query<{ user_id: string; earned: number; spent: number }>(
    sql`${moveBalances} RETURNING b.user_id, b.earned, b.spent`,
  )
  const balances = new Map(moved.map(({ user_id, earned, spent }) => [user_id, { earned, spent, available: earned - spent }]))
  const { kind, amount, delta, character_id, trait, reason, reverses, metadata } = draft
  const rows = user_ids
    .filter((user_id) => balances.has(user_id))
    .map((user_id) => {
      const id = db.newId()
      return sql`(${actor.company_id}, ${id}, ${kind}, ${amount}, ${delta}, ${user_id}, ${campaign.id}, ${character_id},
        ${trait && JSON.stringify(trait)}, ${reason}, ${actor.id}, ${reverses}, ${JSON.stringify(metadata)}, ${timeOf(id)})`
    })
  if (rows.length === 0) return []
  const entries = await db.query<Omit<Entry, 'reversed_by'>>(sql`
    INSERT INTO experience_entries AS x (company_id, id, kind, amount, delta, user_id, campaign_id, character_id, trait, reason, awarded_by,
      reverses, metadata, date_created)
    VALUES ${sql.join(rows, ', ')} RETURNING ${columns}`)
  return entries.map((entry) => ({
    entry: { ...entry, reversed_by: null },
    balance: balances.get(entry.user_id) as { earned: number; spent: number; available: number },
  }))
}

type WrittenEntry = Awaited<ReturnType<typeof writeEntries>>[number]

/** The event of an entry also records the new balance. It leaves out the metadata, which never changes, and which a hundred entries may share. */
function eventOf({ entry: { metadata, ...entry }, balance }: WrittenEntry) {
  return { before: null, after: { ...entry, balance }, reason: entry.reason }
}

/** An entry among many: without large metadata, like in a list. */
function excerptOf(entry: Entry): Entry & { truncated: boolean } {
  const truncated = Buffer.byteLength(JSON.stringify(entry.metadata)) > maxMetadataBytes(MAX_LISTED_TEXT)
  return { ...entry, ...(truncated && { metadata: {} }), truncated }
}

const isBalanceOf = ({ actor, campaign }: CampaignContext, user_id: string) =>
  sql`b.company_id = ${actor.company_id} AND b.campaign_id = ${campaign.id} AND b.user_id = ${user_id}`

async function availableTo(db: Db, context: CampaignContext, user_id: string): Promise<number> {
  const [found] = await db.query<{ available: number }>(
    sql`SELECT b.earned - b.spent AS available FROM experience_balances b WHERE ${isBalanceOf(context, user_id)}`,
  )
  return found?.available ?? 0
}

export async function award(db: Tx, context: CampaignContext, body: Award) {
  refuseDuplicateUsers(body)
  const { amount, reason, user_ids, metadata = {} } = body
  const { actor, campaign } = context
  await holdUsers(db, actor.company_id, user_ids)
  // Locks the balances in one order, so that concurrent awards cannot deadlock.
  const additions = [...user_ids].sort().map((user_id) => sql`(${actor.company_id}, ${campaign.id}, ${user_id}, ${amount})`)
  const moveBalances = sql`
    INSERT INTO experience_balances AS b (company_id, campaign_id, user_id, earned) VALUES ${sql.join(additions, ', ')}
    ON CONFLICT (company_id, campaign_id, user_id) DO UPDATE SET earned = b.earned + excluded.earned`
  const entry: EntryDraft = { kind: 'AWARD', amount, delta: amount, character_id: null, trait: null, reason, reverses: null, metadata }
  const written = await writeEntries(db, context, user_ids, entry, moveBalances)
  // No single entry is the subject of the request, so each one is a side event.
  const sideEvents = written.map((one) => ({ type: 'experience.awarded' as const, ...eventOf(one) }))
  return { before: null, after: null, reply: { items: written.map(({ entry }) => excerptOf(entry)) }, sideEvents }
}

export async function spend(db: Tx, context: CampaignContext, body: Spend) {
  refuseTraitWithoutCharacter(body)
  const { actor, campaign } = context
  const { amount, reason, character_id = null, user_id = actor.id, metadata = {} } = body
  if (user_id !== actor.id) await holdUser(db, actor.company_id, user_id)
  const sideEvents: EventDraft<'character.updated'>[] = []
  let trait: Entry['trait'] = null
  if (body.trait && character_id) {
    const { name, to } = body.trait
    const change = await setTrait(db, context, character_id, name, to, (character) => {
      refuseOtherPlayer(character, user_id, campaign)
      refuseNotRaised(name, traitOf(character.traits, name), to)
    })
    trait = { name, from: traitOf(change.before.traits, name), to }
    sideEvents.push({ type: 'character.updated', ...change, reason })
  } else if (character_id) refuseOtherPlayer(await holdCharacter(db, context, character_id), user_id, campaign)
  const moveBalance = sql`UPDATE experience_balances b SET spent = b.spent + ${amount} WHERE ${isBalanceOf(context, user_id)} AND b.earned - b.spent >= ${amount}`
  const entry: EntryDraft = { kind: 'SPEND', amount, delta: -amount, character_id, trait, reason, reverses: null, metadata }
  const [written] = await writeEntries(db, context, [user_id], entry, moveBalance)
  if (!written)
    return conflict(
      'not_enough_experience',
      `Only ${await availableTo(db, context, user_id)} experience is available. Spend at most that much.`,
    )
  return { ...eventOf(written), reply: written.entry, sideEvents }
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
  if (!mayReverse(entry, context.actor, context.campaign, new Date(entry.date_created))) forbidden()
}

export async function reverse(db: Tx, context: CampaignContext, id: string, { reason, metadata = {} }: Reverse) {
  // A concurrent reversal of the same entry waits for this lock, and then reads that the entry is reversed.
  db.send(sql`SELECT id FROM experience_entries WHERE company_id = ${context.actor.company_id} AND id = ${id} FOR NO KEY UPDATE`)
  const entry = await getEntry(db, context, id)
  const { user_id, amount, kind, trait, character_id } = entry
  if (!mayReverse(entry, context.actor, context.campaign, db.now())) forbidden()
  refuseReversed(entry)
  const sideEvents: EventDraft<'character.updated'>[] = []
  if (trait && character_id) {
    await refuseArchived(db, context, character_id)
    const change = await setTrait(db, context, character_id, trait.name, trait.from, (character) => {
      // The character may have another player since the spend.
      if (!context.campaign.isStoryteller && character.user_id !== context.actor.id) forbidden()
      refuseChangedTrait(trait, traitOf(character.traits, trait.name))
    })
    sideEvents.push({ type: 'character.updated', ...change, reason })
  }
  const moveBalance =
    kind === 'SPEND'
      ? sql`UPDATE experience_balances b SET spent = b.spent - ${amount} WHERE ${isBalanceOf(context, user_id)}`
      : sql`UPDATE experience_balances b SET earned = b.earned - ${amount} WHERE ${isBalanceOf(context, user_id)} AND b.earned - b.spent >= ${amount}`
  const traitBack = trait && { name: trait.name, from: trait.to, to: trait.from }
  const opposite: EntryDraft = {
    kind: 'REVERSAL',
    amount,
    delta: -entry.delta,
    character_id,
    trait: traitBack,
    reason,
    reverses: id,
    metadata,
  }
  const [written] = await writeEntries(db, context, [user_id], opposite, moveBalance)
  if (!written) {
    const unspent = await availableTo(db, context, user_id)
    return conflict('award_spent', `Only ${unspent} experience is unspent, and the award was ${amount}. Reverse the spends first.`)
  }
  return { ...eventOf(written), reply: written.entry, sideEvents }
}
