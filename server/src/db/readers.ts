import type pg from 'pg'

interface Reader {
  client: Promise<pg.Client> | undefined
  busy: number
}

/**
 * A few connections that all reads share: queries are pipelined, so one connection serves many at once and none is
 * ever checked out. The least busy goes first, which keeps short reads from queueing behind a long one.
 */
export class Readers {
  readonly #create: () => pg.Client
  readonly #onLost: (error: Error) => void
  readonly #readers: Reader[]

  constructor(create: () => pg.Client, count: number, onLost: (error: Error) => void) {
    this.#create = create
    this.#onLost = onLost
    this.#readers = Array.from({ length: count }, () => ({ client: undefined, busy: 0 }))
  }

  async run<T>(query: (client: pg.Client) => Promise<T>): Promise<T> {
    let reader = this.#readers[0] as Reader
    for (const other of this.#readers) if (other.busy < reader.busy) reader = other
    reader.busy++
    try {
      reader.client ??= this.#open(reader)
      return await query(await reader.client)
    } finally {
      reader.busy--
    }
  }

  #open(reader: Reader): Promise<pg.Client> {
    const client = this.#create()
    const forget = () => {
      if (reader.client === opened) reader.client = undefined
    }
    client.on('error', (error) => {
      forget()
      this.#onLost(error)
    })
    client.on('end', forget)
    const opened: Promise<pg.Client> = client.connect().then(
      () => client,
      (error) => {
        forget()
        throw error
      },
    )
    return opened
  }

  async end() {
    await Promise.all(
      this.#readers.map(async ({ client }) => {
        const open = await client?.catch(() => undefined)
        await open?.end()
      }),
    )
  }
}
