import { isIPv6 } from 'node:net'
import type { Clock } from '../../core/clock.ts'

/** At most `quota` requests in `window` seconds, refilled evenly. */
export interface Policy {
  name: string
  quota: number
  window: number
}

/** How a subject stands with one policy. `wait` is 0 while anything is left. */
export interface Standing {
  policy: Policy
  left: number
  wait: number
}

export interface RateLimiter {
  /** Takes one from every policy, or from none if one of them is used up. */
  take(
    subject: string,
    policies: Policy[],
  ): { allowed: boolean; standings: Standing[] } | Promise<{ allowed: boolean; standings: Standing[] }>
  /** How things stand, taking nothing. */
  look(subject: string, policies: Policy[]): Standing[] | Promise<Standing[]>
  /** How things stand, at once, where that is known in this process. */
  peek?(subject: string, policies: Policy[]): Standing[]
}

const SWEEP_AT = 10_000

/** What is left of a bucket that will be full at an instant. */
export function standing(policy: Policy, fullAt: number, now: number): Standing {
  const step = (policy.window * 1000) / policy.quota
  // A thousandth of a step forgives floating point, nothing more.
  const left = Math.max(0, Math.floor((policy.window * 1000 - (fullAt - now)) / step + 0.001))
  return { policy, left, wait: left > 0 ? 0 : Math.ceil((fullAt - now + step - policy.window * 1000) / 1000) }
}

/** GCRA in memory, for one process: of each bucket only the instant at which it will be full again is kept. */
export function memoryLimiter(clock: Clock): RateLimiter {
  const full = new Map<string, number>()
  let sweepAt = SWEEP_AT

  const fullAt = (subject: string, { name }: Policy, now: number) => Math.max(full.get(`${name} ${subject}`) ?? 0, now)

  function sweep(now: number) {
    for (const [key, at] of full) if (at <= now) full.delete(key)
    sweepAt = Math.max(SWEEP_AT, full.size * 2)
  }

  const look = (subject: string, policies: Policy[]) => {
    const now = clock().getTime()
    return policies.map((policy) => standing(policy, fullAt(subject, policy, now), now))
  }

  return {
    take(subject, policies) {
      const now = clock().getTime()
      if (full.size > sweepAt) sweep(now)
      const before = policies.map((policy) => standing(policy, fullAt(subject, policy, now), now))
      if (before.some(({ left }) => left === 0)) return { allowed: false, standings: before }
      const standings = policies.map((policy) => {
        const at = fullAt(subject, policy, now) + (policy.window * 1000) / policy.quota
        full.set(`${policy.name} ${subject}`, at)
        return standing(policy, at, now)
      })
      return { allowed: true, standings }
    },
    look,
    peek: look,
  }
}

/** The header fields of draft-ietf-httpapi-ratelimit-headers, as structured fields. */
export const rateLimitHeaders = (standings: Standing[]) => ({
  'ratelimit-policy': standings.map(({ policy: { name, quota, window } }) => `"${name}";q=${quota};w=${window}`).join(', '),
  ratelimit: standings.map(({ policy, left, wait }) => `"${policy.name}";r=${left};t=${wait}`).join(', '),
})

/** Who an address is: an IPv6 subscriber has a whole /64. */
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
