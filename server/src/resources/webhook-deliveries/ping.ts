import type { Db } from '../../db/client.ts'
import type { Exchange, Sender } from '../../outbound/post.ts'
import { getWebhook } from '../webhooks/queries.ts'
import type { WebhookAttempt } from '../webhooks/schema.ts'
import { signingSecrets } from '../webhooks/secrets.ts'
import { requestOf } from './content.ts'

/** A request and its response as an attempt. */
export function attemptOf(
  now: Date,
  url: string,
  { headers, body }: { headers: Record<string, string>; body: string },
  exchange: Exchange,
): WebhookAttempt {
  const { status, error, headers: responded, body: response_body, milliseconds } = exchange
  const isRefused = status !== null && (status < 200 || status > 299)
  return {
    date_created: now.toISOString(),
    url,
    request_headers: headers,
    request_bytes: Buffer.byteLength(body),
    status,
    response_headers: responded && Object.fromEntries(Object.entries(responded).map(([name, value]) => [name, String(value)])),
    response_body,
    error: error ?? (isRefused ? 'status' : null),
    duration_ms: milliseconds,
  }
}

/** The longest time that a request waits for a ping. */
const PING_TIMEOUT_MS = 10_000

/** Posts a delivery that tells nothing, whatever the status of the webhook, and returns what became of it. */
export async function ping(db: Db, scope: { company_id: string; id: string }, sender: Sender): Promise<WebhookAttempt> {
  const webhook = await getWebhook(db, scope)
  const secrets = (await signingSecrets(db, scope)).map(({ secret }) => secret)
  const now = db.now()
  const item = {
    id: db.newId(),
    type: 'webhook.ping',
    timestamp: now.toISOString(),
    company_id: scope.company_id,
    data: { webhook_id: webhook.id },
  }
  const request = requestOf(item, { webhook, secrets, now })
  return attemptOf(now, webhook.url, request, await sender.post({ url: webhook.url, ...request, timeoutMs: PING_TIMEOUT_MS }))
}
