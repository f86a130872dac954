/** A piece of SQL with its values. Pieces nest; a value never becomes text. */
export class Sql {
  readonly strings: readonly string[]
  readonly args: readonly unknown[]
  constructor(strings: readonly string[], args: readonly unknown[]) {
    this.strings = strings
    this.args = args
  }
}

export const sql = (strings: TemplateStringsArray, ...args: unknown[]) => new Sql(strings, args)

const words = new Map<string, Sql>()
/** The same piece each time: statements are known by their pieces. */
function word(text: string): Sql {
  const known = words.get(text)
  if (known) return known
  const made = new Sql([text], [])
  words.set(text, made)
  return made
}

const ids = new Map<string, Sql>()
/** A name we wrote ourselves: a table or a column, never user input. */
sql.id = (name: string) => {
  const known = ids.get(name)
  if (known) return known
  const made = word(`"${name.replaceAll('"', '""')}"`)
  ids.set(name, made)
  return made
}

/** A word we wrote ourselves, as a literal: it is part of the statement, not one of its values. */
sql.text = (text: string) => word(`'${text.replaceAll("'", "''")}'`)

/** A whole statement we wrote ourselves, in a file of its own. */
sql.words = word

/** A number we wrote ourselves. */
sql.number = (value: number) => word(String(value))

/** By what is between them, and how many they are. */
const joints = new Map<string, (readonly string[])[]>()
sql.join = (pieces: Sql[], glue: string) => {
  if (pieces.length === 0) return word('')
  let known = joints.get(glue)
  if (!known) {
    known = []
    joints.set(glue, known)
  }
  known[pieces.length] ??= ['', ...pieces.slice(1).map(() => glue), '']
  return new Sql(known[pieces.length] as readonly string[], pieces)
}

/** Statements that are done with another, as one: all of them, or none. They come first in its text. */
sql.along = (statements: Sql[]) =>
  statements.length === 0
    ? word('')
    : sql`WITH ${sql.join(
        statements.map((statement, i) => sql`${word(`along_${i}`)} AS (${statement})`),
        ', ',
      )} `

interface Statement {
  text: string
  /** Its own among all that this process asks; from its third use on, as long as there are not too many. */
  name?: string
  uses: number
}

/** What is prepared lies in the memory of every connection: only what is asked often is worth that. */
const OFTEN = 3
const MOST_NAMED = 400

/** Where the pieces of statements lead, one after the other; at the end is the statement. */
interface Step {
  next: Map<object, Step>
  statement?: Statement
}
const start: Step = { next: new Map() }
const VALUE = {}
const names = new Map<string, string>()

function step({ next }: Step, piece: object): Step {
  let to = next.get(piece)
  if (!to) {
    to = { next: new Map() }
    next.set(piece, to)
  }
  return to
}

/** Placeholders instead of values. */
function write(query: Sql): Statement {
  let count = 0
  const text = ({ strings, args }: Sql): string =>
    args.reduce((all: string, arg, i) => all + (arg instanceof Sql ? text(arg) : `$${++count}`) + strings[i + 1], strings[0] as string)
  return { text: text(query), uses: 0 }
}

function nameOf(statement: Statement): string | undefined {
  if (statement.name || ++statement.uses < OFTEN) return statement.name
  const name = names.get(statement.text) ?? (names.size < MOST_NAMED ? `s${names.size}` : undefined)
  if (name === undefined) return undefined
  names.set(statement.text, name)
  statement.name = name
  return name
}

/**
 * The statement as PostgreSQL takes it: placeholders in the text, values beside it. The text is put together once for the same
 * pieces: to do so each time, and to look for its name by it, took longer than all the rest of asking.
 */
export function compile(query: Sql): { text: string; values: unknown[]; name?: string } {
  const values: unknown[] = []
  let at = start
  const walk = ({ strings, args }: Sql) => {
    at = step(at, strings)
    for (const arg of args) {
      if (arg instanceof Sql) walk(arg)
      else {
        values.push(arg)
        at = step(at, VALUE)
      }
    }
  }
  walk(query)
  at.statement ??= write(query)
  const { text } = at.statement
  const name = nameOf(at.statement)
  return name === undefined ? { text, values } : { name, text, values }
}
