import { type RootHandle, root } from './generated.ts'
import { addTo } from './handle.ts'
import type { ClientOptions } from './options.ts'
import { Transport } from './transport.ts'

export { type AnyErrorCode, ApiError, ConnectionError } from './errors.ts'
export { type EventsOptions, StreamReplacedError } from './events.ts'
export type * from './generated.ts'
export { List, type Page } from './list.ts'
export { type Meta, metaOf } from './meta.ts'
export type * from './options.ts'
export { VERSION } from './version.ts'

/** The client of a Guildhall service. Ids are bound once: `gh.company(id).as(userId).campaign(id).characters.create({ name: 'Crane' })`. */
export type Guildhall = RootHandle

class Client {
  constructor(options: ClientOptions) {
    addTo(this, new Transport(options), root, '')
  }
}

export const Guildhall: new (options: ClientOptions) => Guildhall = Client as unknown as new (options: ClientOptions) => Guildhall
