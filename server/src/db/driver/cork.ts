import type { Writable } from 'node:stream'
import type pg from 'pg'

/**
 * Lets the statements of one turn of the event loop leave in one write: a system call per statement would take a sixth of the time of a
 * read. Called before each statement; the first one of a turn corks the stream, and the end of the turn uncorks it.
 */
export function corkUntilNextTurn(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  if (stream.writableCorked > 0) return
  stream.cork()
  setImmediate(() => stream.uncork())
}
