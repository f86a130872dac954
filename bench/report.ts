import type { Starts } from './starts.ts'

interface Row {
  scenario: string
  perSecond: number
  p50: number
  p99: number
  cpu: number[]
  discarded: number
  statements?: number | null
  ratio?: number
  target?: number | null
}
interface Growth {
  scenario: string
  sizes: number[]
  p50: number[]
  ratio: number
  max: number
}
/** A page of changes that its reader sees, and one of which 90 % is hidden from them, in milliseconds. */
export interface Hidden {
  open: number
  hidden: number
  ratio: number
  max: number
}
interface Report {
  machine: { cores: number; node: string; processes: number }
  seconds: number
  results: Record<string, unknown>[]
  hot: Record<string, unknown>[]
  growth: Record<string, unknown>[]
  hidden: Hidden | null
  memory: number
  two: Record<string, unknown> | null
  starts: Starts | null
}

const MAX_MEMORY_MB = 256
const MAX_START_SECONDS = 3

/** Formats rows as columns of equal width. */
export function table(head: string[], rows: (string | number)[][]): string {
  const all = [head, ...rows.map((row) => row.map(String))]
  const widths = head.map((_, i) => Math.max(...all.map((row) => (row[i] ?? '').length)))
  return all
    .map((row) => row.map((cell, i) => (i ? cell.padStart(widths[i] as number) : cell.padEnd(widths[i] as number))).join('  '))
    .join('\n')
}

export const figure = (value: number | null | undefined, digits: number) =>
  value == null || Number.isNaN(value) ? '-' : value.toFixed(digits)

const cellsOf = ({ scenario, perSecond, p50, p99, cpu, statements, ratio, target }: Row) => [
  scenario,
  figure(perSecond, 0),
  figure(p50, 2),
  figure(p99, 1),
  figure(cpu[0], 0),
  figure(cpu[1], 0),
  figure(statements, 1),
  figure(ratio, 2),
  target == null ? '' : `${target}`,
]

/** Formats the report as tables. */
export function formatReport({ machine, seconds, results, hot, growth, hidden, memory, two, starts }: Report): string {
  const rows = [...results, ...hot] as unknown as Row[]
  const grown = growth as unknown as Growth[]
  const sizes = grown[0]?.sizes ?? []
  return [
    '',
    table(['', 'per s', 'p50 ms', 'p99 ms', 'service us', 'database us', 'statements', 'of floor', 'target'], rows.map(cellsOf)),
    ...(grown.length
      ? [
          '',
          table(
            ['p50 ms, one at a time, by rows', ...sizes.map((size) => size.toLocaleString('en')), 'growth', 'at most'],
            grown.map(({ scenario, p50, ratio, max }) => [scenario, ...p50.map((ms) => figure(ms, 2)), figure(ratio, 2), max]),
          ),
        ]
      : []),
    '',
    ...(hidden
      ? [
          `page of 50 changes, p50 ms: ${figure(hidden.open, 2)}, ${figure(hidden.hidden, 2)} if 90 % is hidden, ${figure(hidden.ratio, 2)} (at most ${hidden.max})`,
        ]
      : []),
    `memory of a process ${figure(memory, 0)} MB (under ${MAX_MEMORY_MB}); ${rows.reduce((sum, { discarded }) => sum + discarded, 0)} rounds repeated`,
    ...(two
      ? [
          `two processes compared with one: ${Object.entries(two)
            .map(([name, ratio]) => `${name} ${figure(ratio as number, 2)}`)
            .join(', ')}`,
        ]
      : []),
    ...(starts
      ? [
          `start on a new embedded database ${figure(starts.first, 1)} s, on an existing one ${figure(starts.later, 1)} s (under ${MAX_START_SECONDS})`,
        ]
      : []),
    `${machine.cores} cores, Node ${machine.node}, service in ${machine.processes} process(es), ${seconds} s`,
  ].join('\n')
}

/** Lists the figures that miss their target. */
export function missedTargets({ results, growth, hidden, memory, starts }: Report): string {
  const missed = [
    ...(results as unknown as Row[]).flatMap(({ scenario, ratio = 0, target }) =>
      target != null && ratio < target ? [`${scenario}: ${ratio.toFixed(2)} of its floor, at least ${target} is required`] : [],
    ),
    ...(growth as unknown as Growth[]).flatMap(({ scenario, ratio, max }) =>
      ratio > max ? [`${scenario}: grows by a factor of ${ratio.toFixed(2)}, at most ${max} is allowed`] : [],
    ),
    ...(hidden && hidden.ratio > hidden.max
      ? [`a page of changes of which 90 % is hidden: ${hidden.ratio.toFixed(2)} times another, at most ${hidden.max} is allowed`]
      : []),
    ...(memory > MAX_MEMORY_MB ? [`memory: ${memory.toFixed(0)} MB, at most ${MAX_MEMORY_MB} is allowed`] : []),
    ...(starts && starts.later > MAX_START_SECONDS
      ? [`start: ${starts.later.toFixed(1)} s on an existing database, at most ${MAX_START_SECONDS} is allowed`]
      : []),
  ]
  return missed.length ? `MISSED\n  ${missed.join('\n  ')}` : 'Every target is met.'
}
