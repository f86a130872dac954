import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { unavailable } from '../core/problem.ts'

/** Smaller responses fit into the kernel's buffers, and need not be watched. */
export const WATCHED_BYTES = 64 * 1024
const MAX_BYTES_PER_CALLER = 16 * 1024 * 1024
const MAX_BYTES = 64 * 1024 * 1024
/** A connection on which a response makes no progress for so long is closed. */
const MAX_STALL_MS = 10_000

/** Responses that were sent and not read yet: they stay in memory until the client takes them. */
export class UnreadResponses {
  readonly #timeoutMs: number
  #bytes = 0
  readonly #of = new Map<string, number>()
  /** How to stop counting the responses of each connection. */
  readonly #on = new WeakMap<Socket, Set<() => void>>()

  /** `timeoutMs` is how long connections may be silent otherwise. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  /** A caller who leaves much unread gets no more until it is read or cut off. */
  refuse(caller: string): void {
    const unread = this.#of.get(caller) ?? 0
    if (unread >= MAX_BYTES_PER_CALLER || (unread > 0 && this.#bytes >= MAX_BYTES))
      unavailable('too_much_unread', 'Too much of earlier responses is unread. Read them or close their connections, then retry.', 1)
  }

  /** Counts a response until all of it is handed to the kernel or its connection is closed, which it is when the response stalls. */
  watch(caller: string, { socket }: IncomingMessage, response: ServerResponse, bytes: number): void {
    // Requests that are injected have no connection.
    if (!(socket instanceof Socket) || socket.destroyed) return
    const unread = this.#unreadOn(socket)
    this.#add(caller, bytes)
    // Node counts progress: a slow reader is no silent one.
    socket.setTimeout(MAX_STALL_MS)
    const settle = () => {
      if (!unread.delete(settle)) return
      this.#add(caller, -bytes)
      if (unread.size === 0) socket.setTimeout(this.#timeoutMs)
    }
    unread.add(settle)
    response.once('close', settle)
  }

  /** A response that waits behind another on its connection is not told when that is closed. */
  #unreadOn(socket: Socket): Set<() => void> {
    const known = this.#on.get(socket)
    if (known) return known
    const unread = new Set<() => void>()
    this.#on.set(socket, unread)
    socket.once('close', () => {
      for (const settle of unread) settle()
    })
    return unread
  }

  #add(caller: string, bytes: number): void {
    this.#bytes += bytes
    const unread = (this.#of.get(caller) ?? 0) + bytes
    if (unread > 0) this.#of.set(caller, unread)
    else this.#of.delete(caller)
  }
}
