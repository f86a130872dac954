import { notStoryteller } from '../../core/denial.ts'
import type { Listed } from '../../core/page.ts'
import { conflict, forbidden, notFound } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import type { Page } from '../../db/list.ts'
import { seen } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { secretTable } from '../../db/table.ts'
import type { Actor } from '../../http/caller.ts'
import { type CampaignAccess, sightIn } from '../campaigns/path-resource.ts'
import { presentLimits } from './ruled.ts'
import {
  boundEvents,
  completed,
  type Definition,
  definitionOf,
  isHiddenChange,
  mayMove,
  mayRedefine,
  movedTo,
  moveEvents,
  type OnOwner,
  refuseRuled,
  refuseRuledPatch,
  refuseUnclear,
  refuseUnfit,
  shownTo,
  type TrackerChange,
  whyNotMove,
} from './rules.ts'
import {
  MAX_TRACKERS,
  type Tracker,
  type TrackerAdjust,
  type TrackerPatch,
  type TrackerReset,
  TrackerRow,
  type TrackerSet,
} from './schema.ts'

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

const scopeOf = ({ actor, campaign, character }: TrackerContext) => ({
  company_id: actor.company_id,
  parent_id: character?.id ?? campaign.id,
})
const seenIn = (context: TrackerContext) => trackers.seenBy(sightIn(context))

export async function listTrackers(db: Db, context: TrackerContext, listed: Listed): Promise<Page<Tracker>> {
  const { items, ...page } = await seenIn(context).list(db, scopeOf(context), listed)
  return { ...page, items: items.map(shownTo(context.campaign)) }
}

export const getTracker = async (db: Db, context: TrackerContext, key: string): Promise<Tracker> =>
  shownTo(context.campaign)(await seenIn(context).get(db, { ...scopeOf(context), key }))

/** Reads the trackers that the acting user sees, all or those with these keys. They are ordered, so that transactions lock them in the same order. */
function visibleRows(db: Db, context: TrackerContext, keys: string[] | undefined, lock = sql``): Promise<TrackerRow[]> {
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

/** Locks the resource that has the trackers, so that concurrent requests create a key once and no more trackers than allowed. */
function lockOwner(db: Tx, context: TrackerContext): void {
  const { company_id, parent_id } = scopeOf(context)
  const table = context.character ? sql`characters` : sql`campaigns`
  db.send(sql`SELECT id FROM ${table} WHERE company_id = ${company_id} AND id = ${parent_id} FOR NO KEY UPDATE`)
}

async function refuseTooMany(db: Tx, context: TrackerContext): Promise<void> {
  const { company_id, parent_id } = scopeOf(context)
  const [found] = await db.query<{ count: number }>(
    sql`SELECT count(*) AS count FROM trackers WHERE company_id = ${company_id} AND parent_id = ${parent_id}`,
  )
  if ((found?.count ?? 0) >= MAX_TRACKERS)
    conflict('too_many_trackers', `There are already ${MAX_TRACKERS} trackers here, which is the maximum. Delete one first.`)
}

/** Creates a tracker, or replaces the one that has the key. */
export async function setTracker(db: Tx, context: TrackerContext, key: string, body: TrackerSet) {
  const definition = definitionOf(key, body, context)
  refuseUnfit(definition, context)
  lockOwner(db, context)
  // Locked, so that it cannot be removed before it is replaced.
  const [existing] = await visibleRows(db, context, [key], sql`FOR NO KEY UPDATE`)
  if (existing) refuseRuled(existing)
  if (existing) return redefine(db, context, key, () => definition)
  await refuseTooMany(db, context)
  const { actor, campaign, character } = context
  const values = {
    ...definition,
    key,
    by_ruleset: false,
    hidden_changes: 0,
    company_id: actor.company_id,
    campaign_id: campaign.id,
    character_id: character?.id ?? null,
  }
  const { after: inserted } = await seenIn(context).insert(db, values)
  // The database computes the generated column parent_id; the insert does not return it.
  const after = { ...inserted, parent_id: scopeOf(context).parent_id }
  return { before: null, after, reply: shownTo(campaign)(after), event: 'tracker.created' as const, sideEvents: [] }
}

export const updateTracker = (db: Tx, context: TrackerContext, key: string, patch: TrackerPatch) =>
  redefine(db, context, key, (before) => {
    refuseRuledPatch(before, patch)
    const changes = completed(before, patch)
    // The limits of a ruleset may have moved past the value, which then stays as it is.
    if (!before.by_ruleset || patch.value !== undefined) refuseUnfit({ ...before, ...changes }, context)
    return changes
  })

/** Gives a tracker its earlier date back: players see it, and nothing of the change. */
function keepDate(db: Tx, { company_id, id, date_modified }: TrackerRow, after: TrackerRow): TrackerRow {
  db.send(sql`UPDATE trackers SET date_modified = ${date_modified} WHERE company_id = ${company_id} AND id = ${id}`)
  return { ...after, date_modified }
}

async function redefine(db: Tx, context: TrackerContext, key: string, changesOf: (before: TrackerRow) => Partial<Definition>) {
  const { before, after: written } = await seenIn(context).update(
    db,
    { ...scopeOf(context), key },
    (before) => {
      const changes = changesOf(before)
      return { ...changes, hidden_changes: before.hidden_changes + (isHiddenChange(before, changes) ? 1 : 0) }
    },
    (before) => mayRedefine(context, before) || forbidden(notStoryteller(context)),
  )
  const isUnseen = before.visibility === 'NAME_ONLY' && written.hidden_changes > before.hidden_changes
  const after = isUnseen ? keepDate(db, before, written) : written
  const shown = shownTo(context.campaign)
  const change = { before, after }
  return { ...change, matched: shown(before), reply: shown(after), event: 'tracker.updated' as const, sideEvents: boundEvents(change) }
}

export async function removeTracker(db: Tx, context: TrackerContext, key: string) {
  const [found] = await visibleRows(db, context, [key], sql`FOR UPDATE`)
  if (!found) return notFound('Tracker')
  if (!mayRedefine(context, found)) forbidden(notStoryteller(context))
  refuseRuled(found)
  return { ...(await seenIn(context).remove(db, { ...scopeOf(context), key })), matched: shownTo(context.campaign)(found) }
}

/** Repeats the check of a changed definition before its reply is replayed. Callers who gave the right away themselves still get their reply. */
export async function recheckDefinition(db: Db, context: TrackerContext, key: string, { date_modified }: Pick<Tracker, 'date_modified'>) {
  const [found] = await visibleRows(db, context, [key])
  if (found && found.date_modified !== date_modified && !mayRedefine(context, found)) forbidden(notStoryteller(context))
}
