import type { ServerResponse } from 'node:http'
import type { Database } from '../../db/client.ts'
import type { SessionState } from '../request/session-state.ts'
import { type ByeReason, byeFrame } from './frames.ts'

/** The reason for the end of a stream: that of the service, or the client has closed the connection. */
export type EndReason = ByeReason | 'client_gone'

/** A connection for which more bytes wait in this process is cut off: its client does not read, or not fast enough. */
export const MAX_WAITING_BYTES = 64 * 1024
/** The limit before the kernel had an opportunity to take what was sent, because a batch of events may be larger than the other one. */
const MAX_BURST_BYTES = 1024 * 1024
/** A client that catches up must read each frame within this time. */
const MAX_STALL_MS = 10_000
/** The time that a client has to read the last frame before the connection is destroyed. */
const CLOSE_TIMEOUT_MS = 2000

/** One open stream. After its end, nothing more is sent. */
export class Connection {
  /** The caller who opened the stream, as of then. */
  readonly session: SessionState
  readonly #response: ServerResponse
  readonly #onError: (error: unknown) => void
  readonly #onClose: ((reason: EndReason) => void)[] = []
  #endReason: EndReason | undefined
  #isCheckDue = false
  #isDelivering = false

  constructor(session: SessionState, response: ServerResponse, onError: (error: unknown) => void) {
    this.session = session
    this.#response = response
    this.#onError = onError
    response.once('close', () => this.#close('client_gone'))
    // A write to a connection that is just being closed emits an error; the close event follows.
    response.on('error', () => {})
  }

  get isOpen(): boolean {
    return this.#endReason === undefined
  }

  /** Calls back once, as soon as the stream ends; at once if it has ended. */
  onClose(callback: (reason: EndReason) => void): void {
    if (this.#endReason) callback(this.#endReason)
    else this.#onClose.push(callback)
  }

  /** Sends a frame without waiting. A client that does not keep up is cut off, and resumes by itself. */
  send(frame: Buffer): void {
    if (!this.isOpen) return
    this.#response.write(frame)
    const waiting = this.#response.writableLength
    if (waiting > MAX_BURST_BYTES) this.end('too_slow')
    else if (waiting > MAX_WAITING_BYTES && !this.#isCheckDue) this.#checkLater()
  }

  /** Sends a frame and resolves when the kernel has taken it, or the stream has ended: for catching up, at the speed of the client. */
  async deliver(frame: Buffer): Promise<void> {
    if (!this.isOpen) return
    this.#isDelivering = true
    const stalled = setTimeout(() => this.end('too_slow'), MAX_STALL_MS)
    // Called with an error if the connection is destroyed.
    await new Promise<void>((resolve) => this.#response.write(frame, () => resolve()))
    clearTimeout(stalled)
    this.#isDelivering = false
  }

  /** Ends the stream with a last frame that says why. */
  end(reason: ByeReason): void {
    if (!this.isOpen) return
    this.#response.end(byeFrame(reason))
    // A client that reads nothing would keep the connection open.
    setTimeout(() => this.#response.destroy(), CLOSE_TIMEOUT_MS).unref()
    this.#close(reason)
  }

  /** Reports an error of the source of the events, and ends the stream. An error after its end is of no interest. */
  fail(error: unknown): void {
    if (!this.isOpen) return
    this.#onError(error)
    this.end('failed')
  }

  #checkLater(): void {
    this.#isCheckDue = true
    setImmediate(() => {
      this.#isCheckDue = false
      // A frame that is being delivered has a limit of its own.
      if (!this.#isDelivering && this.#response.writableLength > MAX_WAITING_BYTES) this.end('too_slow')
    })
  }

  #close(reason: EndReason): void {
    if (this.#endReason) return
    this.#endReason = reason
    for (const callback of this.#onClose) callback(reason)
    this.#onClose.length = 0
  }
}

/** The part of an operation that streams: the positions of a client, and the source of its events. */
export interface Stream {
  /** The id of the first frame. A client that is disconnected before its first event resumes from here. */
  id: string
  /** Returns the id of the next bookmark: the position up to which this client has been sent everything. */
  bookmark(): string
  /** Called once, when the client has the first frame. Events are sent from here on. The database is not the connection of the request, which is over. */
  start(connection: Connection, db: Database): void
}
