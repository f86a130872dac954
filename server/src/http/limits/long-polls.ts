import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem, unavailable } from '../../core/problem.ts'
import type { Caller } from '../caller.ts'
import { HeldSlots, slotHoldersOf } from './held-slots.ts'
import { MAX_LONG_POLLS, refuseAbandoned } from './overload.ts'

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

  constructor(reply: unknown, until: Promise<unknown>, abort: AbortController) {
    this.reply = reply
    this.until = until
    this.abort = abort
    // It may fail before anything waits for it.
    until.catch(() => {})
  }
}

/** Reads that wait until there is something to read (long polling). While it waits, a request has no turn and no connection to the database. */
export class LongPolls {
  #isDraining = false
  readonly #waiting = new Set<AbortController>()
  readonly #slots = new HeldSlots()
  #slotCount = 0

  /** Undefined if the reply can be sent. A process that shuts down lets nothing wait. */
  wait(reply: unknown, begin: (signal: AbortSignal) => Promise<unknown> | undefined): NothingYet | undefined {
    if (this.#isDraining) return undefined
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
    // Kept between the attempts: a request that has begun to wait is not rejected in favor of a later one.
    let holders: string[] | undefined
    try {
      for (let earlier: NothingYet | undefined; ; ) {
        const result = await attempt(earlier)
        if (!(result instanceof NothingYet)) return result
        try {
          holders ??= this.#takeSlot(request.session.caller) // 429 503
          await this.#pause(request, reply, result)
        } finally {
          result.abort.abort()
        }
        refuseAbandoned(request) // 499
        earlier = result
      }
    } finally {
      if (holders) this.#releaseSlot(holders)
    }
  }

  /** Answers all requests that wait with what there is, because the process is shutting down. */
  drain(): void {
    this.#isDraining = true
    for (const abort of this.#waiting) abort.abort()
  }

  async #pause(request: FastifyRequest, { raw }: FastifyReply, { until, abort }: NothingYet): Promise<void> {
    const startedAt = performance.now()
    const end = () => abort.abort()
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
   * Rejects a request beyond the limits: the newest one, unlike the newest stream. An older one that gave way would be answered without items, and its
   * client would ask again at once, so that eleven clients would replace one another all the time. A wait is over after 30 seconds anyway.
   */
  #takeSlot(caller: Caller): string[] {
    const { developer, actor, token } = caller
    if (this.#slotCount >= MAX_LONG_POLLS)
      unavailable('overloaded', 'Too many requests wait for changes. Retry after the time in Retry-After.', RETRY_AFTER_SECONDS)
    if (this.#slots.of(actor?.id) >= MAX_LONG_POLLS_PER_USER) tooManyWaits('user', MAX_LONG_POLLS_PER_USER)
    if (!token && this.#slots.of(developer.id) >= MAX_LONG_POLLS_PER_DEVELOPER) tooManyWaits('developer', MAX_LONG_POLLS_PER_DEVELOPER)
    const holders = slotHoldersOf(caller)
    this.#slots.take(holders)
    this.#slotCount++
    return holders
  }

  #releaseSlot(holders: string[]): void {
    this.#slots.release(holders)
    this.#slotCount--
  }
}

function tooManyWaits(holder: 'user' | 'developer', max: number): never {
  const detail = `The ${holder} has ${max} requests that wait for changes, the maximum. Let one end first, or send none with wait.`
  throw new Problem(429, 'too_many_waits', detail, { retry_after: RETRY_AFTER_SECONDS })
}
