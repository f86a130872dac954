import { administering } from '../../core/access.ts'
import { Paged } from '../../core/page.ts'
import { operation, resource } from '../../http/operation.ts'
import { below } from '../../http/path.ts'
import { webhook } from '../webhooks/path-resource.ts'
import { getDelivery, listDeliveries, retryDelivery, skipDelivery } from './queries.ts'
import { DeliveryQuery, LoggedDelivery, WebhookDelivery } from './schema.ts'

const all = below(webhook.path, 'deliveries')
const one = below(all, '{delivery_id}')
const needs = administering('ADMIN')
type Ids = { company_id: string; webhook_id: string; delivery_id: string }
const scopeOf = ({ company_id, webhook_id, delivery_id }: Ids) => ({ company_id, webhook_id, id: delivery_id })

export const webhookDeliveries = resource(
  {
    'Webhook deliveries': 'Requests that were posted to an endpoint, with its responses. Kept for 30 days',
  },
  [
    operation({
      id: 'webhookDeliveries.list',
      method: 'GET',
      path: all,
      needs,
      summary: 'List the deliveries of a webhook',
      query: DeliveryQuery,
      reply: [200, Paged(WebhookDelivery)],
      run: ({ db, params: { company_id, webhook_id }, query }) => listDeliveries(db, { company_id, webhook_id }, query as DeliveryQuery),
    }),
    operation({
      id: 'webhookDeliveries.get',
      method: 'GET',
      path: one,
      needs,
      summary: 'Get a delivery with its attempts',
      reply: [200, LoggedDelivery],
      run: ({ db, params }) => getDelivery(db, scopeOf(params)),
    }),
    operation({
      id: 'webhookDeliveries.retry',
      method: 'POST',
      path: below(one, 'retry'),
      needs,
      summary: 'Send a delivery again, now',
      description:
        'Also one that was delivered, given up or skipped. It has the same number and the same `webhook-id` as before, and what the webhook may see now.',
      reply: [200, WebhookDelivery],
      emits: ['webhook.retried'],
      conflicts: { webhook_disabled: 'The webhook is disabled' },
      run: ({ db, params, webhook }) => retryDelivery(db, scopeOf(params), webhook),
    }),
    operation({
      id: 'webhookDeliveries.skip',
      method: 'POST',
      path: below(one, 'skip'),
      needs,
      summary: 'Leave a delivery out',
      description: 'For an ordered webhook whose endpoint never accepts one of its deliveries. The receiver finds its number missing.',
      reply: [200, WebhookDelivery],
      emits: ['webhook.skipped'],
      conflicts: { not_pending: 'The delivery does not wait any more' },
      run: ({ db, params, webhook }) => skipDelivery(db, scopeOf(params), webhook),
    }),
  ],
)
