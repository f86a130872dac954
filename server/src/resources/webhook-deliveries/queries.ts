import { conflict } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { columnsOf } from '../../db/columns.ts'
import { between } from '../../db/list.ts'
import { declareTable } from '../../db/registry.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import { lockRun } from '../webhooks/runs.ts'
import { type Webhook, WebhookAttempt } from '../webhooks/schema.ts'
import { previewRequest } from './preview.ts'
import { type DeliveryQuery, MAX_LOGGED_ATTEMPTS, WebhookDelivery } from './schema.ts'

const deliveries = table('webhook_deliveries', WebhookDelivery, {
  noun: 'Delivery',
  partOf: { webhooks: 'webhook_id' },
  indexesAcrossCompanies: ['webhook_deliveries_done'],
})
declareTable('webhook_attempts', undefined, {
  partOf: { webhooks: 'webhook_id', webhook_deliveries: 'delivery_id' },
  indexesAcrossCompanies: ['webhook_attempts_by_date'],
})

interface InWebhook {
  company_id: string
  webhook_id: string
}
type Scope = InWebhook & { id: string }

/** The webhook of the path, as far as it decides what can be done. */
type OfPath = Pick<Webhook, 'id' | 'status'>

export function listDeliveries(db: Db, scope: InWebhook, query: DeliveryQuery) {
  const { status, type, event_id, number, from, to, ...listed } = query
  const where = Object.entries({ status, type, event_id, number })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => sql`${sql.id(key)} = ${value}`)
  return deliveries.list(db, scope, listed, { where: [...where, ...between(sql`id`, from, to)] })
}

export async function getDelivery(db: Db, scope: Scope) {
  const delivery = await deliveries.get(db, scope)
  const last = await db.query<WebhookAttempt>(sql`
    SELECT ${columnsOf(WebhookAttempt)} FROM webhook_attempts WHERE company_id = ${scope.company_id} AND delivery_id = ${scope.id}
    ORDER BY id DESC LIMIT ${sql.number(MAX_LOGGED_ATTEMPTS)}`)
  return { ...delivery, log: last.reverse(), request: await previewRequest(db, delivery) }
}

async function lockDelivery(tx: Tx, scope: Scope) {
  const { company_id, webhook_id, id } = scope
  await lockRun(tx, { company_id, id: webhook_id })
  await tx.query(sql`
    SELECT 1 AS one FROM webhook_deliveries WHERE company_id = ${company_id} AND webhook_id = ${webhook_id} AND id = ${id} FOR UPDATE`)
  return deliveries.get(tx, scope)
}

/** Makes a delivery due now, and has the deliverer look at once, even if the endpoint fails. */
export async function retryDelivery(tx: Tx, scope: Scope, webhook: OfPath) {
  const before = await lockDelivery(tx, scope)
  if (webhook.status === 'DISABLED') conflict('webhook_disabled', 'The webhook is disabled. Enable it first.')
  const after: WebhookDelivery = { ...before, status: 'PENDING', date_due: tx.now().toISOString(), date_done: null }
  tx.send(sql`
    UPDATE webhook_deliveries SET status = 'PENDING', failures = 0, date_due = ${after.date_due}, date_done = NULL
    WHERE company_id = ${scope.company_id} AND id = ${scope.id}`)
  tx.send(sql`UPDATE webhook_runs SET date_due = ${tx.now()} WHERE company_id = ${scope.company_id} AND id = ${scope.webhook_id}`)
  return eventOf(webhook, 'retried', before, after)
}

/** Leaves a delivery out. One that is being sent at this moment may still arrive. */
export async function skipDelivery(tx: Tx, scope: Scope, webhook: OfPath) {
  const before = await lockDelivery(tx, scope)
  if (before.status !== 'PENDING') conflict('not_pending', 'The delivery does not wait: it was delivered, given up or skipped already.')
  const after: WebhookDelivery = { ...before, status: 'SKIPPED', date_due: null, date_done: tx.now().toISOString() }
  tx.send(sql`
    UPDATE webhook_deliveries SET status = 'SKIPPED', date_due = NULL, date_done = ${after.date_done}
    WHERE company_id = ${scope.company_id} AND id = ${scope.id}`)
  tx.send(sql`UPDATE webhook_runs SET date_due = ${tx.now()} WHERE company_id = ${scope.company_id} AND id = ${scope.webhook_id}`)
  return eventOf(webhook, 'skipped', before, after)
}

/** The event is one of the webhook, because a delivery is no resource that anybody follows. */
const eventOf = ({ id }: OfPath, what: string, { number }: WebhookDelivery, reply: WebhookDelivery) => ({
  before: { id, [what]: null },
  after: { id, [what]: number },
  reply,
})
