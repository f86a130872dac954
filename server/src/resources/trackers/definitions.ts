import { notStoryteller } from '../../core/denial.ts'
import { conflict, type Fault, forbidden, invalid, notFound } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { columnsOf } from '../../db/columns.ts'
import { sql } from '../../db/sql.ts'
import type { EventDraft } from '../../events/record.ts'
import { type InCampaign, type SecretCharacter, secretPartOf } from '../characters/hidden-sheets.ts'
import type { CharacterRow } from '../characters/schema.ts'
import { insertTrackers, type NewTracker } from './insert.ts'
import { removeRow, scopeOf, type TrackerContext, visibleRows } from './queries.ts'
import {
  boundEvents,
  completed,
  type Definition,
  definitionOf,
  faultsOf,
  isHiddenChange,
  mayRedefine,
  type OnOwner,
  refuseRuled,
  refuseRuledPatch,
  refuseUnfit,
  shownTo,
  type TrackerChange,
} from './rules.ts'
import { MAX_TRACKERS, type Tracker, type TrackerPatch, TrackerRow, type TrackerSet, type TrackersSet } from './schema.ts'

/** A tracker that was created, or whose definition was replaced. */
interface Defined {
  before: TrackerRow | null
  after: TrackerRow
}
type NewByKey = TrackersSet['trackers']
type Definitions = (readonly [key: string, Definition])[]
type DefinedEvent = EventDraft<'tracker.created' | 'tracker.updated' | 'tracker.filled' | 'tracker.emptied'>

const eventsOf = ({ before, after }: Defined): [DefinedEvent, ...DefinedEvent[]] =>
  before ? [{ type: 'tracker.updated', before, after }, ...boundEvents({ before, after })] : [{ type: 'tracker.created', before, after }]

function outcomeOf({ campaign }: TrackerContext, { before, after }: Defined) {
  const shown = shownTo(campaign)
  return { before, after, matched: before && shown(before), reply: shown(after) }
}

/** Locks the resource that has the trackers, so that concurrent requests create a key once and no more trackers than allowed. */
function lockOwner(db: Tx, context: TrackerContext): void {
  const { company_id, parent_id } = scopeOf(context)
  const table = context.character ? sql`characters` : sql`campaigns`
  db.send(sql`SELECT id FROM ${table} WHERE company_id = ${company_id} AND id = ${parent_id} FOR NO KEY UPDATE`)
}

function refuseTooMany(count: number, added: number): void {
  if (count + added > MAX_TRACKERS)
    conflict(
      'too_many_trackers',
      `There are already ${count} trackers here, and ${added} more would exceed the maximum of ${MAX_TRACKERS}. Delete some first.`,
    )
}

async function countTrackers(db: Tx, context: TrackerContext): Promise<number> {
  const { company_id, parent_id } = scopeOf(context)
  const [found] = await db.query<{ count: number }>(
    sql`SELECT count(*) AS count FROM trackers WHERE company_id = ${company_id} AND parent_id = ${parent_id}`,
  )
  return found?.count ?? 0
}

/** The definitions of a body with several trackers. */
function definitionsOf(trackers: NewByKey, owner: Pick<OnOwner, 'character'>): Definitions {
  const definitions = Object.entries(trackers).map(([key, body]) => [key, definitionOf(key, body, owner)] as const)
  const faults = definitions.flatMap(([key, definition]) =>
    faultsOf(definition, owner).map(({ field, message }): Fault => ({ field: `trackers.${key}.${field}`, message })),
  )
  if (faults.length) invalid(faults)
  return definitions
}

const newTracker = ([key, definition]: Definitions[number], character: { id: string } | undefined): NewTracker => ({
  ...definition,
  key,
  character_id: character?.id ?? null,
  by_ruleset: false,
})

/**
 * Changes locked trackers, in one statement. What NAME_ONLY hides does not change the date: players see it, and would see nothing else of the change. A
 * tracker that stays the same is not written.
 */
async function redefine(db: Tx, { actor: { company_id } }: TrackerContext, wanted: { before: TrackerRow; changes: Partial<Definition> }[]) {
  const changed = wanted.flatMap(({ before, changes }) => {
    if (Object.entries(changes).every(([name, value]) => value === before[name as keyof TrackerRow])) return []
    const isHidden = isHiddenChange(before, changes)
    const date_modified = isHidden && before.visibility === 'NAME_ONLY' ? before.date_modified : db.now()
    return [{ ...before, ...changes, hidden_changes: before.hidden_changes + (isHidden ? 1 : 0), date_modified }]
  })
  const written = changed.length
    ? await db.query<TrackerRow>(sql`
        UPDATE trackers x SET label = n.label, value = n.value, minimum = n.minimum, maximum = n.maximum, start = n.start, style = n.style,
          visibility = n.visibility, movable_by = n.movable_by, hidden_changes = n.hidden_changes, version = x.version + 1, date_modified = n.date_modified
        FROM json_to_recordset(${JSON.stringify(changed)}::json) AS n (id uuid, label text, value integer, minimum integer, maximum integer, start integer,
          style text, visibility text, movable_by text, hidden_changes integer, date_modified timestamptz)
        WHERE x.company_id = ${company_id} AND x.id = n.id RETURNING ${columnsOf(TrackerRow, 'x')}`)
    : []
  const after = new Map(written.map((row) => [row.id, row]))
  return wanted.map(({ before }) => ({ before, after: after.get(before.id) ?? before }))
}

/** Creates trackers, and replaces those that have the keys: all of them, or none. Others stay. */
async function define(db: Tx, context: TrackerContext, definitions: Definitions): Promise<Defined[]> {
  lockOwner(db, context)
  const keys = definitions.map(([key]) => key)
  // Locked, so that none can be removed before it is replaced.
  const existing = new Map((await visibleRows(db, context, keys, sql`FOR NO KEY UPDATE`)).map((row) => [row.key, row]))
  for (const row of existing.values()) {
    refuseRuled(row)
    if (!mayRedefine(context, row)) forbidden(notStoryteller(context))
  }
  const added = definitions.filter(([key]) => !existing.has(key))
  if (added.length) refuseTooMany(await countTrackers(db, context), added.length)
  const inserted = insertTrackers(
    db,
    context,
    added.map((one) => newTracker(one, context.character)),
  )
  const replaced = await redefine(
    db,
    context,
    definitions.flatMap(([key, changes]) => {
      const before = existing.get(key)
      return before ? [{ before, changes }] : []
    }),
  )
  const defined: Defined[] = [...inserted.map((after) => ({ before: null, after })), ...replaced]
  return defined.sort((a, b) => keys.indexOf(a.after.key) - keys.indexOf(b.after.key))
}

/** Creates a tracker, or replaces the one that has the key. */
export async function setTracker(db: Tx, context: TrackerContext, key: string, body: TrackerSet) {
  const definition = definitionOf(key, body, context)
  refuseUnfit(definition, context)
  const [defined] = (await define(db, context, [[key, definition]])) as [Defined]
  const [{ type }, ...sideEvents] = eventsOf(defined)
  return { ...outcomeOf(context, defined), event: type, sideEvents }
}

/** Sets several trackers of a campaign or character. */
export async function setTrackers(db: Tx, context: TrackerContext, { trackers }: TrackersSet) {
  const defined = await define(db, context, definitionsOf(trackers, context))
  const items = defined.map(({ after }) => shownTo(context.campaign)(after))
  // No event is the main one, because each tracker has its own.
  return { before: null, after: null, reply: { items }, sideEvents: defined.flatMap(eventsOf) }
}

/** Creates the trackers that come with a new character, besides those that its ruleset has given to it, and returns their events. */
export function createTrackers(
  db: Tx,
  context: InCampaign,
  character: SecretCharacter & Pick<CharacterRow, 'id' | 'type'>,
  trackers: NewByKey,
  ruled: TrackerRow[],
): EventDraft<'tracker.created'>[] {
  const definitions = definitionsOf(trackers, { character: { ...character, seesSheet: true } })
  for (const row of ruled) if (Object.hasOwn(trackers, row.key)) refuseRuled(row)
  refuseTooMany(ruled.length, definitions.length)
  const inserted = insertTrackers(
    db,
    context,
    definitions.map((one) => newTracker(one, character)),
  )
  return inserted.map((after) => ({ type: 'tracker.created', before: null, after, partOf: secretPartOf(character) }))
}

export async function updateTracker(db: Tx, context: TrackerContext, key: string, patch: TrackerPatch) {
  const [before] = await visibleRows(db, context, [key], sql`FOR NO KEY UPDATE`)
  if (!before) return notFound('Tracker')
  if (!mayRedefine(context, before)) forbidden(notStoryteller(context))
  refuseRuledPatch(before, patch)
  const changes = completed(before, patch)
  // The limits of a ruleset may have moved past the value, which then stays as it is.
  if (!before.by_ruleset || patch.value !== undefined) refuseUnfit({ ...before, ...changes }, context)
  const [change] = (await redefine(db, context, [{ before, changes }])) as [TrackerChange]
  return { ...outcomeOf(context, change), event: 'tracker.updated' as const, sideEvents: boundEvents(change) }
}

export async function removeTracker(db: Tx, context: TrackerContext, key: string) {
  const [found] = await visibleRows(db, context, [key], sql`FOR UPDATE`)
  if (!found) return notFound('Tracker')
  if (!mayRedefine(context, found)) forbidden(notStoryteller(context))
  refuseRuled(found)
  return { ...(await removeRow(db, context, key)), matched: shownTo(context.campaign)(found) }
}

/** Repeats the check of changed definitions before their reply is replayed. Callers who gave the right away themselves still get their reply. */
export async function recheckDefinitions(db: Db, context: TrackerContext, replied: Pick<Tracker, 'key' | 'date_modified'>[]) {
  const dates = new Map(replied.map(({ key, date_modified }) => [key, date_modified]))
  const found = await visibleRows(db, context, [...dates.keys()])
  if (found.some((row) => dates.get(row.key) !== row.date_modified && !mayRedefine(context, row))) forbidden(notStoryteller(context))
}
