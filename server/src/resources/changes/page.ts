import { hash } from 'node:crypto'
import type { TObject } from '@guildhall/rules/type'
import { administers, knowsIdentities } from '../../core/access.ts'
import { unique } from '../../core/unique.ts'
import type { Db } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { Place } from '../../events/cursor.ts'
import { maskOf } from '../../http/request/private-fields.ts'
import { memberIdOf, type Viewer } from '../campaigns/across.ts'
import { type CampaignAccess, isReachable, isStoryteller, joinMembership } from '../campaigns/path-resource.ts'
import { KINDS } from './kinds.ts'
import { readEvents } from './read-events.ts'
import { changesSight, type FeedEvent, isRepeated, type ReaderRights, SIGHT_CHANGED, type Told, tellOf } from './rules.ts'
import type { Scan } from './scan.ts'
import { type FeedItem, MAX_RESOURCE_BYTES } from './schema.ts'
import { actorOf, type Found, type Kind } from './selection.ts'
import { readChanges, type Shown, visibleChanges } from './visible-changes.ts'

/** A page reads at least this many resources at once, if it has that many candidates. */
const MIN_READ = 50
/** The type of a change that is on a hidden sheet only, as the reader is told of it. */
const ON_HIDDEN_SHEET = 'character.updated'

/** The changes that a reader asked for. */
export interface Filter {
  limit: number
  types?: string[] | undefined
  campaign_id?: string | undefined
}

/** A part of the feed, as one reader is told of it. */
export interface FeedPart {
  told: ToldItem[]
  /** The place up to which the reader has been told everything. */
  end: Place
  /** True if there may be more after the end. */
  more: boolean
  /** True if it took several scans. */
  isLong: boolean
}

/** An item, and the event that it tells of. */
export interface PlacedItem {
  item: FeedItem
  event: FeedEvent
  /** The position up to which a reader who has got this item has been told everything. */
  position: number
}

/** An item with the place of its position, and that of its event. */
export interface ToldItem extends PlacedItem {
  place: Place
  eventPlace: Place
}

/** A scan goes on until the reader is told this many items, or this time is over. */
export interface Extent {
  items: number
  milliseconds: number
}

type Access = CampaignAccess & { archived: boolean }

/** The campaigns of a page that exist for the reader, archived ones too. */
async function standingIn(db: Db, viewer: Viewer, ids: string[]): Promise<Map<string, Access>> {
  if (ids.length === 0) return new Map()
  const { id, role } = actorOf(viewer)
  const rows = await db.query<Access>(sql`
    SELECT campaign.id, campaign.user_id, ${isStoryteller(sql`${role}::text`, sql`${id}::uuid`)} AS "isStoryteller", member.user_id IS NOT NULL AS "isMember",
      campaign.joining, campaign.experience_per, campaign.trait_changes, campaign.date_archived IS NOT NULL AS archived
    FROM campaigns campaign ${joinMembership(viewer.company_id, sql`${memberIdOf(viewer)}`)}
    WHERE campaign.company_id = ${viewer.company_id} AND campaign.id = ANY (${ids}::uuid[]) AND campaign.date_purged IS NULL AND ${isReachable(role === 'ADMIN')}`)
  return new Map(rows.map((row) => [row.id, row]))
}

const keyOf = (type: string, id: string, campaign_id: unknown) => (type === 'member' ? `${type} ${campaign_id} ${id}` : `${type} ${id}`)
const isKind = (type: string): type is keyof typeof KINDS => Object.hasOwn(KINDS, type)

/** Reads the resources of some events as the reader sees them now, one statement for each kind. */
async function readResources(db: Db, viewer: Viewer, campaigns: Map<string, Access>, events: FeedEvent[]): Promise<Map<string, Found>> {
  const live = new Map([...campaigns].filter(([, { archived }]) => !archived))
  const byKind = Map.groupBy(events, ({ resource_type }) => resource_type)
  const found = new Map<string, Found>()
  await Promise.all(
    [...byKind].map(async ([type, ofKind]) => {
      if (!isKind(type)) return
      const kind: Kind = KINDS[type]
      const ids = unique(ofKind.map(({ resource_id }) => resource_id))
      const rows = await kind.read(db, { viewer, campaigns: live }, ids, unique(ofKind.map(({ campaign_id }) => campaign_id)))
      for (const row of rows) found.set(keyOf(type, row.resource.id, row.resource.campaign_id), row)
    }),
  )
  return found
}

/** A resource with the fields of its schema only, and without the private fields of others. */
function shownResource(viewer: Viewer, schema: TObject, resource: Record<string, unknown>): Record<string, unknown> {
  const declared = Object.fromEntries(Object.keys(schema.properties).flatMap((name) => (name in resource ? [[name, resource[name]]] : [])))
  return (knowsIdentities(viewer) ? declared : maskOf(schema)(declared, viewer.actor?.id)) as Record<string, unknown>
}

function pathFor({ company_id, actor }: Viewer, path: string): string {
  const company = `/api/v1/companies/${company_id}`
  if (path === '/') return company
  return path.startsWith('/') ? `${company}${path}` : `${company}/users/${actor?.id ?? '{user_id}'}/${path}`
}

/** An id of its own for a second item of one event. */
function derivedId(event_id: string, type: string): string {
  const digits = hash('sha256', `${event_id} ${type}`, 'hex')
  return `${event_id.slice(0, 14)}8${digits.slice(0, 3)}-a${digits.slice(3, 6)}-${digits.slice(6, 18)}`
}

/** The version of a change. That of an event would count changes which are hidden from the reader: of such a resource it is the one that the reader sees now. */
const shownVersion = ({ version }: FeedEvent, found: Found | undefined): number | null => {
  if (version === null) return null
  const seen = (found?.resource.version as number | undefined) ?? version
  return found?.resource.hidesVersions ? seen : Math.min(version, seen)
}

function itemOf(viewer: Viewer, rights: ReaderRights, event: FeedEvent, told: Told, shown: Shown | undefined): FeedItem {
  const { change, found, resource_type, id } = told
  const visible = visibleChanges(viewer, rights, event, found, shown)
  // That the character has a new version is no secret, but how the hidden sheet changed, and why, is one.
  const isOnHiddenSheet = resource_type === 'character' && shown !== undefined && visible === null
  const showsEvent = told.showsEvent && !isOnHiddenSheet
  const type = isOnHiddenSheet ? ON_HIDDEN_SHEET : told.type
  const isSecond = type === SIGHT_CHANGED
  const kind = isKind(resource_type) ? KINDS[resource_type] : undefined
  const resource = found && kind && change !== 'REMOVE' ? shownResource(viewer, kind.schema, found.resource) : null
  const isLarge = resource !== null && Buffer.byteLength(JSON.stringify(resource)) > MAX_RESOURCE_BYTES
  return {
    id: isSecond ? derivedId(event.id, type) : event.id,
    type,
    timestamp: event.date_created,
    company_id: viewer.company_id,
    campaign_id: event.campaign_id,
    actor: showsEvent ? { developer_id: event.developer_id, user_id: event.user_id } : null,
    request_id: showsEvent ? event.request_id : null,
    reason: showsEvent ? event.reason : null,
    data: {
      change,
      resource_type,
      id,
      version: isSecond || change === 'REMOVE' ? null : shownVersion(event, found),
      path: found && change !== 'REMOVE' ? pathFor(viewer, found.path) : null,
      changes: visible?.changes ?? null,
      resource: isLarge ? null : resource,
      truncated: isLarge || (visible?.isCut ?? false),
    },
  }
}

export const isWanted = (types: string[] | undefined, type: string) =>
  !types || types.some((one) => one === type || (one.endsWith('.*') && type.startsWith(one.slice(0, -1))))

/** True if an event is in the campaign that the reader asked for. Events of their own role always are. */
export const isInCampaign = ({ campaign_id, type, resource_id }: FeedEvent, asked: string | undefined, user_id: string | null) =>
  asked === undefined || campaign_id === asked || (type === 'user.updated' && resource_id === user_id)

const rightsOf = (viewer: Viewer, campaigns: Map<string, Access>): ReaderRights => ({
  company_id: viewer.company_id,
  user_id: viewer.actor?.id ?? null,
  administers: administers(viewer),
  seesAll: actorOf(viewer).role === 'ADMIN',
  campaigns,
})

/** True if an event may be told, by one of these types. Its resource is then read. */
const isCandidate = (event: FeedEvent, rights: ReaderRights, types: string[] | undefined) => {
  const probe: Found = { path: '', resource: { id: event.resource_id } }
  return [...tellOf(event, rights, probe), ...tellOf(event, rights, undefined)].some(
    ({ type, resource_type }) => isWanted(types, type) || (resource_type === 'character' && isWanted(types, ON_HIDDEN_SHEET)),
  )
}

/** The resource that the reader has to read again because of an event, as if it had changed. */
const shiftedBy = (event: FeedEvent, rights: ReaderRights): FeedEvent[] =>
  tellOf(event, rights, undefined).flatMap(({ type, resource_type, id }) =>
    type === SIGHT_CHANGED ? [{ ...event, resource_type, resource_id: id }] : [],
  )

/** Returns the items of some events, each with its place. */
async function placedItems(
  db: Db,
  viewer: Viewer,
  rights: ReaderRights,
  campaigns: Map<string, Access>,
  events: FeedEvent[],
  changesOf: (ids: string[]) => Promise<Map<string, Shown>>,
): Promise<PlacedItem[]> {
  const resources = await readResources(db, viewer, campaigns, [...events, ...events.flatMap((event) => shiftedBy(event, rights))])
  const foundFor = ({ resource_type, resource_id, campaign_id }: FeedEvent) => resources.get(keyOf(resource_type, resource_id, campaign_id))
  const told = events.flatMap((event) =>
    tellOf(event, rights, foundFor(event)).map((one) => ({
      event,
      one: one.type === SIGHT_CHANGED ? { ...one, found: resources.get(keyOf(one.resource_type, one.id, null)) } : one,
    })),
  )
  const shown = await changesOf(unique(told.map(({ event, one }) => (one.showsEvent ? event.id : null))))
  return told.map(({ event, one }, i) => ({
    item: itemOf(viewer, rights, event, one, one.showsEvent ? shown.get(event.id) : undefined),
    event,
    // An event of two items is told with the second one.
    position: told[i + 1]?.event === event ? event.position - 1 : event.position,
  }))
}

/**
 * Tells a reader about some events: what they may see of each now. The content is read now, under the conditions of every read, so that no old cursor
 * shows what has been hidden since. `end` is the position of the last event that was told, if there may be others after it.
 */
export async function tellEvents(
  db: Db,
  viewer: Viewer,
  events: FeedEvent[],
  { limit, types }: Filter,
  changesOf = (ids: string[]) => readChanges(db, viewer.company_id, ids),
): Promise<{ placed: PlacedItem[]; end: number | undefined }> {
  const campaigns = await standingIn(db, viewer, unique(events.map(({ campaign_id }) => campaign_id)))
  const rights = rightsOf(viewer, campaigns)
  const last = events.findIndex((event) => changesSight(event, rights.user_id))
  const candidates = (last < 0 ? events : events.slice(0, last + 1)).filter(
    (event) => isKind(event.resource_type) && isCandidate(event, rights, types),
  )
  const told: PlacedItem[] = []
  // Of the candidates, only those that are told count for the limit: otherwise the pages would show how many are not.
  for (let i = 0; i < candidates.length && told.length < limit; ) {
    const some = candidates.slice(i, i + Math.max(limit, MIN_READ))
    const placed = await placedItems(db, viewer, rights, campaigns, some, changesOf)
    // By the type that the reader is told, which is not always that of the event.
    told.push(...placed.filter(({ item, event }) => isWanted(types, item.type) && !isRepeated(event, item.type)))
    i += some.length
  }
  if (told.length < limit) return { placed: told, end: last < 0 ? undefined : events[last]?.position }
  const end = told[limit - 1]?.event.position
  return { placed: told.filter(({ event }) => event.position <= (end as number)), end }
}

/**
 * Tells a reader about the events of a scan, and about those after it, until the extent is reached, the feed ends, or an event changes what the reader may see.
 * At most `limit` items are told, and one more if the last event has two.
 */
export async function tellScan(db: Db, viewer: Viewer, first: Scan, filter: Filter, { items, milliseconds }: Extent): Promise<FeedPart> {
  const user_id = viewer.actor?.id ?? null
  const until = performance.now() + milliseconds
  const told: ToldItem[] = []
  for (let scan = first; ; ) {
    const { placeAt, last, isFull } = scan
    const isLong = scan !== first
    const events = scan.events.filter((event) => isInCampaign(event, filter.campaign_id, user_id))
    const { placed, end } = await tellEvents(db, viewer, events, { ...filter, limit: filter.limit - told.length })
    told.push(...placed.map((one) => ({ ...one, place: placeAt(one.position), eventPlace: placeAt(one.event.position) })))
    if (end !== undefined) return { told, end: placeAt(end), more: true, isLong }
    if (!isFull || told.length >= items || performance.now() > until) return { told, end: last, more: isFull, isLong }
    const next = await readEvents(db, viewer.company_id, last)
    // The next request resets the reader.
    if (next.hasGap || !next.continues(last)) return { told, end: last, more: true, isLong }
    scan = next
  }
}

/**
 * Cuts a page out of a part of the feed that was read until it had two items more, or to its end: an event has at most two items, and is not divided. There is
 * more if another item was found. If it were enough that the scan was not over, `more` would count the events that the reader may not see.
 */
export function pageOf(part: FeedPart, limit: number): FeedPart {
  const last = part.told[limit - 1]
  const told = last ? part.told.filter(({ event }) => event.position <= last.event.position) : part.told
  // The filter may have left the second item of the last event out.
  return last && told.length < part.told.length ? { ...part, told, end: last.eventPlace, more: true } : part
}
