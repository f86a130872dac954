import type { WebhookAttempt } from '@guildhall/client'
import { Badge } from '../../../ui/marks.tsx'
import { Time } from '../../../ui/time.tsx'
import { text as all } from './text.ts'

const text = all.attempt
/** The service keeps 4 kB of the body of a response, and drops a character that this cuts. */
const MIN_CUT_BYTES = 4093

/** The status, the duration and the time of an attempt, in one line. */
export function AttemptSummary({ of: { status, error, duration_ms, date_created } }: { of: WebhookAttempt }) {
  return (
    <>
      <Badge tone={error ? 'bad' : 'good'}>{status === null ? text.noStatus : text.status(status)}</Badge>
      <span class="quiet facts">
        <span>{text.duration(duration_ms)}</span>
        <Time at={date_created} look="full" />
      </span>
    </>
  )
}

/** A request and its response, with the reason for which it failed. The response comes first: it is what somebody looks for who has written the server. */
export function Attempt({ of: attempt }: { of: WebhookAttempt }) {
  const { url, error, request_headers, request_bytes, response_headers, response_body } = attempt
  return (
    <div class="attempt">
      {error && <p class="attempt-error">{text.errors[error]}</p>}
      <h3>{text.response}</h3>
      {response_headers ? (
        <>
          {response_body ? <Body of={response_body} /> : <p class="quiet">{text.noBody}</p>}
          <Headers of={response_headers} />
        </>
      ) : (
        <p class="quiet">{text.noResponse}</p>
      )}
      <h3>{text.request}</h3>
      <p class="quiet">{text.posted(request_bytes, url)}</p>
      <Headers of={request_headers} />
    </div>
  )
}

/** Headers, one on each line. */
export function Headers({ of }: { of: Record<string, string> }) {
  // The service keeps no order of them.
  const lines = Object.entries(of)
    .sort()
    .map(([name, value]) => `${name}: ${value}`)
  return (
    <>
      <p class="quiet">{text.headers}</p>
      <Lines>{lines.join('\n')}</Lines>
    </>
  )
}

function Body({ of }: { of: string }) {
  return (
    <>
      <p class="quiet">{new TextEncoder().encode(of).length < MIN_CUT_BYTES ? text.body : text.bodyStart}</p>
      <Lines>{of}</Lines>
    </>
  )
}

/** Text of a request or a response. A long one is scrolled. */
export function Lines({ children }: { children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled with the keyboard
    <pre tabIndex={0}>
      <code>{children}</code>
    </pre>
  )
}
