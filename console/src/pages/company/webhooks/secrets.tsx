import type { IssuedWebhook, Webhook, WebhookSecret } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useActing } from '../../../data/acting.ts'
import { Button } from '../../../ui/button.tsx'
import { Select } from '../../../ui/field.tsx'
import { useForm } from '../../../ui/form.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Badge } from '../../../ui/marks.tsx'
import { Section } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'
import { useRights } from '../rights.ts'
import { WebhookSecretOnce } from './create.tsx'
import { text as all } from './text.ts'

const text = all.secrets
type Overlap = (typeof all.rotate.overlaps)[number][0]

interface SecretsProps {
  webhook: Webhook
  secrets: WebhookSecret[]
  onRotated: () => Promise<void>
}

/** The secrets that sign, by their last characters: the current one, and for a while the one before. */
export function Secrets({ webhook, secrets, onRotated }: SecretsProps) {
  const [isRotating, setRotating] = useState(false)
  const rotate = <Button onClick={() => setRotating(true)}>{all.actions.rotate}</Button>
  return (
    <Section title={text.title} actions={rotate}>
      <p class="lead">{text.text}</p>
      <ul class="rows">
        {secrets.map(({ last_four, date_created, date_expires }) => (
          <li key={date_created} class="row">
            <div class="row-main">
              <span class="row-title">
                <code>whsec_…{last_four}</code>
                <Badge tone={date_expires ? 'plain' : 'accent'}>{date_expires ? text.old : text.current}</Badge>
              </span>
              <span class="quiet facts">
                <span>
                  {text.created} <Time at={date_created} />
                </span>
                {date_expires && (
                  <span>
                    {text.until} <Time at={date_expires} look="full" />
                  </span>
                )}
              </span>
            </div>
          </li>
        ))}
      </ul>
      {isRotating && <Rotate webhook={webhook} onClose={() => setRotating(false)} onRotated={onRotated} />}
    </Section>
  )
}

function Rotate({ webhook, onClose, onRotated }: { webhook: Webhook; onClose: () => void; onRotated: () => Promise<void> }) {
  const { companyApi } = useActing()
  const { options } = useRights()
  const [issued, setIssued] = useState<IssuedWebhook>()
  const form = useForm({ overlap: '86400' as Overlap }, async ({ values }) => {
    setIssued(await companyApi.webhooks.rotate(webhook.id, { overlap_seconds: Number(values.overlap) }, options))
    await onRotated()
  })
  if (issued) return <WebhookSecretOnce of={issued} onClose={onClose} />
  return (
    <FormDialog title={all.actions.rotate} action={all.rotate.action} of={form} onClose={onClose}>
      <p>{all.rotate.text}</p>
      <Select label={all.rotate.overlap} options={all.rotate.overlaps} {...form.select('overlap')} />
    </FormDialog>
  )
}
