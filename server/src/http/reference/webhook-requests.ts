import { type TSchema, Type } from '@guildhall/rules/type'
import { Enum, Id, Int, Text, Timestamp } from '../../core/fields.ts'
import type { Plan } from '../plan.ts'
import { example } from './example.ts'
import { HEADERS, ref } from './openapi-parts.ts'

// The `webhooks` of the OpenAPI document: the requests that the service sends, described from the side of the receiver. One entry stands for all types of events,
// because all have the same body, and a generator makes one handler of each entry.

const header = (name: string, description: string, schema: TSchema) => ({ name, in: 'header', required: true, description, schema })

/** The headers of deliveries, by the names of their components. */
export const WEBHOOK_HEADERS = {
  WebhookId: header(
    'webhook-id',
    'Identifier of the change: `id` of the body. A delivery that is sent again has the same one',
    Id('Identifier of the change'),
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'Time of this attempt, in seconds since 1970. Refuse one that differs from your clock by more than five minutes',
    Int(0, Number.MAX_SAFE_INTEGER, 'Seconds since 1970', 1_794_873_600),
  ),
  WebhookSignature: header(
    'webhook-signature',
    'Signatures, separated by spaces: `v1,` and the base64 of the HMAC-SHA-256 of `{webhook-id}.{webhook-timestamp}.{body}`. Two while a secret is rotated: one that matches is enough',
    Text(200, 'Signatures of Standard Webhooks', 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='),
  ),
  GuildhallWebhook: header('guildhall-webhook', 'Identifier of the webhook', Id('Identifier of the webhook')),
  GuildhallNumber: header(
    'guildhall-number',
    'Number of the delivery among those of the webhook, without gaps: a receiver that finds one missing has not got it yet, or it was skipped',
    Int(1, Number.MAX_SAFE_INTEGER, 'Number of the delivery', 1204),
  ),
  GuildhallAttempt: header(
    'guildhall-attempt',
    'Number of this attempt: 1 unless the delivery is sent again',
    Int(1, 2_147_483_647, 'Number of the attempt', 1),
  ),
}

const ALWAYS = ['WebhookId', 'WebhookTimestamp', 'WebhookSignature', 'GuildhallWebhook'] as const

const WebhookPing = Type.Object(
  {
    id: Id('Identifier of the ping'),
    type: Enum('WebhookPingType', ['webhook.ping'], 'Always `webhook.ping`'),
    timestamp: Timestamp('When it was sent'),
    company_id: Id('Company of the webhook'),
    data: Type.Object(
      { webhook_id: Id('The webhook') },
      { title: 'WebhookPingData', description: 'The webhook that somebody wants to try out' },
    ),
  },
  { title: 'WebhookPing', description: 'A delivery that tells nothing, to try out an endpoint' },
)

const RETRY = { 'Retry-After': { ...HEADERS['Retry-After'], description: 'Seconds to wait, or a date: 1 second to 24 hours' } }

const RESPONSES = {
  204: { description: 'Accepted. Any other status of 2xx means the same. The body is kept for the log of the delivery, up to 4 kB' },
  410: { description: 'The endpoint is gone: the webhook is disabled' },
  429: { description: 'Too many requests: nothing is sent until `Retry-After`', headers: RETRY },
  503: { description: 'Not available: nothing is sent until `Retry-After`', headers: RETRY },
  default: { description: 'Not accepted: the delivery is sent again later. Redirects count as this, too' },
}

function requestOf(
  name: string,
  summary: string,
  description: string,
  schema: TSchema,
  headers: readonly (keyof typeof WEBHOOK_HEADERS)[],
) {
  const examples = { body: { summary: 'A body', value: example(schema) } }
  return {
    post: {
      operationId: `webhooks_${name}`,
      tags: ['Webhooks'],
      summary,
      description,
      security: [],
      parameters: headers.map((one) => ref('parameters', one)),
      requestBody: { description: summary, required: true, content: { 'application/json': { schema, examples } } },
      responses: RESPONSES,
    },
  }
}

/** Describes the requests that webhooks are, for an API that has them. Their body is the item that streams send. */
export function webhookRequests(plans: Plan[]): Record<string, object> {
  const item = plans.find(({ streams }) => streams)?.reply[1]
  if (!item || !plans.some(({ id }) => id === 'webhooks.create')) return {}
  return {
    change: requestOf(
      'onChange',
      'Tell of a change',
      'The service posts every change that the webhook asks for, and that the reader of its `sight` may see: an item of the changes feed. Answer within 15 seconds. Verify the signature with the body as it was received, and ignore a `webhook-id` that you have applied.',
      item,
      [...ALWAYS, 'GuildhallNumber', 'GuildhallAttempt'],
    ),
    ping: requestOf(
      'onPing',
      'Try out the endpoint',
      'The service posts this once for `POST .../webhooks/{webhook_id}/ping`. It has no number and is not sent again.',
      WebhookPing,
      ALWAYS,
    ),
  }
}
