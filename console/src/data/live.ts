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
    let cursor = after
    while (!signal.aborted) {
      const attempt = new AbortController()
      // The client waits longer after each failure. A device that is online or looked at again does not wait.
      const hurry = ({ type }: Event) => {
        if (type === 'online' || (this.state.get() === 'lost' && document.visibilityState === 'visible')) attempt.abort()
      }
      // A stream that says nothing is found to be dead only after a while.
      const lose = () => this.state.set('lost')
      addEventListener('offline', lose)
      addEventListener('online', hurry)
      addEventListener('visibilitychange', hurry)
      try {
        const until = AbortSignal.any([signal, attempt.signal])
        for await (const event of user.events({ after: cursor, signal: until, onState: (state) => this.state.set(state) })) {
          cursor = event.cursor
          // The stream delivers each event at least once, so duplicates are skipped.
          if (seen.has(event.id)) continue
          seen.add(event.id)
          if (seen.size > MAX_SEEN) seen.delete(seen.values().next().value as string)
          for (const listener of this.#listeners) listener(event)
        }
      } catch (error) {
        if (!attempt.signal.aborted) throw error
      } finally {
        removeEventListener('offline', lose)
        removeEventListener('online', hurry)
        removeEventListener('visibilitychange', hurry)
      }
    }
  }

  #end(error: unknown): void {
    if (this.#stopped.signal.aborted) return
    noticeEnd(error)
    this.state.set('ended')
  }
}

const MAX_SEEN = 2000
