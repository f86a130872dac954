import type { Webhook } from '@guildhall/client'
import { useActing } from '../../../data/acting.ts'
import { text as shared } from '../../../text.ts'
import { useForm } from '../../../ui/form.ts'
import { FormCard } from '../../../ui/form-card.tsx'
import { Origin } from '../../../ui/origin.tsx'
import { Section } from '../../../ui/page.tsx'
import { tell } from '../../../ui/toast.tsx'
import { useRights } from '../rights.ts'
import { WebhookFields } from './fields.tsx'
import { text } from './text.ts'
import { patchOf, valuesOf } from './values.ts'

/** The fields of a webhook, which can be changed. */
export function WebhookSettings({ webhook, onSaved }: { webhook: Webhook; onSaved: (webhook: Webhook) => void }) {
  const { companyApi } = useActing()
  const { options } = useRights()
  const form = useForm(valuesOf(webhook), async ({ values, changes, reset }) => {
    onSaved(await companyApi.webhooks.update(webhook.id, patchOf(values, changes), options))
    reset()
    tell(shared.saved)
  })
  return (
    <Section title={text.settings.title}>
      <FormCard of={form} facts={<Origin of={webhook} words={text.settings} />}>
        <WebhookFields of={form} />
      </FormCard>
    </Section>
  )
}
