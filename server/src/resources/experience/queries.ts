import type { Listed } from '../../core/page.ts'
import { notFound } from '../../core/problem.ts'
import type { Db } from '../../db/client.ts'
import { columnsOf, excerptColumnsOf } from '../../db/columns.ts'
import { between, list } from '../../db/list.ts'
import { declareTable } from '../../db/registry.ts'
import { declareSettled, settledTotal } from '../../db/settled.ts'
import { seesSheet } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Actor } from '../../http/caller.ts'
import { isReachable, joinMembership, sightAcross } from '../campaigns/path-resource.ts'
import { ofHiddenSheetsIn } from '../characters/hidden-sheets.ts'
import type { CampaignContext } from '../characters/queries.ts'
import { type Balance, type EntriesQuery, type Entry, EntryRow, type Lifetime, type OwnedEntry } from './schema.ts'

declareTable('experience_balances', undefined, {
  key: ['company_id', 'campaign_id', 'user_id'],
  references: { users: 'user_id' },
  partOf: { campaigns: 'campaign_id' },
})
declareTable('experience_character_balances', undefined, {
  key: ['company_id', 'campaign_id', 'character_id'],
  references: { characters: 'character_id' },
  partOf: { campaigns: 'campaign_id' },
})
declareTable('experience_entries', EntryRow, {
  references: { users: 'user_id', characters: 'character_id' },
  partOf: { campaigns: 'campaign_id' },
  refersToItself: 'reverses',
})

declareTable('experience_counts', undefined, { partOf: { campaigns: 'campaign_id' } })
const counts = declareSettled(
  {
    counts: 'experience_counts',
    rows: 'experience_entries',
    by: { campaign_id: sql`r.campaign_id`, user_id: sql`r.user_id`, character_id: sql`r.character_id`, kind: sql`r.kind` },
    matters: sql`EXISTS (SELECT FROM campaigns c JOIN companies o ON o.id = c.company_id AND o.date_purged IS NULL
      WHERE c.company_id = counted.company_id AND c.id = counted.campaign_id AND c.date_purged IS NULL)`,
  },
  { check: 'ledgers', holds: 'the total of every ledger matches its entries' },
)

export const columns = columnsOf(EntryRow, 'x')
const shown = excerptColumnsOf(EntryRow, 'x')

interface Reader {
  actor: Actor
  /** The campaign of the entries or balances; without one, they are those of the acting user in all campaigns. */
  campaign?: CampaignContext['campaign']
}

/** Selects a column of the characters whose sheets are hidden from the reader: those of the campaign, or the one of each row. */
function ofHiddenSheets({ actor, campaign }: Reader, rows: Sql, column: Sql): Sql {
  if (campaign) return ofHiddenSheetsIn({ actor, campaign }, column)
  return sql`SELECT ${column} FROM characters y WHERE y.company_id = ${actor.company_id} AND y.id = ${rows}.character_id
    AND y.sheet_visibility <> 'EVERYONE' AND NOT ${seesSheet(sightAcross({ actor, permission: null }), sql`y`)}`
}

/**
 * The conditions on the entries or balances that the acting user may see: those of a campaign, or else their own, except what belongs to a
 * hidden sheet. Every read of experience goes through them: lists, totals, sums, single entries, and the entry that a reversal reads. The rows
 * have a `character_id`, or null; without a campaign in the context, the query joins the row `campaign` and the membership in it.
 */
function seenBy(reader: Reader, rows: Sql): Sql[] {
  const { actor, campaign } = reader
  const conditions = [
    sql`${rows}.company_id = ${actor.company_id}`,
    campaign ? sql`${rows}.campaign_id = ${campaign.id}` : sql`${rows}.user_id = ${actor.id}`,
  ]
  // Storytellers see every sheet. For them the rest would only cost time: an index alone counts the entries.
  if (campaign?.isStoryteller) return conditions
  conditions.push(sql`(${rows}.character_id IS NULL OR ${rows}.character_id NOT IN (${ofHiddenSheets(reader, rows, sql`y.id`)}))`)
  // Where experience belongs to users, that of another user is the experience of all their characters.
  if (campaign?.experience_per === 'USER')
    conditions.push(sql`(${rows}.user_id = ${actor.id}
      OR ${rows}.user_id NOT IN (${ofHiddenSheets(reader, rows, sql`y.user_id`)} AND y.user_id IS NOT NULL))`)
  return conditions
}

const reversedBy = ({ company_id }: Actor) =>
  sql`(SELECT y.id FROM experience_entries y WHERE y.company_id = ${company_id} AND y.reverses = x.id) AS reversed_by`

export function listEntries(db: Db, context: CampaignContext, query: EntriesQuery) {
  const { player_id, character_id, kind, from, to } = query
  const filters = Object.entries({ user_id: player_id, character_id, kind }).filter(([, value]) => value !== undefined)
  // The numbers of entries have the same columns, and so the same conditions.
  const conditionsOn = (rows: Sql) => [...seenBy(context, rows), ...filters.map(([name, value]) => sql`${rows}.${sql.id(name)} = ${value}`)]
  const where = [...conditionsOn(sql`x`), ...between(sql`x.id`, from, to)]
  const source = { from: sql`experience_entries x`, where, id: sql`x.id` }
  const extras = { page: 'x', columns: reversedBy(context.actor) }
  const { company_id } = context.actor
  const total = from || to ? undefined : settledTotal(counts, { company_id, counted: conditionsOn(sql`k`), ...source })
  return list<Entry>(db, { columns, shown, ...source, extras, total }, query)
}

/** Selects the entries with these ids that the acting user may see in a campaign. */
export const selectEntries = (context: CampaignContext, ids: string[]): Sql => sql`
    SELECT ${columns}, ${reversedBy(context.actor)} FROM experience_entries x
    WHERE ${sql.join([...seenBy(context, sql`x`), sql`x.id = ANY (${ids}::uuid[])`], ' AND ')}`

export async function getEntry(db: Db, context: CampaignContext, id: string): Promise<OwnedEntry> {
  const { actor, campaign } = context
  const owner =
    campaign.experience_per === 'CHARACTER'
      ? sql`(SELECT c.user_id FROM characters c WHERE c.company_id = ${actor.company_id} AND c.id = x.character_id)`
      : sql`x.user_id`
  const [found] = await db.query<OwnedEntry>(sql`
    SELECT ${columns}, ${reversedBy(actor)}, ${owner} AS owner_id FROM experience_entries x
    WHERE ${sql.join([...seenBy(context, sql`x`), sql`x.id = ${id}`], ' AND ')}`)
  return found ?? notFound('Entry')
}

/** The balances of live users. `holder_id` is the id of the user or character that a balance belongs to. */
const ofUsers = (company_id: string) => sql`
  SELECT b.company_id, b.campaign_id, b.user_id AS holder_id, b.user_id, NULL::uuid AS character_id, b.earned, b.spent
  FROM experience_balances b JOIN users u ON u.company_id = ${company_id} AND u.id = b.user_id AND u.date_archived IS NULL
  WHERE b.company_id = ${company_id}`

/** The balances of live characters, with their present players. The campaign is compared too, so that its index finds the characters. */
const ofCharacters = (company_id: string) => sql`
  SELECT k.company_id, k.campaign_id, k.character_id AS holder_id, c.user_id, k.character_id, k.earned, k.spent
  FROM experience_character_balances k
    JOIN characters c ON c.company_id = ${company_id} AND c.campaign_id = k.campaign_id AND c.id = k.character_id AND c.date_archived IS NULL
  WHERE k.company_id = ${company_id}`

const balanceColumns = sql`b.holder_id AS id, b.user_id, b.campaign_id, b.character_id, b.earned, b.spent, b.earned - b.spent AS available`

export function listBalances(db: Db, context: CampaignContext, query: Listed) {
  const { actor, campaign } = context
  const rows = (campaign.experience_per === 'CHARACTER' ? ofCharacters : ofUsers)(actor.company_id)
  const source = { columns: balanceColumns, from: sql`(${rows}) b`, where: seenBy(context, sql`b`), id: sql`b.holder_id` }
  return list<Balance>(db, source, query)
}

export async function ownBalances(db: Db, actor: Actor, query: Listed) {
  const { company_id } = actor
  const lifetimeSums = sql`json_build_object('earned', coalesce(sum(b.earned), 0), 'spent', coalesce(sum(b.spent), 0),
    'available', coalesce(sum(b.earned - b.spent), 0))`
  const source = {
    columns: balanceColumns,
    from: sql`(${ofUsers(company_id)} UNION ALL ${ofCharacters(company_id)}) b
      JOIN campaigns campaign ON campaign.company_id = ${company_id} AND campaign.id = b.campaign_id AND campaign.date_archived IS NULL
      ${joinMembership(company_id, sql`${actor.id}`)}`,
    where: [...seenBy({ actor }, sql`b`), isReachable(actor.role === 'ADMIN')],
    orders: { date_created: sql`b.campaign_id` },
    id: sql`b.holder_id`,
    aggregate: lifetimeSums,
  }
  const { aggregate: lifetime, ...page } = await list<Balance, Lifetime>(db, source, query)
  return { ...page, lifetime: lifetime as Lifetime }
}
