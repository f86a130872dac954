/** The database could not be reached, or went away before it was asked to commit: nothing was done. */
export class DatabaseAway extends Error {}

/** The database is there, and has no time for us: nothing was done. */
export class DatabaseBusy extends Error {}

/** A long read took longer than it may. */
export class ReadTimeout extends Error {}

/** COMMIT was sent and no answer came: the work may or may not stand. */
export class OutcomeUnknown extends Error {}

const CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', '53300'])
const STATES = /^(08|57P0[1-5])/
const MESSAGES = /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout expired|Query read timeout)/

/** Whether an error means that the connection is gone, rather than that a statement was wrong. */
export function isAway(error: unknown): boolean {
  if (error instanceof DatabaseAway) return true
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return CODES.has(code) || STATES.test(code) || MESSAGES.test(message)
}

/** For `.catch`: names a lost connection for what it is, and passes every other error on. */
export function away(error: unknown): never {
  throw isAway(error) && !(error instanceof DatabaseAway) ? new DatabaseAway('The database is away', { cause: error }) : error
}

/** The same for the wait for a connection: when none became free, the database is not away but busy. */
export function noConnection(error: unknown): never {
  if (/^timeout exceeded/.test((error as Error).message)) throw new DatabaseBusy('No connection became free', { cause: error })
  return away(error)
}
