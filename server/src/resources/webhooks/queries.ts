import type { Listed } from '../../core/page.ts'
import { conflict, notFound } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { columnsOf } from '../../db/columns.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import type { Networks } from '../../outbound/networks.ts'
import { refuseReplay, refuseSight, refuseUrl } from './rules.ts'
import { beginReplay, beginRun, lockRun, readProgress, resetRun, resumeRun, skipBacklog } from './runs.ts'
import { MAX_WEBHOOKS, Webhook, type WebhookCreate, type WebhookEnable, type WebhookPatch, type WebhookReplay } from './schema.ts'
import { issueSecret, rotateSecret } from './secrets.ts'

const webhooks = table('webhooks', Webhook, {
  noun: 'Webhook',
  references: { users: 'user_id' },
  indexesAcrossCompanies: ['webhooks_to_purge'],
  partOf: { campaigns: 'campaign_id' },
  conflicts: {
    webhooks_name: {
      columns: ['name_key'],
      message: 'The company already has a webhook with this name. Change that one, or choose another name.',
    },
  },
})

interface Scope {
  company_id: string
  id: string
}

export const listWebhooks = (db: Db, company_id: string, listed: Listed) => webhooks.list(db, { company_id }, listed, { restorable: true })
export const getWebhook = (db: Db, scope: Scope) => webhooks.get(db, scope)

/** Finds a webhook that is delivered now: it is enabled, and neither it nor its company is archived. */
export async function findDelivered(db: Db, { company_id, id }: Scope): Promise<Webhook | null> {
  const [found] = await db.query<Webhook>(sql`
    SELECT ${columnsOf(Webhook, 'w')} FROM webhooks w JOIN companies c ON c.id = ${company_id} AND c.date_archived IS NULL
    WHERE w.company_id = ${company_id} AND w.id = ${id} AND w.status = 'ENABLED' AND w.date_archived IS NULL`)
  return found ?? null
}

export async function getProgress(db: Db, scope: Scope) {
  await getWebhook(db, scope)
  return readProgress(db, scope)
}

/** Locks the company, so that requests at the same time cannot exceed the maximum together. */
async function refuseTooMany(tx: Tx, company_id: string): Promise<void> {
  await tx.query(sql`SELECT id FROM companies WHERE id = ${company_id} FOR NO KEY UPDATE`)
  const [{ count } = { count: 0 }] = await tx.query<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM webhooks WHERE company_id = ${company_id} AND date_archived IS NULL`)
  if (count >= MAX_WEBHOOKS)
    conflict('too_many_webhooks', `The company already has ${MAX_WEBHOOKS} webhooks, which is the maximum. Delete one first.`)
}

/** Keeps the campaign and the user that the webhook names live until the transaction ends. */
async function refuseUnknown(tx: Tx, company_id: string, { campaign_id, user_id }: Partial<WebhookCreate>): Promise<void> {
  const named = [
    ['campaigns', campaign_id, 'Campaign'],
    ['users', user_id, 'User'],
  ] as const
  for (const [name, id, noun] of named) {
    if (!id) continue
    const found = await tx.query(sql`
      SELECT 1 AS one FROM ${sql.id(name)} WHERE company_id = ${company_id} AND id = ${id} AND date_archived IS NULL FOR KEY SHARE`)
    if (!found.length) notFound(noun)
  }
}

/** The secret is only in the reply, never in an event. */
export async function createWebhook(tx: Tx, company_id: string, body: WebhookCreate, networks: Networks) {
  refuseUrl(body.url, networks)
  refuseSight(body)
  await refuseTooMany(tx, company_id)
  await refuseUnknown(tx, company_id, body)
  const { after } = await webhooks.insert(tx, { ...body, company_id, status: 'ENABLED', disabled_reason: null })
  await beginRun(tx, after)
  return { before: null, after, reply: { ...after, secret: issueSecret(tx, after) } }
}

export async function updateWebhook(tx: Tx, scope: Scope, patch: WebhookPatch, networks: Networks) {
  if (patch.url !== undefined) refuseUrl(patch.url, networks)
  await refuseUnknown(tx, scope.company_id, patch)
  return webhooks.update(tx, scope, patch, (row) => refuseSight({ ...row, ...patch }))
}

export const archiveWebhook = (tx: Tx, scope: Scope) => webhooks.archive(tx, scope)

/** Goes on where it ended, so that nothing is lost by a mistake. */
export async function restoreWebhook(tx: Tx, scope: Scope) {
  const change = await webhooks.restore(tx, scope, (row) => row.date_archived && refuseTooMany(tx, scope.company_id))
  if (change.before !== change.after) resumeRun(tx, scope)
  return change
}

/** Changes the status, and returns what changed besides the dates. */
const setStatus = (tx: Tx, scope: Scope, status: Webhook['status'], disabled_reason: Webhook['disabled_reason']) =>
  webhooks.update(tx, scope, (row) => (row.status === status ? {} : { status, disabled_reason }))

export const disableWebhook = (tx: Tx, scope: Scope, reason: NonNullable<Webhook['disabled_reason']>) =>
  setStatus(tx, scope, 'DISABLED', reason)

export async function enableWebhook(tx: Tx, scope: Scope, { from }: WebhookEnable) {
  const change = await setStatus(tx, scope, 'ENABLED', null)
  if (change.before === change.after) conflict('webhook_enabled', 'The webhook is enabled already.')
  if (from === 'NOW') await skipBacklog(tx, scope)
  // What happened after the backup was made is not known here, but the receiver may have been told of it.
  if (change.before.disabled_reason === 'RESTORED') resetRun(tx, scope)
  resumeRun(tx, scope)
  return change
}

export async function rotateWebhook(tx: Tx, scope: Scope, overlapSeconds: number) {
  const row = await webhooks.hold(tx, scope)
  // Of several rotations at once, one is first.
  await lockRun(tx, scope)
  const secret = await rotateSecret(tx, scope, overlapSeconds)
  return { before: { ...row, rotated: false }, after: { ...row, rotated: true }, reply: { ...row, secret } }
}

export async function replayWebhook(tx: Tx, scope: Scope, body: WebhookReplay) {
  const row = await webhooks.hold(tx, scope)
  if (row.status === 'DISABLED') conflict('webhook_disabled', 'The webhook is disabled. Enable it first.')
  refuseReplay(body)
  const events = await beginReplay(tx, scope, body)
  return { before: { ...row, replayed: null }, after: { ...row, replayed: { ...body, events } }, reply: { events } }
}
