import type { Listed } from '../../core/page.ts'
import { notFound } from '../../core/problem.ts'
import type { Db } from '../../db/client.ts'
import { columnsOf, excerptColumnsOf } from '../../db/columns.ts'
import { declareInvariant } from '../../db/invariants.ts'
import { between, list } from '../../db/list.ts'
import { declareTable } from '../../db/registry.ts'
import { sql } from '../../db/sql.ts'
import type { Actor } from '../../http/caller.ts'
import type { CampaignContext } from '../characters/queries.ts'
import { type Balance, type EntriesQuery, type Entry, EntryRow, type Lifetime } from './schema.ts'

const BALANCE_KEY = ['company_id', 'campaign_id', 'user_id']
declareTable('experience_balances', undefined, { key: BALANCE_KEY, references: { users: 'user_id' }, partOf: { campaigns: 'campaign_id' } })
declareTable('experience_entries', EntryRow, {
  references: { users: 'user_id', characters: 'character_id' },
  partOf: { campaigns: 'campaign_id' },
  refersToItself: 'reverses',
})

export const columns = columnsOf(EntryRow, 'x')
const shown = excerptColumnsOf(EntryRow, 'x')
const reversedBy = ({ company_id }: Actor) =>
  sql`(SELECT y.id FROM experience_entries y WHERE y.company_id = ${company_id} AND y.reverses = x.id) AS reversed_by`

export function listEntries(db: Db, { actor, campaign }: CampaignContext, query: EntriesQuery) {
  const { user_id, character_id, kind, from, to } = query
  const where = [sql`x.company_id = ${actor.company_id}`, sql`x.campaign_id = ${campaign.id}`]
  for (const [name, value] of Object.entries({ user_id, character_id, kind }))
    if (value !== undefined) where.push(sql`x.${sql.id(name)} = ${value}`)
  where.push(...between(sql`x.id`, from, to))
  const extras = { page: 'x', columns: reversedBy(actor) }
  const source = { columns, shown, from: sql`experience_entries x`, where, id: sql`x.id`, extras }
  return list<Entry>(db, source, query)
}

export async function getEntry(db: Db, { actor, campaign }: CampaignContext, id: string): Promise<Entry> {
  const [found] = await db.query<Entry>(sql`
    SELECT ${columns}, ${reversedBy(actor)} FROM experience_entries x
    WHERE x.company_id = ${actor.company_id} AND x.campaign_id = ${campaign.id} AND x.id = ${id}`)
  return found ?? notFound('Entry')
}

const sums = sql`b.earned, b.spent, b.earned - b.spent AS available`
const balances = ({ company_id }: Actor) => sql`experience_balances b
  JOIN users u ON u.company_id = ${company_id} AND u.id = b.user_id AND u.date_archived IS NULL
  JOIN campaigns campaign ON campaign.company_id = ${company_id} AND campaign.id = b.campaign_id AND campaign.date_archived IS NULL`

export function listBalances(db: Db, { actor, campaign }: CampaignContext, query: Listed) {
  const where = [sql`b.company_id = ${actor.company_id}`, sql`b.campaign_id = ${campaign.id}`]
  const source = { columns: sql`b.user_id AS id, b.user_id, b.campaign_id, ${sums}`, from: balances(actor), where, id: sql`b.user_id` }
  return list<Balance>(db, source, query)
}

export async function ownBalances(db: Db, actor: Actor, query: Listed) {
  const where = [sql`b.company_id = ${actor.company_id}`, sql`b.user_id = ${actor.id}`]
  const lifetimeSums = sql`json_build_object('earned', coalesce(sum(b.earned), 0), 'spent', coalesce(sum(b.spent), 0),
    'available', coalesce(sum(b.earned - b.spent), 0))`
  const source = {
    columns: sql`b.campaign_id AS id, b.user_id, b.campaign_id, ${sums}`,
    from: balances(actor),
    where,
    id: sql`b.campaign_id`,
    aggregate: lifetimeSums,
  }
  const { aggregate: lifetime, ...page } = await list<Balance, Lifetime>(db, source, query)
  return { ...page, lifetime: lifetime as Lifetime }
}

/** Finds the balances that differ from the sum of their entries. */
export const experienceMismatches = sql`
  SELECT company_id, campaign_id, user_id, b.earned, b.spent, e.earned AS entries_earned, e.spent AS entries_spent
  FROM experience_balances b
  FULL JOIN (
    SELECT company_id, campaign_id, user_id,
      sum(CASE WHEN kind = 'AWARD' OR (kind = 'REVERSAL' AND delta < 0) THEN delta ELSE 0 END) AS earned,
      sum(CASE WHEN kind = 'SPEND' OR (kind = 'REVERSAL' AND delta > 0) THEN -delta ELSE 0 END) AS spent
    FROM experience_entries GROUP BY company_id, campaign_id, user_id
  ) e USING (company_id, campaign_id, user_id)
  WHERE b.earned IS DISTINCT FROM e.earned OR b.spent IS DISTINCT FROM e.spent`

declareInvariant({ check: 'experience', violations: () => experienceMismatches, holds: 'every balance is the sum of its entries' })
