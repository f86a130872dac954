import type { Webhook, WebhookDelivery } from '@guildhall/client'
import { Badge } from '../../../ui/marks.tsx'
import { text } from './text.ts'

const TONES = { PENDING: 'plain', DELIVERED: 'good', FAILED: 'bad', SKIPPED: 'plain' } as const

/** The status of a webhook as a word. */
export function StatusBadge({ of: { status } }: { of: Pick<Webhook, 'status'> }) {
  return <Badge tone={status === 'ENABLED' ? 'good' : 'bad'}>{text.states[status]}</Badge>
}

/** The status of a delivery as a word. */
export function DeliveryStatus({ of: { status } }: { of: Pick<WebhookDelivery, 'status'> }) {
  return <Badge tone={TONES[status]}>{text.deliveries.statuses[status]}</Badge>
}
