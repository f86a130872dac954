import { timeOf } from '../../core/ids.ts'
import { conflict, forbidden } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { EventDraft } from '../../events/record.ts'
import { type Here, holdCharacter, setTrait } from '../characters/queries.ts'
import { traitOf } from '../characters/rules.ts'
import { holdUser, holdUsers } from '../users/queries.ts'
import { columns, getEntry } from './queries.ts'
import { mayReverse, refuseLower, refuseMoved, refuseOthers, refuseReversed, refuseTwice, refuseUnfit } from './rules.ts'
import type { Award, Entry, Spend } from './schema.ts'

type Written = Omit<Entry, 'id' | 'company_id' | 'campaign_id' | 'awarded_by' | 'date_created' | 'user_id' | 'reversed_by'>

/** Moves the balances of some users and writes an entry for each whose balance moved, in one statement. */
async function enter(db: Tx, { actor, campaign }: Here, user_ids: string[], entry: Written, moved: Sql) {
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

export async function award(db: Tx, here: Here, body: Award) {
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
  // None is the subject of the request more than the others: each is an event beside it.
  return { before: null, after: null, reply: { items: entered.map(({ entry }) => entry) }, also }
}

export async function spend(db: Tx, here: Here, body: Spend) {
  refuseUnfit(body)
  const { actor, campaign } = here
  const { amount, reason, character_id = null, user_id = actor.id } = body
  if (user_id !== actor.id) await holdUser(db, actor.company_id, user_id)
  const also: EventDraft[] = []
  let trait: Entry['trait'] = null
  if (body.trait && character_id) {
    const { name, to } = body.trait
    const change = await setTrait(db, here, character_id, name, to, (character) => {
      refuseOthers(character, user_id, campaign)
      refuseLower(name, traitOf(character.traits, name), to)
    })
    trait = { name, from: traitOf(change.before.traits, name), to }
    also.push({ type: 'character.updated', ...change, reason })
  } else if (character_id) refuseOthers(await holdCharacter(db, here, character_id), user_id, campaign)
  const moved = sql`UPDATE experience_balances b SET spent = b.spent + ${amount} WHERE ${isOf(here, user_id)} AND b.earned - b.spent >= ${amount}`
  const entry: Written = { kind: 'SPEND', amount, delta: -amount, character_id, trait, reason, reverses: null }
  const [entered] = await enter(db, here, [user_id], entry, moved)
  if (!entered)
    return conflict(
      'not_enough_experience',
      `Only ${await availableTo(db, here, user_id)} experience is available: spend no more than that.`,
    )
  return { ...happened(entered), reply: entered.entry, also }
}

/** The spend knows what the trait was; the character must be there to have it again. */
async function refuseArchived(db: Db, { actor }: Here, id: string): Promise<void> {
  const [live] = await db.query(
    sql`SELECT id FROM characters WHERE company_id = ${actor.company_id} AND id = ${id} AND date_archived IS NULL`,
  )
  if (!live) conflict('character_archived', 'The character whose trait it raised is archived: restore it first.')
}

/** Whether the caller's standing today lets them take the entry back, whenever they did. */
export async function refuseReversal(db: Db, here: Here, id: string): Promise<void> {
  const entry = await getEntry(db, here, id)
  if (!mayReverse(entry, here.actor, here.campaign, new Date(entry.date_created))) forbidden()
}

export async function reverse(db: Tx, here: Here, id: string, reason: string) {
  // Whoever takes the same entry back at the same time waits here, and then reads that it was.
  db.send(sql`SELECT id FROM experience_entries WHERE company_id = ${here.actor.company_id} AND id = ${id} FOR NO KEY UPDATE`)
  const entry = await getEntry(db, here, id)
  const { user_id, amount, kind, trait, character_id } = entry
  if (!mayReverse(entry, here.actor, here.campaign, db.now())) forbidden()
  refuseReversed(entry)
  const also: EventDraft[] = []
  if (trait && character_id) {
    await refuseArchived(db, here, character_id)
    const change = await setTrait(db, here, character_id, trait.name, trait.from, (character) => {
      // Whoever handed it over changes it no more.
      if (!here.campaign.tells && character.user_id !== here.actor.id) forbidden()
      refuseMoved(trait, traitOf(character.traits, trait.name))
    })
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
