/** The database could not be reached, or the connection was lost before COMMIT was sent: nothing was done. */
export class DatabaseUnavailable extends Error {}

/** The database runs but no connection became free in time: nothing was done. */
export class DatabaseBusy extends Error {}

/** A long read exceeded its time limit. */
export class ReadTimeout extends Error {}

/** COMMIT was sent and never answered: the work may or may not be done. */
export class OutcomeUnknown extends Error {}

const CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', '53300'])
const STATES = /^(08|57P0[1-5])/
const MESSAGES = /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout expired|Query read timeout)/

/** Returns true if an error means that the connection is lost, rather than that a statement failed. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return CODES.has(code) || STATES.test(code) || MESSAGES.test(message)
}

/** For `.catch`: turns a connection error into DatabaseUnavailable, and rethrows every other error. */
export function throwUnavailable(error: unknown): never {
  if (!isConnectionError(error) || error instanceof DatabaseUnavailable) throw error
  throw new DatabaseUnavailable('The database is unavailable. Retry in a moment.', { cause: error })
}

/** For the `.catch` of a wait for a connection: if none became free in time, the database is busy, not unavailable. */
export function throwBusyOrUnavailable(error: unknown): never {
  if (/^timeout exceeded/.test((error as Error).message)) throw new DatabaseBusy('No connection became free', { cause: error })
  return throwUnavailable(error)
}
