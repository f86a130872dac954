const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** The most requests to one endpoint at once. */
export const MAX_WIDTH = 4

/** The times after which an endpoint that fails is tried again. The last one repeats. */
const PROBES_MS = [5 * SECOND_MS, 15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS]

/** The times after which a delivery that fails while others succeed is tried again: for 71.6 hours. After the last one it has failed. */
const RETRIES_MS = [
  5 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  20 * HOUR_MS,
]

/** An endpoint without a success for this long is disabled. */
export const FAILING_MS = 72 * HOUR_MS

const MIN_RETRY_AFTER_MS = SECOND_MS
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS

/** Varies a time by a fifth, so that endpoints that failed together are not tried together. `random` is from 0 to 1. */
const varied = (milliseconds: number, random: number) => Math.round(milliseconds * (0.8 + 0.4 * random))

/** The time until an endpoint is tried again after so many failures in a row. */
export const probeMs = (failures: number, random: number): number =>
  varied(PROBES_MS[Math.min(failures, PROBES_MS.length) - 1] as number, random)

/** The time until a delivery is tried again after so many attempts; undefined if it has failed for good. */
export const retryMs = (attempts: number, random: number): number | undefined => {
  const milliseconds = RETRIES_MS[attempts - 1]
  return milliseconds === undefined ? undefined : varied(milliseconds, random)
}

/** The number of requests at once after a success: 1, 2, 4. An endpoint that is back is not flooded. */
export const widerAfter = (width: number): number => Math.min(width * 2, MAX_WIDTH)

/** Parses Retry-After, in seconds or as a date. Undefined without one, or for a text that is neither. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  const isDate = /^[A-Z][a-z]{2,8}, .* GMT$/.test(text)
  const milliseconds = /^\d{1,9}$/.test(text) ? Number(text) * SECOND_MS : isDate ? Date.parse(text) - now.getTime() : Number.NaN
  return Number.isNaN(milliseconds) ? undefined : Math.min(Math.max(milliseconds, MIN_RETRY_AFTER_MS), MAX_RETRY_AFTER_MS)
}
