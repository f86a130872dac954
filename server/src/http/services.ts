import type { FastifyRequest } from 'fastify'
import type { Holder } from '../core/shares/holder.ts'
import type { Database } from '../db/client.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { ArrivingBodies } from './limits/arriving-bodies.ts'
import type { LongPolls } from './limits/long-polls.ts'
import type { Recognize, Turns } from './limits/overload.ts'
import { addressKey } from './limits/rate-limit.ts'
import type { Limits } from './limits/request-limits.ts'
import type { Transactions } from './limits/transactions.ts'
import type { UnreadResponses } from './limits/unread-responses.ts'
import type { CallerCache } from './request/caller-cache.ts'
import { credentialIn } from './request/credential.ts'
import type { LastUsed } from './request/last-used.ts'
import type { ListCursors } from './request/list-cursors.ts'
import type { Site } from './site.ts'
import type { Streams } from './streams/streams.ts'

/** The parts of the service that every request uses. */
export interface Services {
  db: Database
  limits: Limits
  lastUsed: LastUsed
  callers: CallerCache
  turns: Turns
  transactions: Transactions
  bodies: ArrivingBodies
  unread: UnreadResponses
  polls: LongPolls
  streams: Streams
  cursors: ListCursors
  site: Site
  outbound: Outbound
  /** False if the cookie of the console is ignored. */
  hasConsole: boolean
}

/** The holder of the turns of a request: its developer, whichever key or token is used, or, for one that is not known yet, its address. The companies of a developer divide them. */
export function turnHolderOf({ callers }: Pick<Services, 'callers'>, { session, ip }: FastifyRequest): Holder {
  const known = session?.identity?.developer.id ?? (session?.credential && callers.developerOf(session.credential))
  return [known ?? addressKey(ip), session?.target?.company_id ?? '']
}

/**
 * The holder of the memory that a request takes for its body and its unread response. The users with tokens divide the share of their developer: one player must
 * not use it up for everybody who plays with the same application.
 */
export function memoryHolderOf(services: Pick<Services, 'callers'>, request: FastifyRequest): Holder {
  const { identity, credential } = request.session ?? {}
  // Until the token is confirmed, it may be made up to take the share of its user.
  const [tenant] = turnHolderOf(services, request)
  return [tenant, (identity?.token && credential?.owner?.user_id) || '']
}

/** Recognizes a cached caller by the head of a request, before anything else is done with it. */
export const recognize =
  ({ callers, limits }: Pick<Services, 'callers' | 'limits'>): Recognize =>
  ({ headers: sent }) => {
    // A page of another origin could not read the 503 without the header fields that CORS adds later.
    const credential = sent.origin === undefined ? credentialIn(sent) : undefined
    // A token has limits of its own, which are not known here.
    if (!credential || credential.owner) return undefined
    const caller = callers.developerOf(credential)
    const headers = caller && limits.peek(caller)
    return caller && headers ? { caller, headers } : undefined
  }
