import { timeOf } from '../../core/ids.ts'
import type { Db, Tx } from '../../db/client.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { CampaignContext } from '../characters/queries.ts'
import { columns } from './queries.ts'
import type { Entry } from './schema.ts'

/** An entry that is still to be written. */
export type EntryDraft = Omit<Entry, 'id' | 'company_id' | 'campaign_id' | 'awarded_by' | 'date_created' | 'reversed_by'>
/** The owner of an entry. Where experience belongs to users, `character_id` is only the character that it was spent on. */
export type Owner = Pick<Entry, 'user_id' | 'character_id'>

/** The table of the balances for each value of `experience_per`, and its column with the user or character. */
const BALANCES = {
  USER: { table: sql.id('experience_balances'), holder: sql.id('user_id') },
  CHARACTER: { table: sql.id('experience_character_balances'), holder: sql.id('character_id') },
}
export const balancesIn = ({ campaign }: CampaignContext) => BALANCES[campaign.experience_per]
/** The user or character whose balance an entry moves. */
export const holderIn = ({ campaign }: CampaignContext, { user_id, character_id }: Owner) =>
  (campaign.experience_per === 'CHARACTER' ? character_id : user_id) as string

const NO_EXPERIENCE = { earned: 0, spent: 0, available: 0 }

/** Runs `moveBalances`, which returns them, and writes the entries of the balances that it moved. An entry of 0 needs no balance. */
export async function writeEntries(db: Tx, context: CampaignContext, drafts: EntryDraft[], moveBalances: Sql) {
  const { actor, campaign } = context
  const moved = await db.query<{ holder_id: string; earned: number; spent: number }>(moveBalances)
  const balances = new Map(moved.map(({ holder_id, earned, spent }) => [holder_id, { earned, spent, available: earned - spent }]))
  const rows = drafts
    .filter((draft) => draft.amount === 0 || balances.has(holderIn(context, draft)))
    .map(({ kind, amount, delta, price, user_id, character_id, trait, reason, reverses, metadata }) => {
      const id = db.newId()
      return sql`(${actor.company_id}, ${id}, ${kind}, ${amount}, ${delta}, ${price}, ${user_id}, ${campaign.id}, ${character_id},
        ${trait && JSON.stringify(trait)}, ${reason}, ${actor.id}, ${reverses}, ${JSON.stringify(metadata)}, ${timeOf(id)})`
    })
  if (rows.length === 0) return []
  const entries = await db.query<Omit<Entry, 'reversed_by'>>(sql`
    INSERT INTO experience_entries AS x (company_id, id, kind, amount, delta, price, user_id, campaign_id, character_id, trait, reason,
      awarded_by, reverses, metadata, date_created)
    VALUES ${sql.join(rows, ', ')} RETURNING ${columns}`)
  return entries.map((entry) => ({
    entry: { ...entry, reversed_by: null },
    balance: balances.get(holderIn(context, entry)) ?? NO_EXPERIENCE,
  }))
}

type WrittenEntry = Awaited<ReturnType<typeof writeEntries>>[number]

/** The event of an entry also records the new balance. It leaves out the metadata, which never changes, and which a hundred entries may share. */
export function eventOf({ entry: { metadata, ...entry }, balance }: WrittenEntry) {
  return { before: null, after: { ...entry, balance }, reason: entry.reason }
}

/** The balance `b` of an owner, as the table to read or change and the condition on its row. */
export function balanceOf(context: CampaignContext, owner: Owner) {
  const { table, holder } = balancesIn(context)
  const { actor, campaign } = context
  const is = sql`b.company_id = ${actor.company_id} AND b.campaign_id = ${campaign.id} AND b.${holder} = ${holderIn(context, owner)}`
  return { table: sql`${table} b`, is }
}

export async function availableTo(db: Db, context: CampaignContext, owner: Owner): Promise<number> {
  const { table, is } = balanceOf(context, owner)
  const [found] = await db.query<{ available: number }>(sql`SELECT b.earned - b.spent AS available FROM ${table} WHERE ${is}`)
  return found?.available ?? 0
}

/** The columns of a balance `b` that a statement which moves balances returns. */
const moved = (context: CampaignContext) => sql`b.${balancesIn(context).holder} AS holder_id, b.earned, b.spent`

/** Adds to what was earned. The order of the additions is that in which the balances are locked, so it must be the same in all transactions. */
export function addEarned(context: CampaignContext, additions: { holder_id: string; amount: number }[]): Sql {
  const { actor, campaign } = context
  const { table, holder } = balancesIn(context)
  const rows = additions.map(({ holder_id, amount }) => sql`(${actor.company_id}, ${campaign.id}, ${holder_id}, ${amount}, 0)`)
  return sql`
    INSERT INTO ${table} AS b (company_id, campaign_id, ${holder}, earned, spent) VALUES ${sql.join(rows, ', ')}
    ON CONFLICT (company_id, campaign_id, ${holder}) DO UPDATE SET earned = b.earned + excluded.earned RETURNING ${moved(context)}`
}

/** Adds to what was spent, if that much is available. With 0, only reads the balance. */
export function addSpent(context: CampaignContext, owner: Owner, amount: number): Sql {
  const { table, is } = balanceOf(context, owner)
  if (amount === 0) return sql`SELECT ${moved(context)} FROM ${table} WHERE ${is}`
  return sql`UPDATE ${table} SET spent = b.spent + ${amount} WHERE ${is} AND b.earned - b.spent >= ${amount} RETURNING ${moved(context)}`
}

/** Gives back what was spent. */
export function takeSpentBack(context: CampaignContext, owner: Owner, amount: number): Sql {
  if (amount === 0) return addSpent(context, owner, 0)
  const { table, is } = balanceOf(context, owner)
  return sql`UPDATE ${table} SET spent = b.spent - ${amount} WHERE ${is} RETURNING ${moved(context)}`
}

/** Takes back what was earned, if it is still available. */
export function takeEarnedBack(context: CampaignContext, owner: Owner, amount: number): Sql {
  const { table, is } = balanceOf(context, owner)
  return sql`UPDATE ${table} SET earned = b.earned - ${amount} WHERE ${is} AND b.earned - b.spent >= ${amount} RETURNING ${moved(context)}`
}
