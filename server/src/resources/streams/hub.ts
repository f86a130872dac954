import { FairQueue } from '../../core/shares/fair-queue.ts'
import type { Database } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { markOf, NO_MARK, type Place } from '../../events/cursor.ts'
import { CompanyFeed } from './company-feed.ts'
import type { Follower } from './follower.ts'

/** The number of classes and single readers for which this process reads at once, at most all but one for a developer: they share the connections of requests. */
export const READS = {
  running: 6,
  runningPerTenant: 5,
  waiting: Number.POSITIVE_INFINITY,
  waitMs: Number.POSITIVE_INFINITY,
  overloadWaitMs: Number.POSITIVE_INFINITY,
}
/** The time between two looks at the epoch and the ends of the feeds: the epoch changes when a backup is restored, and a feed that went back ends elsewhere. */
const EPOCH_CHECK_MS = 15_000

/** The feeds that streams of this process follow. */
class Hub {
  readonly #db: Database
  readonly #feeds = new Map<string, CompanyFeed>()
  readonly #reads = new FairQueue(READS)
  #timer: NodeJS.Timeout | undefined

  constructor(db: Database) {
    this.#db = db
  }

  /** Sends events to a follower until their stream ends. */
  follow(follower: Follower, isBehind: boolean): void {
    this.#feedOf(follower.company_id).follow(follower, isBehind)
  }

  #feedOf(company_id: string): CompanyFeed {
    const known = this.#feeds.get(company_id)
    if (known) return known
    const feed = new CompanyFeed(this.#db, this.#reads, company_id, () => this.#forget(company_id, feed))
    this.#feeds.set(company_id, feed)
    this.#timer ??= setInterval(() => void this.#checkEpoch(), EPOCH_CHECK_MS).unref()
    return feed
  }

  #forget(company_id: string, feed: CompanyFeed): void {
    if (this.#feeds.get(company_id) === feed) this.#feeds.delete(company_id)
    if (this.#feeds.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #checkEpoch(): Promise<void> {
    // The places are noted before the query: followers go on while it runs.
    const checks = new Map([...this.#feeds].map(([id, feed]) => [id, feed.placesNow()]))
    const query = sql`
      SELECT s.epoch, h.company_id, h.last, f.event_id FROM feed_state s LEFT JOIN feed_heads h ON h.company_id = ANY (${[...checks.keys()]}::uuid[])
      LEFT JOIN feed f ON f.company_id = h.company_id AND f.position = h.last`
    // The database is away: the next check finds what was missed.
    const rows = await this.#db.query<Head>(query).catch(() => [])
    const [first] = rows
    if (!first) return
    const heads = new Map(rows.map((row) => [row.company_id, placeOf(row)]))
    for (const [id, resetUnless] of checks) resetUnless(first.epoch, heads.get(id) ?? placeOf())
  }
}

interface Head {
  epoch: string
  company_id: string | null
  last: number | null
  event_id: string | null
}
const placeOf = (head?: Head): Place => ({ position: head?.last ?? 0, mark: head?.event_id ? markOf(head.event_id) : NO_MARK })

const hubs = new WeakMap<Database, Hub>()

/** The hub of a database: one in each process. */
export function hubOf(db: Database): Hub {
  const known = hubs.get(db) ?? new Hub(db)
  hubs.set(db, known)
  return known
}
