import type pg from 'pg'
import { LazyConnection } from './lazy-connection.ts'

interface Reader {
  connection: LazyConnection
  busy: number
  /** When it last answered, or was first asked since it was idle. */
  moved: number
}

/** A connection that has not answered for so many milliseconds is busy with something long. */
const LONG = 2
/** More than this do not wait in one line. */
const MOST = 32

/**
 * A few connections that all reads share: queries are pipelined, so one connection serves many at once and none is
 * ever checked out. The first that is not busy with something long takes all there is, since what goes together costs one
 * write, one wakening and one read on either side; short reads do not queue behind a long one.
 */
export class Readers {
  readonly #readers: Reader[]

  constructor(create: () => pg.Client, count: number, onLost: (error: Error) => void) {
    this.#readers = Array.from({ length: count }, () => ({ connection: new LazyConnection(create, onLost), busy: 0, moved: 0 }))
  }

  async run<T>(query: (client: pg.Client) => Promise<T>): Promise<T> {
    const now = performance.now()
    const reader = this.#choose(now)
    if (reader.busy++ === 0) reader.moved = now
    try {
      return await query(await reader.connection.get())
    } finally {
      reader.busy--
      reader.moved = performance.now()
    }
  }

  /** Where all are busy, the one that answered last: the least busy one may be so because it is stuck. */
  #choose(now: number): Reader {
    let [least, latest] = [this.#readers[0] as Reader, this.#readers[0] as Reader]
    for (const reader of this.#readers) {
      if (reader.busy === 0 || (reader.busy < MOST && now - reader.moved < LONG)) return reader
      if (reader.busy < least.busy) least = reader
      if (reader.moved > latest.moved) latest = reader
    }
    return latest.busy < MOST ? latest : least
  }

  async end() {
    await Promise.all(this.#readers.map(({ connection }) => connection.end()))
  }
}
