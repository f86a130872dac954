import type { LoggedWebhookDelivery, Webhook, WebhookDelivery } from '@guildhall/client'
import { useActing } from '../../../data/acting.ts'
import { useReturn } from '../../../data/focus.ts'
import { useLoad } from '../../../data/load.ts'
import { text as shared } from '../../../text.ts'
import { useAction } from '../../../ui/action.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Show } from '../../../ui/page.tsx'
import { Problem } from '../../../ui/problem.tsx'
import { Time } from '../../../ui/time.tsx'
import { useRights } from '../rights.ts'
import { Attempt, AttemptSummary } from './attempt.tsx'
import { NextRequest } from './request.tsx'
import { DeliveryStatus } from './status.tsx'
import { text as all } from './text.ts'

const text = all.deliveries
const CHECK_EVERY_MS = 1500

interface DeliveryDialogProps {
  webhook: Webhook
  delivery: WebhookDelivery
  onClose: () => void
  onChanged: () => Promise<void>
  onSkip: () => void
}

/** A delivery with its attempts. It is read again while it is open, because an attempt may be under way. */
export function DeliveryDialog({ webhook, delivery: { id, number }, onClose, onChanged, onSkip }: DeliveryDialogProps) {
  const { companyApi } = useActing()
  const { options } = useRights()
  const { deliveries } = companyApi.webhook(webhook.id)
  const logged = useLoad((signal) => deliveries.get(id, { ...options, signal }), [webhook.id, id])
  useReturn(logged.reload, CHECK_EVERY_MS)
  const retry = useAction(
    async () => {
      await deliveries.retry(id, options)
      await Promise.all([logged.reload(), onChanged()])
    },
    { isShownByForm: true },
  )
  return (
    <Dialog title={text.number(number)} onClose={onClose} isWide>
      <Show of={logged}>
        {(delivery) => (
          <>
            <div class="dialog-body webhook-log">
              <Facts of={delivery} />
              <Attempts of={delivery} />
              <NextRequest of={delivery} />
              {retry.error !== undefined && <Problem error={retry.error} />}
              {webhook.status === 'DISABLED' && <p class="hint">{text.disabled}</p>}
            </div>
            <footer>
              <span class="extra">{delivery.status === 'PENDING' && <Button onClick={onSkip}>{text.skip}</Button>}</span>
              <Button onClick={onClose}>{shared.close}</Button>
              <Button look="primary" busy={retry.busy} disabled={webhook.status === 'DISABLED'} onClick={() => void retry.run()}>
                {delivery.status === 'DELIVERED' ? text.retryAgain : text.retry}
              </Button>
            </footer>
          </>
        )}
      </Show>
    </Dialog>
  )
}

function Facts({ of }: { of: LoggedWebhookDelivery }) {
  const { type, change_id, status, date_created, date_done, date_due } = of
  return (
    <>
      <p class="attempt-head">
        <DeliveryStatus of={of} />
        <code>{type}</code>
      </p>
      <p class="quiet facts">
        <span>
          {text.created} <Time at={date_created} look="full" />
        </span>
        {date_done && (
          <span>
            {text.done[status]} <Time at={date_done} look="full" />
          </span>
        )}
        {date_due && (
          <span>
            {text.due} {Date.parse(date_due) > Date.now() ? <Time at={date_due} look="full" /> : text.dueNow}
          </span>
        )}
        <span>
          {text.changeId} <code>{change_id}</code>
        </span>
      </p>
    </>
  )
}

/** The attempts, the last one first and open. A header has their number: the service returns only the last ones, and counts one that is under way. */
function Attempts({ of: { log } }: { of: LoggedWebhookDelivery }) {
  if (!log.length) return <p class="quiet">{text.noAttempts}</p>
  return (
    <div class="attempts">
      {log
        .map((attempt, index) => (
          <details key={attempt.date_created} open={index === log.length - 1}>
            <summary class="attempt-head">
              <strong>{text.attempt(attempt.request_headers['guildhall-attempt'] ?? String(index + 1))}</strong>
              <AttemptSummary of={attempt} />
            </summary>
            <Attempt of={attempt} />
          </details>
        ))
        .reverse()}
    </div>
  )
}
