/** A comment, a quoted string or name, a dollar-quoted body, or the end of a statement. */
const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?\1|;/g
const COMMENTS = /--[^\n]*|\/\*[\s\S]*?\*\//g

/**
 * Splits the text of a migration into its statements. Citus passes the text of a query on to its workers, where it must be one statement.
 * Comments must not be nested.
 */
export function splitStatements(text: string): string[] {
  const statements: string[] = []
  let start = 0
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token !== ';') continue
    statements.push(text.slice(start, index))
    start = index + 1
  }
  statements.push(text.slice(start))
  return statements.map((statement) => statement.trim()).filter((statement) => statement.replace(COMMENTS, '').trim() !== '')
}
