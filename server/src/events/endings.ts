import type { Database } from '../db/client.ts'
import type { EventType } from './catalog.ts'

/**
 * The events after which a caller may have lost the right to an open stream. Credentials have no event in the feed of a company, and a stream of one campaign
 * hears of no grant or user.
 */
const ENDING_TYPES: ReadonlySet<EventType> = new Set([
  'api_key.revoked',
  'api_key.rotated',
  'company.deleted',
  'console_session.deleted',
  'developer.deleted',
  'developer.updated',
  'grant.removed',
  'user.deleted',
  'user_token.deleted',
  'user_token.revoked',
])

/** True if changes with these events may end streams. */
export const mayEndStreams = (types: readonly EventType[]): boolean => types.some((type) => ENDING_TYPES.has(type))

const listeners = new WeakMap<Database, Set<() => void>>()

/** Calls a listener whenever streams may have to end, as far as this process hears of it. Returns the function that ends it. */
export function onEnding(db: Database, listener: () => void): () => void {
  const known = listeners.get(db) ?? new Set()
  listeners.set(db, known.add(listener))
  return () => void known.delete(listener)
}

/** Says that streams of this process may have to end: it committed such a change, or another process did. */
export function noteEnding(db: Database): void {
  for (const listener of listeners.get(db) ?? []) listener()
}
