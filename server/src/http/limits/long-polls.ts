import type { FastifyReply, FastifyRequest } from 'fastify'
import { unavailable } from '../../core/problem.ts'
import { MAX_LONG_POLLS, refuseAbandoned } from './overload.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The time that the request has waited for something to read; undefined for other requests. */
    waitedMs: number | undefined
  }
}

const MAX_LONG_POLLS_PER_CALLER = 500

/** The result of an attempt that found nothing to answer with yet. */
export class NothingYet {
  readonly until: Promise<unknown>
  /** Ends the wait early. */
  readonly abort: AbortController

  constructor(until: Promise<unknown>, abort: AbortController) {
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
  readonly #countByCaller = new Map<string, number>()

  /** Undefined if the reply can be sent. A process that shuts down lets nothing wait. */
  wait(begin: (signal: AbortSignal) => Promise<unknown> | undefined): NothingYet | undefined {
    if (this.#isDraining) return undefined
    const abort = new AbortController()
    const until = begin(abort.signal)
    return until && new NothingYet(until, abort)
  }

  /** Repeats a read until it has a reply. Each attempt takes a turn of its own. */
  async run<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: () => string,
    attempt: (isRepeated: boolean) => Promise<T | NothingYet>,
  ): Promise<T> {
    for (let isRepeated = false; ; isRepeated = true) {
      const result = await attempt(isRepeated)
      if (!(result instanceof NothingYet)) return result
      await this.#pause(request, reply, caller(), result)
      refuseAbandoned(request) // 499
    }
  }

  /** Answers all requests that wait with what there is, because the process is shutting down. */
  drain(): void {
    this.#isDraining = true
    for (const abort of this.#waiting) abort.abort()
  }

  async #pause(request: FastifyRequest, { raw }: FastifyReply, caller: string, { until, abort }: NothingYet): Promise<void> {
    const startedAt = performance.now()
    const end = () => abort.abort()
    try {
      this.#count(caller) // 503
      this.#waiting.add(abort)
      raw.once('close', end)
      const aborted = new Promise<void>((resolve) => abort.signal.addEventListener('abort', () => resolve(), { once: true }))
      await Promise.race([until, aborted])
    } finally {
      raw.off('close', end)
      if (this.#waiting.delete(abort)) this.#uncount(caller)
      end()
      request.waitedMs = (request.waitedMs ?? 0) + performance.now() - startedAt
    }
  }

  #count(caller: string): void {
    const count = this.#countByCaller.get(caller) ?? 0
    if (this.#waiting.size >= MAX_LONG_POLLS || count >= MAX_LONG_POLLS_PER_CALLER)
      unavailable('overloaded', 'Too many requests wait for changes. Retry after the time in Retry-After.', 1)
    this.#countByCaller.set(caller, count + 1)
  }

  #uncount(caller: string): void {
    const count = (this.#countByCaller.get(caller) as number) - 1
    if (count > 0) this.#countByCaller.set(caller, count)
    else this.#countByCaller.delete(caller)
  }
}
