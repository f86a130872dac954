import type { Tx } from '../db/client.ts'
import { columnsOf } from '../db/columns.ts'
import { type Sql, sql } from '../db/sql.ts'
import { record } from '../events/record.ts'
import type { Deliverable } from '../resources/webhook-deliveries/content.ts'
import { disableWebhook } from '../resources/webhooks/queries.ts'
import { Webhook, type WebhookAttempt } from '../resources/webhooks/schema.ts'
import { type Health, judge, judgeNothing } from './judge.ts'
import { isHeld, type Lease } from './leases.ts'
import { MAX_PENDING, type Progress } from './window.ts'

/** A delivery that was taken to be sent. */
export interface Taken extends Deliverable {
  id: string
  number: number
  attempts: number
  failures: number
}

/** A delivery that was sent, and its attempt. */
export interface Result {
  delivery: Taken
  attempt: WebhookAttempt
}

/** The state of a webhook at the end of a turn. */
export interface Turn {
  webhook: Webhook
  /** True if it was disabled or archived, or its company was. */
  isOver: boolean
  /** The reason for which this turn disabled it. */
  disabled: Webhook['disabled_reason']
  health: Health
  progress: Progress
  taken: Taken[]
  /** The number of deliveries that wait, those that are being sent included. */
  pending: number
}

interface TurnInput {
  held: Lease
  now: Date
  random: () => number
  results: Result[]
  /** The ids of deliveries that are being sent. */
  inFlight: string[]
  leaseMs: number
  /** True if there is nobody whose view could be sent. */
  lacksViewer: boolean
  /** False if nothing more is to be sent. */
  takes: boolean
  /** True if the endpoint asked for the pause that it had at the end of the last turn. Only requests that were under way then need to know, so it is not stored. */
  askedToWait: boolean
}

interface RunRow extends Progress {
  failures: number
  date_failing_since: string | null
  width: number
  date_due: string | null
  companyArchived: boolean
}

const dateOf = (text: string | null) => (text === null ? null : new Date(text))

/** Reads the webhook and its run, and locks the run: whatever this process wants to write, it may only while the lease is its own. */
async function lockRun(tx: Tx, { held, now, askedToWait }: TurnInput) {
  const { company_id } = held
  const [row] = await tx.query<Webhook & { run: RunRow }>(sql`
    SELECT ${columnsOf(Webhook, 'w')},
      json_build_object('position', r.position, 'failures', r.failures, 'date_failing_since', r.date_failing_since, 'width', r.width, 'date_due', r.date_due,
        'replay_position', r.replay_position, 'replay_until', r.replay_until, 'replay_types', r.replay_types,
        'head', coalesce(h.last, 0), 'first', coalesce(h.first, 1), 'companyArchived', c.date_archived IS NOT NULL) AS run
    FROM webhook_runs r JOIN webhooks w ON w.company_id = ${company_id} AND w.id = r.id JOIN companies c ON c.id = ${company_id}
    LEFT JOIN feed_heads h ON h.company_id = ${company_id}
    WHERE ${isHeld(held, now)} FOR UPDATE OF r`)
  if (!row) return null
  const { run, ...webhook } = row
  const { failures, date_failing_since, width, date_due } = run
  const health: Health = {
    failures,
    failingSince: dateOf(date_failing_since),
    width,
    pausedUntil: failures > 0 ? dateOf(date_due) : null,
    askedToWait,
  }
  return { webhook: webhook as Webhook, run, health }
}

const valuesOf = ({ company_id, id }: Lease, tx: Tx, { delivery, attempt }: Result): Sql => sql`(${company_id}::uuid, ${tx.newId()}::uuid,
  ${id}::uuid, ${delivery.id}::uuid, ${attempt.url}, ${JSON.stringify(attempt.request_headers)}::jsonb, ${attempt.request_bytes}::integer,
  ${attempt.status}::integer, ${attempt.response_headers === null ? null : JSON.stringify(attempt.response_headers)}::jsonb,
  ${attempt.response_body}, ${attempt.error}, ${attempt.duration_ms}::integer, ${attempt.date_created}::timestamptz)`

function logAttempts(tx: Tx, held: Lease, results: Result[]): void {
  if (results.length === 0) return
  tx.send(sql`
    INSERT INTO webhook_attempts (company_id, id, webhook_id, delivery_id, url, request_headers, request_bytes, status, response_headers, response_body, error,
      duration_ms, date_created)
    VALUES ${sql.join(
      results.map((result) => valuesOf(held, tx, result)),
      ', ',
    )}`)
}

/** Writes what became of deliveries. One that somebody skipped in the meantime stays skipped. */
function settle(tx: Tx, { held, now, random, results, lacksViewer }: TurnInput, before: Health) {
  let health = before
  let disabled: Webhook['disabled_reason'] = null
  if (lacksViewer) {
    const verdict = judgeNothing(health, now, random())
    health = verdict.health
    disabled = verdict.disabled ?? null
  }
  const delivered: string[] = []
  for (const { delivery, attempt } of results) {
    const answered = { status: attempt.status, retryAfter: attempt.response_headers?.['retry-after'] }
    const verdict = judge(health, delivery, answered, now, random())
    health = verdict.health
    disabled = verdict.disabled ?? disabled
    const { status } = verdict.delivery
    if (status === 'DELIVERED') {
      delivered.push(delivery.id)
      continue
    }
    const waits = verdict.delivery.status === 'PENDING' ? verdict.delivery : undefined
    tx.send(sql`
      UPDATE webhook_deliveries SET status = ${status}, failures = ${waits?.failures ?? delivery.failures},
        date_due = ${waits?.dueAt ?? null}, date_done = ${waits ? null : now}
      WHERE company_id = ${held.company_id} AND id = ${delivery.id} AND status = 'PENDING'`)
  }
  if (delivered.length)
    tx.send(sql`
      UPDATE webhook_deliveries SET status = 'DELIVERED', date_due = NULL, date_done = ${now}
      WHERE company_id = ${held.company_id} AND id = ANY (${delivered}::uuid[]) AND status = 'PENDING'`)
  logAttempts(tx, held, results)
  return { health, disabled }
}

/** Takes deliveries that are due. While the endpoint fails, one at a time, and not the same one again: it may be the only one that fails. */
async function take(tx: Tx, { held, now, inFlight, takes, lacksViewer }: TurnInput, { ordered }: Webhook, health: Health) {
  const { company_id, id } = held
  const isWaiting = sql`company_id = ${company_id} AND webhook_id = ${id} AND status = 'PENDING'`
  const waits = !takes || lacksViewer || (health.pausedUntil !== null && health.pausedUntil > now)
  const room = waits ? 0 : Math.max(0, (ordered ? 1 : health.width) - inFlight.length)
  // In order: nothing overtakes the first one, so that it is read although it may not be due.
  const isCandidate = ordered ? sql`true` : sql`date_due <= ${now}`
  const order = health.failures > 0 && !ordered ? sql`attempts, number` : sql`number`
  // Only as many as are taken are read: a hundred may wait, and a turn takes up to four.
  const [candidates, [waiting]] = await Promise.all([
    tx.query<Taken & { isDue: boolean }>(sql`
      SELECT id, number, event_id, position, change_id, type, attempts, failures, date_created, date_due <= ${now} AS "isDue" FROM webhook_deliveries
      WHERE ${isWaiting} AND id <> ALL (${inFlight}::uuid[]) AND ${isCandidate} ORDER BY ${order} LIMIT ${room}`),
    tx.query<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM (SELECT FROM webhook_deliveries WHERE ${isWaiting} LIMIT ${sql.number(MAX_PENDING * 2)}) waiting`),
  ])
  const taken = candidates.filter(({ isDue }) => isDue)
  // Counted before it is sent: a delivery that kills its process is not sent for ever without a trace.
  if (taken.length)
    tx.send(sql`
      UPDATE webhook_deliveries SET attempts = attempts + 1
      WHERE company_id = ${company_id} AND id = ANY (${taken.map((one) => one.id)}::uuid[])`)
  return { taken: taken.map((one) => ({ ...one, attempts: one.attempts + 1 })), pending: waiting?.count ?? 0 }
}

/**
 * One step of delivering: writes the results of requests that ended, and takes what is to be sent next. Null if the lease is lost. Then another process has the
 * webhook, and sends again what was in flight here.
 */
export async function takeTurn(tx: Tx, input: TurnInput): Promise<Turn | null> {
  const { held, now, leaseMs } = input
  const locked = await lockRun(tx, input)
  if (!locked) return null
  const { webhook, run } = locked
  const { health, disabled } = settle(tx, input, locked.health)
  tx.send(sql`
    UPDATE webhook_runs SET failures = ${health.failures}, date_failing_since = ${health.failingSince}, width = ${health.width},
      date_due = ${health.pausedUntil ?? run.date_due}, date_leased = ${new Date(now.getTime() + leaseMs)}
    WHERE company_id = ${held.company_id} AND id = ${held.id}`)
  const isLive = webhook.status === 'ENABLED' && webhook.date_archived === null && !run.companyArchived
  if (isLive && disabled) await disable(tx, held, disabled)
  const isOver = !isLive || disabled !== null
  const { taken, pending } = isOver ? { taken: [], pending: 0 } : await take(tx, input, webhook, health)
  return { webhook, isOver, disabled: isLive ? disabled : null, health, progress: run, taken, pending }
}

async function disable(tx: Tx, { company_id, id }: Lease, reason: NonNullable<Webhook['disabled_reason']>): Promise<void> {
  const change = await disableWebhook(tx, { company_id, id }, reason)
  record(tx, [{ type: 'webhook.disabled', ...change }], { company_id, developer_id: null, user_id: null, request_id: null })
}
