import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem, unavailable } from '../../core/problem.ts'
import { SharedSlots } from '../../core/shares/shared-slots.ts'
import type { SessionState } from '../request/session-state.ts'
import { HeldSlots, slotHoldersOf } from './held-slots.ts'
import { refuseAbandoned } from './overload.ts'
import { shareHolderOf } from './share-holder.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The time that the request has waited for something to read; undefined for other requests. */
    waitedMs: number | undefined
  }
}

const MAX_LONG_POLLS_PER_DEVELOPER = 500
export const MAX_LONG_POLLS_PER_USER = 10
const RETRY_AFTER_SECONDS = 3

/** The result of an attempt that found nothing to answer with yet. */
export class NothingYet {
  /** The reply of the attempt, from which the next one goes on. */
  readonly reply: unknown
  readonly until: Promise<unknown>
  /** Ends the wait early. */
  readonly abort: AbortController
  /** True if the next attempt is the last one, because the request has given its slot back. */
  isLast = false

  constructor(reply: unknown, until: Promise<unknown>, abort: AbortController) {
    this.reply = reply
    this.until = until
    this.abort = abort
    // It may fail before anything waits for it.
    until.catch(() => {})
  }
}

/** The slot of a waiting request, which it keeps between its attempts. */
interface WaitSlot {
  /** True if the slot was given back to another tenant: the request is answered with what there is. */
  isGivenBack: boolean
  /** Ends the wait, if the request waits now. */
  wake(): void
  release(): void
}

/** Reads that wait until there is something to read (long polling). While it waits, a request has no turn and no connection to the database. */
export class LongPolls {
  #isDraining = false
  readonly #waiting = new Set<AbortController>()
  readonly #slots = new HeldSlots()
  readonly #shares: SharedSlots

  constructor(max: number) {
    this.#shares = new SharedSlots(max)
  }

  /** Undefined if the reply can be sent. A process that shuts down lets nothing wait. */
  wait(
    reply: unknown,
    earlier: NothingYet | undefined,
    begin: (signal: AbortSignal) => Promise<unknown> | undefined,
  ): NothingYet | undefined {
    if (this.#isDraining || earlier?.isLast) return undefined
    const abort = new AbortController()
    const until = begin(abort.signal)
    return until && new NothingYet(reply, until, abort)
  }

  /** Repeats a read until it has a reply. Each attempt takes a turn of its own. */
  async run<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    attempt: (earlier: NothingYet | undefined) => Promise<T | NothingYet>,
  ): Promise<T> {
    // Kept between the attempts: a request that has begun to wait is not rejected in favor of a later one of its tenant.
    let slot: WaitSlot | undefined
    try {
      for (let earlier: NothingYet | undefined; ; ) {
        const result = await attempt(earlier)
        if (!(result instanceof NothingYet)) return result
        try {
          slot ??= this.#takeSlot(request.session) // 429 503
          if (!slot.isGivenBack) await this.#pause(request, reply, result, slot)
        } finally {
          result.abort.abort()
        }
        refuseAbandoned(request) // 499
        result.isLast = slot.isGivenBack
        earlier = result
      }
    } finally {
      slot?.release()
    }
  }

  /** Answers all requests that wait with what there is, because the process is shutting down. */
  drain(): void {
    this.#isDraining = true
    for (const abort of this.#waiting) abort.abort()
  }

  async #pause(request: FastifyRequest, { raw }: FastifyReply, { until, abort }: NothingYet, slot: WaitSlot): Promise<void> {
    const startedAt = performance.now()
    const end = () => abort.abort()
    slot.wake = end
    try {
      this.#waiting.add(abort)
      raw.once('close', end)
      const aborted = new Promise<void>((resolve) => abort.signal.addEventListener('abort', () => resolve(), { once: true }))
      await Promise.race([until, aborted])
    } finally {
      raw.off('close', end)
      this.#waiting.delete(abort)
      request.waitedMs = (request.waitedMs ?? 0) + performance.now() - startedAt
    }
  }

  /**
   * Rejects a request beyond the limits of its user and developer: the newest one, unlike a stream. An older one that gave way would be answered without items, and its
   * client would ask again at once, so that eleven clients would replace one another all the time. In a process that is full, one of the tenant with the most gives way.
   */
  #takeSlot(session: SessionState): WaitSlot {
    const { developer, actor, token } = session.caller
    const holder = shareHolderOf(session)
    if (this.#shares.refuses(holder))
      unavailable('overloaded', 'Too many requests wait for changes. Retry after the time in Retry-After.', RETRY_AFTER_SECONDS)
    if (this.#slots.of(actor?.id) >= MAX_LONG_POLLS_PER_USER) tooManyWaits('user', MAX_LONG_POLLS_PER_USER)
    if (!token && this.#slots.of(developer.id) >= MAX_LONG_POLLS_PER_DEVELOPER) tooManyWaits('developer', MAX_LONG_POLLS_PER_DEVELOPER)
    const holders = slotHoldersOf(session.caller)
    this.#slots.take(holders)
    const slot = { isGivenBack: false, wake: () => {}, release: () => {} }
    const releaseShare = this.#shares.take(holder, () => {
      slot.isGivenBack = true
      slot.wake()
    })
    slot.release = () => {
      this.#slots.release(holders)
      releaseShare()
    }
    return slot
  }
}

function tooManyWaits(holder: 'user' | 'developer', max: number): never {
  const detail = `The ${holder} has ${max} requests that wait for changes, the maximum. Let one end first, or send none with wait.`
  throw new Problem(429, 'too_many_waits', detail, { retry_after: RETRY_AFTER_SECONDS })
}
