import type { Outcome } from './perform.ts'

export const isOk = ({ lost, doubled, leaked, faults }: Outcome) => lost + doubled + leaked + faults.length === 0

const resultOf = (outcome: Outcome) => (outcome.skipped ? `skipped: ${outcome.skipped}` : isOk(outcome) ? 'ok' : 'FAILED')

/** Formats the outcomes as a table. */
export function formatTable(outcomes: Outcome[]): string {
  const head = ['scenario', 'done', 'requests', 'lost', 'doubled', 'leaked', 'seconds', 'result']
  const rows = outcomes.map((outcome) => {
    const { scenario, done, requests, lost, doubled, leaked, seconds, skipped } = outcome
    const figures = skipped ? ['', '', '', '', ''] : [requests, lost, doubled, leaked, seconds.toFixed(1)].map(String)
    return [scenario, done, ...figures, resultOf(outcome)]
  })
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const isNumber = (i: number) => i >= 2 && i <= 6
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, i) => (isNumber(i) ? cell.padStart(widths[i] as number) : cell.padEnd(widths[i] as number)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
