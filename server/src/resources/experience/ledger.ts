import { MAX_LISTED_TEXT, maxMetadataBytes } from '../../core/excerpt.ts'
import { timeOf } from '../../core/ids.ts'
import { conflict, forbidden } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { EventDraft, SecretRow } from '../../events/record.ts'
import { type CampaignContext, holdCharacter, setTrait } from '../characters/queries.ts'
import { traitOf } from '../characters/rules.ts'
import type { CharacterRow } from '../characters/schema.ts'
import { holdUser } from '../users/queries.ts'
import './invariants.ts'
import { columns, getEntry } from './queries.ts'
import { experiencePerOf, holdRecipients, type Recipient } from './recipients.ts'
import {
  mayReverse,
  refuseChangedTrait,
  refuseNotPlayed,
  refuseNotRaised,
  refuseNpcs,
  refuseOtherPlayer,
  refuseReversed,
  refuseUnfitAward,
  refuseUnfitSpend,
  whyNotReverse,
} from './rules.ts'
import type { Award, Entry, Reverse, Spend } from './schema.ts'
import { findSheet, refuseHiddenSheet, sheetOf } from './sheets.ts'

type EntryDraft = Omit<Entry, 'id' | 'company_id' | 'campaign_id' | 'awarded_by' | 'date_created' | 'reversed_by'>
/** The owner of an entry. Where experience belongs to users, `character_id` is only the character that it was spent on. */
type Owner = Pick<Entry, 'user_id' | 'character_id'>

/** The table of the balances for each value of `experience_per`, and its column with the user or character. */
const BALANCES = {
  USER: { table: sql.id('experience_balances'), holder: sql.id('user_id') },
  CHARACTER: { table: sql.id('experience_character_balances'), holder: sql.id('character_id') },
}
const balancesIn = ({ campaign }: CampaignContext) => BALANCES[campaign.experience_per]
/** The user or character whose balance an entry moves. */
const holderIn = ({ campaign }: CampaignContext, { user_id, character_id }: Owner) =>
  (campaign.experience_per === 'CHARACTER' ? character_id : user_id) as string

/** Runs `moveBalances` and writes the entries of the balances that it moved. */
async function writeEntries(db: Tx, context: CampaignContext, drafts: EntryDraft[], moveBalances: Sql) {
  const { actor, campaign } = context
  const moved = await db.query<{ holder_id: string; earned: number; spent: number }>(
    sql`${moveBalances} RETURNING b.${balancesIn(context).holder} AS holder_id, b.earned, b.spent`,
  )
  const balances = new Map(moved.map(({ holder_id, earned, spent }) => [holder_id, { earned, spent, available: earned - spent }]))
  const rows = drafts
    .filter((draft) => balances.has(holderIn(context, draft)))
    .map(({ kind, amount, delta, user_id, character_id, trait, reason, reverses, metadata }) => {
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
    balance: balances.get(holderIn(context, entry)) as { earned: number; spent: number; available: number },
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

/** The balance `b` of an owner, as the table to read or change and the condition on its row. */
function balanceOf(context: CampaignContext, owner: Owner) {
  const { table, holder } = balancesIn(context)
  const { actor, campaign } = context
  const is = sql`b.company_id = ${actor.company_id} AND b.campaign_id = ${campaign.id} AND b.${holder} = ${holderIn(context, owner)}`
  return { table: sql`${table} b`, is }
}

async function availableTo(db: Db, context: CampaignContext, owner: Owner): Promise<number> {
  const { table, is } = balanceOf(context, owner)
  const [found] = await db.query<{ available: number }>(sql`SELECT b.earned - b.spent AS available FROM ${table} WHERE ${is}`)
  return found?.available ?? 0
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
  const { actor, campaign } = context
  const { table, holder } = balancesIn(context)
  // Locks the balances in one order, so that concurrent awards cannot deadlock.
  const additions = recipients
    .map((one) => ({ holder_id: holderIn(context, one), amount: one.amount }))
    .sort((a, b) => (a.holder_id < b.holder_id ? -1 : 1))
    .map(({ holder_id, amount }) => sql`(${actor.company_id}, ${campaign.id}, ${holder_id}, ${amount}, 0)`)
  const moveBalances = sql`
    INSERT INTO ${table} AS b (company_id, campaign_id, ${holder}, earned, spent) VALUES ${sql.join(additions, ', ')}
    ON CONFLICT (company_id, campaign_id, ${holder}) DO UPDATE SET earned = b.earned + excluded.earned`
  const common = { kind: 'AWARD', trait: null, reason, reverses: null, metadata } as const
  const entries = recipients.map((one): EntryDraft => ({ ...one, ...common, delta: one.amount }))
  const written = await writeEntries(db, context, entries, moveBalances)
  // No single entry is the subject of the request, so each one is a side event.
  const sheets = new Map(recipients.map((one) => [holderIn(context, one), one.sheet]))
  const sideEvents = written.map((one) => ({
    type: 'experience.awarded' as const,
    ...eventOf(one),
    partOf: sheets.get(holderIn(context, one.entry)),
  }))
  return { before: null, after: null, reply: { items: written.map(({ entry }) => excerptOf(entry)) }, sideEvents }
}

export async function spend(db: Tx, context: CampaignContext, body: Spend) {
  const { actor, campaign } = context
  refuseUnfitSpend(body, campaign)
  const { amount, reason, character_id = null, user_id = actor.id, metadata = {} } = body
  const isPerCharacter = campaign.experience_per === 'CHARACTER'
  if (user_id !== actor.id) await holdUser(db, actor.company_id, user_id)
  const refuseCharacter = (character: CharacterRow) => {
    if (isPerCharacter) {
      refuseNotPlayed(character, context)
      refuseNpcs([character])
    } else refuseOtherPlayer(character, user_id, campaign)
    refuseHiddenSheet(context, character)
  }
  const sideEvents: EventDraft<'character.updated'>[] = []
  let trait: Entry['trait'] = null
  let player: string | null = null
  let partOf: SecretRow | undefined
  if (body.trait && character_id) {
    const { name, to } = body.trait
    const change = await setTrait(db, context, character_id, name, to, (character) => {
      refuseCharacter(character)
      refuseNotRaised(name, traitOf(character.traits, name), to)
    })
    player = change.after.user_id
    trait = { name, from: traitOf(change.before.traits, name), to }
    partOf = sheetOf(change.after)
    sideEvents.push({ type: 'character.updated', ...change, reason })
  } else if (character_id) {
    const character = await holdCharacter(db, context, character_id)
    refuseCharacter(character)
    player = character.user_id
    partOf = sheetOf(character)
  }
  const owner = { user_id: player ?? user_id, character_id }
  const { table, is } = balanceOf(context, owner)
  const moveBalance = sql`UPDATE ${table} SET spent = b.spent + ${amount} WHERE ${is} AND b.earned - b.spent >= ${amount}`
  const entry: EntryDraft = { ...owner, kind: 'SPEND', amount, delta: -amount, trait, reason, reverses: null, metadata }
  const [written] = await writeEntries(db, context, [entry], moveBalance)
  if (!written)
    return conflict(
      'not_enough_experience',
      `Only ${await availableTo(db, context, owner)} experience is available. Spend at most that much.`,
    )
  return { ...eventOf(written), partOf, reply: written.entry, sideEvents }
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
  const sideEvents: EventDraft<'character.updated'>[] = []
  let partOf: SecretRow | undefined
  if (trait && character_id) {
    await refuseArchived(db, context, character_id)
    const change = await setTrait(db, context, character_id, trait.name, trait.from, (character) => {
      // The character may have another player since the spend.
      refuseNotPlayed(character, context)
      refuseChangedTrait(trait, traitOf(character.traits, trait.name))
    })
    partOf = sheetOf(change.after)
    sideEvents.push({ type: 'character.updated', ...change, reason })
  }
  if (character_id) partOf ??= await findSheet(db, context, character_id)
  const { table, is } = balanceOf(context, entry)
  const moveBalance =
    kind === 'SPEND'
      ? sql`UPDATE ${table} SET spent = b.spent - ${amount} WHERE ${is}`
      : sql`UPDATE ${table} SET earned = b.earned - ${amount} WHERE ${is} AND b.earned - b.spent >= ${amount}`
  const traitBack = trait && { name: trait.name, from: trait.to, to: trait.from }
  const owner = { user_id, character_id }
  const opposite: EntryDraft = { ...owner, kind: 'REVERSAL', amount, delta: -entry.delta, trait: traitBack, reason, reverses: id, metadata }
  const [written] = await writeEntries(db, context, [opposite], moveBalance)
  if (!written) {
    const unspent = await availableTo(db, context, entry)
    return conflict('award_spent', `Only ${unspent} experience is unspent, and the award was ${amount}. Reverse the spends first.`)
  }
  return { ...eventOf(written), partOf, reply: written.entry, sideEvents }
}
