import { type RootHandle, root } from './generated.ts'
import { addTo } from './handle.ts'
import type { ClientOptions, RequestOptions } from './options.ts'
import { Transport } from './transport.ts'

export { type AnyErrorCode, ApiError, ConnectionError } from './errors.ts'
export { type EventsOptions, StreamReplacedError } from './events.ts'
export type * from './generated.ts'
export { SERVICE_VERSION } from './generated.ts'
export { List, type Page } from './list.ts'
export { type Meta, metaOf } from './meta.ts'
export type * from './options.ts'
export { VERSION } from './version.ts'

/** The client of a Guildhall service. Ids are bound once: `gh.company(id).as(userId).campaign(id).characters.create({ name: 'Crane' })`. */
export interface Guildhall extends RootHandle {
  /** Reads what is at a path of the API, such as the `path` of an event whose resource is left out because it is large. */
  read<T = unknown>(path: string, options?: RequestOptions): Promise<T>
}

const PREFIX = '/api/v1/'
/** Segments that lead upward, also if they are encoded, before the query. */
const DOT_SEGMENT = /^[^?#]*(\/|%2f|%5c)(\.|%2e){1,2}(\/|%2f|%5c|[?#]|$)/i
/** Characters that the parser of addresses removes or reads as a slash, so that they could hide such a segment. */
const HIDING = /[\\\p{Cc}]| $/u

class Client {
  #transport: Transport

  constructor(options: ClientOptions) {
    this.#transport = new Transport(options)
    addTo(this, this.#transport, root, '')
  }

  async read(path: string, options?: RequestOptions): Promise<unknown> {
    if (!path.startsWith(PREFIX) || DOT_SEGMENT.test(path) || HIDING.test(path))
      throw new TypeError(
        `${JSON.stringify(path)} is no path of the API. Expected one that begins with ${PREFIX} and does not lead upward.`,
      )
    return this.#transport.send({ method: 'GET', path: path.slice(PREFIX.length - 1), isSafe: true, options })
  }
}

export const Guildhall: new (options: ClientOptions) => Guildhall = Client as unknown as new (options: ClientOptions) => Guildhall
