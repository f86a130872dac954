import type { IncomingMessage } from 'node:http'
import { unavailable } from '../../core/problem.ts'
import type { Holder } from '../../core/shares/holder.ts'
import { SharedMemory } from '../../core/shares/shared-memory.ts'
import { MAX_BODY_BYTES } from '../request/body.ts'

export const MAX_BODIES_PER_CALLER = 400
const MB = 1024 * 1024
const BUDGET = { total: 64 * MB, perTenant: 48 * MB, perPart: 16 * MB }
/** The memory of a connection with a body that is still arriving, however small the body is. It limits the number of bodies: 4,096 in a process. */
const MIN_BODY_BYTES = 16 * 1024

const hasBody = ({ headers }: IncomingMessage) => headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** The memory that a body may take: its declared length, or the maximum if it declares none. */
const bytesOf = ({ headers }: IncomingMessage) =>
  Math.max(MIN_BODY_BYTES, Math.min(Number(headers['content-length'] ?? MAX_BODY_BYTES), MAX_BODY_BYTES))

/**
 * Counts request bodies that are still arriving. They hold no turn; instead they are limited in number, in bytes, and by the request timeout
 * of the server.
 */
export class ArrivingBodies {
  readonly #memory = new SharedMemory(BUDGET)
  readonly #countByCaller = new Map<string, number>()

  /** Counts the body of a request until it has arrived or its connection is closed. */
  expect(holder: Holder, request: IncomingMessage): void {
    // A connection that is already closed emits no second close event.
    if (!hasBody(request) || request.complete || request.destroyed) return
    const bytes = bytesOf(request)
    const caller = holder.join(' ')
    if ((this.#countByCaller.get(caller) ?? 0) >= MAX_BODIES_PER_CALLER || this.#memory.refuses(holder, bytes))
      unavailable('too_many_bodies', 'Too many request bodies are still arriving. Finish sending them, then retry.', 1)
    this.#memory.take(holder, bytes)
    this.#count(caller, 1)
    let isArriving = true
    const arrived = () => {
      if (!isArriving) return
      isArriving = false
      this.#memory.release(holder, bytes)
      this.#count(caller, -1)
    }
    request.once('end', arrived).once('close', arrived)
  }

  #count(caller: string, change: number): void {
    const count = (this.#countByCaller.get(caller) ?? 0) + change
    if (count > 0) this.#countByCaller.set(caller, count)
    else this.#countByCaller.delete(caller)
  }
}
