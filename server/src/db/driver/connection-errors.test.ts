import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { DatabaseUnavailable, isConnectionError, isLost, isWorkerError, throwUnavailable } from './connection-errors.ts'

const failure = (code: string, message: string, where?: string, detail?: string) =>
  Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code, where, detail })

const ON_WORKER = 'while executing command on 10.0.0.2:5432'
const NODE = 'guildhall@10.0.0.2:5432'
/** Errors of a coordinator whose worker does not answer, because it was killed, is starting or is out of reach. */
const OF_SILENT_WORKERS = [
  failure('08006', `connection to the remote node ${NODE} failed with the following error: Connection refused`),
  failure('08006', `connection to the remote node ${NODE} failed with the following error: FATAL:  the database system is starting up`),
  failure('08006', `connection to the remote node ${NODE} failed`),
  failure('08006', 'could not establish any connections to the node 10.0.0.2:5432 after 30000 ms'),
  failure('XX000', 'could not commit transaction for shard 102008 on at least one active node'),
]
/** Errors of a coordinator that finds an old connection to a worker closed. */
const OF_STALE_WORKERS = [
  failure('57P01', 'terminating connection due to unexpected postmaster exit', ON_WORKER),
  failure('57P01', 'terminating connection due to unexpected postmaster exit', undefined, 'from 10.0.0.2:5432'),
  failure('57P01', 'terminating connection due to administrator command', `SQL statement\n${ON_WORKER}`),
  failure('08006', `connection to the remote node ${NODE} failed with the following error: connection not open`),
  failure(
    '08006',
    `connection to the remote node ${NODE} failed with the following error: server closed the connection unexpectedly\n\tThis`,
  ),
  failure('XX000', 'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally', ON_WORKER),
  failure('XX000', 'failure on connection marked as essential: 10.0.0.2:5432'),
]
const OF_WORKERS = [...OF_SILENT_WORKERS, ...OF_STALE_WORKERS]
/** The end of our own connection. */
const OF_LOST_CONNECTIONS = [
  failure('57P01', 'terminating connection due to administrator command'),
  failure('08P01', 'server conn crashed?'),
  Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
  new Error('Connection terminated unexpectedly'),
]
/** A connection that is not opened, or has been silent for too long. */
const OF_REFUSED_CONNECTIONS = [
  failure('57P03', 'the database system is starting up'),
  Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
  failure('XX000', 'postmaster was shut down, exiting'),
  new Error('Query read timeout'),
]
const OF_CONNECTIONS = [...OF_LOST_CONNECTIONS, ...OF_REFUSED_CONNECTIONS]
const OTHERS = [
  failure('XX000', 'cache lookup failed for relation 16384', ON_WORKER),
  failure('23505', 'duplicate key value violates unique constraint "users_external_id_102050"', ON_WORKER),
  failure('55P03', 'canceling statement due to lock timeout', ON_WORKER),
  new Error('could not commit transaction for shard 102008 on at least one active node'),
]

test('a lost worker of a cluster is told from a lost connection, and both from failed statements', () => {
  const kindOf = (error: Error) => (isWorkerError(error) ? 'worker' : isConnectionError(error) ? 'connection' : 'other')
  for (const [kind, errors] of Object.entries({ worker: OF_WORKERS, connection: OF_CONNECTIONS, other: OTHERS }))
    for (const error of errors) assert.equal(kindOf(error), kind, error.message)
})

test('a connection that is closed, of which a new one is worth trying, is told from one that is refused', () => {
  for (const error of [...OF_STALE_WORKERS, ...OF_LOST_CONNECTIONS]) assert.ok(isLost(error), error.message)
  for (const error of [...OF_SILENT_WORKERS, ...OF_REFUSED_CONNECTIONS, ...OTHERS]) assert.ok(!isLost(error), error.message)
})

test('both make the database unavailable, and other errors stay as they are', () => {
  for (const error of [...OF_WORKERS, ...OF_CONNECTIONS]) assert.throws(() => throwUnavailable(error), DatabaseUnavailable, error.message)
  for (const error of OTHERS) assert.throws(() => throwUnavailable(error), error)
})
