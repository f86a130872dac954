import type { WebhookListItem } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useActing } from '../../../data/acting.ts'
import { curl } from '../../../data/curl.ts'
import { type NameOf, useUserNames } from '../../../data/names.ts'
import { useLivePages } from '../../../data/pages.ts'
import { hrefOf, navigate } from '../../../router.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty, Section } from '../../../ui/page.tsx'
import { PagedList } from '../../../ui/paged-list.tsx'
import { useRights } from '../rights.ts'
import { CreateWebhook } from './create.tsx'
import { StatusBadge } from './status.tsx'
import { kindsLine, Sight } from './summary.tsx'
import { text } from './text.ts'

const SAMPLE = { name: 'Discord bot', url: 'https://bot.example.com/guildhall', types: ['dice_roll.*'] }

/** The webhooks of the company. */
export function Webhooks() {
  const { companyApi, company, path } = useActing()
  const { options } = useRights()
  const [isAdding, setAdding] = useState(false)
  const webhooks = useLivePages<WebhookListItem>(
    (after, signal) => companyApi.webhooks.list({ limit: 50, sort: 'name', after }, { ...options, signal }),
    ['webhook'],
    [companyApi, options.onBehalfOf],
  )
  const names = useUserNames(webhooks.data?.items.map(({ user_id }) => user_id) ?? [])
  const add = (
    <Button look="primary" icon="plus" onClick={() => setAdding(true)}>
      {text.add}
    </Button>
  )
  const isEmpty = webhooks.data?.items.length === 0
  return (
    <Section title={text.title} actions={!isEmpty && add}>
      <p class="lead">
        {text.intro}{' '}
        <a href="/docs/guides/webhooks" target="_blank" rel="noopener">
          {text.docs}
        </a>
      </p>
      <PagedList
        of={webhooks}
        count={text.count}
        row={(webhook) => <WebhookRow key={webhook.id} webhook={webhook} names={names} />}
        empty={
          <Empty title={text.empty} action={add} call={curl('POST', `/companies/${company.id}/webhooks`, SAMPLE)}>
            {text.emptyText}
          </Empty>
        }
      />
      {isAdding && <CreateWebhook onClose={() => setAdding(false)} onCreated={(id) => navigate(`${path}/company/webhooks/${id}`)} />}
    </Section>
  )
}

function WebhookRow({ webhook, names }: { webhook: WebhookListItem; names: NameOf }) {
  const { path } = useActing()
  const { id, name, url, disabled_reason } = webhook
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          <a href={hrefOf(`${path}/company/webhooks/${id}`)}>{name}</a>
          <StatusBadge of={webhook} />
        </span>
        <code class="quiet webhook-url" title={url}>
          {url}
        </code>
        <span class="quiet facts">
          <span>{kindsLine(webhook)}</span>
          <Sight of={webhook} names={names} />
        </span>
        {disabled_reason && <span class="webhook-reason">{text.reasons[disabled_reason]}</span>}
      </div>
    </li>
  )
}
