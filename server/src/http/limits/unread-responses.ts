import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { unavailable } from '../../core/problem.ts'
import type { Holder } from '../../core/shares/holder.ts'
import { SharedMemory } from '../../core/shares/shared-memory.ts'

/** Smaller responses fit into the kernel's buffers, unless others wait before them. */
const MIN_WATCHED_BYTES = 64 * 1024

/** True if a response may stay unread in this process: it is large, or it waits behind others on its connection. */
export const isWatched = (length: number, { socket }: ServerResponse) =>
  length >= MIN_WATCHED_BYTES / 3 || socket === null || socket.writableLength > 0
const MB = 1024 * 1024
const BUDGET = { total: 64 * MB, perTenant: 48 * MB, perPart: 16 * MB }
/** A connection on which a response makes no progress for this long is closed, whatever else its client sends. */
const MAX_STALL_MS = 10_000
const SWEEP_EVERY_MS = 1000

/** The unread responses of one connection. */
interface Unread {
  /** One function for each response, which stops counting it. */
  settle: Set<() => void>
  /** The bytes still to be sent, and the instant at which that number last changed. */
  left: number
  since: number
  onClose(): void
}

/** The bytes that wait in this process, in Node's buffers and in those of its event loop. */
function bytesLeft(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { _handle?: { writeQueueSize?: number } | null }
  return socket.writableLength + (handle?.writeQueueSize ?? 0)
}

/** Counts responses that were sent but not read. They stay in memory until the client reads them. */
export class UnreadResponses {
  readonly #memory = new SharedMemory(BUDGET)
  readonly #bySocket = new Map<Socket, Unread>()
  #sweeping: NodeJS.Timeout | undefined

  /** Rejects a caller with too many unread bytes, until they are read or cut off. The length of the next response is not known yet. */
  refuse(holder: Holder): void {
    if (this.#memory.refuses(holder, 1))
      unavailable('too_much_unread', 'Too much of earlier responses is unread. Read them or close their connections, then retry.', 1)
  }

  /** Counts a response until the kernel has taken all of it or its connection is closed. */
  watch(holder: Holder, { socket }: IncomingMessage, response: ServerResponse, bytes: number): void {
    // Injected requests have no connection.
    if (!(socket instanceof Socket) || socket.destroyed) return
    const unread = this.#unreadOn(socket)
    this.#memory.take(holder, bytes)
    const settle = () => {
      if (!unread.settle.delete(settle)) return
      this.#memory.release(holder, bytes)
      if (unread.settle.size === 0) this.#forget(socket, unread)
    }
    unread.settle.add(settle)
    response.once('close', settle)
  }

  #unreadOn(socket: Socket): Unread {
    const known = this.#bySocket.get(socket)
    if (known) return known
    const unread: Unread = {
      settle: new Set(),
      left: 0,
      since: performance.now(),
      onClose: () => {
        for (const settle of unread.settle) settle()
      },
    }
    this.#bySocket.set(socket, unread)
    // A response that waits behind another one gets no close event of its own.
    socket.once('close', unread.onClose)
    this.#sweeping ??= setInterval(() => this.#sweep(), SWEEP_EVERY_MS).unref()
    return unread
  }

  #forget(socket: Socket, { onClose }: Unread): void {
    socket.off('close', onClose)
    this.#bySocket.delete(socket)
    if (this.#bySocket.size > 0) return
    clearInterval(this.#sweeping)
    this.#sweeping = undefined
  }

  #sweep(): void {
    const now = performance.now()
    for (const [socket, unread] of this.#bySocket) {
      const left = bytesLeft(socket)
      if (left !== unread.left) Object.assign(unread, { left, since: now })
      // Zero bytes are left while a response is still being prepared.
      else if (left > 0 && now - unread.since > MAX_STALL_MS) socket.destroy()
    }
  }
}
