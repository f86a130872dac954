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

/** A name we wrote ourselves: a table or a column, never user input. */
sql.id = (name: string) => new Sql([`"${name.replaceAll('"', '""')}"`], [])

/** A word we wrote ourselves, as a literal: it is part of the statement, not one of its values. */
sql.text = (word: string) => new Sql([`'${word.replaceAll("'", "''")}'`], [])

/** A whole statement we wrote ourselves, in a file of its own. */
sql.words = (text: string) => new Sql([text], [])

/** A number we wrote ourselves. */
sql.number = (value: number) => new Sql([String(value)], [])

sql.join = (pieces: Sql[], glue: string) =>
  pieces.length === 0 ? new Sql([''], []) : new Sql(['', ...pieces.slice(1).map(() => glue), ''], pieces)

/** The statement as PostgreSQL takes it: placeholders in the text, values beside it. */
export function compile(query: Sql): { text: string; values: unknown[] } {
  const values: unknown[] = []
  const write = ({ strings, args }: Sql): string => {
    let text = strings[0] as string
    for (let i = 0; i < args.length; i++) {
      const arg = args[i]
      text += (arg instanceof Sql ? write(arg) : `$${values.push(arg)}`) + strings[i + 1]
    }
    return text
  }
  return { text: write(query), values }
}
