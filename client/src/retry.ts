import { ApiError } from './errors.ts'
import { sleep } from './wait.ts'

/**
 * The longest wait, whatever the service asks for: a mistake in a header must not silence a client for days, and a timer of more than 24 days ends at once.
 */
const MAX_WAIT_MS = 3_600_000

/** Reads a Retry-After, which is a number of seconds or a date. One that is neither counts as none. */
export function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? ''
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

/** Waits before something is repeated because of an error: for the time that the service asked for, and then for the pause of the caller. */
export const pauseAfter = (error: unknown, pauseMs: number, signal: AbortSignal | undefined): Promise<void> =>
  sleep(Math.min((ApiError.is(error) && error.retryAfter ? error.retryAfter * 1000 : 0) + pauseMs, MAX_WAIT_MS), signal)
