import type { Webhook, WebhookReplay, WebhookType } from '@guildhall/client'
import { useActing } from '../../../data/acting.ts'
import { Choice } from '../../../ui/choice.tsx'
import { TextField } from '../../../ui/field.tsx'
import { useForm } from '../../../ui/form.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { tell } from '../../../ui/toast.tsx'
import { useRights } from '../rights.ts'
import { Kinds } from './kinds.tsx'
import { text as all } from './text.ts'
import { type KindValues, kindsOf, listOf } from './values.ts'

const text = all.replay
const HOUR_MS = 3_600_000
const SPANS_MS = { HOUR: HOUR_MS, DAY: 24 * HOUR_MS, WEEK: 7 * 24 * HOUR_MS }

interface ReplayValues extends KindValues {
  span: keyof typeof SPANS_MS | 'OTHER'
  from: string
  to: string
}

/** A time as the field for it writes it: where the person is, to the minute. */
function localTime(time: number): string {
  const offset = new Date(time).getTimezoneOffset() * 60_000
  return new Date(time - offset).toISOString().slice(0, 16)
}

function bodyOf({ span, from, to, scope, types }: ReplayValues): WebhookReplay {
  const times =
    span === 'OTHER'
      ? { from: new Date(from).toISOString(), ...(to && { to: new Date(to).toISOString() }) }
      : { from: new Date(Date.now() - SPANS_MS[span]).toISOString() }
  return { ...times, ...(scope === 'CHOSEN' && { types: listOf(types) as WebhookType[] }) }
}

interface ReplayWebhookProps {
  webhook: Webhook
  onClose: () => void
  onReplayed: () => Promise<void>
}

/** Sends the changes of a time again, all or some kinds of those that the webhook asks for. */
export function ReplayWebhook({ webhook, onClose, onReplayed }: ReplayWebhookProps) {
  const { companyApi } = useActing()
  const { options } = useRights()
  const present: ReplayValues = { span: 'DAY', from: localTime(Date.now() - SPANS_MS.DAY), to: '', scope: 'ALL', types: '' }
  const form = useForm(present, async ({ values }) => {
    const { events } = await companyApi.webhooks.replay(webhook.id, bodyOf(values), options)
    tell(text.done(events))
    await onReplayed()
  })
  const kinds = kindsOf(webhook)
  return (
    <FormDialog title={text.title} action={text.action} of={form} onClose={onClose}>
      <p>{text.text}</p>
      <Choice label={text.span} value={form.values.span} options={text.spans} onChange={form.set('span')} />
      {form.values.span === 'OTHER' && (
        <>
          <TextField label={text.from} type="datetime-local" {...form.input('from')} required />
          <TextField label={text.to} hint={text.toHint} type="datetime-local" {...form.input('to')} />
        </>
      )}
      {kinds.length > 1 && <Kinds of={form} label={text.kinds} scopes={text.scopes} offered={kinds} offersWebhooks={false} />}
    </FormDialog>
  )
}
