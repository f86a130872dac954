import { NoCredentialError } from './errors.ts'
import type { ClientOptions } from './options.ts'
import { unlessAborted } from './wait.ts'

type Source = string | (() => string | Promise<string>)

/** The credential of a client. One that comes from a function is kept until the service rejects it. */
export class Credential {
  #header: string
  #prefix: string
  #source: Source
  #current: Promise<string> | undefined

  constructor(options: ClientOptions) {
    const { token, apiKey, session } = options as { token?: Source; apiKey?: Source; session?: true }
    // The header of the console, without which its cookie counts for nothing.
    const source = token ?? apiKey ?? (session && '1')
    // In JavaScript, a variable of the environment that is not set arrives here as undefined.
    if (!source) throw new TypeError('The client has no credential. Give it an apiKey, a token or a session.')
    this.#source = source
    this.#header = token ? 'authorization' : apiKey ? 'x-api-key' : 'x-guildhall-console'
    this.#prefix = token ? 'Bearer ' : ''
  }

  /** The present credential. All requests that ask while it is being fetched wait for the same one. */
  get(): Promise<string> {
    this.#current ??= this.#fetch()
    return this.#current
  }

  /** Waits for a credential, and returns its header. One that fails or takes too long is forgotten, so that the next attempt asks again. */
  async headerOf(credential: Promise<string>, signal: AbortSignal): Promise<[name: string, value: string]> {
    try {
      return [this.#header, this.#prefix + (await unlessAborted(credential, signal))]
    } catch (cause) {
      this.forget(credential)
      throw signal.aborted ? new NoCredentialError(`No credential: ${(cause as Error)?.message ?? cause}`, { cause }) : cause
    }
  }

  /** Forgets a credential that cannot be used. Returns false if there is no other. Requests that used the same one share the next. */
  forget(unusable: Promise<string>): boolean {
    if (typeof this.#source === 'string') return false
    if (this.#current === unusable) this.#current = undefined
    return true
  }

  async #fetch(): Promise<string> {
    return typeof this.#source === 'string' ? this.#source : this.#source()
  }
}
