import type { Webhook, WebhookDelivery } from '@guildhall/client'
import { useActing } from '../../../data/acting.ts'
import { useAction } from '../../../ui/action.ts'
import { Confirm } from '../../../ui/dialog.tsx'
import { tell } from '../../../ui/toast.tsx'
import { useRights } from '../rights.ts'
import { text as all } from './text.ts'

const text = all.deliveries

interface SkipDeliveryProps {
  webhook: Webhook
  delivery: WebhookDelivery
  onClose: () => void
  onSkipped: () => Promise<void>
}

/** Asks before a delivery is left out. */
export function SkipDelivery({ webhook, delivery: { id, number }, onClose, onSkipped }: SkipDeliveryProps) {
  const { companyApi } = useActing()
  const { options } = useRights()
  const { run, busy } = useAction(async () => {
    try {
      await companyApi.webhook(webhook.id).deliveries.skip(id, options)
      tell(text.skipped(number))
    } finally {
      // It may have been delivered in the meantime.
      await onSkipped()
    }
  })
  return (
    <Confirm title={text.skipTitle(number)} action={text.skip} busy={busy} onConfirm={() => void run().then(onClose)} onClose={onClose}>
      <p>{text.skipText}</p>
    </Confirm>
  )
}
