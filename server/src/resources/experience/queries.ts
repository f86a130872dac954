import { idAt, timeOf } from '../../core/ids.ts'
import type { Listed } from '../../core/page.ts'
import { conflict, forbidden, notFound } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { columnsOf } from '../../db/columns.ts'
import { list } from '../../db/list.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Happening } from '../../events/record.ts'
import type { Actor } from '../../http/operation.ts'
import { type Here, holdCharacter, setTrait } from '../characters/queries.ts'
import { holdUser, holdUsers } from '../users/queries.ts'
import { mayReverse, refuseLower, refuseMoved, refuseOthers, refuseReversed, refuseTwice, refuseUnfit } from './rules.ts'
import { type Award, type Balance, type EntriesQuery, Entry, type Lifetime, type Spend } from './schema.ts'

const { reversed_by: _, ...written } = Entry.properties
const columns = columnsOf({ properties: written } as typeof Entry, 'x')
const reversedBy = sql`(SELECT y.id FROM experience_entries y WHERE y.company_id = x.company_id AND y.reverses = x.id) AS reversed_by`

export function listEntries(db: Db, { actor, campaign }: Here, query: EntriesQuery) {
  const { user_id, character_id, kind, from, to } = query
  const where = [sql`x.company_id = ${actor.company_id}`, sql`x.campaign_id = ${campaign.id}`]
  for (const [name, value] of Object.entries({ user_id, character_id, kind }))
    if (value !== undefined) where.push(sql`x.${sql.id(name)} = ${value}`)
  if (from) where.push(sql`x.id >= ${idAt(new Date(from))}`)
  if (to) where.push(sql`x.id < ${idAt(new Date(to))}`)
  const source = { columns, from: sql`experience_entries x`, where, id: sql`x.id`, beside: { page: 'x', columns: reversedBy } }
  return list<Entry>(db, source, query)
}

export async function getEntry(db: Db, { actor, campaign }: Here, id: string): Promise<Entry> {
  const [found] = await db.query<Entry>(sql`
    SELECT ${columns}, ${reversedBy} FROM experience_entries x
    WHERE x.company_id = ${actor.company_id} AND x.campaign_id = ${campaign.id} AND x.id = ${id}`)
  return found ?? notFound('Entry')
}

const sums = sql`b.earned, b.spent, b.earned - b.spent AS available`
const balances = sql`experience_balances b
  JOIN users u ON u.company_id = b.company_id AND u.id = b.user_id AND u.date_archived IS NULL
  JOIN campaigns campaign ON campaign.company_id = b.company_id AND campaign.id = b.campaign_id AND campaign.date_archived IS NULL`

export function listBalances(db: Db, { actor, campaign }: Here, query: Listed) {
  const where = [sql`b.company_id = ${actor.company_id}`, sql`b.campaign_id = ${campaign.id}`]
  const source = { columns: sql`b.user_id AS id, b.user_id, b.campaign_id, ${sums}`, from: balances, where, id: sql`b.user_id` }
  return list<Balance>(db, source, query)
}

export async function ownBalances(db: Db, { company_id, id }: Actor, query: Listed) {
  const where = [sql`b.company_id = ${company_id}`, sql`b.user_id = ${id}`]
  const along = sql`json_build_object('earned', coalesce(sum(b.earned), 0), 'spent', coalesce(sum(b.spent), 0),
    'available', coalesce(sum(b.earned - b.spent), 0))`
  const source = {
    columns: sql`b.campaign_id AS id, b.user_id, b.campaign_id, ${sums}`,
    from: balances,
    where,
    id: sql`b.campaign_id`,
    along,
  }
  const { along: lifetime, ...page } = await list<Balance, Lifetime>(db, source, query)
  return { ...page, lifetime: lifetime as Lifetime }
}

type Written = Omit<Entry, 'id' | 'company_id' | 'campaign_id' | 'awarded_by' | 'date_created' | 'user_id' | 'reversed_by'>

/** Moves the balances of some users and writes an entry for each whose balance moved, in one statement. */
async function enter(db: Db, { actor, campaign }: Here, user_ids: string[], entry: Written, moved: Sql) {
  const ids = user_ids.map(() => db.newId())
  const { kind, amount, delta, character_id, trait, reason, reverses } = entry
  const entered = await db.query<Entry & { earned: number; spent: number }>(sql`
    WITH given AS (
      SELECT * FROM unnest(${ids}::uuid[], ${user_ids}::uuid[], ${ids.map(timeOf)}::timestamptz[]) AS given (id, user_id, date_created)
    ), moved AS (${moved} RETURNING b.user_id, b.earned, b.spent
    ), x AS (
      INSERT INTO experience_entries AS x (company_id, id, kind, amount, delta, user_id, campaign_id, character_id, trait, reason, awarded_by,
                                      reverses, date_created)
      SELECT ${actor.company_id}, id, ${kind}, ${amount}, ${delta}, user_id, ${campaign.id}, ${character_id}, ${trait && JSON.stringify(trait)}::jsonb,
        ${reason}, ${actor.id}, ${reverses}, date_created
      FROM given JOIN moved USING (user_id)
      RETURNING ${columns}
    )
    SELECT x.*, NULL AS reversed_by, moved.earned, moved.spent FROM x JOIN moved USING (user_id) ORDER BY x.id`)
  return entered.map(({ earned, spent, ...entry }) => ({ entry, balance: { earned, spent, available: earned - spent } }))
}

type Entered = Awaited<ReturnType<typeof enter>>[number]

/** An entry is an event, with the balance it led to. */
const happened = ({ entry, balance }: Entered) => ({ before: null, after: { ...entry, balance }, reason: entry.reason })

const isOf = ({ actor, campaign }: Here, user_id: string) =>
  sql`b.company_id = ${actor.company_id} AND b.campaign_id = ${campaign.id} AND b.user_id = ${user_id}`

async function availableTo(db: Db, here: Here, user_id: string): Promise<number> {
  const [found] = await db.query<{ available: number }>(
    sql`SELECT b.earned - b.spent AS available FROM experience_balances b WHERE ${isOf(here, user_id)}`,
  )
  return found?.available ?? 0
}

export async function award(db: Db, here: Here, body: Award) {
  refuseTwice(body)
  const { amount, reason, user_ids } = body
  const { actor, campaign } = here
  await holdUsers(db, actor.company_id, user_ids)
  // In one order, whoever awards whom at the same time.
  const moved = sql`
    INSERT INTO experience_balances AS b (company_id, campaign_id, user_id, earned)
    SELECT ${actor.company_id}, ${campaign.id}, user_id, ${amount} FROM given ORDER BY user_id
    ON CONFLICT (company_id, campaign_id, user_id) DO UPDATE SET earned = b.earned + excluded.earned`
  const entry: Written = { kind: 'AWARD', amount, delta: amount, character_id: null, trait: null, reason, reverses: null }
  const entered = await enter(db, here, user_ids, entry, moved)
  const also = entered.map((one) => ({ type: 'experience.awarded', ...happened(one) }))
  return { before: null, after: null, reply: { items: entered.map(({ entry }) => entry) }, also }
}

export async function spend(db: Tx, here: Here, body: Spend) {
  refuseUnfit(body)
  const { actor, campaign } = here
  const { amount, reason, character_id = null, user_id = actor.id } = body
  if (user_id !== actor.id) await holdUser(db, actor.company_id, user_id)
  const also: Happening[] = []
  let trait: Entry['trait'] = null
  if (body.trait && character_id) {
    const { name, to } = body.trait
    const change = await setTrait(db, here, character_id, name, to, (character) => {
      refuseOthers(character, user_id, campaign)
      refuseLower(name, character.traits[name] ?? null, to)
    })
    trait = { name, from: change.before.traits[name] ?? null, to }
    also.push({ type: 'character.updated', ...change, reason })
  } else if (character_id) refuseOthers(await holdCharacter(db, here, character_id), user_id, campaign)
  const moved = sql`UPDATE experience_balances b SET spent = b.spent + ${amount} WHERE ${isOf(here, user_id)} AND b.earned - b.spent >= ${amount}`
  const entry: Written = { kind: 'SPEND', amount, delta: -amount, character_id, trait, reason, reverses: null }
  const [entered] = await enter(db, here, [user_id], entry, moved)
  if (!entered)
    return conflict('not_enough_experience', `Only ${await availableTo(db, here, user_id)} available: ask for no more than that.`)
  return { ...happened(entered), reply: entered.entry, also }
}

/** The spend knows what the trait was; the character must be there to have it again. */
async function refuseArchived(db: Db, { actor }: Here, id: string): Promise<void> {
  const [live] = await db.query(
    sql`SELECT id FROM characters WHERE company_id = ${actor.company_id} AND id = ${id} AND date_archived IS NULL`,
  )
  if (!live) conflict('character_archived', 'The character whose trait it raised is archived: restore it first.')
}

export async function reverse(db: Tx, here: Here, id: string, reason: string) {
  // Whoever takes the same entry back at the same time waits here, and then reads that it was.
  db.send(sql`SELECT id FROM experience_entries WHERE company_id = ${here.actor.company_id} AND id = ${id} FOR NO KEY UPDATE`)
  const entry = await getEntry(db, here, id)
  const { user_id, amount, kind, trait, character_id } = entry
  if (!mayReverse(entry, here.actor, here.campaign, db.now())) forbidden()
  refuseReversed(entry)
  const also: Happening[] = []
  if (trait && character_id) {
    await refuseArchived(db, here, character_id)
    const change = await setTrait(db, here, character_id, trait.name, trait.from, ({ traits }) => refuseMoved(trait, traits[trait.name]))
    also.push({ type: 'character.updated', ...change, reason })
  }
  const moved =
    kind === 'SPEND'
      ? sql`UPDATE experience_balances b SET spent = b.spent - ${amount} WHERE ${isOf(here, user_id)}`
      : sql`UPDATE experience_balances b SET earned = b.earned - ${amount} WHERE ${isOf(here, user_id)} AND b.earned - b.spent >= ${amount}`
  const back = trait && { name: trait.name, from: trait.to, to: trait.from }
  const opposite: Written = { kind: 'REVERSAL', amount, delta: -entry.delta, character_id, trait: back, reason, reverses: id }
  const [entered] = await enter(db, here, [user_id], opposite, moved)
  if (!entered) {
    const left = await availableTo(db, here, user_id)
    return conflict('award_spent', `Of this award only ${left} are left to take back: reverse what was spent first.`)
  }
  return { ...happened(entered), reply: entered.entry, also }
}

/** The promise of the ledger, for who checks it: every balance that is not what its entries come to. None, ever. */
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
