import type { Permission } from '../../core/access.ts'
import type { Actor, Caller, ConsoleSession, Developer, UserToken } from '../caller.ts'
import type { PathResource, PathRow } from '../path.ts'
import type { Credential } from './credential.ts'

/** The ids that a request names. Undefined: not named. Null: named, but not an id, or not the company or user of the token. */
export interface RequestTarget {
  company_id?: string | null
  actor_id?: string | null
  /** True for a request that signs out, which archived users may, too. */
  isLeaving?: boolean
  through?: { resource: PathResource; id: string | null }[]
  idempotency?: IdempotencyKey
}

/** The Idempotency-Key of a request, and the hash under which its reply is stored. */
export interface IdempotencyKey {
  key: string
  key_hash: Buffer
  /** The header was sent more than once, so `key` is not a value that the client sent. */
  isSentTwice?: boolean
}

/** A stored reply, as a row of the table. */
export interface StoredReply {
  body_hash: Buffer
  status: number
  body: Buffer | null
  etag: string | null
  location: string | null
  /** Hash of the caller's fingerprint right after the work; null in rows of earlier versions of the service. */
  standing: Buffer | null
}

/** The identity of a caller: everything that the database knows about the ids and the credential that a request names. */
export interface Identity {
  developer: Developer
  token: UserToken | null
  session: ConsoleSession | null
  company: 'live' | 'archived' | null
  permission: Permission | null
  actor: Actor | null
  /** The rows of the path resources, by their names; null for those that the acting user cannot see. */
  pathRows: Record<string, PathRow | null>
  /** The reply that is stored for the request's Idempotency-Key. */
  storedReply: StoredReply | null
  /** All of the above, except the reply, as one text: two identities with the same fingerprint are the same. */
  fingerprint: string
}

/** The state of a request's session, as the steps of the pipeline read it. */
export interface SessionState {
  readonly target: RequestTarget
  readonly credential: Credential
  readonly identity: Identity
  readonly caller: Caller
}

/** The rows of the path resources, by their names. */
export type PathRowsByName = Record<string, PathRow>
