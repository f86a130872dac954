import type { Webhook, WebhookAttempt } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useActing } from '../../../data/acting.ts'
import { text as shared } from '../../../text.ts'
import { useAction } from '../../../ui/action.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useRights } from '../rights.ts'
import { Attempt, AttemptSummary } from './attempt.tsx'
import { text } from './text.ts'

/** A button that posts a ping, and a dialog that shows what became of it. */
export function Ping({ webhook }: { webhook: Webhook }) {
  const { companyApi } = useActing()
  const { options } = useRights()
  const [attempt, setAttempt] = useState<WebhookAttempt>()
  const { run, busy } = useAction(async () => setAttempt(await companyApi.webhooks.ping(webhook.id, options)))
  const close = () => setAttempt(undefined)
  return (
    <>
      <Button look={webhook.status === 'ENABLED' ? 'primary' : 'plain'} busy={busy} onClick={() => void run()}>
        {text.actions.ping}
      </Button>
      {attempt && (
        <Dialog title={text.ping.title} onClose={close} isWide>
          <div class="dialog-body webhook-log">
            <p class="attempt-head">
              <AttemptSummary of={attempt} />
            </p>
            {!attempt.error && <p>{text.ping.good}</p>}
            <Attempt of={attempt} />
            <p class="hint">{text.ping.text}</p>
          </div>
          <footer>
            <Button onClick={close}>{shared.close}</Button>
          </footer>
        </Dialog>
      )}
    </>
  )
}
