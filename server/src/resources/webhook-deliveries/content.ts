import { NOBODY } from '../../core/ids.ts'
import { VERSION } from '../../core/version.ts'
import type { Db } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { Actor } from '../../http/caller.ts'
import { signaturesOf } from '../../outbound/sign.ts'
import type { Viewer } from '../campaigns/across.ts'
import { tellEvents } from '../changes/page.ts'
import { resetItem } from '../changes/queries.ts'
import { readEventsAt } from '../changes/read-events.ts'
import type { FeedEvent } from '../changes/rules.ts'
import type { FeedItem } from '../changes/schema.ts'
import type { Webhook } from '../webhooks/schema.ts'

/** The reader whose view a webhook sends, as they are now; null for a user who is archived. */
export async function viewerOf(db: Db, { company_id, sight, user_id }: Webhook): Promise<Viewer | null> {
  if (sight === 'ALL') return { company_id, permission: 'ADMIN', actor: null }
  // A player whom nobody is: nothing that somebody sees because of who they are can be sent.
  if (sight === 'OPEN') return { company_id, permission: 'USER', actor: { id: NOBODY, company_id, name: '', role: 'PLAYER' } }
  const [actor] = await db.query<Actor>(sql`
    SELECT id, company_id, name, role FROM users WHERE company_id = ${company_id} AND id = ${user_id} AND date_archived IS NULL`)
  return actor ? { company_id, permission: 'USER', actor } : null
}

/** A change that is to be delivered. */
export interface Deliverable {
  /** The time of a delivery that tells no event: it is the same in every attempt. */
  date_created: string
  change_id: string
  event_id: string | null
  position: number | null
  type: string
}

/** Tells events one after the other, also those after one that changes what the reader sees. */
async function tellAll(db: Db, viewer: Viewer, events: FeedEvent[]): Promise<FeedItem[]> {
  const items: FeedItem[] = []
  for (let rest = events; rest.length > 0; ) {
    const { placed, end } = await tellEvents(db, viewer, rest, { limit: Number.POSITIVE_INFINITY })
    items.push(...placed.map(({ item }) => item))
    if (end === undefined) break
    rest = rest.filter(({ position }) => position > end)
  }
  return items
}

/** A change that could be told when its delivery was created, and cannot now. It is sent without content, so that the numbers of a receiver have no gap. */
const withdrawnItem = (company_id: string, { change_id, date_created }: Deliverable, event: FeedEvent | undefined): FeedItem => {
  const { data, ...empty } = resetItem(company_id, change_id, new Date(date_created))
  const removed = event && { change: 'REMOVE' as const, resource_type: event.resource_type, id: event.resource_id }
  return { ...empty, type: 'feed.withdrawn', data: { ...data, ...removed } }
}

/** A path for any reader, if it was made for nobody in particular. */
const forAnybody = (item: FeedItem): FeedItem => {
  const { path } = item.data
  return path === null ? item : { ...item, data: { ...item.data, path: path.replace(`/users/${NOBODY}/`, '/users/{user_id}/') } }
}

/** Reads changes as the reader may see them now, in the order of the deliveries. */
export async function itemsOf(db: Db, viewer: Viewer, deliveries: Deliverable[]): Promise<FeedItem[]> {
  const { company_id } = viewer
  const at = deliveries.flatMap(({ event_id, position }) => (event_id === null || position === null ? [] : [{ event_id, position }]))
  const unique = [...new Map(at.map((one) => [one.event_id, one])).values()]
  const events = unique.length ? await readEventsAt(db, company_id, unique) : []
  const told = new Map((await tellAll(db, viewer, events)).map((item) => [item.id, item]))
  const eventOf = new Map(events.map((event) => [event.id, event]))
  return deliveries.map((delivery) => {
    if (delivery.event_id === null) return resetItem(company_id, delivery.change_id, new Date(delivery.date_created))
    const item = told.get(delivery.change_id)
    return item ? forAnybody(item) : withdrawnItem(company_id, delivery, eventOf.get(delivery.event_id))
  })
}

interface Sending {
  webhook: Pick<Webhook, 'id'>
  secrets: Buffer[]
  now: Date
  number?: number
  attempt?: number
}

/** The request that delivers an item: its headers and its body. */
export function requestOf(item: { id: string }, { webhook, secrets, now, number, attempt }: Sending) {
  const body = JSON.stringify(item)
  const seconds = Math.floor(now.getTime() / 1000)
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': `Guildhall/${VERSION}`,
    'webhook-id': item.id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signaturesOf(secrets, item.id, seconds, body),
    'guildhall-webhook': webhook.id,
    ...(number !== undefined && { 'guildhall-number': String(number) }),
    ...(attempt !== undefined && { 'guildhall-attempt': String(attempt) }),
  }
  return { headers, body }
}
