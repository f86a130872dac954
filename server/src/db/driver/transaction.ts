import pg from 'pg'
import type { Sql } from '../sql.ts'
import { isConnectionError, isWorkerError, OutcomeUnknown } from './connection-errors.ts'
import type { StatementRunner } from './runner.ts'
import { inTransaction } from './settings.ts'

/** "Current transaction is aborted": the error of every statement after the one that failed, which names no reason. */
const ABORTED = '25P02'

const ignore = () => {}
const codeOf = (error: unknown) => (error as { code?: string }).code

interface TransactionStatements {
  query<Row>(query: Sql): Promise<Row[]>
  send(query: Sql, explain?: (error: pg.DatabaseError) => void): void
}

/**
 * One transaction on one connection. BEGIN, sent statements and COMMIT do not wait for each other's answers, so a transaction that reads
 * nothing takes one round trip.
 */
class Transaction implements TransactionStatements {
  readonly #client: pg.PoolClient
  readonly #runner: StatementRunner
  /** The answers that COMMIT depends on and nobody has awaited. */
  readonly #pending: Promise<unknown>[] = []
  /** The first failure of a statement that was awaited, and of one that was only sent. */
  #queryFailure: unknown
  #sendFailure: unknown
  /** The error of a lost connection. */
  #broken: Error | undefined
  /** The answer to COMMIT, once it is sent. */
  #committed: Promise<{ command?: string | null }> | undefined
  #allAnsweredBeforeCommit = false

  constructor(client: pg.PoolClient, runner: StatementRunner) {
    this.#client = client
    this.#runner = runner
    client.on('error', this.#onError)
  }

  // Arrow functions, because callers pass these on without their object.
  query = <Row>(query: Sql): Promise<Row[]> => {
    const answer = this.#runner.query<Row>(this.#client, query)
    answer.catch((error) => {
      if (codeOf(error) !== ABORTED) this.#queryFailure ??= error
    })
    return answer
  }

  send = (query: Sql, explain?: (error: pg.DatabaseError) => void): void => {
    // A value that cannot be written throws here, into the work, so that COMMIT is never sent.
    const answer = this.#runner.send(this.#client, query).catch((error) => {
      explain?.(error)
      throw error
    })
    answer.catch((error) => {
      if (codeOf(error) !== ABORTED) this.#sendFailure ??= error
    })
    this.#pending.push(answer)
  }

  begin(pooler: boolean): void {
    this.#sendText('BEGIN')
    if (pooler) this.#sendText(inTransaction)
  }

  async commit(): Promise<void> {
    const committed = this.#runner.run(this.#client, { text: 'COMMIT' })
    this.#committed = committed
    committed.catch(ignore)
    await Promise.all(this.#pending)
    this.#allAnsweredBeforeCommit = true
    // After a failed statement COMMIT answers ROLLBACK and does not throw.
    if ((await committed).command !== 'COMMIT') throw new Error('COMMIT answered ROLLBACK')
  }

  /** Ends the transaction after an error, and throws the reason of the failure. */
  async fail(error: unknown): Promise<never> {
    if (isConnectionError(error)) this.#broken ??= error as Error
    // Answers come in order: if PostgreSQL itself failed a statement before the COMMIT, the COMMIT did nothing.
    const isUndone = !this.#committed || (!this.#allAnsweredBeforeCommit && error instanceof pg.DatabaseError)
    // "Transaction is aborted" is not the reason, even if the connection is lost after it.
    const reason = codeOf(error) === ABORTED ? (this.#sendFailure ?? this.#queryFailure ?? this.#broken ?? error) : error
    if (this.#broken) throw isUndone ? reason : new OutcomeUnknown('COMMIT got no answer', { cause: error })
    await this.#end()
    // The coordinator answered COMMIT with an error, but the worker may have done it before it was lost.
    if (!isUndone && isWorkerError(error)) throw new OutcomeUnknown('COMMIT got no answer from a worker', { cause: error })
    await Promise.allSettled(this.#pending)
    // A statement that was sent ahead of the work and failed takes precedence over any later error of the work.
    throw this.#sendFailure ?? reason
  }

  /** COMMIT ends a transaction, whatever it answers. A ROLLBACK right behind it could reach a connection that the pooler has lent to somebody else. */
  async #end(): Promise<void> {
    if (!this.#committed) await this.#runner.run(this.#client, { text: 'ROLLBACK' }).catch(this.#onError)
    else
      await this.#committed.catch((error) => {
        if (isConnectionError(error)) this.#onError(error)
      })
  }

  release(): void {
    this.#client.off('error', this.#onError)
    this.#client.release(this.#broken)
  }

  #onError = (error: Error): void => {
    this.#broken = error
  }

  #sendText(text: string): void {
    const answer = this.#runner.run(this.#client, { text })
    answer.catch(ignore)
    this.#pending.push(answer)
  }
}

/** Runs `work` in a transaction on a connection of the pool, and releases the connection. */
export async function runTransaction<T>(
  client: pg.PoolClient,
  runner: StatementRunner,
  pooler: boolean,
  work: (statements: TransactionStatements) => Promise<T>,
): Promise<T> {
  const transaction = new Transaction(client, runner)
  try {
    transaction.begin(pooler)
    const result = await work(transaction)
    await transaction.commit()
    return result
  } catch (error) {
    return await transaction.fail(error)
  } finally {
    transaction.release()
  }
}
