import type { IncomingMessage } from 'node:http'
import { unavailable } from '../../core/problem.ts'
import { MAX_BODY_BYTES } from '../request/body.ts'

export const MAX_BODIES_PER_CALLER = 400
const MAX_BYTES_PER_CALLER = 16 * 1024 * 1024
const MAX_BYTES = 64 * 1024 * 1024

const hasBody = ({ headers }: IncomingMessage) => headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** The memory that a body may take: its declared length, or the maximum if it declares none. */
const bytesOf = ({ headers }: IncomingMessage) => Math.min(Number(headers['content-length'] ?? MAX_BODY_BYTES), MAX_BODY_BYTES)

/**
 * Counts request bodies that are still arriving. They hold no turn; instead they are limited in number, in bytes, and by the request timeout
 * of the server.
 */
export class ArrivingBodies {
  #bytes = 0
  readonly #byCaller = new Map<string, { count: number; bytes: number }>()

  /** Counts the body of a request until it has arrived or its connection is closed. */
  expect(caller: string, request: IncomingMessage): void {
    // A connection that is already closed emits no second close event.
    if (!hasBody(request) || request.complete || request.destroyed) return
    const bytes = bytesOf(request)
    const arriving = this.#byCaller.get(caller) ?? { count: 0, bytes: 0 }
    const isTooMuch = arriving.count >= MAX_BODIES_PER_CALLER || arriving.bytes + bytes > MAX_BYTES_PER_CALLER
    // A caller who sends one body at a time is not rejected because of other callers.
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
    if (arriving.count > 0) this.#byCaller.set(caller, arriving)
    else this.#byCaller.delete(caller)
  }
}
