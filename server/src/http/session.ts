import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem, unauthorized } from '../core/problem.ts'
import type { TokenOwner } from '../core/user-token.ts'
import type { Db } from '../db/client.ts'
import { DatabaseUnavailable, OutcomeUnknown } from '../db/driver/connection-errors.ts'
import type { Caller } from './caller.ts'
import { isOverload } from './limits/overload.ts'
import type { Plan } from './plan.ts'
import { authorize } from './request/authorize.ts'
import { type Credential, refuseCredential } from './request/credential.ts'
import { announceDeprecation } from './request/deprecation.ts'
import { REFERENCE_REMOVED } from './request/errors.ts'
import { CallerChanged } from './request/fingerprint.ts'
import { identify } from './request/identify.ts'
import type { Identity, RequestTarget, SessionState } from './request/session-state.ts'
import { isInProgress } from './request/stored-replies.ts'
import { refuseOtherActor, targetOf } from './request/target.ts'
import { type Services, turnHolderOf } from './services.ts'

declare module 'fastify' {
  interface FastifyRequest {
    session: Session
  }
}

/** The source of the caller in an attempt: the cache, a statement of its own, or, as a last resort, the transaction of the work. */
export type CallerSource = 'cache' | 'database' | 'transaction'

/**
 * The caller of one request. A caller that was here before is recalled from the cache, and the statements of a read, or the transaction of a write, check that the
 * cached identity is unchanged. Any other caller is confirmed by a statement of its own. A recalled caller is never rejected for their rights: on any doubt, the
 * database is asked.
 */
export class Session implements SessionState {
  readonly #services: Services
  readonly #plan: Plan | undefined
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly target: RequestTarget
  readonly #presented: Credential | undefined
  /** Absent until the caller is recalled or confirmed: in a read, until it has its turn. */
  identity!: Identity
  caller!: Caller
  /** True while no error may be answered before the database has confirmed the caller, who comes from the cache. */
  #isRecalled = false
  #countedFor: string | undefined

  /** Without a plan, the caller is identified for a path that has no operation. A request that signs in has its credential in the body. */
  constructor(services: Services, plan: Plan | undefined, request: FastifyRequest, reply: FastifyReply, presented: Credential | undefined) {
    this.#services = services
    this.#plan = plan
    this.#request = request
    this.#reply = reply
    this.#presented = presented
    this.target = plan ? targetOf(plan, request, presented?.owner) : {}
  }

  /** The well-formed credential of the request. `open` rejects a request that has none. */
  get credential(): Credential {
    return this.#presented as Credential
  }

  /** Runs before the body is read. A read has no body to wait for: its caller is confirmed when it has its turn. */
  async open(): Promise<void> {
    if (!this.#presented) await this.#refuseCredential() // 401 429
    this.#isRecalled = this.#plan !== undefined && (await this.#recall(this.#plan))
    if (!this.#isRecalled && this.#plan?.act !== 'read') await this.confirm() // 401 429 410 403 404 400
  }

  /** Identifies and authorizes the caller as the database knows them now. */
  async confirm(db: Db = this.#services.db): Promise<void> {
    const { callers, turns } = this.#services
    if (this.#isRecalled) callers.forget(this)
    this.#isRecalled = false
    this.identity = undefined as never
    const holder = turnHolderOf(this.#services, this.#request)
    this.identity = await turns.run(this.#request, holder, () => identify(db, this)).catch((error) => this.#noteRejection(error)) // 401 429 503
    this.#noteUse()
    await this.#countRequest() // 429
    if (!this.#plan) return
    this.#authorize(this.#plan) // 410 403 404 400
    callers.remember(this)
  }

  /**
   * Runs the work as the recalled caller; if that fails in a way that a changed caller could explain, once more as the confirmed caller; and if the caller
   * changed in the meantime, a last time with the caller identified inside the transaction of the work, behind its locks.
   */
  async attempt<T>(work: (source: CallerSource) => Promise<T>): Promise<T> {
    if (this.#isRecalled) {
      try {
        const result = await work('cache')
        // A stored reply was not read by a statement that checks the caller.
        if (!(result as { replayed?: unknown } | null)?.replayed) this.#noteUse()
        return result
      } catch (error) {
        // There is no point in asking the database, here or in errorFor.
        if (isFinal(error)) this.#isRecalled = false
        else await this.confirm() // 401 429 410 403 404 400
        if (!isWorthAnotherAttempt(error)) throw error
      }
    }
    return work('database').catch((error) => {
      if (error instanceof CallerChanged) return work('transaction')
      throw error
    })
  }

  /** The error to answer with: a recalled caller who lost their rights is told that first, whatever else is wrong with the request. */
  async errorFor(error: unknown): Promise<unknown> {
    if (!this.#isRecalled || isOverload(error)) return error
    return this.confirm().then(
      () => error,
      (rejection) => (rejection instanceof Problem && !isOverload(rejection) ? rejection : error),
    )
  }

  #noteUse(): void {
    const { developer, token } = this.identity
    const now = this.#services.db.now()
    this.#services.lastUsed.note(developer.key_id, now)
    if (token && this.credential.kind !== 'LINK')
      this.#services.lastUsed.noteToken(token.id, (this.credential.owner as TokenOwner).company_id, now)
  }

  async #recall(plan: Plan): Promise<boolean> {
    const known = this.#services.callers.recall(this)
    if (!known) return false
    try {
      this.identity = known
      this.#authorize(plan)
      await this.#countRequest()
      return true
    } catch {
      // A cached identity never rejects a request, and neither does its rate limit: the confirmed one decides.
      this.identity = undefined as never
      return false
    }
  }

  #authorize(plan: Plan): void {
    announceDeprecation(plan, this.#services.db.now(), this.#reply) // 410
    this.caller = authorize(plan, this, this.#request.params as Record<string, string>) // 403 404
    refuseOtherActor(plan, this.#request) // 400
  }

  async #refuseCredential(): Promise<never> {
    await this.#services.limits.failedAuthentication(this.#request, this.#reply) // 429
    if (this.#plan?.signsIn) unauthorized('Unauthorized API key or sign-in link') // 401
    return refuseCredential(this.#request, this.#services.hasConsole) // 401
  }

  async #noteRejection(error: unknown): Promise<never> {
    if (error instanceof Problem && error.status === 401) {
      const { callers, limits } = this.#services
      // A revoked credential takes no more turns of the developer it belonged to.
      callers.forgetDeveloperOf(this.credential)
      // An expired token was not guessed. Counting it for the address would keep other users behind the address from learning that theirs has expired.
      if (error.code === 'token_expired') await limits.user(this.credential.owner as TokenOwner, this.#reply)
      else await limits.failedAuthentication(this.#request, this.#reply)
    }
    throw error
  }

  /** Counts the request once, however often it is attempted. */
  async #countRequest(): Promise<void> {
    const { id } = this.identity.developer
    if (this.#countedFor === id) return
    const { owner } = this.credential
    await (owner ? this.#services.limits.user(owner, this.#reply) : this.#services.limits.developer(id, this.#reply))
    this.#countedFor = id
  }
}

/** True for errors that no caller can change: the database is unavailable, or the client is gone. */
const isFinal = (error: unknown) =>
  error instanceof OutcomeUnknown || error instanceof DatabaseUnavailable || (error instanceof Problem && error.status === 499)

/**
 * True for errors that a stale identity may have caused: a rejection of any kind, a changed caller, or a foreign key violation. Other errors would be the same for the
 * confirmed caller, and a request that waited in vain for its duplicate does not wait again.
 */
const isWorthAnotherAttempt = (error: unknown) =>
  (error instanceof Problem && !isInProgress(error) && !isFinal(error)) ||
  error instanceof CallerChanged ||
  (error as { code?: string }).code === REFERENCE_REMOVED
