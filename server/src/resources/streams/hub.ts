import type { Database } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { CompanyFeed } from './company-feed.ts'
import type { Follower } from './follower.ts'
import { Turnstile } from './turnstile.ts'

/** The number of classes and single readers for which this process reads at once: they share the connections of requests. */
const MAX_READS = 6
/** The time between two looks at the epoch of the database, which changes when a backup is restored. */
const EPOCH_CHECK_MS = 15_000

/** The feeds that streams of this process follow. */
class Hub {
  readonly #db: Database
  readonly #feeds = new Map<string, CompanyFeed>()
  readonly #turnstile = new Turnstile(MAX_READS)
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
    const feed = new CompanyFeed(this.#db, this.#turnstile, company_id, () => this.#forget(company_id, feed))
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
    const ids = [...this.#feeds.keys()]
    const query = sql`SELECT s.epoch, h.company_id, h.last FROM feed_state s LEFT JOIN feed_heads h ON h.company_id = ANY (${ids}::uuid[])`
    // The database is away: the next check finds what was missed.
    const rows = await this.#db.query<{ epoch: string; company_id: string | null; last: number | null }>(query).catch(() => [])
    const [first] = rows
    if (!first) return
    const lasts = new Map(rows.map(({ company_id, last }) => [company_id, last]))
    for (const id of ids) this.#feeds.get(id)?.resetUnless(first.epoch, lasts.get(id) ?? 0)
  }
}

const hubs = new WeakMap<Database, Hub>()

/** The hub of a database: one in each process. */
export function hubOf(db: Database): Hub {
  const known = hubs.get(db) ?? new Hub(db)
  hubs.set(db, known)
  return known
}
