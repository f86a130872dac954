import { randomUUID } from 'node:crypto'
import type { Place } from '../../events/cursor.ts'
import type { Connection } from '../../http/streams/connection.ts'
import { isInCampaign, isWanted, type PlacedItem } from '../changes/page.ts'
import type { FeedEvent } from '../changes/rules.ts'

/** A stream of one reader. */
export interface Follower {
  connection: Connection
  company_id: string
  /** The acting user; null if a key reads without one. */
  user_id: string | null
  developer_id: string
  /** True if the reader has a user token, whose permission is always USER. */
  hasToken: boolean
  types: string[] | undefined
  campaign_id: string | undefined
  /** The epoch of the feed when the stream was opened. */
  epoch: string
  /** The place up to which the reader has been told everything. */
  place: Place
  /** The cursor of a place, which is of use to this reader only. */
  cursorAt(place: Place): string
}

/** Notes that a reader has been told everything up to a place, unless they have been told more already. */
export function advance(follower: Follower, place: Place): void {
  if (place.position > follower.place.position) follower.place = place
}

/** True if the reader asked for an event. */
export const wants = ({ campaign_id, user_id }: Follower, event: FeedEvent) => isInCampaign(event, campaign_id, user_id)

/** An item as several readers get it: its frame without its id, which each reader has for themselves. */
export interface SharedItem extends PlacedItem {
  /** The frame, cut where the id of the acting user belongs. */
  parts: Buffer[]
  bytes: number
  /** The cursors of the readers who got it already: the streams of one reader share one. */
  cursors: Map<string, string>
}

/** Encodes an item once for all readers who see the same. `shared_id` is the acting user for whom it was made, if that is nobody in particular. */
export function shareItem(placed: PlacedItem, shared_id?: string): SharedItem {
  const { data } = placed.item
  // Nothing that users write can contain a text that is made here.
  const mark = randomUUID()
  const path = shared_id && data.path ? data.path.replace(`/users/${shared_id}/`, `/users/${mark}/`) : data.path
  const text = `data: ${JSON.stringify({ ...placed.item, data: { ...data, path } })}\n\n`
  const parts = text.split(mark).map((part) => Buffer.from(part))
  return { ...placed, parts, bytes: Buffer.byteLength(text), cursors: new Map() }
}

/** The frame of an item for one reader, who goes on from this place. */
export function frameFor({ cursorAt, user_id, developer_id }: Follower, { parts, cursors }: SharedItem, place: Place): Buffer {
  const [first, ...rest] = parts as [Buffer, ...Buffer[]]
  const reader_id = user_id ?? developer_id
  const cursor = cursors.get(reader_id) ?? cursorAt(place)
  cursors.set(reader_id, cursor)
  const user = Buffer.from(user_id ?? '')
  return Buffer.concat([Buffer.from(`id: ${cursor}\n`), first, ...rest.flatMap((part) => [user, part])])
}

/** True if an item is new for a reader, and one that they asked for. */
export const isFor = (follower: Follower, { event, item }: PlacedItem) =>
  event.position > follower.place.position && isWanted(follower.types, item.type) && wants(follower, event)
