import type { LoggedWebhookDelivery, WebhookDeliveryRequest } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { text as shared } from '../../../text.ts'
import { Button } from '../../../ui/button.tsx'
import { copyText } from '../../../ui/copy-text.ts'
import { Headers, Lines } from './attempt.tsx'
import { text as all } from './text.ts'

const text = all.request

/** The request of a delivery as it would be sent now. It is open if there is no attempt to look at. */
export function NextRequest({ of: { request, log } }: { of: LoggedWebhookDelivery }) {
  return (
    <div class="attempts">
      <details open={log.length === 0}>
        <summary class="attempt-head">
          <strong>{text.title}</strong>
        </summary>
        {request ? (
          <Content of={request} />
        ) : (
          <div class="attempt">
            <p class="attempt-error">{all.attempt.errors.user_archived}</p>
          </div>
        )}
      </details>
    </div>
  )
}

/** The body is on one line when it is sent. JSON that cannot be read is shown as it is. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

function Content({ of: { url, headers, body } }: { of: WebhookDeliveryRequest }) {
  const [copied, setCopied] = useState<string>()
  const isCopied = copied === body
  return (
    <div class="attempt">
      <p class="quiet">{text.posted(url)}</p>
      <Headers of={headers} />
      <p class="quiet">{text.body}</p>
      <Lines>{indented(body)}</Lines>
      <div class="copy-body">
        <Button icon={isCopied ? 'check' : 'copy'} onClick={async () => (await copyText(body)) && setCopied(body)}>
          {text.copy}
        </Button>
        <span class="hint">{text.copyHint}</span>
        <span class="visually-hidden" role="status">
          {isCopied ? shared.copied : ''}
        </span>
      </div>
    </div>
  )
}
