import type { Webhook, WebhookProgress } from '@guildhall/client'
import type { ComponentChildren } from 'preact'
import type { Loaded } from '../../../data/load.ts'
import { Button } from '../../../ui/button.tsx'
import { Fact } from '../../../ui/fact.tsx'
import { Section, Show } from '../../../ui/page.tsx'
import { fullTime, Time } from '../../../ui/time.tsx'
import { text as all } from './text.ts'

const text = all.progress

/** Says that the endpoint refuses deliveries. Without failures, nothing is shown. */
export function FailingNotice({ of }: { of: WebhookProgress | undefined }) {
  if (!of?.date_failing_since) return null
  return (
    <div class="notice failing" role="status">
      <p>
        {text.failing(text.attempts(of.failures), fullTime(of.date_failing_since))} {text.keepsTrying}
      </p>
    </div>
  )
}

/** Says why nothing is sent, and offers to enable the webhook. */
export function DisabledNotice({ of: { disabled_reason }, onEnable }: { of: Webhook; onEnable: () => void }) {
  return (
    <div class="notice failing" role="status">
      <p>
        <strong>{all.states.DISABLED}.</strong> {disabled_reason && all.reasons[disabled_reason]}
      </p>
      <Button look="primary" onClick={onEnable}>
        {all.actions.enable}
      </Button>
    </div>
  )
}

interface ProgressProps {
  webhook: Webhook
  of: Loaded<WebhookProgress>
  actions: ComponentChildren
}

const MINUTE_MS = 60_000

const dueOf = (time: string | null): ComponentChildren => {
  if (!time) return text.none
  const waitMs = Date.parse(time) - Date.now()
  if (waitMs <= 0) return text.now
  return waitMs < MINUTE_MS ? text.soon : <Time at={time} />
}

/** How far the deliveries are. */
export function Progress({ webhook, of, actions }: ProgressProps) {
  return (
    <Section title={text.title} actions={actions}>
      <Show of={of}>
        {({ number, pending, backlog, replaying, date_failing_since, date_due }) => (
          <>
            <dl class="card progress">
              <Fact label={text.number}>{number || text.noNumber}</Fact>
              <Fact label={text.pending}>{pending}</Fact>
              <Fact label={text.backlog}>{backlog}</Fact>
              {replaying > 0 && <Fact label={text.replaying}>{replaying}</Fact>}
              {date_failing_since && (
                <Fact label={text.failingSince}>
                  <Time at={date_failing_since} />
                </Fact>
              )}
              <Fact label={text.due}>{webhook.status === 'DISABLED' ? text.disabled : dueOf(date_due)}</Fact>
            </dl>
            {backlog > 0 && <p class="hint">{text.backlogHint}</p>}
          </>
        )}
      </Show>
    </Section>
  )
}
