import type { Db, Tx } from '../db/client.ts'
import { sql } from '../db/sql.ts'
import { NO_MARK } from '../events/cursor.ts'
import type { Viewer } from '../resources/campaigns/across.ts'
import { isInCampaign, tellEvents } from '../resources/changes/page.ts'
import { readEvents } from '../resources/changes/read-events.ts'
import type { Deliverable } from '../resources/webhook-deliveries/content.ts'
import { feedTypesOf } from '../resources/webhooks/rules.ts'
import type { Webhook } from '../resources/webhooks/schema.ts'
import { isHeld, type Lease } from './leases.ts'

/** The most deliveries of a webhook that wait: everything else is a position of the feed. */
export const MAX_PENDING = 100

/** A delivery before it is written. */
type NewDelivery = Omit<Deliverable, 'date_created'>

/** A part of the feed that becomes deliveries: from a position, and up to one. */
export interface Range {
  from: number
  until: number
  types: string[]
  isReplay: boolean
}

export interface Progress {
  position: number
  head: number
  first: number
  replay_position: number | null
  replay_until: number | null
  replay_types: string[] | null
}

/** The next part of the feed: the replay, if there is one, and otherwise what is new. They take turns, so that a replay does not hold up what is new. */
export function rangeOf(webhook: Webhook, progress: Progress, prefersReplay: boolean): Range | undefined {
  const { position, head, replay_position: from, replay_until: until, replay_types } = progress
  const types = feedTypesOf(webhook.types)
  const live = head > position ? { from: position, until: head, types, isReplay: false } : undefined
  const replay =
    from === null || until === null ? undefined : { from, until, types: feedTypesOf(webhook.types, replay_types), isReplay: true }
  return prefersReplay ? (replay ?? live) : (live ?? replay)
}

/** Reads what of a part of the feed the webhook tells, as many changes as there is room for, and the position up to which that is everything. */
export async function nextDeliveries(
  db: Db,
  viewer: Viewer,
  { campaign_id }: Webhook,
  { from, until, types }: Range,
  { first, head }: Progress,
  { room, scanned }: { room: number; scanned: number },
): Promise<{ deliveries: NewDelivery[]; end: number }> {
  const { company_id } = viewer
  // Positions are deleted after 30 days. The receiver has to read everything again, and continues with new events.
  if (from < first - 1) return { deliveries: [{ change_id: db.newId(), event_id: null, position: null, type: 'feed.reset' }], end: head }
  const scan = await readEvents(db, company_id, { position: from, mark: NO_MARK }, Math.min(scanned, until - from))
  const asked = campaign_id ?? undefined
  const events = scan.events.filter((event) => isInCampaign(event, asked, viewer.actor?.id ?? null))
  const { placed, end } = await tellEvents(db, viewer, events, { limit: room, types })
  const deliveries = placed.map(({ item, event }) => ({
    change_id: item.id,
    event_id: event.id,
    position: event.position,
    type: item.type,
  }))
  return { deliveries, end: end ?? scan.last.position }
}

/** Writes deliveries with the next numbers, and moves the position, if the webhook is still leased and nobody moved it. */
export async function addDeliveries(
  tx: Tx,
  held: Lease,
  range: Range,
  deliveries: NewDelivery[],
  end: number,
  now: Date,
): Promise<boolean> {
  const { from, until, isReplay } = range
  const column = sql.id(isReplay ? 'replay_position' : 'position')
  const [run] = await tx.query<{ number: number }>(sql`
    SELECT r.number FROM webhook_runs r WHERE ${isHeld(held, now)} AND r.${column} = ${from} FOR UPDATE`)
  if (!run) return false
  const { company_id, id } = held
  const isOver = isReplay && end >= until
  tx.send(sql`
    UPDATE webhook_runs SET number = ${run.number + deliveries.length},
      ${isOver ? sql`replay_position = NULL, replay_until = NULL, replay_types = NULL` : sql`${column} = ${end}`}
    WHERE company_id = ${company_id} AND id = ${id}`)
  if (deliveries.length === 0) return true
  const rows = deliveries.map(
    ({ change_id, event_id, position, type }, i) =>
      sql`(${company_id}::uuid, ${tx.newId()}::uuid, ${id}::uuid, ${run.number + i + 1}::bigint, ${event_id}::uuid, ${position}::bigint,
        ${change_id}::uuid, ${type}, 'PENDING', ${isReplay}::boolean, 0, 0, ${now}::timestamptz, ${now}::timestamptz)`,
  )
  tx.send(sql`
    INSERT INTO webhook_deliveries (company_id, id, webhook_id, number, event_id, position, change_id, type, status, is_replay, attempts, failures,
      date_due, date_created)
    VALUES ${sql.join(rows, ', ')}`)
  return true
}
