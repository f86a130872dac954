import { ApiError } from '@guildhall/client'
import { text } from '../text.ts'
import { Button } from './button.tsx'

/** An error as a sentence for people. */
export function sentenceOf(error: unknown): string {
  if (ApiError.is(error)) return error.explanation
  if (error instanceof Error && error.name === 'ConnectionError') return text.offline
  return error instanceof Error ? error.message : String(error)
}

/** The faults of a form by field, to show each next to its control. */
export function faultsOf(error: unknown): Record<string, string> {
  if (!ApiError.is(error)) return {}
  return Object.fromEntries(
    error.faults.map(({ field, message }) => [field.replace(/^body\./, ''), `${message[0]?.toUpperCase()}${message.slice(1)}.`]),
  )
}

/** Shows an error in place of a part of the page. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  return (
    <div class="problem" role="alert">
      <p>{sentenceOf(error)}</p>
      {ApiError.is(error) && error.requestId && <p class="request-id">{text.requestId(error.requestId)}</p>}
      {onRetry && <Button onClick={onRetry}>{text.retry}</Button>}
    </div>
  )
}
