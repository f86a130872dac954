import type pg from 'pg'
import { LazyConnection } from './lazy-connection.ts'

interface Reader {
  connection: LazyConnection
  busy: number
  /** The time of its last answer, or of its first statement after it was idle. */
  lastActive: number
}

/** A connection that has not answered for this long is busy with a long statement. */
const MAX_SHORT_READ_MS = 2
const MAX_PIPELINED = 32

/**
 * A few connections that all reads share: queries are pipelined, so one connection serves many at once and none is ever checked out. The
 * first connection that is not busy with a long statement takes all queries, because a batch costs one write, one wakeup and one read on
 * either side. Short reads do not queue behind a long one.
 */
export class Readers {
  readonly #readers: Reader[]

  constructor(create: () => pg.Client, count: number, onLost: (error: Error) => void) {
    this.#readers = Array.from({ length: count }, () => ({ connection: new LazyConnection(create, onLost), busy: 0, lastActive: 0 }))
  }

  async run<T>(query: (client: pg.Client) => Promise<T>): Promise<T> {
    const now = performance.now()
    const reader = this.#choose(now)
    if (reader.busy++ === 0) reader.lastActive = now
    try {
      return await query(await reader.connection.get())
    } finally {
      reader.busy--
      reader.lastActive = performance.now()
    }
  }

  /** If all are busy, chooses the one that answered last: the one with the fewest queries may be stuck. */
  #choose(now: number): Reader {
    let [least, latest] = [this.#readers[0] as Reader, this.#readers[0] as Reader]
    for (const reader of this.#readers) {
      if (reader.busy === 0 || (reader.busy < MAX_PIPELINED && now - reader.lastActive < MAX_SHORT_READ_MS)) return reader
      if (reader.busy < least.busy) least = reader
      if (reader.lastActive > latest.lastActive) latest = reader
    }
    return latest.busy < MAX_PIPELINED ? latest : least
  }

  async end() {
    await Promise.all(this.#readers.map(({ connection }) => connection.end()))
  }
}
