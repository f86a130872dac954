import type pg from 'pg'

/** A connection that is opened when it is first needed, and reopened after it was lost. */
export class LazyConnection {
  readonly #create: () => pg.Client
  readonly #onLost: (error: Error) => void
  #client: Promise<pg.Client> | undefined

  constructor(create: () => pg.Client, onLost: (error: Error) => void) {
    this.#create = create
    this.#onLost = onLost
  }

  get(): Promise<pg.Client> {
    this.#client ??= this.#open()
    return this.#client
  }

  #open(): Promise<pg.Client> {
    const client = this.#create()
    const forget = () => {
      if (this.#client === opened) this.#client = undefined
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

  async end(): Promise<void> {
    const open = await this.#client?.catch(() => undefined)
    await open?.end()
  }
}
