import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../core/config.ts'
import { tooManyRequests } from '../../core/problem.ts'
import { addressKey, type Policy, type RateLimiter, rateLimitHeaders, type Standing } from './rate-limit.ts'

/** What the service counts: requests per developer, and failed authentications per address. */
export interface Limits {
  /** Announces the limit of a caller who is not known yet. */
  greet(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts a request of a known developer. */
  developer(id: string, reply: FastifyReply): Promise<void>
  /** What a developer is told of their limits, taking nothing; undefined where it would take a question to others. */
  peek(id: string): Record<string, string> | undefined
  /** Counts a failed authentication; never asked of a valid key. */
  stranger(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

const longest = (standings: Standing[]) => Math.max(1, ...standings.map(({ wait }) => wait))

export function limits(config: Config['rateLimit'], limiter: RateLimiter): Limits {
  if (!config) return { greet: async () => {}, developer: async () => {}, peek: () => ({}), stranger: async () => {} }
  const perDeveloper: Policy[] = [
    { name: 'burst', quota: config.burst, window: 1 },
    { name: 'sustained', quota: config.sustained, window: 60 },
  ]
  const perAddress: Policy[] = [{ name: 'auth', quota: config.auth, window: 60 }]

  async function count(subject: string, policies: Policy[], reply: FastifyReply) {
    const { allowed, standings } = await limiter.take(subject, policies)
    reply.headers(rateLimitHeaders(standings))
    if (!allowed) tooManyRequests(longest(standings))
  }
  return {
    greet: async (request, reply) => {
      reply.headers(rateLimitHeaders(await limiter.look(addressKey(request.ip), perAddress)))
    },
    developer: (id, reply) => count(id, perDeveloper, reply),
    peek: (id) => {
      const standings = limiter.peek?.(id, perDeveloper)
      return standings && rateLimitHeaders(standings)
    },
    stranger: (request, reply) => count(addressKey(request.ip), perAddress, reply),
  }
}
