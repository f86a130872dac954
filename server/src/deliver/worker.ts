import type { FairQueue } from '../core/shares/fair-queue.ts'
import type { Holder } from '../core/shares/holder.ts'
import type { Database } from '../db/client.ts'
import { sql } from '../db/sql.ts'
import type { Sender } from '../outbound/post.ts'
import type { Viewer } from '../resources/campaigns/across.ts'
import { MAX_SCANNED } from '../resources/changes/scan.ts'
import { itemsOf, requestOf, viewerOf } from '../resources/webhook-deliveries/content.ts'
import { attemptOf } from '../resources/webhook-deliveries/ping.ts'
import { findDelivered } from '../resources/webhooks/queries.ts'
import type { Webhook } from '../resources/webhooks/schema.ts'
import { signingSecrets } from '../resources/webhooks/secrets.ts'
import type { Health } from './judge.ts'
import { type Lease, release, renew } from './leases.ts'
import { type Result, type Taken, type Turn, takeTurn } from './turn.ts'
import { addDeliveries, MAX_PENDING, nextDeliveries, rangeOf } from './window.ts'

/** A process gives a webhook back after this time, so that others get a turn. */
const MAX_HELD_MS = 40_000
/** More of the feed becomes deliveries when fewer than these wait. */
const MIN_PENDING = 50
/** Requests that end within this time are written together: a turn costs about as much for four of them as for one. */
const GATHER_MS = 5

export interface WorkerOptions {
  db: Database
  sender: Sender
  clock: () => Date
  random: () => number
  timeoutMs: number
  leaseMs: number
  /** The requests of this process: a worker waits for its turn before it sends. */
  requests: FairQueue
  isStopping: () => boolean
  /** Called for every delivery that was sent. */
  sent: (result: Result) => void
  /** Called when the webhook was disabled because of its endpoint. */
  disabled: (webhook: Webhook, reason: string) => void
}

const isPaused = ({ pausedUntil }: Health, now: Date) => pausedUntil !== null && pausedUntil > now

/** Delivers for one webhook while this process has it. */
export class Worker {
  readonly #held: Lease
  /** The tenant and the company from whose share requests take. */
  readonly #holder: Holder
  readonly #options: WorkerOptions
  /** The deliveries that were taken, until their results are written. */
  readonly #inFlight = new Set<string>()
  #results: Result[] = []
  /** Resolves when there is a reason for the next turn: a request ended, for example. */
  #reason = Promise.withResolvers<void>()
  #gathering: NodeJS.Timeout | undefined
  #isGivenBack = false
  #fillsReplay = false
  #askedToWait = false
  /** The number of positions that the next part of the feed is looked for in. */
  #scanned = MAX_SCANNED
  /** The webhook as it was in the last turn. */
  #webhook: Webhook | undefined
  /** The error that kept deliveries from being sent: that the database is away, for example. */
  #fault: unknown

  constructor(held: Lease, holder: Holder, options: WorkerOptions) {
    this.#held = held
    this.#holder = holder
    this.#options = options
  }

  /** Delivers until there is nothing to do for now, the time is over, or another process has the webhook. */
  async run(): Promise<void> {
    const { clock, leaseMs, isStopping } = this.#options
    const startedAt = clock().getTime()
    const heartbeat = setInterval(() => void this.#renew(), leaseMs / 4)
    heartbeat.unref()
    try {
      // Nothing is taken in the first turn: an endpoint that fails is tried with what has not been tried, and that may still be in the feed.
      for (let isFirst = true; ; isFirst = false) {
        // Deliveries that were taken are sent again when the lease is over.
        if (this.#fault) throw this.#fault
        const isLast = isStopping() || this.#isGivenBack || clock().getTime() - startedAt > MAX_HELD_MS
        const turn = await this.#turn(!isFirst && !isLast)
        if (!turn) return
        if (turn.taken.length) void this.#send(turn)
        const isFilled = !isLast && !turn.isOver && (await this.#fill(turn))
        if (isFilled || (isFirst && !isLast && !turn.isOver)) continue
        if (this.#inFlight.size === 0) return await this.#release(turn, isLast)
        await this.#reason.promise
      }
    } finally {
      clearInterval(heartbeat)
      clearTimeout(this.#gathering)
    }
  }

  /** Looks again: the feed got longer. */
  wake(): void {
    this.#reason.resolve()
  }

  /** Ends as soon as its requests have ended: another tenant gets its slot. */
  giveBack(): void {
    this.#isGivenBack = true
    this.wake()
  }

  async #renew(): Promise<void> {
    const { db, clock, leaseMs } = this.#options
    // If it fails, the next one or the next turn does it.
    await db.transaction(async (tx) => renew(tx, this.#held, clock(), leaseMs)).catch(() => {})
  }

  async #turn(takes: boolean): Promise<(Turn & { viewer: Viewer | null }) | null> {
    const { db, clock, random, leaseMs } = this.#options
    const results = this.#results
    this.#results = []
    this.#reason = Promise.withResolvers()
    clearTimeout(this.#gathering)
    this.#gathering = undefined
    const lacksViewer = this.#inFlight.size === 0 && (await this.#lacksViewer())
    const ended = new Set(results.map(({ delivery }) => delivery.id))
    const inFlight = [...this.#inFlight].filter((id) => !ended.has(id))
    const input = { held: this.#held, now: clock(), random, results, inFlight, leaseMs, lacksViewer, takes, askedToWait: this.#askedToWait }
    const turn = await db.transaction((tx) => takeTurn(tx, input))
    if (!turn) return null
    this.#askedToWait = turn.health.askedToWait
    this.#webhook = turn.webhook
    for (const id of ended) this.#inFlight.delete(id)
    if (turn.disabled) this.#options.disabled(turn.webhook, turn.disabled)
    for (const { id } of turn.taken) this.#inFlight.add(id)
    // The view and the URL are those of one version: somebody may have changed both since the webhook was read above.
    return { ...turn, viewer: await viewerOf(db, turn.webhook) }
  }

  /** Returns true if the view of a user is sent, and the user is archived. Only such a webhook is read again for it. */
  async #lacksViewer(): Promise<boolean> {
    if (this.#webhook && this.#webhook.sight !== 'USER') return false
    const { company_id, id } = this.#held
    const [webhook] = await this.#options.db.query<Webhook>(sql`
      SELECT id, company_id, sight, user_id FROM webhooks WHERE company_id = ${company_id} AND id = ${id}`)
    return webhook !== undefined && (await viewerOf(this.#options.db, webhook)) === null
  }

  /** Makes deliveries of the next part of the feed, if there is room for them. Returns true if the position moved. */
  async #fill({ webhook, viewer, progress, pending, health }: Turn & { viewer: Viewer | null }): Promise<boolean> {
    if (!viewer || pending >= MIN_PENDING || isPaused(health, this.#options.clock())) return false
    this.#fillsReplay = !this.#fillsReplay
    const range = rangeOf(webhook, progress, this.#fillsReplay)
    if (!range) return false
    const { db, clock } = this.#options
    // One event may be two changes.
    const room = MAX_PENDING - pending - 1
    const { deliveries, end } = await nextDeliveries(db, viewer, webhook, range, progress, { room, scanned: this.#scanned })
    // Where most events are told, a part of them is enough. Where few are, the next ones are far away.
    this.#scanned = deliveries.length >= room ? Math.min(MAX_SCANNED, 2 * (end - range.from)) : MAX_SCANNED
    return db.transaction((tx) => addDeliveries(tx, this.#held, range, deliveries, end, clock()))
  }

  async #send({ webhook, viewer, taken }: Turn & { viewer: Viewer | null }): Promise<void> {
    const { db, requests } = this.#options
    const { company_id, id } = this.#held
    const readContent = async (seenBy: Viewer | null, deliveries: Taken[]) => {
      if (!seenBy) throw new Error('The user whose view is sent was archived at this moment')
      const [items, secrets] = await Promise.all([itemsOf(db, seenBy, deliveries), signingSecrets(db, this.#held)])
      return { items: items as { id: string }[], keys: secrets.map(({ secret }) => secret) }
    }
    const sendInTurn = (delivery: Taken, i: number, { items, keys }: Awaited<ReturnType<typeof readContent>>) => {
      let hasWaited = false
      const sent = requests.run(this.#holder, async () => {
        if (!hasWaited) return this.#post(webhook, delivery, items[i] as { id: string }, keys)
        // Others may take their time to answer. What may be sent, where to, and which secrets sign is read again, as it is now.
        const current = await findDelivered(db, { company_id, id })
        if (!current) return this.#putBack(delivery)
        const content = await readContent(await viewerOf(db, current), [delivery])
        return this.#post(current, delivery, content.items[0] as { id: string }, content.keys)
      })
      // A request that has its turn at once has begun by now.
      hasWaited = true
      return sent
    }
    try {
      const content = await readContent(viewer, taken)
      await Promise.all(taken.map((delivery, i) => sendInTurn(delivery, i, content)))
    } catch (error) {
      this.#fault = error
      this.#reason.resolve()
    }
  }

  /** Gives up a delivery that waited until its webhook was no longer delivered. It is sent if the webhook is enabled or restored. */
  #putBack({ id }: Taken): void {
    this.#inFlight.delete(id)
    this.#reason.resolve()
  }

  async #post(webhook: Webhook, delivery: Taken, item: { id: string }, secrets: Buffer[]): Promise<void> {
    const { sender, clock, timeoutMs, sent } = this.#options
    const { number, attempts: attempt } = delivery
    const now = clock()
    const request = requestOf(item, { webhook, secrets, now, number, attempt })
    const exchange = await sender.post({ url: webhook.url, ...request, timeoutMs })
    const result = { delivery, attempt: attemptOf(now, webhook.url, request, exchange) }
    this.#results.push(result)
    sent(result)
    if (this.#results.length >= this.#inFlight.size) this.#reason.resolve()
    else this.#gathering ??= setTimeout(() => this.#reason.resolve(), GATHER_MS)
  }

  /** Gives the webhook back. It is due when the first delivery is, or when the endpoint is tried again. */
  async #release({ health, progress, pending, viewer, isOver }: Turn & { viewer: Viewer | null }, isLast: boolean): Promise<void> {
    const { db, clock } = this.#options
    const { company_id, id } = this.#held
    await db.transaction(async (tx) => {
      const [next] = await tx.query<{ date_due: string | null }>(sql`
        SELECT min(date_due) AS date_due FROM webhook_deliveries WHERE company_id = ${company_id} AND webhook_id = ${id} AND status = 'PENDING'`)
      const waiting = next?.date_due ? new Date(next.date_due) : null
      const waits = isPaused(health, clock())
      const hasMore = !isOver && (isLast || progress.replay_position !== null)
      const dueAt = waits ? health.pausedUntil : hasMore ? clock() : waiting
      release(tx, this.#held, { now: clock(), dueAt, follows: !waits && viewer !== null && pending < MIN_PENDING })
    })
  }
}
