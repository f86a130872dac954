import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { FairQueue } from '../../core/shares/fair-queue.ts'
import type { Holder } from '../../core/shares/holder.ts'
import type { Database } from '../../db/client.ts'
import { DatabaseBusy, DatabaseUnavailable, ReadTimeout } from '../../db/driver/connection-errors.ts'
import { mayBeSame, NO_MARK, type Place } from '../../events/cursor.ts'
import { watchOf } from '../../events/watch.ts'
import { inSlices } from '../../http/streams/slices.ts'
import { type PlacedItem, tellEvents, tellScan } from '../changes/page.ts'
import { readEvents } from '../changes/read-events.ts'
import type { FeedEvent } from '../changes/rules.ts'
import type { Scan } from '../changes/scan.ts'
import { type Audience, audiencesOf, type ChangesOf, changedIn, changesOnce } from './audiences.ts'
import { advance, type Follower, frameFor, isFor, type SharedItem, shareItem, wants } from './follower.ts'
import { fingerprintOf, readParticipants, readStandings, type Standings, viewerOf } from './standings.ts'

/** The number of items that a reader who is behind reads at once, and the time for which they do so if they are told nothing: others wait. */
const PAGE_ITEMS = 100
const MAX_SEARCH_MS = 100
/** The number of positions that the loop reads at once, and of audiences whose items are in memory at once. */
const MAX_BATCH = 100
const MAX_AUDIENCES = 6
/** Frames that are written to a connection at once, so that the kernel has an opportunity to take them. */
const MAX_CHUNK_BYTES = 64 * 1024
/** The pause after a failure of the database. Readers stay connected, and go on when it is back. */
const RETRY_MS = 500

/** True for failures after which the same statements are expected to succeed. */
const isTransient = (error: unknown) =>
  error instanceof DatabaseUnavailable || error instanceof DatabaseBusy || error instanceof ReadTimeout

const campaignsOf = (events: FeedEvent[]) => [...new Set(events.map(({ campaign_id }) => campaign_id))].filter((id) => id !== null)

/**
 * Tells the events of one company to its followers in this process: one loop reads each event once for all followers who are up to date, and once more for
 * each class of readers that sees it differently. A follower who is behind reads pages alone until they meet the loop.
 */
export class CompanyFeed {
  readonly #db: Database
  readonly #reads: FairQueue
  readonly #company_id: string
  readonly #onEmpty: () => void
  /** The position up to which the loop has told everything. The position of a follower of the loop is the same, or greater if they have read further alone. */
  #position = 0
  readonly #followers = new Set<Follower>()
  readonly #inLoop = new Set<Follower>()
  /** Followers who have caught up, and enter the loop before its next batch. */
  readonly #arrivals = new Set<Follower>()
  #isDue = false
  #isRunning = false
  readonly #unwatch: () => void

  constructor(db: Database, reads: FairQueue, company_id: string, onEmpty: () => void) {
    this.#db = db
    this.#reads = reads
    this.#company_id = company_id
    this.#onEmpty = onEmpty
    const position = () => this.#position
    this.#unwatch = watchOf(db).follow(company_id, {
      get after() {
        return position()
      },
      wake: () => this.#wake(),
    })
  }

  /** Follows the feed from the position of the follower until their stream ends. `isBehind` if there is something to read before that is new. */
  follow(follower: Follower, isBehind: boolean): void {
    this.#followers.add(follower)
    follower.connection.onClose(() => this.#leave(follower))
    if (isBehind) void this.#catchUp(follower)
    else this.#arrive(follower)
  }

  /**
   * Notes the places of all followers. The function that it returns is called with the epoch and the end of the feed, read since then: it ends all streams whose
   * places are not those of the feed, because the database went back in time.
   */
  placesNow(): (epoch: string, last: Place) => void {
    const noted = [...this.#followers].map((follower) => ({ follower, place: follower.place }))
    return (epoch, last) => {
      for (const { follower, place } of noted) {
        const isLast = place.position === last.position
        if (follower.epoch !== epoch || place.position > last.position || (isLast && !mayBeSame(place.mark, last.mark)))
          follower.connection.end('reset')
      }
    }
  }

  #leave(follower: Follower): void {
    this.#inLoop.delete(follower)
    this.#arrivals.delete(follower)
    if (!this.#followers.delete(follower) || this.#followers.size > 0) return
    this.#unwatch()
    this.#onEmpty()
  }

  #arrive(follower: Follower): void {
    if (!follower.connection.isOpen) return
    this.#arrivals.add(follower)
    this.#wake()
  }

  #wake(): void {
    this.#isDue = true
    if (this.#isRunning) return
    this.#isRunning = true
    void this.#run().finally(() => {
      this.#isRunning = false
      if (this.#isDue && this.#followers.size > 0) this.#wake()
    })
  }

  async #run(): Promise<void> {
    while (this.#isDue) {
      this.#isDue = false
      try {
        do this.#admit()
        while (this.#inLoop.size > 0 && (await this.#tellBatch()))
      } catch (error) {
        if (this.#followers.size === 0) return
        if (!isTransient(error)) for (const { connection } of [...this.#inLoop]) connection.fail(error)
        await sleep(RETRY_MS, undefined, { ref: false })
        this.#isDue = true
      }
    }
  }

  /** Lets the followers who have caught up enter the loop. Between two batches, nobody can miss one. */
  #admit(): void {
    for (const follower of this.#arrivals) {
      const { position } = follower.place
      if (this.#inLoop.size === 0) this.#position = position
      if (position >= this.#position) this.#inLoop.add(follower)
      else void this.#catchUp(follower)
    }
    this.#arrivals.clear()
  }

  /** Tells the next events to the followers of the loop. Returns true if there may be more. */
  async #tellBatch(): Promise<boolean> {
    const scan = await readEvents(this.#db, this.#company_id, { position: this.#position, mark: NO_MARK }, MAX_BATCH)
    const { events, last, isFull, hasGap } = scan
    if (last.position === this.#position) return false
    // Each follower has a place of their own, which may be further on than that of the loop.
    for (const { place, connection } of this.#inLoop) if (!scan.continues(place)) connection.end('reset')
    if (hasGap) await this.#endOutdated()
    const followers = [...this.#inLoop]
    const wanting = followers.filter((follower) =>
      events.some((event) => event.position > follower.place.position && wants(follower, event)),
    )
    if (wanting.length > 0) await this.#tell(scan, wanting)
    for (const follower of followers) if (this.#inLoop.has(follower)) advance(follower, last)
    this.#position = last.position
    return isFull
  }

  /** Ends the streams in the loop whose next positions have been deleted. */
  async #endOutdated(): Promise<void> {
    const standings = await readStandings(this.#db, this.#company_id, [...this.#inLoop])
    for (const follower of [...this.#inLoop]) this.#endsNow(follower, standings)
  }

  async #tell(scan: Scan, wanting: Follower[]): Promise<void> {
    const { events } = scan
    const [before, participants] = await Promise.all([
      readStandings(this.#db, this.#company_id, wanting, campaignsOf(events)),
      readParticipants(this.#db, this.#company_id, events),
    ])
    const readers = wanting.flatMap((follower) => {
      const viewer = viewerOf(follower, before)
      return this.#endsNow(follower, before) || !viewer ? [] : [{ follower, viewer }]
    })
    const audiences = audiencesOf(readers, before, participants)
    const changesOf = changesOnce(this.#db, this.#company_id, events)
    // Only the items of a few audiences are in memory at once: each has its own copies of all resources.
    for (let i = 0; i < audiences.length; i += MAX_AUDIENCES)
      await this.#tellSome(scan, audiences.slice(i, i + MAX_AUDIENCES), before, changesOf)
  }

  async #tellSome(scan: Scan, audiences: Audience[], before: Standings, changesOf: ChangesOf): Promise<void> {
    const { events, placeAt } = scan
    const told = await Promise.all(
      audiences.map((audience) =>
        this.#reads.run(this.#holderOf(audience.followers[0]), async () => {
          const wanted = events.filter((event) => audience.followers.some((follower) => wants(follower, event)))
          return { audience, ...(await tellEvents(this.#db, audience.viewer, wanted, { limit: Number.POSITIVE_INFINITY }, changesOf)) }
        }),
      ),
    )
    const readers = audiences.flatMap(({ followers }) => followers)
    const after = await readStandings(this.#db, this.#company_id, readers, campaignsOf(events))
    for (const { audience, placed, end } of told) {
      // A follower whose rights have changed since they were read reads this alone. Nothing of it has been sent.
      for (const follower of changedIn(audience, before, after)) this.#returnAlone(follower)
      const followers = audience.followers.filter((follower) => this.#inLoop.has(follower))
      await this.#send(followers, scan, placed, audience.shared_id)
      if (end === undefined) continue
      // The event at the end changed what the follower sees.
      for (const follower of followers) {
        advance(follower, placeAt(end))
        this.#returnAlone(follower)
      }
    }
  }

  async #send(followers: Follower[], scan: Scan, placed: PlacedItem[], shared_id: string | undefined): Promise<void> {
    let chunk: SharedItem[] = []
    let bytes = 0
    const flush = async () => {
      const items = chunk
      chunk = []
      bytes = 0
      await inSlices(followers, (follower) => {
        const frames = items.filter((item) => isFor(follower, item)).map((item) => frameFor(follower, item, scan.placeAt(item.position)))
        if (frames.length > 0) follower.connection.send(Buffer.concat(frames))
        // A bookmark that comes before the end of the batch must not lead back.
        advance(follower, scan.placeAt(items.at(-1)?.position ?? 0))
      })
    }
    for (const one of placed) {
      const item = shareItem(one, shared_id)
      if (bytes > 0 && bytes + item.bytes > MAX_CHUNK_BYTES) {
        await flush()
        await nextTurn()
      }
      chunk.push(item)
      bytes += item.bytes
    }
    if (chunk.length > 0) await flush()
  }

  /** The holder of a read: the developer of its reader, or of the first of several. */
  #holderOf(reader: Follower | undefined): Holder {
    return [reader?.developer_id ?? '', this.#company_id]
  }

  #returnAlone(follower: Follower): void {
    if (this.#inLoop.delete(follower)) void this.#catchUp(follower)
  }

  /** Ends a stream whose reader may read nothing any more, or whose position is not one of the feed any more. */
  #endsNow(follower: Follower, standings: Standings): boolean {
    const { epoch, first } = standings
    if (!viewerOf(follower, standings)) follower.connection.end('revoked')
    else if (follower.epoch !== epoch || follower.place.position < first - 1) follower.connection.end('reset')
    return !follower.connection.isOpen
  }

  /** Reads pages for one follower, at the speed of their client, until they meet the loop. */
  async #catchUp(follower: Follower): Promise<void> {
    while (follower.connection.isOpen) {
      try {
        if (!(await this.#readAlone(follower))) continue
        if (this.#inLoop.size === 0 || follower.place.position >= this.#position) return this.#arrive(follower)
      } catch (error) {
        if (!isTransient(error)) return follower.connection.fail(error)
        await sleep(RETRY_MS, undefined, { ref: false })
      }
    }
  }

  /** Reads and sends one page. Returns true if there was no more to read then. */
  async #readAlone(follower: Follower): Promise<boolean> {
    const { types, campaign_id, connection } = follower
    const part = await this.#reads.run(this.#holderOf(follower), async () => {
      const scan = await readEvents(this.#db, this.#company_id, follower.place)
      if (!scan.continues(follower.place)) return connection.end('reset')
      const standingsOf = () => readStandings(this.#db, this.#company_id, [follower], campaignsOf(scan.events))
      const before = await standingsOf()
      const viewer = viewerOf(follower, before)
      if (this.#endsNow(follower, before) || !viewer) return undefined
      const extent = { items: 1, milliseconds: MAX_SEARCH_MS }
      const part = await tellScan(this.#db, viewer, scan, { limit: PAGE_ITEMS, types, campaign_id }, extent)
      // As in the loop: it is read again if the rights of the reader have changed.
      const isValid = part.told.length === 0 || fingerprintOf(follower, before) === fingerprintOf(follower, await standingsOf())
      return isValid ? part : undefined
    })
    if (!part) return false
    for (const one of part.told) {
      const frame = frameFor(follower, shareItem(one), one.place)
      follower.place = one.place
      await connection.deliver(frame)
    }
    follower.place = part.end
    return !part.more
  }
}
