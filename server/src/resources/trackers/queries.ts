import type { Listed } from '../../core/page.ts'
import { forbidden, notFound } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { columnsOf } from '../../db/columns.ts'
import { list, type Page } from '../../db/list.ts'
import { isParentLive } from '../../db/parents.ts'
import { seen, seesSheet } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { secretTable } from '../../db/table.ts'
import type { Actor } from '../../http/caller.ts'
import { type CampaignAccess, sightIn } from '../campaigns/path-resource.ts'
import type { InCampaign } from '../characters/hidden-sheets.ts'
import { presentLimits } from './ruled.ts'
import { mayMove, movedTo, moveEvents, type OnOwner, refuseUnclear, shownTo, type TrackerChange, whyNotMove } from './rules.ts'
import { type Tracker, type TrackerAdjust, type TrackerReset, TrackerRow } from './schema.ts'

const trackers = secretTable('trackers', TrackerRow, {
  noun: 'Tracker',
  partOf: { campaigns: 'campaign_id', characters: 'character_id' },
})

/** The acting user, and the campaign or character that has the trackers. */
export interface TrackerContext extends OnOwner {
  actor: Actor
  campaign: CampaignAccess
  character?: NonNullable<OnOwner['character']> & { id: string }
}

export const scopeOf = ({ actor, campaign, character }: TrackerContext) => ({
  company_id: actor.company_id,
  parent_id: character?.id ?? campaign.id,
})
const seenIn = (context: TrackerContext) => trackers.seenBy(sightIn(context))

export async function listTrackers(db: Db, context: TrackerContext, listed: Listed): Promise<Page<Tracker>> {
  const { items, ...page } = await seenIn(context).list(db, scopeOf(context), listed)
  return { ...page, items: items.map(shownTo(context.campaign)) }
}

export const removeRow = (db: Tx, context: TrackerContext, key: string) => seenIn(context).remove(db, { ...scopeOf(context), key })

export const getTracker = async (db: Db, context: TrackerContext, key: string): Promise<Tracker> =>
  shownTo(context.campaign)(await seenIn(context).get(db, { ...scopeOf(context), key }))

/** Reads the trackers that the acting user sees, all or those with these keys. They are ordered, so that transactions lock them in the same order. */
export function visibleRows(db: Db, context: TrackerContext, keys: string[] | undefined, lock = sql``): Promise<TrackerRow[]> {
  const { company_id, parent_id } = scopeOf(context)
  const named = keys ? sql` AND key = ANY (${keys}::text[])` : sql``
  return db.query<TrackerRow>(sql`
    SELECT ${trackers.columns} FROM trackers WHERE company_id = ${company_id} AND parent_id = ${parent_id}${named}
      AND ${seen(sightIn(context), sql`visibility`)} ORDER BY id ${lock}`)
}

/**
 * Returns the trackers that are to be moved. With keys, each must exist and the acting user must be allowed to move it; without, it is every one that
 * they may move.
 */
async function movableRows(db: Db, context: TrackerContext, keys: string[] | undefined, lock?: Sql): Promise<TrackerRow[]> {
  const rows = await visibleRows(db, context, keys, lock)
  if (keys && rows.length < keys.length) notFound('Tracker')
  const movable = rows.filter((row) => mayMove(context, row))
  const isRefused = keys ? movable.length < rows.length : rows.length > 0 && movable.length === 0
  const refused = isRefused && rows.find((row) => !movable.includes(row))
  return refused ? forbidden(whyNotMove(context, refused)) : movable
}

/**
 * Sets the values of locked trackers, in one statement. The date of a NAME_ONLY tracker stays: players see it, and could list trackers by it, and so
 * watch the hidden value move. In an UPDATE, an element of an array as the whole value crashes a Citus coordinator, and it misreads CASE x WHEN y.
 */
async function writeValues(
  db: Tx,
  { actor: { company_id } }: TrackerContext,
  rows: TrackerRow[],
  values: number[],
): Promise<TrackerChange[]> {
  const changed = rows.flatMap((row, i) => (row.value === values[i] ? [] : [{ id: row.id, value: values[i] }]))
  if (changed.length === 0) return rows.map((row) => ({ before: row, after: row }))
  const ids = changed.map(({ id }) => id)
  const written = await db.query<TrackerRow>(sql`
    UPDATE trackers SET value = coalesce((${changed.map(({ value }) => value)}::integer[])[array_position(${ids}::uuid[], id)], value),
      hidden_changes = hidden_changes + CASE WHEN visibility = 'OPEN' THEN 0 ELSE 1 END,
      version = version + 1, date_modified = CASE WHEN visibility = 'NAME_ONLY' THEN date_modified ELSE ${db.now()} END
    WHERE company_id = ${company_id} AND id = ANY (${ids}::uuid[]) RETURNING ${trackers.columns}`)
  const after = new Map(written.map((row) => [row.id, row]))
  return rows.map((row) => ({ before: row, after: after.get(row.id) ?? row }))
}

/** Moves trackers to the values that `next` computes from the locked rows: all of them, or, if it throws, none. */
export async function moveTrackers(db: Tx, context: TrackerContext, keys: string[] | undefined, next: (row: TrackerRow) => number) {
  const rows = await movableRows(db, context, keys, sql`FOR NO KEY UPDATE`)
  const limits = rows.some(({ by_ruleset }) => by_ruleset) ? await presentLimits(db, context) : undefined
  return writeValues(
    db,
    context,
    rows,
    rows.map((row) => next({ ...row, ...(row.by_ruleset && limits?.get(row.key)) })),
  )
}

export async function adjustTracker(db: Tx, context: TrackerContext, key: string, body: TrackerAdjust) {
  refuseUnclear(body)
  const changes = await moveTrackers(db, context, [key], (row) => movedTo(row, body))
  const [{ after }] = changes as [TrackerChange]
  // No event is the main one, because a move may have up to two, with the same reason.
  return { before: null, after: null, reply: shownTo(context.campaign)(after), sideEvents: moveEvents(changes, body.reason) }
}

export async function resetTrackers(db: Tx, context: TrackerContext, { keys, reason }: TrackerReset) {
  const changes = await moveTrackers(db, context, keys, ({ start }) => start)
  const items = changes.map(({ after }) => shownTo(context.campaign)(after))
  return { before: null, after: null, reply: { items }, sideEvents: moveEvents(changes, reason) }
}

/** Locks trackers that are moved later in the transaction, so that nothing changes what is computed from them until then. */
export const lockTrackers = (db: Tx, context: TrackerContext, keys: string[]) => movableRows(db, context, keys, sql`FOR NO KEY UPDATE`)

/** Repeats the checks of a move before its reply is replayed. */
export const recheckMove = (db: Db, context: TrackerContext, keys: string[]) => movableRows(db, context, keys)

/**
 * Lists the trackers of the characters of a campaign whose sheets the acting user sees. The fence (OFFSET 0) keeps the plan from walking through the trackers of
 * the whole company in their order.
 */
export async function listPartyTrackers(db: Db, { actor, campaign }: InCampaign, limit: number): Promise<Page<Tracker>> {
  const sight = sightIn({ actor, campaign })
  const isSheetSeen = sql` AND ${seen(sight, sql`parent.visibility`)} AND ${seesSheet(sight, sql`parent`)}`
  const rows = sql`SELECT * FROM trackers WHERE company_id = ${actor.company_id} AND campaign_id = ${campaign.id} AND character_id IS NOT NULL OFFSET 0`
  const where = [seen(sight, sql`x.visibility`), isParentLive(actor.company_id, 'characters', sql`x.character_id`, isSheetSeen)]
  const source = { columns: columnsOf(TrackerRow, 'x'), from: sql`(${rows}) x`, where, id: sql`x.id` }
  const { items, ...page } = await list<TrackerRow>(db, source, { limit, offset: 0 })
  return { ...page, items: items.map(shownTo(campaign)) }
}
