import type { FastifyReply, FastifyRequest } from 'fastify'
import { detached } from '../../core/detached.ts'
import { Problem, unavailable } from '../../core/problem.ts'
import { SharedSlots } from '../../core/shares/shared-slots.ts'
import { HeldSlots, slotHoldersOf } from '../limits/held-slots.ts'
import { shareHolderOf } from '../limits/share-holder.ts'
import type { SessionState } from '../request/session-state.ts'
import type { Connection, EndReason, Stream } from './connection.ts'
import { bookmarkFrame } from './frames.ts'
import { inSlices } from './slices.ts'

/** Finds the connections whose callers have lost the right to them, with the reasons. */
export type FindEnded = (connections: Connection[]) => Promise<Map<Connection, 'expired' | 'revoked'>>

export const MAX_STREAMS_PER_DEVELOPER = 500
export const MAX_STREAMS_PER_USER = 10
const RETRY_AFTER_SECONDS = 10
const BOOKMARK_INTERVAL_MS = 15_000
/** The one timer of all streams looks this often for bookmarks that are due. */
const BOOKMARK_CHECK_MS = 250

/** The delay of a check that is asked for: many rights that end together take one, and a stream that is just being opened is found. */
const CHECK_SOON_MS = 250

/** Told about streams, for the log, the metrics and the traces. */
export interface StreamObserver {
  opened?(request: FastifyRequest, reply: FastifyReply): void
  ended?(request: FastifyRequest, reason: EndReason, seconds: number): void
}

interface OpenStream {
  connection: Connection
  stream: Stream
  bookmarkAt: number
}

/** The open streams of this process, their limits and their bookmarks. */
export class Streams {
  readonly #max: number
  readonly onError: (error: unknown) => void
  readonly #open = new Set<OpenStream>()
  readonly #slots = new HeldSlots()
  readonly #shares: SharedSlots
  /** The number of streams that have ended so far, by reason. */
  readonly ends = new Map<EndReason, number>()
  readonly observers: StreamObserver[] = []
  #isDraining = false
  #bookmarks: NodeJS.Timeout | undefined

  constructor(max: number, onError: (error: unknown) => void) {
    this.#max = max
    this.#shares = new SharedSlots(max)
    this.onError = onError
  }

  get count(): number {
    return this.#open.size
  }

  /** Rejects a stream beyond the share of the tenant in a process that is full, or beyond the limit of the developer if it is opened with a key. */
  refuse(session: SessionState): void {
    const { developer, token } = session.caller
    if (this.#isDraining) unavailable('draining', 'This process is shutting down. Retry the request.', 1)
    if (this.#max === 0) unavailable('too_many_streams', 'Streams are switched off (STREAMS_MAX=0). Poll the changes instead.', 3600)
    if (this.#shares.refuses(shareHolderOf(session)))
      unavailable('too_many_streams', `This process has ${this.#max} open streams, the maximum. Retry later.`, RETRY_AFTER_SECONDS)
    if (!token && this.#slots.of(developer.id) >= MAX_STREAMS_PER_DEVELOPER) tooManyStreams()
  }

  /**
   * Counts a stream until it ends, and sends its bookmarks. It replaces the oldest one of a user who has too many: a client that lost its connection comes back before
   * the old one is noticed to be gone. In a process that is full, it ends the newest one of the tenant with the most.
   */
  add(connection: Connection, stream: Stream): void {
    // The first bookmark comes at a random time, so that those of many connections do not come together.
    const open = { connection, stream, bookmarkAt: performance.now() + Math.random() * BOOKMARK_INTERVAL_MS }
    const { actor } = connection.session.caller
    const holders = slotHoldersOf(connection.session.caller)
    if (actor && this.#slots.of(actor.id) >= MAX_STREAMS_PER_USER) this.#oldestOf(actor.id)?.end('replaced')
    this.#open.add(open)
    this.#slots.take(holders)
    const release = this.#shares.take(shareHolderOf(connection.session), () => connection.end('crowded'))
    this.#bookmarks ??= setInterval(() => this.#sendBookmarks(), BOOKMARK_CHECK_MS).unref()
    connection.onClose((reason) => {
      this.#open.delete(open)
      this.#slots.release(holders)
      release()
      this.ends.set(reason, (this.ends.get(reason) ?? 0) + 1)
      if (this.#open.size > 0) return
      clearInterval(this.#bookmarks)
      this.#bookmarks = undefined
    })
  }

  /** Ends all streams, because the process is shutting down, and accepts no new ones. */
  async drain(): Promise<void> {
    this.#isDraining = true
    await inSlices(this.#open, ({ connection }) => connection.end('draining'))
  }

  /** Ends the streams of callers who lost the right to them: at intervals, until it is stopped, and soon after it is asked to. All of them are checked together. */
  checkEvery(milliseconds: number, findEnded: FindEnded): { soon(): void; stop(): void } {
    let isChecking = false
    let asked: NodeJS.Timeout | undefined
    const check = async () => {
      if (isChecking || this.#open.size === 0) return
      isChecking = true
      try {
        for (const [connection, reason] of await findEnded([...this.#open].map(({ connection }) => connection))) connection.end(reason)
      } catch (error) {
        // The database is away: then no events come either, and the next check finds what was missed.
        this.onError(error)
      } finally {
        isChecking = false
      }
    }
    const timer = setInterval(() => void check(), milliseconds).unref()
    const soon = () => {
      asked ??= detached(() => setTimeout(checkNow, CHECK_SOON_MS)).unref()
    }
    const checkNow = () => {
      asked = undefined
      // The check that runs may have read the rights before they ended.
      if (isChecking) soon()
      else void check()
    }
    return {
      soon,
      stop: () => {
        clearInterval(timer)
        clearTimeout(asked)
      },
    }
  }

  /** The set keeps the order in which streams were opened. */
  #oldestOf(user_id: string): Connection | undefined {
    for (const { connection } of this.#open) if (connection.session.caller.actor?.id === user_id) return connection
    return undefined
  }

  #sendBookmarks(): void {
    const now = performance.now()
    for (const open of this.#open) {
      if (open.bookmarkAt > now) continue
      open.bookmarkAt = now + BOOKMARK_INTERVAL_MS
      this.attempt(open.connection, () => open.connection.send(bookmarkFrame(open.stream.bookmark())))
    }
  }

  /** Runs a part of an operation outside of a request: if it fails, the stream ends and the process goes on. */
  attempt(connection: Connection, part: () => void): void {
    try {
      part()
    } catch (error) {
      connection.fail(error)
    }
  }
}

function tooManyStreams(): never {
  const detail = `The developer has ${MAX_STREAMS_PER_DEVELOPER} open streams with keys, the maximum. Close one first, or use user tokens.`
  throw new Problem(429, 'too_many_streams', detail, { retry_after: RETRY_AFTER_SECONDS })
}
