import type pg from 'pg'
import { DatabaseBusy } from './connection-errors.ts'
import { LazyConnection } from './lazy-connection.ts'

/**
 * Connections that serve one read at a time each; further ones wait in line. They are for reads that may take long, so that these take neither the connections of
 * short reads nor more of the database, and for all reads behind a pooler.
 */
export class ExclusiveReaders {
  readonly #connections: LazyConnection[]
  readonly #idle: LazyConnection[]
  readonly #waiting: ((connection: LazyConnection) => void)[] = []
  readonly #maxWaitMs: number

  constructor(create: () => pg.Client, count: number, onLost: (error: Error) => void, maxWaitMs: number) {
    this.#maxWaitMs = maxWaitMs
    this.#connections = Array.from({ length: count }, () => new LazyConnection(create, onLost))
    this.#idle = [...this.#connections]
  }

  async run<T>(query: (client: pg.Client) => Promise<T>): Promise<T> {
    const connection = this.#idle.pop() ?? (await this.#next())
    try {
      return await query(await connection.get())
    } finally {
      const next = this.#waiting.shift()
      if (next) next(connection)
      else this.#idle.push(connection)
    }
  }

  /** Waits for the next connection that becomes idle. Waiting reads are served in order. */
  #next(): Promise<LazyConnection> {
    return new Promise((resolve, reject) => {
      const take = (connection: LazyConnection) => {
        clearTimeout(timer)
        resolve(connection)
      }
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1)
        reject(new DatabaseBusy('No connection for reads became free'))
      }, this.#maxWaitMs)
      this.#waiting.push(take)
    })
  }

  async end(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.end()))
  }
}
