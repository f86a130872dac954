import { conflict } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { declareTable } from '../../db/registry.ts'
import { sql } from '../../db/sql.ts'
import { secretText } from '../../outbound/sign.ts'
import type { WebhookProgress, WebhookReplay } from './schema.ts'
import { signingSecrets } from './secrets.ts'

declareTable('webhook_runs', undefined, { partOf: { webhooks: 'id' }, indexesAcrossCompanies: ['webhook_runs_due'] })

interface OfWebhook {
  company_id: string
  id: string
}

async function headOf(db: Db, company_id: string): Promise<number> {
  const [head] = await db.query<{ last: number }>(sql`SELECT last FROM feed_heads WHERE company_id = ${company_id}`)
  return head?.last ?? 0
}

/** Locks the run of a webhook, before its deliveries and secrets, as the deliverer does it. */
export const lockRun = (tx: Tx, { company_id, id }: OfWebhook) =>
  tx.query(sql`SELECT 1 AS one FROM webhook_runs WHERE company_id = ${company_id} AND id = ${id} FOR UPDATE`)

/** Begins the run of a new webhook: with the next event. */
export async function beginRun(tx: Tx, { company_id, id }: OfWebhook): Promise<void> {
  const position = await headOf(tx, company_id)
  tx.send(sql`
    INSERT INTO webhook_runs (company_id, id, position, number, failures, width, follows) VALUES (${company_id}, ${id}, ${position}, 0, 0, 1, true)`)
}

/** Sends at once whatever waits, as if the endpoint had never failed. */
export const resumeRun = (tx: Tx, { company_id, id }: OfWebhook) =>
  tx.send(sql`
    UPDATE webhook_runs SET failures = 0, date_failing_since = NULL, width = 1, follows = true, date_due = ${tx.now()}
    WHERE company_id = ${company_id} AND id = ${id}`)

/** Leaves out everything that waits. */
export async function skipBacklog(tx: Tx, { company_id, id }: OfWebhook): Promise<void> {
  await lockRun(tx, { company_id, id })
  const position = await headOf(tx, company_id)
  tx.send(sql`
    UPDATE webhook_runs SET position = ${position}, replay_position = NULL, replay_until = NULL, replay_types = NULL
    WHERE company_id = ${company_id} AND id = ${id}`)
  tx.send(sql`
    UPDATE webhook_deliveries SET status = 'SKIPPED', date_due = NULL, date_done = ${tx.now()}
    WHERE company_id = ${company_id} AND webhook_id = ${id} AND status = 'PENDING'`)
}

/** Tells the receiver to read everything again, and goes on with what happens now: a place before the feed begins. */
export const resetRun = (tx: Tx, { company_id, id }: OfWebhook) =>
  tx.send(sql`UPDATE webhook_runs SET position = -1 WHERE company_id = ${company_id} AND id = ${id}`)

/** Begins to deliver a part of the feed a second time. Returns the number of its events. */
export async function beginReplay(tx: Tx, { company_id, id }: OfWebhook, { from, to, types }: WebhookReplay): Promise<number> {
  const [run] = await tx.query<{ position: number; isReplaying: boolean }>(sql`
    SELECT position, replay_position IS NOT NULL AS "isReplaying" FROM webhook_runs WHERE company_id = ${company_id} AND id = ${id} FOR UPDATE`)
  if (run?.isReplaying) conflict('replaying', 'Another replay of this webhook is not at its end yet. Wait for it.')
  const [range] = await tx.query<{ first: number | null; last: number | null; events: number }>(sql`
    SELECT min(position) AS first, max(position) AS last, count(*)::int AS events FROM feed
    WHERE company_id = ${company_id} AND position <= ${run?.position ?? 0} AND date_created >= ${from}
      AND date_created < ${to ?? tx.now()}`)
  if (!range || range.first === null || range.last === null) return 0
  tx.send(sql`
    UPDATE webhook_runs SET replay_position = ${range.first - 1}, replay_until = ${range.last},
      replay_types = ${types ?? null}::text[], date_due = ${tx.now()}
    WHERE company_id = ${company_id} AND id = ${id}`)
  return range.events
}

type ProgressRow = Omit<WebhookProgress, 'secrets'>

export async function readProgress(db: Db, scope: OfWebhook): Promise<WebhookProgress> {
  const { company_id, id } = scope
  const [[row], secrets] = await Promise.all([
    db.query<ProgressRow>(sql`
      SELECT greatest(coalesce(h.last, 0) - r.position, 0) AS backlog, r.number, r.failures, r.date_failing_since,
        coalesce(r.replay_until - r.replay_position, 0) AS replaying, waiting.pending,
        CASE WHEN waiting.pending > 0 THEN greatest(waiting.date_due, CASE WHEN r.failures > 0 THEN r.date_due END) END AS date_due
      FROM webhook_runs r LEFT JOIN feed_heads h ON h.company_id = ${company_id}
      CROSS JOIN (
        SELECT count(*)::int AS pending, min(date_due) AS date_due FROM webhook_deliveries
        WHERE company_id = ${company_id} AND webhook_id = ${id} AND status = 'PENDING'
      ) waiting
      WHERE r.company_id = ${company_id} AND r.id = ${id}`),
    signingSecrets(db, scope),
  ])
  return {
    ...(row as ProgressRow),
    secrets: secrets.map(({ secret, ...dates }) => ({ ...dates, last_four: secretText(secret).slice(-4) })),
  }
}
