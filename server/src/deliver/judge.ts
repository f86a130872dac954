import type { Webhook } from '../resources/webhooks/schema.ts'
import { FAILING_MS, probeMs, retryAfterMs, retryMs, widerAfter } from './schedule.ts'

/** How an endpoint has answered so far. */
export interface Health {
  /** The failures since the last success. */
  failures: number
  failingSince: Date | null
  /** The number of requests at once. */
  width: number
  /** While it fails: when it is tried again. */
  pausedUntil: Date | null
  /** True if the endpoint asked for this pause, with Retry-After. */
  askedToWait: boolean
}

/** The response to a delivery, or the lack of one. */
export interface Answered {
  status: number | null
  retryAfter: string | undefined
}

interface Verdict {
  health: Health
  /** The result for the delivery: it is done, or waits until a time. */
  delivery: { status: 'DELIVERED' | 'FAILED' } | { status: 'PENDING'; failures: number; dueAt: Date }
  /** The reason to disable the webhook, if there is one. */
  disabled?: NonNullable<Webhook['disabled_reason']>
}

const isSuccess = (status: number | null) => status !== null && status >= 200 && status <= 299
const later = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds)

/** An endpoint that has just failed. */
function failing({ failures, failingSince }: Health, askedMs: number | undefined, now: Date, random: number): Health {
  return {
    failures: failures + 1,
    failingSince: failingSince ?? now,
    width: 1,
    pausedUntil: later(now, askedMs ?? probeMs(failures + 1, random)),
    askedToWait: askedMs !== undefined,
  }
}

/** The health after a request that was under way when another one failed. The failure says nothing new, but the endpoint may ask for a longer pause. */
function pausedFor(health: Health, askedMs: number | undefined, now: Date): Health {
  if (askedMs === undefined) return health
  const asked = later(now, askedMs)
  const isLonger = health.pausedUntil === null || asked > health.pausedUntil
  return { ...health, pausedUntil: isLonger ? asked : health.pausedUntil, askedToWait: isLonger || health.askedToWait }
}

/** The health after a success. One that was under way when the endpoint asked to wait does not end that pause: limits of rates accept some requests and refuse others. */
function succeeding(health: Health, now: Date): Health {
  if (health.askedToWait && health.pausedUntil !== null && health.pausedUntil > now) return { ...health, failingSince: null }
  return { failures: 0, failingSince: null, width: widerAfter(health.width), pausedUntil: null, askedToWait: false }
}

const isFailingForLong = ({ failingSince }: Health, now: Date) =>
  failingSince !== null && now.getTime() - failingSince.getTime() >= FAILING_MS

/** The health of an endpoint to which nothing can be sent, for a reason that is not its own. */
export function judgeNothing(health: Health, now: Date, random: number): Pick<Verdict, 'health' | 'disabled'> {
  const after = failing(health, undefined, now, random)
  return { health: after, ...(isFailingForLong(after, now) && { disabled: 'FAILING' as const }) }
}

/**
 * Decides what follows from the answer to a delivery. A failure is that of the endpoint until another delivery succeeds: the endpoint is then tried again with
 * one delivery at a time, and the failure does not count for the delivery. Only a failure right after a success is the delivery's own.
 */
export function judge(health: Health, { failures }: { failures: number }, answered: Answered, now: Date, random: number): Verdict {
  const { status } = answered
  if (isSuccess(status)) return { health: succeeding(health, now), delivery: { status: 'DELIVERED' } }
  const askedMs = status === 429 || status === 503 ? retryAfterMs(answered.retryAfter, now) : undefined
  const isPaused = health.pausedUntil !== null && health.pausedUntil > now
  const after = isPaused ? pausedFor(health, askedMs, now) : failing(health, askedMs, now, random)
  const unchanged = { status: 'PENDING' as const, failures, dueAt: now }
  if (status === 410) return { health: after, delivery: unchanged, disabled: 'GONE' }
  if (isFailingForLong(after, now)) return { health: after, delivery: unchanged, disabled: 'FAILING' }
  if (health.failures > 0) return { health: after, delivery: unchanged }
  const waitMs = retryMs(failures + 1, random)
  return {
    health: after,
    delivery: waitMs === undefined ? { status: 'FAILED' } : { status: 'PENDING', failures: failures + 1, dueAt: later(now, waitMs) },
  }
}
