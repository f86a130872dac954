import type { Webhook, WebhookDelivery } from '@guildhall/client'
import { useState } from 'preact/hooks'
import type { Pages } from '../../../data/pages.ts'
import { Button } from '../../../ui/button.tsx'
import { Select } from '../../../ui/field.tsx'
import { Badge } from '../../../ui/marks.tsx'
import { optionsOf } from '../../../ui/options.ts'
import { Empty, Section } from '../../../ui/page.tsx'
import { PagedList } from '../../../ui/paged-list.tsx'
import { Time } from '../../../ui/time.tsx'
import { DeliveryDialog } from './delivery.tsx'
import { SkipDelivery } from './skip.tsx'
import { DeliveryStatus } from './status.tsx'
import { text as all } from './text.ts'

const text = all.deliveries
const STATUSES = [['', text.anyStatus], ...optionsOf(text.statuses)] as [string, string][]

interface DeliveriesProps {
  webhook: Webhook
  of: Pages<WebhookDelivery>
  status: string | null
  onStatus: (status: string | null) => void
  onChanged: () => Promise<void>
}

/** The deliveries of a webhook, newest first. Each opens its attempts. */
export function Deliveries({ webhook, of, status, onStatus, onChanged }: DeliveriesProps) {
  const [opened, setOpened] = useState<WebhookDelivery>()
  const [skipping, setSkipping] = useState<WebhookDelivery>()
  const isFiltered = Boolean(status)
  return (
    <Section title={text.title}>
      {(isFiltered || of.data?.items.length !== 0) && (
        <div class="toolbar">
          <Select label={text.status} value={status ?? ''} options={STATUSES} onChange={(value) => onStatus(value || null)} />
        </div>
      )}
      <PagedList
        of={of}
        count={(total) => `${text.count(total)}. ${text.kept}`}
        row={(delivery) => <DeliveryRow key={delivery.id} delivery={delivery} onOpen={() => setOpened(delivery)} />}
        empty={
          isFiltered ? (
            <Empty title={text.emptyFilter} action={<Button onClick={() => onStatus(null)}>{text.showAll}</Button>} />
          ) : (
            <Empty title={text.empty}>{webhook.status === 'ENABLED' ? text.emptyText : text.emptyDisabled}</Empty>
          )
        }
      />
      {opened && (
        <DeliveryDialog
          webhook={webhook}
          delivery={opened}
          onClose={() => setOpened(undefined)}
          onChanged={onChanged}
          onSkip={() => {
            setOpened(undefined)
            setSkipping(opened)
          }}
        />
      )}
      {skipping && <SkipDelivery webhook={webhook} delivery={skipping} onClose={() => setSkipping(undefined)} onSkipped={onChanged} />}
    </Section>
  )
}

function DeliveryRow({ delivery, onOpen }: { delivery: WebhookDelivery; onOpen: () => void }) {
  const { number, type, is_replay, attempts, date_created } = delivery
  return (
    <li>
      <button type="button" class="row delivery" onClick={onOpen}>
        <span class="delivery-number">
          <span class="visually-hidden">{text.numberOf} </span>
          {number}
        </span>
        <span class="row-main">
          <span class="row-title">
            <code>{type}</code>
            {is_replay && <Badge>{text.isReplay}</Badge>}
          </span>
          <span class="quiet facts">
            <Time at={date_created} />
            <span>{text.attempts(attempts)}</span>
          </span>
        </span>
        <span class="end">
          <DeliveryStatus of={delivery} />
        </span>
      </button>
    </li>
  )
}
