import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { unavailable } from '../../core/problem.ts'

/** Smaller responses fit into the kernel's buffers, unless others wait before them. */
const WATCHED_BYTES = 64 * 1024

/** Whether a response may stay unread in this process: it is large, or it waits behind others on its connection. */
export const isWatched = (length: number, { socket }: ServerResponse) =>
  length >= WATCHED_BYTES / 3 || socket === null || socket.writableLength > 0
const MAX_BYTES_PER_CALLER = 16 * 1024 * 1024
const MAX_BYTES = 64 * 1024 * 1024
/** A connection on which a response makes no progress for so long is closed, whatever else its client sends. */
const MAX_STALL_MS = 10_000
const SWEEP_EVERY_MS = 1000

/** What is known of a connection while responses on it are unread. */
interface Unread {
  /** How to stop counting each of them. */
  settle: Set<() => void>
  /** What was still to be sent when that last changed, and when that was. */
  left: number
  since: number
  onClose(): void
}

/** Bytes that wait in this process, in Node's buffers or in those of its event loop; the latter shrink as the kernel takes them. */
function bytesLeft(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { _handle?: { writeQueueSize?: number } | null }
  return socket.writableLength + (handle?.writeQueueSize ?? 0)
}

/** Responses that were sent and not read yet: they stay in memory until the client takes them. */
export class UnreadResponses {
  #bytes = 0
  readonly #of = new Map<string, number>()
  readonly #on = new Map<Socket, Unread>()
  #sweeping: NodeJS.Timeout | undefined

  /** A caller who leaves much unread gets no more until it is read or cut off. */
  refuse(caller: string): void {
    const unread = this.#of.get(caller) ?? 0
    if (unread >= MAX_BYTES_PER_CALLER || (unread > 0 && this.#bytes >= MAX_BYTES))
      unavailable('too_much_unread', 'Too much of earlier responses is unread. Read them or close their connections, then retry.', 1)
  }

  /** Counts a response until all of it is handed to the kernel or its connection is closed. */
  watch(caller: string, { socket }: IncomingMessage, response: ServerResponse, bytes: number): void {
    // Requests that are injected have no connection.
    if (!(socket instanceof Socket) || socket.destroyed) return
    const unread = this.#unreadOn(socket)
    this.#add(caller, bytes)
    const settle = () => {
      if (!unread.settle.delete(settle)) return
      this.#add(caller, -bytes)
      if (unread.settle.size === 0) this.#forget(socket, unread)
    }
    unread.settle.add(settle)
    response.once('close', settle)
  }

  #unreadOn(socket: Socket): Unread {
    const known = this.#on.get(socket)
    if (known) return known
    const unread: Unread = {
      settle: new Set(),
      left: 0,
      since: performance.now(),
      onClose: () => {
        for (const settle of unread.settle) settle()
      },
    }
    this.#on.set(socket, unread)
    // A response that waits behind another on its connection is not told when that is closed.
    socket.once('close', unread.onClose)
    this.#sweeping ??= setInterval(() => this.#sweep(), SWEEP_EVERY_MS).unref()
    return unread
  }

  #forget(socket: Socket, { onClose }: Unread): void {
    socket.off('close', onClose)
    this.#on.delete(socket)
    if (this.#on.size > 0) return
    clearInterval(this.#sweeping)
    this.#sweeping = undefined
  }

  #sweep(): void {
    const now = performance.now()
    for (const [socket, unread] of this.#on) {
      const left = bytesLeft(socket)
      if (left !== unread.left) Object.assign(unread, { left, since: now })
      // Nothing is left where a response is still being made.
      else if (left > 0 && now - unread.since > MAX_STALL_MS) socket.destroy()
    }
  }

  #add(caller: string, bytes: number): void {
    this.#bytes += bytes
    const unread = (this.#of.get(caller) ?? 0) + bytes
    if (unread > 0) this.#of.set(caller, unread)
    else this.#of.delete(caller)
  }
}
