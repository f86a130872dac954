interface Row {
  scenario: string
  perSecond: number
  p50: number
  p99: number
  cpu: number[]
  discarded: number
  statements?: number | null
  ratio?: number
  must?: number | null
}
interface Growth {
  scenario: string
  sizes: number[]
  p50: number[]
  ratio: number
  most: number
}
export interface Report {
  machine: { cores: number; node: string; processes: number }
  seconds: number
  results: Record<string, unknown>[]
  hot: Record<string, unknown>[]
  growth: Record<string, unknown>[]
  memory: number
  two: Record<string, unknown> | null
}

const MOST_MEMORY = 200

function table(head: string[], rows: (string | number)[][]): string {
  const all = [head, ...rows.map((row) => row.map(String))]
  const widths = head.map((_, i) => Math.max(...all.map((row) => (row[i] ?? '').length)))
  return all
    .map((row) => row.map((cell, i) => (i ? cell.padStart(widths[i] as number) : cell.padEnd(widths[i] as number))).join('  '))
    .join('\n')
}

const figure = (value: number | null | undefined, digits: number) => (value == null || Number.isNaN(value) ? '-' : value.toFixed(digits))

const shown = ({ scenario, perSecond, p50, p99, cpu, statements, ratio, must }: Row) => [
  scenario,
  figure(perSecond, 0),
  figure(p50, 2),
  figure(p99, 1),
  figure(cpu[0], 0),
  figure(cpu[1], 0),
  figure(statements, 1),
  figure(ratio, 2),
  must == null ? '' : `${must}`,
]

/** One table for people. */
export function printed({ machine, seconds, results, hot, growth, memory, two }: Report): string {
  const rows = [...results, ...hot] as unknown as Row[]
  const grown = growth as unknown as Growth[]
  const sizes = grown[0]?.sizes ?? []
  return [
    '',
    table(['', 'per s', 'p50 ms', 'p99 ms', 'service us', 'database us', 'statements', 'of floor', 'must'], rows.map(shown)),
    ...(grown.length
      ? [
          '',
          table(
            ['p50 ms, one at a time, by rows', ...sizes.map((size) => size.toLocaleString('en')), 'growth', 'at most'],
            grown.map(({ scenario, p50, ratio, most }) => [scenario, ...p50.map((ms) => figure(ms, 2)), figure(ratio, 2), most]),
          ),
        ]
      : []),
    '',
    `memory of a process ${figure(memory, 0)} MB (under ${MOST_MEMORY}); ${rows.reduce((sum, { discarded }) => sum + discarded, 0)} rounds measured again`,
    ...(two
      ? [
          `two processes against one: ${Object.entries(two)
            .map(([name, ratio]) => `${name} ${figure(ratio as number, 2)}`)
            .join(', ')}`,
        ]
      : []),
    `${machine.cores} cores, Node ${machine.node}, service in ${machine.processes} process(es), ${seconds} s`,
  ].join('\n')
}

/** What does not hold, in a sentence each. */
export function judge({ results, growth, memory }: Report): string {
  const missed = [
    ...(results as unknown as Row[]).flatMap(({ scenario, ratio = 0, must }) =>
      must != null && ratio < must ? [`${scenario}: ${ratio.toFixed(2)} of its floor, not ${must}`] : [],
    ),
    ...(growth as unknown as Growth[]).flatMap(({ scenario, ratio, most }) =>
      ratio > most ? [`${scenario}: grows ${ratio.toFixed(2)} times, not ${most}`] : [],
    ),
    ...(memory > MOST_MEMORY ? [`memory: ${memory.toFixed(0)} MB`] : []),
  ]
  return missed.length ? `MISSED\n  ${missed.join('\n  ')}` : 'Every figure holds.'
}
