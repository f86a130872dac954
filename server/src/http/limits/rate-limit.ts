import { isIPv6 } from 'node:net'
import type { Clock } from '../../core/clock.ts'

/** A limit of `quota` requests in `window` seconds, refilled evenly. */
export interface Policy {
  name: string
  quota: number
  window: number
}

/** The remaining quota of a subject under one policy. `wait` is 0 while anything is left. */
export interface Quota {
  policy: Policy
  left: number
  wait: number
}

export interface RateLimiter {
  /** Takes one request from every policy, or from none if one of them is used up. */
  take(subject: string, policies: Policy[]): { allowed: boolean; quotas: Quota[] } | Promise<{ allowed: boolean; quotas: Quota[] }>
  /** Returns the remaining quotas without taking anything. */
  remaining(subject: string, policies: Policy[]): Quota[] | Promise<Quota[]>
  /** Returns the remaining quotas at once, if this process knows them. */
  peek?(subject: string, policies: Policy[]): Quota[]
}

const MIN_SWEEP_SIZE = 10_000

/** Computes the remaining quota of a bucket that will be full at an instant. */
export function quotaOf(policy: Policy, fullAt: number, now: number): Quota {
  const step = (policy.window * 1000) / policy.quota
  // A thousandth of a step absorbs rounding errors.
  const left = Math.max(0, Math.floor((policy.window * 1000 - (fullAt - now)) / step + 0.001))
  return { policy, left, wait: left > 0 ? 0 : Math.ceil((fullAt - now + step - policy.window * 1000) / 1000) }
}

/** The generic cell rate algorithm (GCRA) in memory, for one process. A bucket is stored as the instant at which it will be full again. */
export function memoryLimiter(clock: Clock): RateLimiter {
  const full = new Map<string, number>()
  let sweepAt = MIN_SWEEP_SIZE

  const fullAt = (subject: string, { name }: Policy, now: number) => Math.max(full.get(`${name} ${subject}`) ?? 0, now)

  function sweep(now: number) {
    for (const [key, instant] of full) if (instant <= now) full.delete(key)
    sweepAt = Math.max(MIN_SWEEP_SIZE, full.size * 2)
  }

  const remaining = (subject: string, policies: Policy[]) => {
    const now = clock().getTime()
    return policies.map((policy) => quotaOf(policy, fullAt(subject, policy, now), now))
  }

  return {
    take(subject, policies) {
      const now = clock().getTime()
      if (full.size > sweepAt) sweep(now)
      const before = policies.map((policy) => quotaOf(policy, fullAt(subject, policy, now), now))
      if (before.some(({ left }) => left === 0)) return { allowed: false, quotas: before }
      const quotas = policies.map((policy) => {
        const newFullAt = fullAt(subject, policy, now) + (policy.window * 1000) / policy.quota
        full.set(`${policy.name} ${subject}`, newFullAt)
        return quotaOf(policy, newFullAt, now)
      })
      return { allowed: true, quotas }
    },
    remaining,
    peek: remaining,
  }
}

/** The header fields of draft-ietf-httpapi-ratelimit-headers, as structured fields. */
export const rateLimitHeaders = (quotas: Quota[]) => ({
  'ratelimit-policy': quotas.map(({ policy: { name, quota, window } }) => `"${name}";q=${quota};w=${window}`).join(', '),
  ratelimit: quotas.map(({ policy, left, wait }) => `"${policy.name}";r=${left};t=${wait}`).join(', '),
})

/** The name of the subscriber behind an address: an IPv6 subscriber has a whole /64. */
export function addressKey(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped) return mapped
  if (!isIPv6(ip)) return ip
  const [head = '', tail] = ip.split('::') as [string, string?]
  const groups = head.split(':').filter(Boolean)
  if (tail !== undefined) {
    const rest = tail.split(':').filter(Boolean)
    while (groups.length + rest.length < 8) groups.push('0')
    groups.push(...rest)
  }
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
