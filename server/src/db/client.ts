import pg from 'pg'
import { type Clock, systemClock } from '../core/clock.ts'
import { idMaker } from '../core/ids.ts'
import { away, isAway, noConnection, OutcomeUnknown, ReadTimeout } from './driver/connection-errors.ts'
import { together } from './driver/cork.ts'
import { ExclusiveReaders } from './driver/exclusive-readers.ts'
import { Readers } from './driver/readers.ts'
import { asLongReadOptions, asOptions, asReadOptions, inLongRead, inTransaction } from './driver/settings.ts'
import { type Answered, type Asked, Statement } from './driver/statement.ts'
import { types } from './driver/types.ts'
import { Silence } from './driver/watchdog.ts'
import { compile, type Sql } from './sql.ts'

/** What every query is asked of. In a write it is the request's transaction, and there is no other. */
export interface Db {
  query<Row = Record<string, unknown>>(query: Sql): Promise<Row[]>
  now: Clock
  newId(): string
}

export interface Tx extends Db {
  /**
   * Sends a statement whose answer nobody needs: it travels with the COMMIT, which does not happen if it fails. `explain` may
   * throw what the failure means.
   */
  send(query: Sql, explain?: (error: pg.DatabaseError) => void): void
}

export interface Database extends Db {
  /** For reads that may take long: they have connections of their own, one statement at a time on each, and 2 seconds. */
  longReads: Db
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Those that write, and how many wait for one. */
  connections(): { busy: number; idle: number; waiting: number }
  close(): Promise<void>
}

export interface ConnectOptions {
  readers?: number
  writers?: number
  clock?: Clock
  /** There is a pooler in between that lends a connection for one transaction: nothing of a session is ours to keep. */
  pooler?: boolean
  /** For how many milliseconds a connection may owe us an answer; longer than the server would take to give up a statement. */
  patience?: number
  /** Told of connections that were lost while nobody was asking anything of them. */
  onLost?: (error: Error) => void
}

/** Serialization failure and deadlock: the same work, tried again, is expected to pass. */
const RETRIED = new Set(['40001', '40P01'])
const TRIES = 3
const NOT_PREPARED = '26000'
const ABORTED = '25P02'
const TIMEOUT = '57014'

/** Where statements cannot be prepared: those without a name are not. */
function unnamed(query: Sql) {
  const { text, values } = compile(query)
  return { text, values }
}

const ignore = () => {}

/** Reaches a PostgreSQL. Connections are made when first needed, and anew after they were lost. */
export function connect(
  url: string,
  { readers = 4, writers = 8, clock = systemClock, pooler = false, patience = 15_000, onLost = ignore }: ConnectOptions = {},
): Database {
  const config = {
    connectionString: url,
    application_name: 'guildhall',
    ...(!pooler && { options: asOptions }),
    types,
    pipeline: true,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  }
  const pool = new pg.Pool({ ...config, max: writers, idleTimeoutMillis: 60_000 })
  // Without a listener, losing an idle connection would end the process.
  pool.on('error', onLost)
  // Nor may a new one, in the moment between the pool's listener and ours.
  pool.on('connect', (client) => client.on('error', ignore))
  const long = Math.max(1, Math.floor(readers / 2))
  const readConfig = { ...config, ...(!pooler && { options: asReadOptions }) }
  const shared = new Readers(() => new pg.Client(readConfig), Math.max(1, readers - long), onLost)
  const longConfig = { ...config, ...(!pooler && { options: asLongReadOptions }) }
  const exclusive = new ExclusiveReaders(() => new pg.Client(longConfig), long, onLost)
  const newId = idMaker(clock)
  // Each is prepared under its name. What a client sends chooses among statements; it never makes one.
  const prepared = pooler ? unnamed : compile

  const silence = new Silence(patience)

  function tell<Row = unknown>(client: pg.ClientBase, asked: Asked): Promise<Answered<Row>> {
    const statement = new Statement<Row>(asked)
    return new Promise((resolve, reject) => {
      statement.callback = (error, answered) => {
        silence.answered(client)
        if (error) reject(error)
        else resolve(answered as Answered<Row>)
      }
      together(client)
      silence.asked(client)
      client.query(statement as unknown as pg.Submittable)
    })
  }
  async function ask<Row>(client: pg.ClientBase, query: Sql): Promise<Row[]> {
    try {
      return (await tell<Row>(client, prepared(query))).rows
    } catch (error) {
      // It comes from the socket; who asked is who must be found in the log.
      Error.captureStackTrace(error as Error)
      throw error
    }
  }

  async function attempt<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch(noConnection)
    const unanswered: Promise<unknown>[] = []
    const send = (answer: Promise<unknown>) => {
      answer.catch(ignore)
      unanswered.push(answer)
    }
    // The first failure of what was asked, and of what was only sent: what comes after one is only told that there was one.
    let failed: unknown
    let unnoticed: unknown
    const run = <Row>(query: Sql) => {
      const answer = ask<Row>(client, query)
      answer.catch((error) => {
        if (error.code !== ABORTED) failed ??= error
      })
      return answer
    }
    const tx: Tx = {
      query: run,
      send: (query, explain) => {
        // What cannot be sent is thrown here, into the work, so that there will be no COMMIT.
        const answer = tell(client, prepared(query)).catch((error) => {
          explain?.(error)
          throw error
        })
        answer.catch((error) => {
          if (error.code !== ABORTED) unnoticed ??= error
        })
        send(answer)
      },
      now: clock,
      newId,
    }
    let broken: Error | undefined
    const onError = (error: Error) => {
      broken = error
    }
    client.on('error', onError)
    let committing = false
    /** All before the COMMIT have answered. */
    let complete = false
    try {
      send(tell(client, { text: 'BEGIN' }))
      if (pooler) send(tell(client, { text: inTransaction }))
      const result = await work(tx)
      committing = true
      const committed = tell(client, { text: 'COMMIT' })
      committed.catch(ignore)
      await Promise.all(unanswered)
      complete = true
      // After a failed statement COMMIT answers ROLLBACK and does not throw.
      if ((await committed).command !== 'COMMIT') throw new Error('COMMIT answered ROLLBACK')
      return result
    } catch (error) {
      if (isAway(error)) broken ??= error as Error
      // Answers come in order: what the database itself said of something before the COMMIT, it said of all that came after it.
      const undone = !committing || (!complete && error instanceof pg.DatabaseError)
      // "Transaction is aborted" is no reason of its own, also where the connection is lost after it.
      const reason = (error as { code?: string }).code === ABORTED ? (unnoticed ?? failed ?? broken ?? error) : error
      if (broken) throw undone ? reason : new OutcomeUnknown('COMMIT got no answer', { cause: error })
      await tell(client, { text: 'ROLLBACK' }).catch(onError)
      await Promise.allSettled(unanswered)
      // What was sent ahead and failed stands before whatever the work found afterwards.
      throw unnoticed ?? reason
    } finally {
      client.off('error', onError)
      client.release(broken)
    }
  }

  async function read<Row>(from: Readers | ExclusiveReaders, query: Sql): Promise<Row[]> {
    try {
      return await from.run((client) => ask<Row>(client, query))
    } catch (error) {
      if ((error as { code?: string }).code !== NOT_PREPARED) throw error
      // Those who came first to prepare the statement failed, and we relied on them; this time on nobody.
      return from.run(async (client) => (await tell<Row>(client, unnamed(query))).rows)
    }
  }

  /** A long read behind a pooler, where a setting lasts for one transaction. */
  const readInTransaction = <Row>(query: Sql): Promise<Row[]> =>
    exclusive.run(async (client) => {
      const begun = ['BEGIN READ ONLY', inLongRead].map((text) => tell(client, { text }))
      const answer = ask<Row>(client, query)
      await Promise.all([...begun, answer, tell(client, { text: 'COMMIT' })])
      return answer
    })

  function tooLong(error: unknown): never {
    if ((error as { code?: string }).code === TIMEOUT) throw new ReadTimeout('A long read took too long', { cause: error })
    return away(error)
  }

  async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt(work)
      } catch (error) {
        if (tries === TRIES || !RETRIED.has((error as { code?: string }).code ?? '')) away(error)
      }
    }
  }

  return {
    query: <Row>(query: Sql) => read<Row>(shared, query).catch(away),
    longReads: {
      query: <Row>(query: Sql) => (pooler ? readInTransaction<Row>(query) : read<Row>(exclusive, query)).catch(tooLong),
      now: clock,
      newId,
    },
    transaction,
    connections: () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    now: clock,
    newId,
    close: async () => {
      await Promise.all([pool.end(), shared.end(), exclusive.end()])
      silence.end()
    },
  }
}
