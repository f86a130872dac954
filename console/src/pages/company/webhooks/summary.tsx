import type { Webhook } from '@guildhall/client'
import { type NameOf, useUserNames } from '../../../data/names.ts'
import { Secret } from '../../../ui/marks.tsx'
import { StatusBadge } from './status.tsx'
import { text } from './text.ts'
import { kindsOf } from './values.ts'

const MAX_NAMED_KINDS = 4

/** The kinds of changes that a webhook asks for, in a few words. */
export function kindsLine(webhook: Pick<Webhook, 'types'>): string {
  if (webhook.types.includes('*')) return text.summary.all
  const names = kindsOf(webhook).map((type) => text.form.labels[type] ?? type)
  const more = names.length - MAX_NAMED_KINDS
  return more > 1 ? text.summary.more(names.slice(0, MAX_NAMED_KINDS).join(', '), more) : names.join(', ')
}

/** The view that a webhook sends. One that includes secrets stands out. */
export function Sight({ of: { sight, user_id }, names }: { of: Pick<Webhook, 'sight' | 'user_id'>; names: NameOf }) {
  if (sight === 'ALL') return <Secret>{text.sights.ALL}</Secret>
  return <span class="quiet">{user_id ? text.sightOf(names(user_id)) : text.sights[sight]}</span>
}

/** The address of a webhook and what it sends, under its name. */
export function WebhookSummary({ of: webhook }: { of: Webhook }) {
  const names = useUserNames([webhook.user_id])
  return (
    <div class="webhook-summary">
      <p class="attempt-head">
        <StatusBadge of={webhook} />
        <code>{webhook.url}</code>
      </p>
      <p class="quiet facts">
        <span>{kindsLine(webhook)}</span>
        {webhook.campaign_id && <span>{text.summary.campaign}</span>}
        <Sight of={webhook} names={names} />
      </p>
    </div>
  )
}
