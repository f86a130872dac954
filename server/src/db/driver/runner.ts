import type pg from 'pg'
import { compile, type Sql } from '../sql.ts'
import { corkUntilNextTurn } from './cork.ts'
import { type Answered, type Asked, Statement } from './statement.ts'
import type { ReplyWatchdog } from './watchdog.ts'

/** The text and values of a statement without its name: a statement without a name is not prepared. */
function compileUnnamed(query: Sql): Asked {
  const { text, values } = compile(query)
  return { text, values }
}

/** Runs statements on a connection, pipelined, under the eye of the watchdog. */
export class StatementRunner {
  readonly #watchdog: ReplyWatchdog
  readonly #compile: (query: Sql) => Asked

  /** `prepares` is false behind a transaction pooler, where a prepared statement may be on another connection the next time. */
  constructor(watchdog: ReplyWatchdog, prepares: boolean) {
    this.#watchdog = watchdog
    this.#compile = prepares ? compile : compileUnnamed
  }

  /** Throws at once if a value cannot be written: then nothing was sent. */
  run<Row = unknown>(client: pg.ClientBase, asked: Asked): Promise<Answered<Row>> {
    const statement = new Statement<Row>(asked)
    return new Promise((resolve, reject) => {
      statement.callback = (error, answered) => {
        this.#watchdog.answered(client)
        if (error) reject(error)
        else resolve(answered as Answered<Row>)
      }
      corkUntilNextTurn(client)
      this.#watchdog.sent(client)
      client.query(statement as unknown as pg.Submittable)
    })
  }

  send(client: pg.ClientBase, query: Sql): Promise<Answered<unknown>> {
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
