import type { Database, Db } from '../db/client.ts'
import { sql } from '../db/sql.ts'
import type { Advance } from './sequencer.ts'

/** How often the feeds that somebody follows are looked at. Hints make readers faster, but none is relied on. */
const POLL_MS = 250
const POLL_WITH_HINTS_MS = 1000

interface Follower {
  /** The position that the follower has seen. */
  after: number
  wake(): void
}

/** Wakes the readers of feeds in this process when there is something to read. */
export class FeedWatch {
  /** True while hints from other processes arrive. */
  hasHints = false
  readonly #db: Db
  readonly #followers = new Map<string, Set<Follower>>()
  #timer: NodeJS.Timeout | undefined

  constructor(db: Db) {
    this.#db = db
  }

  /** Resolves when the feed of a company is longer than this, when the signal is aborted, or when the time is over. */
  next(company_id: string, after: number, milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => wake(), milliseconds)
      const follower: Follower = { after, wake: () => wake() }
      const wake = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        stop()
        resolve()
      }
      const stop = this.follow(company_id, follower)
      signal.addEventListener('abort', wake, { once: true })
    })
  }

  /** Wakes a follower whenever the feed of a company gets longer than its position. Returns the function that ends it. */
  follow(company_id: string, follower: Follower): () => void {
    const known = this.#followers.get(company_id) ?? new Set()
    this.#followers.set(company_id, known.add(follower))
    this.#timer ??= setTimeout(() => void this.#poll(), POLL_MS)
    return () => {
      known.delete(follower)
      if (known.size === 0 && this.#followers.get(company_id) === known) this.#followers.delete(company_id)
    }
  }

  /** Feeds that got longer: as this process made them, or as another one says. */
  advanced(advances: Iterable<Advance>): void {
    for (const { company_id, last } of advances)
      for (const follower of [...(this.#followers.get(company_id) ?? [])]) if (last > follower.after) follower.wake()
  }

  /** The companies whose feeds somebody follows. */
  get companies(): string[] {
    return [...this.#followers.keys()]
  }

  async #poll(): Promise<void> {
    const ids = this.companies
    if (ids.length > 0) {
      const heads = await this.#db
        .query<Advance>(sql`SELECT company_id, last FROM feed_heads WHERE company_id = ANY (${ids}::uuid[])`)
        // The database is away: the next poll finds what was missed.
        .catch(() => [])
      this.advanced(heads)
    }
    this.#timer = undefined
    if (this.#followers.size > 0) this.#timer = setTimeout(() => void this.#poll(), this.hasHints ? POLL_WITH_HINTS_MS : POLL_MS)
  }
}

const watches = new WeakMap<Database, FeedWatch>()

/** The watch of a database: one in each process. */
export function watchOf(db: Database): FeedWatch {
  const known = watches.get(db) ?? new FeedWatch(db)
  watches.set(db, known)
  return known
}
