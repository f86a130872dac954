import type { StreamEvent } from '@guildhall/client'
import { noticeEnd } from '../../../data/load.ts'
import { Store } from '../../../data/store.ts'
import {
  compareEntries,
  type Entry,
  experienceEntry,
  type FeedExperience,
  type FeedNote,
  type FeedRoll,
  isAbout,
  newsOf,
  noteEntry,
  rollEntry,
} from './entry.ts'

/** A part of a list, newest first. */
interface Page {
  entries: Entry[]
  next: string | null
}

/** A list that entries come from, read from the newest on. */
export type Source = (after: string | undefined, signal: AbortSignal) => Promise<Page>

export interface FeedState {
  /** The entries up to the oldest time that all lists have been read to, oldest first. */
  entries: Entry[]
  hasEarlier: boolean
  isLoading: boolean
  error: unknown
}

/** How far a list has been read. */
interface Tail {
  source: Source
  next: string | null
  oldest: string
}

/** The feed of one campaign: several lists, read page by page and merged by time, and then the events. */
export class FeedStore {
  readonly state: Store<FeedState> = new Store<FeedState>({ entries: [], hasEarlier: false, isLoading: true, error: undefined })
  #campaignId: string
  #sources: readonly Source[]
  #entries = new Map<string, Entry>()
  #tails: Tail[] = []
  #running: AbortController | undefined
  /** Events that arrive while the lists are read. They are applied afterwards. */
  #waiting: StreamEvent[] | undefined

  constructor(campaignId: string, sources: readonly Source[]) {
    this.#campaignId = campaignId
    this.#sources = sources
  }

  /** Reads the newest page of every list. News stay, because no list has them, unless the reader may see less than before. */
  async load({ keepNews = true }: { keepNews?: boolean } = {}): Promise<void> {
    if (!keepNews) {
      this.#entries.clear()
      this.#show()
    }
    await this.#read(async (signal) => {
      this.#waiting ??= []
      const pages = await Promise.all(this.#sources.map((source) => source(undefined, signal)))
      if (signal.aborted) return
      for (const [key, { kind }] of this.#entries) if (kind !== 'news') this.#entries.delete(key)
      this.#tails = pages.map((page, index) => this.#keep(this.#sources[index] as Source, page))
      const events = this.#waiting
      this.#waiting = undefined
      for (const event of events) this.apply(event)
    })
  }

  /** Reads one more page of the lists that hide the earlier entries of the others. */
  async loadEarlier(): Promise<void> {
    if (this.state.get().isLoading) return
    const horizon = this.#horizon()
    await this.#read(async (signal) => {
      const tails = await Promise.all(
        this.#tails.map(async (tail) => {
          if (tail.next === null || tail.oldest < horizon) return tail
          const page = await tail.source(tail.next, signal)
          return signal.aborted ? tail : this.#keep(tail.source, page)
        }),
      )
      if (!signal.aborted) this.#tails = tails
    })
  }

  /** Adds the rolls of a reply before their events arrive. */
  add(rolls: readonly FeedRoll[]): void {
    for (const roll of rolls) if (roll.campaign_id === this.#campaignId) this.#put(rollEntry(roll))
    this.#show()
  }

  apply(event: StreamEvent): void {
    const { type, campaign_id, data } = event
    if (type === 'sight.changed' || type === 'feed.reset') return void this.load({ keepNews: false })
    if (campaign_id !== this.#campaignId) return
    if (this.#waiting) return void this.#waiting.push(event)
    if (data.change === 'REMOVE') this.#remove(event)
    else {
      if (data.change === 'RESYNC') this.load()
      this.#upsert(event)
      for (const entry of newsOf(event)) this.#put(entry)
    }
    this.#show()
  }

  stop(): void {
    this.#running?.abort()
  }

  async #read(run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#running?.abort()
    const attempt = new AbortController()
    this.#running = attempt
    this.#show({ isLoading: true })
    try {
      await run(attempt.signal)
      if (!attempt.signal.aborted) this.#show({ isLoading: false, error: undefined })
    } catch (error) {
      if (attempt.signal.aborted) return
      noticeEnd(error)
      this.#waiting = undefined
      this.#show({ isLoading: false, error })
    }
  }

  #upsert({ data: { resource_type, resource, truncated } }: StreamEvent): void {
    if (!['dice_roll', 'experience', 'note'].includes(resource_type)) return
    if (!resource) return void (truncated && this.load())
    if (resource_type === 'dice_roll') this.#put(rollEntry(resource as unknown as FeedRoll))
    else if (resource_type === 'experience') this.#put(experienceEntry(resource as unknown as FeedExperience))
    else this.#put(noteEntry(resource as unknown as FeedNote))
  }

  #remove({ data: { resource_type, id } }: StreamEvent): void {
    this.#entries.delete(`roll-${id}`)
    this.#entries.delete(`note-${id}`)
    for (const [key, entry] of this.#entries) {
      if (entry.kind === 'news' && 'trackerId' in entry.news && entry.news.trackerId === id) this.#entries.delete(key)
      if (resource_type === 'character' && isAbout(entry, id)) this.#entries.delete(key)
    }
    // The rolls and the experience of an archived character stay in their lists, and those of one that is hidden do not.
    if (resource_type === 'character') this.load()
  }

  #put(entry: Entry): void {
    const known = this.#entries.get(entry.key)
    if (known?.kind === 'roll' && entry.kind === 'roll' && known.roll.version > entry.roll.version) return
    if (known?.kind === 'note' && entry.kind === 'note' && known.note.version > entry.note.version) return
    this.#entries.set(entry.key, entry)
  }

  #keep(source: Source, { entries, next }: Page): Tail {
    for (const entry of entries) this.#put(entry)
    return { source, next, oldest: entries.at(-1)?.at ?? '' }
  }

  /** The oldest time that all lists have been read to. Before it, entries may be missing. */
  #horizon(): string {
    return this.#tails.reduce((latest, { next, oldest }) => (next !== null && oldest > latest ? oldest : latest), '')
  }

  #show(part: Partial<FeedState> = {}): void {
    const horizon = this.#horizon()
    const entries = [...this.#entries.values()].filter(({ at }) => at >= horizon).sort(compareEntries)
    this.state.set({ ...this.state.get(), entries, hasEarlier: horizon !== '', ...part })
  }
}
