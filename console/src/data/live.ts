import type { StreamEvent, UserHandle } from '@guildhall/client'
import { noticeEnd } from './load.ts'
import { Store } from './store.ts'

/** The state of the connection to the event stream. */
export type LiveState = 'connecting' | 'live' | 'lost' | 'ended'

type Listener = (event: StreamEvent) => void

/** Follows the event stream of one user, and passes its events on to the components of the page. */
export class Live {
  readonly state: Store<LiveState> = new Store<LiveState>('connecting')
  /** Resolves when the cursor in the stream is known. Data that is read after that misses no change, because its event arrives. */
  readonly isReady: Promise<void>
  #listeners = new Set<Listener>()
  #stopped = new AbortController()

  constructor(user: UserHandle) {
    const first = user.changes.list({}, { signal: this.#stopped.signal })
    // Without a cursor the pages still work, but do not update by themselves.
    this.isReady = first.then(
      () => undefined,
      () => undefined,
    )
    first.then(({ cursor }) => this.#follow(user, cursor)).catch((error) => this.#end(error))
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  stop(): void {
    this.#stopped.abort()
  }

  async #follow(user: UserHandle, after: string): Promise<void> {
    const { signal } = this.#stopped
    const seen = new Set<string>()
    for await (const event of user.events({ after, signal, onState: (state) => this.state.set(state) })) {
      // The stream delivers each event at least once, so duplicates are skipped.
      if (seen.has(event.id)) continue
      seen.add(event.id)
      if (seen.size > MAX_SEEN) seen.delete(seen.values().next().value as string)
      for (const listener of this.#listeners) listener(event)
    }
  }

  #end(error: unknown): void {
    if (this.#stopped.signal.aborted) return
    noticeEnd(error)
    this.state.set('ended')
  }
}

const MAX_SEEN = 2000
