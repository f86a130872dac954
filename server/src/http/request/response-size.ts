import { Problem } from '../../core/problem.ts'

/** The maximum size of a response. A response stays in memory until the client has read it. */
export const MAX_RESPONSE_BYTES = 8 * 1024 * 1024

/**
 * Rejects a response that is too large. Schemas already bound replies, as `response-size.test.ts` proves, but rows that are older than a bound may exceed it.
 * A UTF-16 unit takes at most three bytes, so short bodies need no measuring.
 */
export function refuseTooLarge(body: string): void {
  if (body.length * 3 <= MAX_RESPONSE_BYTES || Buffer.byteLength(body) <= MAX_RESPONSE_BYTES) return
  throw new Problem(
    400,
    'response_too_large',
    `The response would exceed ${MAX_RESPONSE_BYTES / 1024 / 1024} MB. Ask for less: a smaller limit, fewer includes, or a list instead.`,
  )
}
