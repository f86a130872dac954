import type pg from 'pg'
import { Refusal } from '../core/refusal.ts'
import { isConnectionError, isWorkerError } from './driver/connection-errors.ts'

// A database that cannot be used is refused with one line, which says what to do.

const MIN_SERVER_VERSION = 150_000

type Failure = Error & { code?: string }
type Login = Pick<pg.Client, 'user' | 'database'>

const quoted = (name: string | undefined) => `"${(name ?? '').replaceAll('"', '""')}"`

/** The failures that have a remedy of their own, in the order in which they are looked for. */
const FAILURES: [matches: (failure: Failure) => boolean, explain: (failure: Failure, login: Login) => string][] = [
  [
    ({ message }) => /unsupported startup parameter/.test(message),
    () => 'DATABASE_URL leads to a connection pooler. Set DATABASE_POOLER=transaction.',
  ],
  [
    ({ code }) => code === '53300',
    ({ message }) =>
      `The database accepts no more connections: ${message}. Raise max_connections of the server or the limit of the role, or stop other clients.`,
  ],
  [
    ({ code, message }) => code === '42501' && / (schema|database|create extension)\b/.test(message),
    ({ message }, { user, database }) =>
      `The role ${quoted(user)} cannot create tables: ${message}. Run as an administrator: ALTER DATABASE ${quoted(database)} OWNER TO ${quoted(user)}`,
  ],
  [
    ({ code }) => code === '42501',
    ({ message }, { user }) =>
      `The role ${quoted(user)} cannot use the tables: ${message}. Set DATABASE_URL to the role that created them.`,
  ],
  [
    ({ code }) => code === '25006',
    ({ message }) => `The database is read-only: ${message}. Set DATABASE_URL to the primary server, and to a role that may write.`,
  ],
  [
    ({ message }) => /extension "\w+" is not available/.test(message),
    ({ message }) => `The server lacks an extension: ${message}. Install the contrib package of its PostgreSQL.`,
  ],
  // A wrong password, an unknown role or an unknown database is among these.
  [
    (failure) => isConnectionError(failure) || isWorkerError(failure) || /^(28|3D)/.test(failure.code ?? ''),
    ({ message, code }) => `The database cannot be reached: ${message || code}. Check DATABASE_URL.`,
  ],
  [
    ({ message }) => /\bSSL\b|certificate/.test(message),
    ({ message }) => `The database cannot be reached: ${message}. Check DATABASE_URL.`,
  ],
  [
    ({ code }) => /^[0-9A-Z]{5}$/.test(code ?? ''),
    ({ message, code }) => `The database cannot be prepared: ${message} (${code}). See the log of its server.`,
  ],
]

/** Returns the refusal that explains a failure of the database during the start, or the error itself if it is none. */
export function startFailure(error: unknown, login: Login): unknown {
  if (!(error instanceof Error) || error instanceof Refusal) return error
  const known = FAILURES.find(([matches]) => matches(error))
  return known ? new Refusal(known[1](error, login)) : error
}

/** Returns the reason why a server or a database is not suitable, or undefined if it is. */
export function unsuitable(version: number, encoding: string, database: string): string | undefined {
  if (version < MIN_SERVER_VERSION) return 'This PostgreSQL server is too old. Guildhall needs PostgreSQL 15 or later.'
  if (encoding !== 'UTF8')
    return `The database has the encoding ${encoding}, and Guildhall needs UTF8. Create another one: CREATE DATABASE ${quoted(`${database}_utf8`)} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'`
  return undefined
}
