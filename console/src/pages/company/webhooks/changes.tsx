import type { Webhook, WebhookProgress, WebhookStart } from '@guildhall/client'
import { useActing } from '../../../data/acting.ts'
import { navigate } from '../../../router.ts'
import { useAction } from '../../../ui/action.ts'
import { Choice } from '../../../ui/choice.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { useForm } from '../../../ui/form.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { tell } from '../../../ui/toast.tsx'
import { useRights } from '../rights.ts'
import { text } from './text.ts'

interface ChangeProps {
  webhook: Webhook
  onClose: () => void
  onChanged: (after: Webhook) => Promise<void>
}

/** Asks what becomes of the changes that wait, and enables a webhook. */
export function EnableWebhook({ webhook, progress, onClose, onChanged }: ChangeProps & { progress: WebhookProgress | undefined }) {
  const { companyApi } = useActing()
  const { options } = useRights()
  const form = useForm({ from: 'BACKLOG' as WebhookStart }, async ({ values }) => {
    const after = await companyApi.webhooks.enable(webhook.id, values, options)
    tell(text.enable.done(webhook.name))
    await onChanged(after)
  })
  return (
    <FormDialog title={text.enable.title(webhook.name)} action={text.actions.enable} of={form} onClose={onClose}>
      {progress && <p>{text.enable.waiting(progress.backlog + progress.pending)}</p>}
      <Choice label={text.enable.from} value={form.values.from} options={text.enable.options} onChange={form.set('from')} />
    </FormDialog>
  )
}

export function DisableWebhook({ webhook, onClose, onChanged }: ChangeProps) {
  const { companyApi } = useActing()
  const { options } = useRights()
  const { run, busy } = useAction(async () => {
    const after = await companyApi.webhooks.disable(webhook.id, options)
    tell(text.disable.done(webhook.name))
    await onChanged(after)
  })
  return (
    <Confirm
      title={text.disable.title(webhook.name)}
      action={text.actions.disable}
      busy={busy}
      onConfirm={() => void run().then(onClose)}
      onClose={onClose}
    >
      <p>{text.disable.text}</p>
    </Confirm>
  )
}

export function ArchiveWebhook({ webhook, onClose }: Omit<ChangeProps, 'onChanged'>) {
  const { companyApi, path } = useActing()
  const { options } = useRights()
  const { run, busy } = useAction(async () => {
    await companyApi.webhooks.delete(webhook.id, options)
    tell(text.archive.done(webhook.name))
    navigate(`${path}/company/webhooks`)
  })
  return (
    <Confirm
      title={text.archive.title(webhook.name)}
      action={text.actions.archive}
      busy={busy}
      onConfirm={async () => {
        if (!(await run())) onClose()
      }}
      onClose={onClose}
    >
      <p>{text.archive.text}</p>
    </Confirm>
  )
}
