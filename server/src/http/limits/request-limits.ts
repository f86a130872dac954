import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../core/config.ts'
import { tooManyRequests } from '../../core/problem.ts'
import type { TokenOwner } from '../../core/user-token.ts'
import { addressKey, type Policy, type Quota, type RateLimiter, rateLimitHeaders } from './rate-limit.ts'

/** Counts requests per developer or user, and failed authentications per address, and sets the RateLimit headers. */
export interface Limits {
  /** Sets the headers for a caller who is not known yet. */
  announce(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts a request of a known developer. */
  developer(id: string, reply: FastifyReply): Promise<void>
  /** Counts a request with a token of this user. */
  user(user: TokenOwner, reply: FastifyReply): Promise<void>
  /** The headers for a developer without counting a request; undefined if only Redis knows them. */
  peek(id: string): Record<string, string> | undefined
  /** Counts a failed authentication. */
  failedAuthentication(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

const longestWait = (quotas: Quota[]) => Math.max(1, ...quotas.map(({ wait }) => wait))

export function limits(config: Config['rateLimit'], limiter: RateLimiter): Limits {
  const nothing = async () => {}
  if (!config) return { announce: nothing, developer: nothing, user: nothing, peek: () => ({}), failedAuthentication: nothing }
  const perDeveloper: Policy[] = [
    { name: 'burst', quota: config.burst, window: 1 },
    { name: 'sustained', quota: config.sustained, window: 60 },
  ]
  const perUser: Policy[] = [
    { name: 'user', quota: config.userBurst, window: 1 },
    { name: 'user-sustained', quota: config.userSustained, window: 60 },
  ]
  const perAddress: Policy[] = [{ name: 'auth', quota: config.auth, window: 60 }]

  async function count(subject: string, policies: Policy[], reply: FastifyReply) {
    const { allowed, quotas } = await limiter.take(subject, policies)
    reply.headers(rateLimitHeaders(quotas))
    if (!allowed) tooManyRequests(longestWait(quotas))
  }
  return {
    announce: async (request, reply) => {
      reply.headers(rateLimitHeaders(await limiter.remaining(addressKey(request.ip), perAddress)))
    },
    developer: (id, reply) => count(id, perDeveloper, reply),
    user: ({ company_id, user_id }, reply) => count(`${company_id} ${user_id}`, perUser, reply),
    peek: (id) => {
      const quotas = limiter.peek?.(id, perDeveloper)
      return quotas && rateLimitHeaders(quotas)
    },
    failedAuthentication: (request, reply) => count(addressKey(request.ip), perAddress, reply),
  }
}
