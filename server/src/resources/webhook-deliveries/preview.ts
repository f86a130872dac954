import type { Db } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { getWebhook } from '../webhooks/queries.ts'
import { signingSecrets } from '../webhooks/secrets.ts'
import { itemsOf, requestOf, viewerOf } from './content.ts'
import type { DeliveryRequest, WebhookDelivery } from './schema.ts'

/** The request that would deliver this now, or null if there is nobody whose view could be sent. */
export async function previewRequest(db: Db, delivery: WebhookDelivery): Promise<DeliveryRequest | null> {
  const { company_id, webhook_id, id, number, attempts } = delivery
  const scope = { company_id, id: webhook_id }
  const [webhook, secrets, [row]] = await Promise.all([
    getWebhook(db, scope),
    signingSecrets(db, scope),
    db.query<{ position: number | null }>(sql`SELECT position FROM webhook_deliveries WHERE company_id = ${company_id} AND id = ${id}`),
  ])
  const viewer = await viewerOf(db, webhook)
  if (!viewer) return null
  const [item] = await itemsOf(db, viewer, [{ ...delivery, position: row?.position ?? null }])
  if (!item) return null
  const sending = { webhook, secrets: secrets.map(({ secret }) => secret), now: db.now(), number, attempt: attempts + 1 }
  const { headers, body } = requestOf(item, sending)
  const { 'webhook-timestamp': time, 'webhook-signature': signature, ...kept } = headers
  return { url: webhook.url, headers: kept, body }
}
