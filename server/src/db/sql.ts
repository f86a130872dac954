/** A piece of SQL with its values. Pieces nest; a value never becomes part of the text. */
export class Sql {
  readonly strings: readonly string[]
  readonly args: readonly unknown[]
  constructor(strings: readonly string[], args: readonly unknown[]) {
    this.strings = strings
    this.args = args
  }
}

export const sql = (strings: TemplateStringsArray, ...args: unknown[]) => new Sql(strings, args)

const literals = new Map<string, Sql>()
/** Returns a piece without values. The same text always gives the same piece, because statements are identified by their pieces. */
function literal(text: string): Sql {
  const known = literals.get(text)
  if (known) return known
  const piece = new Sql([text], [])
  literals.set(text, piece)
  return piece
}

const ids = new Map<string, Sql>()
/** The name of a table or column from our code, never from input. */
sql.id = (name: string) => {
  const known = ids.get(name)
  if (known) return known
  const id = literal(`"${name.replaceAll('"', '""')}"`)
  ids.set(name, id)
  return id
}

/** A string literal from our code: part of the statement, not one of its values. */
sql.text = (text: string) => literal(`'${text.replaceAll("'", "''")}'`)

/** A whole statement from our code, such as that of a migration file. */
sql.raw = literal

/** A number from our code: part of the statement, not one of its values. */
sql.number = (value: number) => literal(String(value))

/** The strings between joined pieces, by separator and number of pieces: equal joins share them, so that they are one statement. */
const joints = new Map<string, (readonly string[])[]>()
sql.join = (pieces: Sql[], separator: string) => {
  if (pieces.length === 0) return literal('')
  let known = joints.get(separator)
  if (!known) {
    known = []
    joints.set(separator, known)
  }
  known[pieces.length] ??= ['', ...pieces.slice(1).map(() => separator), '']
  return new Sql(known[pieces.length] as readonly string[], pieces)
}

/** A WITH clause that makes other statements part of the one that follows it: all of them happen, or none. */
sql.with = (statements: Sql[]) =>
  statements.length === 0
    ? literal('')
    : sql`WITH ${sql.join(
        statements.map((statement, i) => sql`${literal(`along_${i}`)} AS (${statement})`),
        ', ',
      )} `

interface Statement {
  text: string
  /** A name that is unique in this process. It is given at the third use, unless there are too many named statements. */
  name?: string
  uses: number
}

/** Prepared statements take memory in every connection, so only those that are used repeatedly get a name. */
const MIN_USES_TO_PREPARE = 3
const MAX_PREPARED = 400

/**
 * A node of a trie (prefix tree) over the pieces of statements. The key of an edge is the strings array of a template, of which JavaScript
 * has exactly one per call site, or the number of placeholders in a row. The path from the root identifies a statement without building its
 * text.
 */
interface Node {
  next: Map<object | number, Node>
  statement?: Statement
}
const root: Node = { next: new Map() }
const names = new Map<string, string>()

function follow({ next }: Node, piece: object | number): Node {
  let node = next.get(piece)
  if (!node) {
    node = { next: new Map() }
    next.set(piece, node)
  }
  return node
}

/** Builds the text of a statement, with placeholders instead of values. */
function build(query: Sql): Statement {
  let count = 0
  const text = ({ strings, args }: Sql): string =>
    args.reduce((all: string, arg, i) => all + (arg instanceof Sql ? text(arg) : `$${++count}`) + strings[i + 1], strings[0] as string)
  return { text: text(query), uses: 0 }
}

function nameOf(statement: Statement): string | undefined {
  if (statement.name || ++statement.uses < MIN_USES_TO_PREPARE) return statement.name
  const name = names.get(statement.text) ?? (names.size < MAX_PREPARED ? `s${names.size}` : undefined)
  if (name === undefined) return undefined
  names.set(statement.text, name)
  statement.name = name
  return name
}

/**
 * Returns a statement as PostgreSQL takes it: a text with placeholders, and its values. The text is built once for the same pieces: building
 * it each time, and finding the name by it, took longer than the rest of a query in this process.
 */
export function compile(query: Sql): { text: string; values: unknown[]; name?: string } {
  const values: unknown[] = []
  let node = root
  const walk = ({ strings, args }: Sql) => {
    node = follow(node, strings)
    let inARow = 0
    for (const arg of args) {
      if (arg instanceof Sql) {
        if (inARow > 0) node = follow(node, inARow)
        inARow = 0
        walk(arg)
      } else {
        values.push(arg)
        inARow++
      }
    }
    if (inARow > 0) node = follow(node, inARow)
  }
  walk(query)
  node.statement ??= build(query)
  const { text } = node.statement
  const name = nameOf(node.statement)
  return name === undefined ? { text, values } : { name, text, values }
}
