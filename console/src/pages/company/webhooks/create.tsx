import type { IssuedWebhook } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { ShownOnce } from '../../../access/shown-once.tsx'
import { useActing } from '../../../data/acting.ts'
import { useForm } from '../../../ui/form.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useRights } from '../rights.ts'
import { WebhookFields } from './fields.tsx'
import { text } from './text.ts'
import { bodyOf, NEW } from './values.ts'

interface CreateWebhookProps {
  onClose: () => void
  /** Called after the secret was shown. */
  onCreated: (id: string) => void
}

/** Creates a webhook, and shows its secret. */
export function CreateWebhook({ onClose, onCreated }: CreateWebhookProps) {
  const { companyApi } = useActing()
  const { options } = useRights()
  const [issued, setIssued] = useState<IssuedWebhook>()
  const form = useForm(NEW, async ({ values }) => setIssued(await companyApi.webhooks.create(bodyOf(values), options)))
  if (issued) return <WebhookSecretOnce of={issued} onClose={() => onCreated(issued.id)} />
  return (
    <FormDialog title={text.add} action={text.create} of={form} onClose={onClose}>
      <WebhookFields of={form} />
    </FormDialog>
  )
}

/** Shows a new secret. It is in the page only while the dialog is open. */
export function WebhookSecretOnce({ of: { name, secret }, onClose }: { of: IssuedWebhook; onClose: () => void }) {
  return (
    <ShownOnce title={text.secret.title(name)} label={text.secret.label} secret={secret} onClose={onClose}>
      <p>{text.secret.text}</p>
    </ShownOnce>
  )
}
