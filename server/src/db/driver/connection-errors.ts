import pg from 'pg'

/** The database could not be reached, or the connection was lost before COMMIT was sent: nothing was done. */
export class DatabaseUnavailable extends Error {}

/** The database runs but no connection became free in time: nothing was done. */
export class DatabaseBusy extends Error {}

/** A long read exceeded its time limit. */
export class ReadTimeout extends Error {}

/** COMMIT was sent and never answered, or a worker of a cluster never answered the coordinator: the work may or may not be done. */
export class OutcomeUnknown extends Error {}

const CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', '53300'])
const STATES = /^(08|57P0[1-5])/
// The last one is the error of a session of a Citus coordinator whose server was killed.
const MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout expired|Query read timeout|postmaster was shut down)/

/** The errors of a Citus coordinator that cannot reach a worker, by their beginning. Citus does not translate them. */
const UNREACHABLE =
  /^(connection to the remote node |connection establishment for node |could not establish any connections? |could not connect to any active placements|execution cannot recover from multiple connection failures)/
/** The SQLSTATE of an internal error, with which a coordinator reports a worker that it loses at COMMIT, and messages of its client library. */
const INTERNAL = 'XX000'
const LOST =
  /^(could not commit transaction |failure on connection marked as essential|server closed the connection unexpectedly|could not (receive data from|send data to) server|connection not open|no connection to the server|SSL connection has been closed|SSL SYSCALL error)/
/** The context or the detail that a coordinator adds to an error of a worker, such as its shutdown. */
const PASSED_ON = /^(while executing command on|from) \S+:\d+$/m
/** The errors of our own connection that was open before, and is not any more. One that was closed for its silence is not among them: to repeat its work could double the wait. */
const LOST_CODES = new Set(['ECONNRESET', 'EPIPE', '57P01', '57P02'])
// The last one is that of pgbouncer.
const LOST_MESSAGES = /^(Connection terminated|Client has encountered a connection error|Client was closed|server conn crashed)/
/** The errors of a connection to a worker that was open before, and is not any more. */
const CLOSED = /server closed the connection unexpectedly|connection not open|failure on connection marked as essential/

/** Returns true if a Citus coordinator has lost a worker. Our connection to the coordinator is intact: no other company's work is affected. */
export function isWorkerError(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false
  const { code = '', message } = error
  if (UNREACHABLE.test(message)) return true
  return code === INTERNAL ? LOST.test(message) : STATES.test(code) && isPassedOn(error)
}

/**
 * Returns true if a connection that was open is closed: ours, or one of a Citus coordinator to a worker. The server may long be running
 * again: if the same work is repeated, it gets a new connection.
 */
export function isLost(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (isWorkerError(error)) return CLOSED.test(message) || isPassedOn(error as pg.DatabaseError)
  return LOST_CODES.has(code) || LOST_MESSAGES.test(message)
}

const isPassedOn = ({ where = '', detail = '' }: pg.DatabaseError) => PASSED_ON.test(where) || PASSED_ON.test(detail)

/** Returns true if an error means that the connection is lost, rather than that a statement failed. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true
  if (isWorkerError(error)) return false
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return CODES.has(code) || STATES.test(code) || MESSAGES.test(message)
}

/** For `.catch`: turns the error of a lost connection or worker into DatabaseUnavailable, and rethrows every other error. */
export function throwUnavailable(error: unknown): never {
  if (!(isConnectionError(error) || isWorkerError(error)) || error instanceof DatabaseUnavailable) throw error
  throw new DatabaseUnavailable('The database is unavailable. Retry in a moment.', { cause: error })
}

/** For the `.catch` of a wait for a connection: if none became free in time, the database is busy, not unavailable. */
export function throwBusyOrUnavailable(error: unknown): never {
  if (/^timeout exceeded/.test((error as Error).message)) throw new DatabaseBusy('No connection became free', { cause: error })
  return throwUnavailable(error)
}
