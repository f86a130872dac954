import type pg from 'pg'
import { compile, type Sql } from '../sql.ts'
import { corkUntilNextTurn } from './cork.ts'
import { withoutShard } from './shard-errors.ts'
import { Statement, type StatementRequest, type StatementResult } from './statement.ts'
import type { ReplyWatchdog } from './watchdog.ts'

/** The text and values of a statement without its name: a statement without a name is not prepared. */
function compileUnnamed(query: Sql): StatementRequest {
  const { text, values } = compile(query)
  return { text, values }
}

/** Runs pipelined statements on a connection, and reports each one and its answer to the watchdog. */
export class StatementRunner {
  readonly #watchdog: ReplyWatchdog
  readonly #compile: (query: Sql) => StatementRequest

  /** `prepares` is false behind a transaction pooler, where a prepared statement may be on another connection the next time. */
  constructor(watchdog: ReplyWatchdog, prepares: boolean) {
    this.#watchdog = watchdog
    this.#compile = prepares ? compile : compileUnnamed
  }

  /** Throws at once if a value cannot be written: then nothing was sent. */
  run<Row = unknown>(client: pg.ClientBase, request: StatementRequest): Promise<StatementResult<Row>> {
    const statement = new Statement<Row>(request)
    return new Promise((resolve, reject) => {
      statement.callback = (error, result) => {
        this.#watchdog.answered(client)
        if (error) reject(withoutShard(error))
        else resolve(result as StatementResult<Row>)
      }
      corkUntilNextTurn(client)
      this.#watchdog.sent(client)
      client.query(statement as unknown as pg.Submittable)
    })
  }

  send(client: pg.ClientBase, query: Sql): Promise<StatementResult<unknown>> {
    return this.run(client, this.#compile(query))
  }

  async query<Row>(client: pg.ClientBase, query: Sql): Promise<Row[]> {
    try {
      return (await this.run<Row>(client, this.#compile(query))).rows
    } catch (error) {
      // The error comes from the socket: the log needs the stack of the caller.
      Error.captureStackTrace(error as Error)
      throw error
    }
  }

  async queryUnprepared<Row>(client: pg.ClientBase, query: Sql): Promise<Row[]> {
    return (await this.run<Row>(client, compileUnnamed(query))).rows
  }
}
