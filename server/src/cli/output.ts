type Row = Record<string, unknown>

const cell = (value: unknown) =>
  value === null || value === undefined ? '-' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Formats rows as a table with a heading. */
function table(rows: Row[], columns: string[]): string {
  const cells = rows.map((row) => columns.map((column) => cell(row[column])))
  const headings = columns.map((column) => column.replaceAll('_', ' ').toUpperCase())
  const widths = columns.map((_, i) => Math.max(...[headings, ...cells].map((line) => (line[i] as string).length)))
  return [headings, ...cells]
    .map((line) =>
      line
        .map((text, i) => text.padEnd(widths[i] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export function printRows(json: unknown, rows: Row[], columns: string[], emptyMessage: string): void {
  const shown = (row: Row) => Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))
  console.log(json ? JSON.stringify(rows.map(shown), null, 2) : rows.length ? table(rows, columns) : emptyMessage)
}

/** Prints one row: its fields below each other, or JSON. */
export function printRow(json: unknown, row: Row): void {
  const width = Math.max(...Object.keys(row).map((name) => name.length))
  const lines = Object.entries(row).map(([name, value]) => `${name.replaceAll('_', ' ').padEnd(width)}  ${cell(value)}`)
  console.log(json ? JSON.stringify(row, null, 2) : lines.join('\n'))
}

/** Prints the result of a command: a sentence, or JSON. */
export const printDone = (json: unknown, sentence: string, result: Row) => console.log(json ? JSON.stringify(result, null, 2) : sentence)
