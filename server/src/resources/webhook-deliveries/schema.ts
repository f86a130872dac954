import { type Static, Type } from '@guildhall/rules/type'
import { Enum, Flag, Id, Int, Nullable, Text, Timestamp } from '../../core/fields.ts'
import { page, sortByDate } from '../../core/page.ts'
import { MAX_SHOWN_BYTES } from '../../events/changes.ts'
import { FEED_TYPES } from '../../events/feed-types.ts'
import { MAX_RESOURCE_BYTES } from '../changes/schema.ts'
import { WebhookAttempt } from '../webhooks/schema.ts'

export const MAX_LOGGED_ATTEMPTS = 50
/** A change has a resource and its changes within their limits, and little else. As a string in JSON, each quote takes another byte. */
const MAX_BODY_BYTES = 2 * (MAX_RESOURCE_BYTES + MAX_SHOWN_BYTES + 2000)

const DeliveryStatus = (description: string) =>
  Enum('WebhookDeliveryStatus', ['PENDING', 'DELIVERED', 'FAILED', 'SKIPPED'], description, 'DELIVERED')

export const WebhookDelivery = Type.Object(
  {
    id: Id('Delivery identifier'),
    company_id: Id('Owning company'),
    webhook_id: Id('The webhook'),
    number: Int(1, Number.MAX_SAFE_INTEGER, 'Number among the deliveries of the webhook, without gaps: header `guildhall-number`', 1204),
    event_id: Nullable(Id('The event; null for a `feed.reset`')),
    change_id: Id('Identifier of the change, as in the changes feed: header `webhook-id`'),
    type: Text(100, 'Type of the event, as in the changes feed', 'dice_roll.created'),
    status: DeliveryStatus(
      'PENDING: waits, or is being sent. DELIVERED: the endpoint answered with a status of 2xx. FAILED: given up after 72 hours in which others were accepted. SKIPPED: somebody skipped it',
    ),
    is_replay: Flag('True if it was sent before, and a replay sends it again'),
    attempts: Int(0, 2_147_483_647, 'Number of attempts', 1),
    date_due: Nullable(Timestamp('When the next attempt may be made; null if there is none. While the endpoint fails, it is made later')),
    date_done: Nullable(Timestamp('When it was delivered, given up or skipped')),
    date_created: Timestamp('When the delivery was created'),
  },
  { title: 'WebhookDelivery', description: 'A change that is posted to an endpoint' },
)
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const DeliveryRequest = Type.Object(
  {
    url: WebhookAttempt.properties.url,
    headers: Type.Unsafe<Record<string, string>>({
      ...WebhookAttempt.properties.request_headers,
      description: 'Headers of the request, except the time and the signature, which every attempt has of its own',
    }),
    body: Type.String({
      'x-max-bytes': MAX_BODY_BYTES,
      maxLength: MAX_BODY_BYTES,
      description: 'The body, as it is signed',
      examples: ['{"type":"dice_roll.created"}'],
    }),
  },
  {
    title: 'WebhookDeliveryRequest',
    description: 'The request as it would be sent now; null if the user whose view is sent is archived',
  },
)
export type DeliveryRequest = Static<typeof DeliveryRequest>

export const LoggedDelivery = Type.Object(
  {
    ...WebhookDelivery.properties,
    log: Type.Array(WebhookAttempt, {
      maxItems: MAX_LOGGED_ATTEMPTS,
      description: `The last ${MAX_LOGGED_ATTEMPTS} attempts, oldest first`,
    }),
    request: Nullable(DeliveryRequest),
  },
  { title: 'LoggedWebhookDelivery', description: 'A delivery with its attempts, and the request as it would be sent now' },
)

export const DeliveryQuery = Type.Object({
  ...page,
  ...sortByDate,
  status: Type.Optional(DeliveryStatus('Only deliveries with this status')),
  type: Type.Optional(Enum('FeedType', FEED_TYPES, 'Only deliveries of this type', 'dice_roll.created')),
  event_id: Type.Optional(Id('Only deliveries of this event')),
  number: Type.Optional(Int(1, Number.MAX_SAFE_INTEGER, 'Only the delivery with this number')),
  from: Type.Optional(Timestamp('Only deliveries that were created at this time or later')),
  to: Type.Optional(Timestamp('Only deliveries that were created before this time')),
})
export type DeliveryQuery = Static<typeof DeliveryQuery> & { limit: number; offset: number }
