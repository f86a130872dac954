import type { ClientOptions } from './options.ts'

type Source = string | (() => string | Promise<string>)

/** The credential of a client. One that comes from a function is kept until the service rejects it. */
export class Credential {
  #header: string
  #prefix: string
  #source: Source
  #current: Promise<string> | undefined

  constructor(options: ClientOptions) {
    const { token, apiKey } = options as { token?: Source; apiKey?: Source }
    const source = token ?? apiKey
    // In JavaScript, a variable of the environment that is not set arrives here as undefined.
    if (!source) throw new TypeError('The client has no credential. Give it an apiKey or a token.')
    this.#source = source
    this.#header = token ? 'authorization' : 'x-api-key'
    this.#prefix = token ? 'Bearer ' : ''
  }

  /** The present credential. All requests that ask while it is being fetched wait for the same one. */
  get(): Promise<string> {
    this.#current ??= this.#fetch()
    return this.#current
  }

  async addTo(headers: Record<string, string>, credential: Promise<string>): Promise<void> {
    headers[this.#header] = this.#prefix + (await credential)
  }

  /** Forgets a credential that the service rejected. Returns false if there is no other. Requests that used the same one share the next. */
  forget(rejected: Promise<string>): boolean {
    if (typeof this.#source === 'string') return false
    if (this.#current === rejected) this.#current = undefined
    return true
  }

  async #fetch(): Promise<string> {
    if (typeof this.#source === 'string') return this.#source
    try {
      return await this.#source()
    } catch (error) {
      // The next request tries again.
      this.#current = undefined
      throw error
    }
  }
}
