import pg from 'pg'
import { types } from './types.ts'

/** What is asked: with values it is prepared, under its name if it has one; without, it is sent as it is. */
export interface Asked {
  text: string
  values?: unknown[]
  name?: string
}

/** What came back; `command` is what was done, as in `COMMIT`. */
export interface Answered<Row> {
  rows: Row[]
  command: string
}

interface Columns {
  /** A row of nulls, so that all rows have one shape. */
  blank: Record<string, unknown>
  names: string[]
  parsers: ((text: string) => unknown)[]
}
const NO_COLUMNS: Columns = { blank: {}, names: [], parsers: [] }

/** The driver's connection, as far as a statement uses it. */
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

/** The driver writes dates in the machine's own time zone, and slowly. */
const wired = (value: unknown) =>
  typeof value === 'string' || value === null ? value : value instanceof Date ? value.toISOString() : prepareValue(value)

/** What the prepared statements of a connection answer with. */
const described = new WeakMap<Wire, Map<string, Columns>>()

function knownTo(wire: Wire): Map<string, Columns> {
  let known = described.get(wire)
  if (!known) {
    known = new Map()
    described.set(wire, known)
  }
  return known
}

function read(fields: (string | null)[], { blank, names, parsers }: Columns): Record<string, unknown> {
  const row = { ...blank }
  for (let i = 0; i < names.length; i++) {
    const text = fields[i]
    if (text != null) row[names[i] as string] = (parsers[i] as (text: string) => unknown)(text)
  }
  return row
}

/**
 * One statement on its way through the driver. The driver's own asks anew with each execution which columns there will be, and finds
 * out how to read them; those of a prepared statement never change, and are asked for once on each connection.
 */
export class Statement<Row> extends DriversQuery {
  /** Called by the driver when it fails, and by us when it is done. */
  callback: (error: Error | null, answered?: Answered<Row>) => void = () => {}
  readonly #found: Row[] = []
  #command = ''
  /** Nobody else would catch what a value throws: we are called from the connection itself. */
  #unreadable: Error | undefined
  #columns: Columns | undefined
  #known: Map<string, Columns> | undefined

  /** Throws if a value cannot be written: nothing was asked then. */
  constructor({ text, values, name }: Asked) {
    super(text)
    if (values) this.values = values.map(wired)
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
      this.#known = knownTo(wire)
      this.#columns = this.#known.get(name)
    }
    if (!this.#columns) wire.describe({ type: 'P' })
    wire.execute({})
    wire.sync()
    return null
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#learn({
      blank: Object.fromEntries(fields.map(({ name }) => [name, null])),
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text')),
    })
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    try {
      this.#found.push(read(fields, this.#columns as Columns) as Row)
    } catch (error) {
      this.#unreadable ??= error as Error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#command = text
    if (!this.#columns) this.#learn(NO_COLUMNS)
  }

  handleReadyForQuery(): void {
    if (this.#unreadable) this.callback(this.#unreadable)
    else this.callback(null, { rows: this.#found, command: this.#command })
  }

  #learn(columns: Columns): void {
    this.#columns = columns
    if (this.name) this.#known?.set(this.name, columns)
  }
}
