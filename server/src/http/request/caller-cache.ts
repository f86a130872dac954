import { SharedCache } from '../../core/shares/shared-cache.ts'
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
  readonly #identities: SharedCache<Identity>
  readonly #developers: SharedCache<string>
  readonly #idempotencyKeys = new SharedCache<true>(MAX_IDEMPOTENCY_KEYS)

  constructor(max = MAX_CALLERS) {
    this.#identities = new SharedCache(max)
    this.#developers = new SharedCache(max)
  }

  recall(session: CallerKey): Identity | undefined {
    return this.#identities.get(cacheKeyOf(session))
  }

  remember(session: CallerKey & Pick<SessionState, 'identity'>): void {
    const { identity, credential } = session
    const { id } = identity.developer
    this.#identities.set(id, cacheKeyOf(session), { ...identity, storedReply: null })
    this.#developers.set(id, credential.hash.toString('base64'), id)
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
  noteIdempotencyKey({ target: { idempotency }, identity }: Pick<SessionState, 'target' | 'identity'>): boolean {
    if (!idempotency) return false
    const key = idempotency.key_hash.toString('base64')
    const isKnown = this.#idempotencyKeys.get(key) ?? false
    this.#idempotencyKeys.set(identity.developer.id, key, true)
    return isKnown
  }
}

function cacheKeyOf({ target: { company_id, actor_id, through }, credential }: CallerKey): string {
  const resources = through ? through.map(({ resource, id }) => `${resource.name} ${id}`).join(' ') : ''
  return `${credential.hash.toString('base64')} ${company_id} ${actor_id} ${resources}`
}
