import type { FastifyRequest } from 'fastify'
import { hashApiKey, looksLikeApiKey } from '../core/api-key.ts'
import type { Database } from '../db/client.ts'
import type { ArrivingBodies } from './limits/arriving-bodies.ts'
import type { LongPolls } from './limits/long-polls.ts'
import type { Recognize, Turns } from './limits/overload.ts'
import { addressKey } from './limits/rate-limit.ts'
import type { Limits } from './limits/request-limits.ts'
import type { UnreadResponses } from './limits/unread-responses.ts'
import type { CallerCache } from './request/caller-cache.ts'
import type { LastUsed } from './request/last-used.ts'
import type { Streams } from './streams/streams.ts'

/** The parts of the service that every request uses. */
export interface Services {
  db: Database
  limits: Limits
  lastUsed: LastUsed
  callers: CallerCache
  turns: Turns
  bodies: ArrivingBodies
  unread: UnreadResponses
  polls: LongPolls
  streams: Streams
}

/** The name under which a request takes turns: its developer, whichever key they use, or, for a key that is not known yet, its address. */
export function turnHolderOf({ callers }: Pick<Services, 'callers'>, { session, ip }: FastifyRequest): string {
  const known = session?.identity?.developer.id ?? (session?.keyHash && callers.developerOf(session.keyHash))
  return known ?? addressKey(ip)
}

/** Recognizes a cached caller by the head of a request, before anything else is done with it. */
export const recognize =
  ({ callers, limits }: Pick<Services, 'callers' | 'limits'>): Recognize =>
  ({ headers: { 'x-api-key': key, origin } }) => {
    // A page of another origin could not read the 503 without the header fields that CORS adds later.
    if (origin !== undefined || typeof key !== 'string' || !looksLikeApiKey(key)) return undefined
    const caller = callers.developerOf(hashApiKey(key))
    const headers = caller && limits.peek(caller)
    return caller && headers ? { caller, headers } : undefined
  }
