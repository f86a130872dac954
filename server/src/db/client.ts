import pg from 'pg'
import { type Clock, systemClock } from '../core/clock.ts'
import { idMaker } from '../core/ids.ts'
import { isLost, ReadTimeout, throwBusyOrUnavailable, throwUnavailable } from './driver/connection-errors.ts'
import type { Engine } from './driver/engine.ts'
import { ExclusiveReaders } from './driver/exclusive-readers.ts'
import { Readers } from './driver/readers.ts'
import { StatementRunner } from './driver/runner.ts'
import { asLongReadOptions, asOptions, asReadOptions, inLongRead, MAX_WAIT_MS } from './driver/settings.ts'
import { runTransaction } from './driver/transaction.ts'
import { types } from './driver/types.ts'
import { ReplyWatchdog } from './driver/watchdog.ts'
import type { Sql } from './sql.ts'

/** Reads. A `Database` reads on connections that cannot write; in a write, this is the request's transaction. */
export interface Db {
  query<Row = Record<string, unknown>>(query: Sql): Promise<Row[]>
  now: Clock
  newId(): string
}

/** A transaction. Everything that writes or locks rows takes one, so that a read cannot do either. */
export interface Tx extends Db {
  /**
   * Sends a statement without waiting for its answer. It travels with the COMMIT, which does not happen if the statement fails. `explain`
   * may throw an error that explains the failure.
   */
  send(query: Sql, explain?: (error: pg.DatabaseError) => void): void
  /** True if companies are distributed over several machines: some statements then have another form. */
  isDistributed: boolean
}

export interface Database extends Db {
  /** Runs reads that may take long: on connections of their own, one statement at a time on each, with a time limit. */
  longReads: Db
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  isDistributed: boolean
  /** The longest time that a request waits for what another one holds: a lock, a connection for long reads, or an Idempotency-Key. */
  maxWaitMs: number
  /** Counts the connections that write, and the transactions that wait for one. */
  connections(): { busy: number; idle: number; waiting: number }
  close(): Promise<void>
}

interface ConnectOptions {
  readers?: number
  writers?: number
  clock?: Clock
  /** True if a pooler lends connections for one transaction at a time: then no state of a session can be relied on. */
  pooler?: boolean
  /** The kind of database, as `engineAt` finds it. */
  engine?: Engine
  /** The maximum time for which a connection may owe a reply. It must exceed the statement timeout of the server. */
  maxSilenceMs?: number
  /** The maximum wait for what another request holds. Behind a pooler, locks have that of the role. */
  maxWaitMs?: number
  /** Called for a connection that is lost while it is idle. */
  onLost?: (error: Error) => void
}

/** Serialization failure and deadlock. */
const CONFLICTS = new Set(['40001', '40P01'])
const MAX_TRIES = 3
const NOT_PREPARED = '26000'
const QUERY_CANCELED = '57014'

const ignore = () => {}
const codeOf = (error: unknown) => (error as { code?: string }).code ?? ''

/** Connects to PostgreSQL. Connections are opened when they are first needed, and reopened after they are lost. */
export function connect(
  url: string,
  {
    readers = 4,
    writers = 8,
    clock = systemClock,
    pooler = false,
    engine = 'postgresql',
    maxSilenceMs = 15_000,
    maxWaitMs = MAX_WAIT_MS,
    onLost = ignore,
  }: ConnectOptions = {},
): Database {
  const configWith = (options: string): pg.ClientConfig => ({
    connectionString: url,
    application_name: 'guildhall',
    ...(!pooler && { options }),
    types,
    pipeline: true,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  })
  const pool = writerPool(configWith(asOptions(engine, maxWaitMs)), writers, onLost)
  const longReaderCount = Math.max(1, Math.floor(readers / 2))
  const shared = sharedReaders(
    () => new pg.Client(configWith(asReadOptions(engine, maxWaitMs))),
    Math.max(1, readers - longReaderCount),
    onLost,
    pooler,
    maxWaitMs,
  )
  const exclusive = new ExclusiveReaders(
    () => new pg.Client(configWith(asLongReadOptions(engine, maxWaitMs))),
    longReaderCount,
    onLost,
    maxWaitMs,
  )
  const watchdog = new ReplyWatchdog(maxSilenceMs)
  const runner = new StatementRunner(watchdog, !pooler)
  const common = { now: clock, newId: idMaker(clock) }
  const isDistributed = engine === 'citus'

  return {
    ...common,
    isDistributed,
    maxWaitMs,
    query: <Row>(query: Sql) => read<Row>(runner, shared, query).catch(throwUnavailable),
    longReads: {
      ...common,
      query: <Row>(query: Sql) =>
        (pooler ? readInTransaction<Row>(runner, exclusive, query) : read<Row>(runner, exclusive, query)).catch(throwTimeout),
    },
    transaction: (work) =>
      retried(async () => {
        const client = await pool.connect().catch(throwBusyOrUnavailable)
        return runTransaction(client, runner, pooler, ({ query, send }) => work({ ...common, isDistributed, query, send }))
      }),
    connections: () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      await Promise.all([pool.end(), shared.end(), exclusive.end()])
      watchdog.end()
    },
  }
}

/** Connections to a pooler cost little: it has so many for each that would be shared without it. */
const POOLED_READERS = 4

/**
 * Connections for short reads. They are not shared behind a pooler: pgbouncer 1.18 lends the connection to the database to somebody else when a statement is answered,
 * even if a part of the next statement was sent to it. The rest then reaches another connection, and answers reach another client.
 */
const sharedReaders = (create: () => pg.Client, count: number, onLost: (error: Error) => void, pooler: boolean, maxWaitMs: number) =>
  pooler ? new ExclusiveReaders(create, count * POOLED_READERS, onLost, maxWaitMs) : new Readers(create, count, onLost)

function writerPool(config: pg.ClientConfig, max: number, onLost: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ ...config, max, idleTimeoutMillis: 60_000 })
  // Without a listener, losing an idle connection would end the process.
  pool.on('error', onLost)
  // So would losing a new one between the pool's listener and that of the transaction.
  pool.on('connect', (client) => client.on('error', ignore))
  return pool
}

/** Reads change nothing, so that one whose connection is lost can be repeated. */
async function read<Row>(runner: StatementRunner, from: Readers | ExclusiveReaders, query: Sql): Promise<Row[]> {
  let isPrepared = true
  for (let tries = 1; ; tries++) {
    try {
      return await from.run((client) => (isPrepared ? runner.query<Row>(client, query) : runner.queryUnprepared<Row>(client, query)))
    } catch (error) {
      // An earlier read should have prepared the statement, but failed, so this one found it missing: run it unprepared.
      if (codeOf(error) === NOT_PREPARED) isPrepared = false
      else if (!isLost(error)) throw error
      if (tries === MAX_TRIES) throw error
    }
  }
}

/** A long read behind a pooler, where a setting lasts for one transaction. */
const readInTransaction = <Row>(runner: StatementRunner, from: ExclusiveReaders, query: Sql): Promise<Row[]> =>
  from.run(async (client) => {
    const begun = ['BEGIN READ ONLY', inLongRead].map((text) => runner.run(client, { text }))
    const answer = runner.query<Row>(client, query)
    await Promise.all([...begun, answer, runner.run(client, { text: 'COMMIT' })])
    return answer
  })

function throwTimeout(error: unknown): never {
  if (codeOf(error) === QUERY_CANCELED) throw new ReadTimeout('A long read exceeded its time limit', { cause: error })
  return throwUnavailable(error)
}

/** True if nothing was done, and the same work is expected to succeed when it is repeated. */
const isRetried = (error: unknown) => CONFLICTS.has(codeOf(error)) || isLost(error)

async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (tries === MAX_TRIES || !isRetried(error)) throwUnavailable(error)
    }
  }
}
