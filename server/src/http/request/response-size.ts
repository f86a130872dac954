import { Problem } from '../../core/problem.ts'

/** No response is larger. A page that is sent is held in memory until the client has read it. */
export const MAX_RESPONSE_BYTES = 8 * 1024 * 1024

/**
 * The last line of defense: replies are bounded by their schemas, which `response-size.test.ts` adds up, but rows that are older than
 * a bound may exceed it. A UTF-16 unit takes at most three bytes, so that short bodies are not measured.
 */
export function refuseTooLarge(body: string): void {
  if (body.length * 3 <= MAX_RESPONSE_BYTES || Buffer.byteLength(body) <= MAX_RESPONSE_BYTES) return
  throw new Problem(
    400,
    'response_too_large',
    `The response would exceed ${MAX_RESPONSE_BYTES / 1024 / 1024} MB. Ask for less: a smaller limit, fewer includes, or a list instead.`,
  )
}
