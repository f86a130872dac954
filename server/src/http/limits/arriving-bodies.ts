import type { IncomingMessage } from 'node:http'
import { unavailable } from '../../core/problem.ts'
import { MOST_BYTES } from '../request/body.ts'

export const MAX_BODIES_PER_CALLER = 400
const MAX_BYTES_PER_CALLER = 16 * 1024 * 1024
const MAX_BYTES = 64 * 1024 * 1024

const hasBody = ({ headers }: IncomingMessage) => headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** What a body may take of memory: as much as it declares, and if it declares nothing, as much as a body may. */
const bytesOf = ({ headers }: IncomingMessage) => Math.min(Number(headers['content-length'] ?? MOST_BYTES), MOST_BYTES)

/**
 * Request bodies that are on their way. A body that never arrives holds no turn: bodies are limited in number and bytes, and by the
 * server's request timeout.
 */
export class ArrivingBodies {
  #bytes = 0
  readonly #of = new Map<string, { count: number; bytes: number }>()

  /** Counts the body of a request until it has arrived or its connection is closed. */
  expect(caller: string, request: IncomingMessage): void {
    // A client that has left already closes its connection no second time.
    if (!hasBody(request) || request.complete || request.destroyed) return
    const bytes = bytesOf(request)
    const arriving = this.#of.get(caller) ?? { count: 0, bytes: 0 }
    const isTooMuch = arriving.count >= MAX_BODIES_PER_CALLER || arriving.bytes + bytes > MAX_BYTES_PER_CALLER
    // A caller who sends one body at a time is not refused for what others send.
    if (isTooMuch || (arriving.count > 0 && this.#bytes + bytes > MAX_BYTES))
      unavailable('too_many_bodies', 'Too many request bodies are still arriving. Finish sending them, then retry.', 1)
    this.#add(caller, arriving, 1, bytes)
    let isArriving = true
    const arrived = () => {
      if (isArriving) this.#add(caller, arriving, -1, -bytes)
      isArriving = false
    }
    request.once('end', arrived).once('close', arrived)
  }

  #add(caller: string, arriving: { count: number; bytes: number }, count: number, bytes: number): void {
    arriving.count += count
    arriving.bytes += bytes
    this.#bytes += bytes
    if (arriving.count > 0) this.#of.set(caller, arriving)
    else this.#of.delete(caller)
  }
}
