import type { Credential } from './credential.ts'
import type { Identity, SessionState } from './session-state.ts'

type CallerKey = Pick<SessionState, 'target' | 'credential'>

const MAX_CALLERS = 5000
const MAX_IDEMPOTENCY_KEYS = 10_000

/**
 * Remembers the identity of recently confirmed callers, for each credential, company, acting user and path. A cached identity is never trusted by itself: the statement that
 * does the work checks its fingerprint, so that a changed role or a revoked key takes effect at once, and a caller who comes again costs no
 * statement of their own.
 */
export class CallerCache {
  readonly #identities = new Map<string, Identity>()
  readonly #developers = new Map<string, string>()
  readonly #idempotencyKeys = new Map<string, true>()
  readonly #max: number

  constructor(max = MAX_CALLERS) {
    this.#max = max
  }

  recall(session: CallerKey): Identity | undefined {
    return this.#identities.get(cacheKeyOf(session))
  }

  remember(session: CallerKey & Pick<SessionState, 'identity'>): void {
    const { identity, credential } = session
    add(this.#identities, cacheKeyOf(session), { ...identity, storedReply: null }, this.#max)
    add(this.#developers, credential.hash.toString('base64'), identity.developer.id, this.#max)
  }

  forget(session: CallerKey): void {
    this.#identities.delete(cacheKeyOf(session))
  }

  /** The developer of a credential when it was last seen. It decides turns and limits, never rights, and so needs no proof. */
  developerOf({ hash }: Credential): string | undefined {
    return this.#developers.get(hash.toString('base64'))
  }

  forgetDeveloperOf({ hash }: Credential): void {
    this.#developers.delete(hash.toString('base64'))
  }

  /** Remembers the request's Idempotency-Key. Returns true if this process has seen it before. */
  noteIdempotencyKey({ target: { idempotency } }: CallerKey): boolean {
    if (!idempotency) return false
    const key = idempotency.key_hash.toString('base64')
    const isKnown = this.#idempotencyKeys.has(key)
    add(this.#idempotencyKeys, key, true, MAX_IDEMPOTENCY_KEYS)
    return isKnown
  }
}

function cacheKeyOf({ target: { company_id, actor_id, through }, credential }: CallerKey): string {
  const resources = through ? through.map(({ resource, id }) => `${resource.name} ${id}`).join(' ') : ''
  return `${credential.hash.toString('base64')} ${company_id} ${actor_id} ${resources}`
}

/** A Map iterates in the order of insertion: the first entry is the oldest, and is removed to make room. */
function add<T>(cache: Map<string, T>, key: string, value: T, max: number): void {
  cache.delete(key)
  if (cache.size >= max) cache.delete(cache.keys().next().value as string)
  cache.set(key, value)
}
