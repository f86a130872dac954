import pg from 'pg'
import { types } from './types.ts'

/** A statement to run. With values it is prepared, under its name if it has one; without values it is sent as plain text. */
export interface StatementRequest {
  text: string
  values?: unknown[]
  name?: string
}

/** The answer to a statement. `command` is the command tag, such as `COMMIT`. */
export interface StatementResult<Row> {
  rows: Row[]
  command: string
}

interface Columns {
  /** A row of nulls, so that all rows have the same shape. */
  blank: Record<string, unknown>
  names: string[]
  parsers: ((text: string) => unknown)[]
}
const NO_COLUMNS: Columns = { blank: {}, names: [], parsers: [] }

/** The part of the driver's connection that a statement uses. */
interface Wire {
  parsedStatements: Record<string, string | undefined>
  submittedNamedStatements: Record<string, string | undefined>
  query(text: string): void
  parse(message: { name: string; text: string }): void
  bind(message: { statement: string; values: unknown[] }): void
  describe(message: { type: 'P' }): void
  execute(message: object): void
  sync(): void
}

interface DriversQuery {
  text: string
  name?: string
  values?: unknown[]
}
const DriversQuery = pg.Query as unknown as new (text: string) => DriversQuery
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils

/** Converts a value for the wire. The driver itself writes dates in the local time zone, and slowly. */
const toWire = (value: unknown) =>
  typeof value === 'string' || value === null ? value : value instanceof Date ? value.toISOString() : prepareValue(value)

/** The columns of the prepared statements of each connection. */
const columnsByWire = new WeakMap<Wire, Map<string, Columns>>()

function columnsOn(wire: Wire): Map<string, Columns> {
  let known = columnsByWire.get(wire)
  if (!known) {
    known = new Map()
    columnsByWire.set(wire, known)
  }
  return known
}

function parseRow(fields: (string | null)[], { blank, names, parsers }: Columns): Record<string, unknown> {
  const row = { ...blank }
  for (let i = 0; i < names.length; i++) {
    const text = fields[i]
    if (text != null) row[names[i] as string] = (parsers[i] as (text: string) => unknown)(text)
  }
  return row
}

/**
 * One statement on its way through the driver. The driver's own Query asks for the columns of the result at each execution and looks up
 * their parsers; the columns of a prepared statement never change, so this asks once per connection.
 */
export class Statement<Row> extends DriversQuery {
  /** Called by the driver on failure, and by this class on success. */
  callback: (error: Error | null, result?: StatementResult<Row>) => void = () => {}
  readonly #rows: Row[] = []
  #command = ''
  /** The error of a value that cannot be parsed. The connection calls the handlers, and would not catch it. */
  #parseError: Error | undefined
  #columns: Columns | undefined
  #known: Map<string, Columns> | undefined

  /** Throws if a value cannot be converted: then nothing was sent. */
  constructor({ text, values, name }: StatementRequest) {
    super(text)
    if (values) this.values = values.map(toWire)
    if (name) this.name = name
  }

  submit(wire: Wire): null {
    const { name = '', text, values } = this
    if (!values) {
      wire.query(text)
      return null
    }
    if (!(name && (wire.parsedStatements[name] ?? wire.submittedNamedStatements[name]))) {
      wire.parse({ name, text })
      if (name) wire.submittedNamedStatements[name] = text
    }
    wire.bind({ statement: name, values })
    if (name) {
      this.#known = columnsOn(wire)
      this.#columns = this.#known.get(name)
    }
    if (!this.#columns) wire.describe({ type: 'P' })
    wire.execute({})
    wire.sync()
    return null
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#remember({
      blank: Object.fromEntries(fields.map(({ name }) => [name, null])),
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text')),
    })
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    try {
      this.#rows.push(parseRow(fields, this.#columns as Columns) as Row)
    } catch (error) {
      this.#parseError ??= error as Error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#command = text
    if (!this.#columns) this.#remember(NO_COLUMNS)
  }

  handleReadyForQuery(): void {
    if (this.#parseError) this.callback(this.#parseError)
    else this.callback(null, { rows: this.#rows, command: this.#command })
  }

  #remember(columns: Columns): void {
    this.#columns = columns
    if (this.name) this.#known?.set(this.name, columns)
  }
}
