type Row = Record<string, unknown>

const cell = (value: unknown) =>
  value === null || value === undefined ? '-' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Rows for people: a heading, and columns as wide as what is in them. */
function table(rows: Row[], columns: string[]): string {
  const cells = rows.map((row) => columns.map((column) => cell(row[column])))
  const heads = columns.map((column) => column.replaceAll('_', ' ').toUpperCase())
  const widths = columns.map((_, i) => Math.max(...[heads, ...cells].map((line) => (line[i] as string).length)))
  return [heads, ...cells]
    .map((line) =>
      line
        .map((text, i) => text.padEnd(widths[i] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export function printRows(json: unknown, rows: Row[], columns: string[], nothing: string): void {
  const shown = (row: Row) => Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))
  console.log(json ? JSON.stringify(rows.map(shown), null, 2) : rows.length ? table(rows, columns) : nothing)
}

/** One thing: its fields below each other, or as JSON. */
export function printRow(json: unknown, row: Row): void {
  const width = Math.max(...Object.keys(row).map((name) => name.length))
  const lines = Object.entries(row).map(([name, value]) => `${name.replaceAll('_', ' ').padEnd(width)}  ${cell(value)}`)
  console.log(json ? JSON.stringify(row, null, 2) : lines.join('\n'))
}

/** A sentence for people, a fact for programs. */
export const printDone = (json: unknown, sentence: string, fact: Row) => console.log(json ? JSON.stringify(fact, null, 2) : sentence)
