import { detached } from '../core/detached.ts'
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

interface Wait {
  milliseconds: number
  quietMs: number
  signal: AbortSignal
}

/** The number of feeds whose last known positions are kept. */
const MAX_KNOWN_HEADS = 1000

/** Wakes the readers of feeds in this process when there is something to read. */
export class FeedWatch {
  /** True while hints from other processes arrive. */
  hasHints = false
  readonly #db: Db
  readonly #followers = new Map<string, Set<Follower>>()
  readonly #listeners = new Set<(advances: Advance[]) => void>()
  /** The last positions that were heard of, the latest at the end. One may be too high after a restore, until the next poll. */
  readonly #heads = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(db: Db) {
    this.#db = db
  }

  /** Resolves when the feed of a company is longer than this, but not before the quiet time is over; and when the signal is aborted, or the time is over. */
  next(company_id: string, after: number, { milliseconds, quietMs, signal }: Wait): Promise<void> {
    return new Promise((resolve) => {
      const quietUntil = performance.now() + quietMs
      let timer = setTimeout(() => end(), milliseconds)
      const overAt = performance.now() + milliseconds
      const wake = () => {
        clearTimeout(timer)
        timer = setTimeout(() => end(), Math.max(0, Math.min(quietUntil, overAt) - performance.now()))
      }
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        stop()
        resolve()
      }
      const stop = this.follow(company_id, { after, wake })
      signal.addEventListener('abort', end, { once: true })
      // It may have got longer since the reader looked.
      if ((this.#heads.get(company_id) ?? 0) > after) wake()
    })
  }

  /** Wakes a follower whenever the feed of a company gets longer than its position. Returns the function that ends it. */
  follow(company_id: string, follower: Follower): () => void {
    const known = this.#followers.get(company_id) ?? new Set()
    this.#followers.set(company_id, known.add(follower))
    this.#timer ??= detached(() => setTimeout(() => void this.#poll(), POLL_MS))
    return () => {
      known.delete(follower)
      if (known.size === 0 && this.#followers.get(company_id) === known) this.#followers.delete(company_id)
    }
  }

  /** Feeds that got longer: as this process made them, or as another one says. */
  advanced(advances: Advance[]): void {
    const longer = advances.filter(({ company_id, last }) => last > (this.#heads.get(company_id) ?? 0))
    if (longer.length > 0) for (const listener of this.#listeners) listener(longer)
    for (const { company_id, last } of advances) {
      this.#heads.delete(company_id)
      this.#heads.set(company_id, last)
      for (const follower of [...(this.#followers.get(company_id) ?? [])]) if (last > follower.after) follower.wake()
    }
    for (const company_id of this.#heads.keys()) {
      if (this.#heads.size <= MAX_KNOWN_HEADS) break
      this.#heads.delete(company_id)
    }
  }

  /** Calls a listener for all feeds that this process hears of. Returns the function that ends it. */
  listen(listener: (advances: Advance[]) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
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
