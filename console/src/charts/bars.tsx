import { Frame } from './frame.tsx'
import { text } from './text.ts'

export interface Bar {
  label: string
  /** Between 0 and 1 for a probability, or a number of anything. */
  value: number
  /** The expected value, drawn as a mark across the bar. */
  expected?: number
  tone?: 'plain' | 'good' | 'bad' | 'accent'
}

interface BarsProps {
  title: string
  /** The sentence that a screen reader says in place of the picture. */
  summary: string
  bars: readonly Bar[]
  format?: (value: number) => string
  /** A low chart without labels and table, for small places. */
  isThin?: boolean
  isLarge?: boolean
  /** The headings of the table: of the labels, and of the values. */
  columns?: readonly [label: string, value: string]
  /** A line across the chart, such as the mean, at a position counted in bars from the left edge. */
  mark?: { at: number; label: string } | undefined
}

/** So many letters of labels fit side by side on a phone, and on a large screen. */
const [MAX_LETTERS_NARROW, MAX_LETTERS_WIDE] = [36, 110]
/** Bars that are narrower than this share of a chart have no gaps between them. */
const MAX_BARS_WITH_GAPS = 120

/** A bar chart. Labels are HTML, because text in a scaled picture becomes too small on a phone. */
export function Bars({ title, summary, bars, format = String, isThin = false, isLarge = false, columns, mark }: BarsProps) {
  const most = Math.max(...bars.flatMap(({ value, expected = 0 }) => [value, expected]), Number.MIN_VALUE)
  const heightOf = (value: number) => (value / most) * 100
  const gap = bars.length > MAX_BARS_WITH_GAPS ? 0 : 0.08
  const hasExpected = bars.some(({ expected }) => expected !== undefined)
  const table = {
    head: [columns?.[0] ?? text.value, columns?.[1] ?? text.share, ...(hasExpected ? [text.expected] : [])],
    rows: bars.map(({ label, value, expected }) => [label, format(value), ...(hasExpected ? [format(expected ?? 0)] : [])]),
  }
  return (
    <Frame title={title} table={isThin ? undefined : table} look={isThin ? 'thin' : isLarge ? 'large' : undefined}>
      {/* The words stay inside the chart on both sides of its middle. */}
      {mark && (
        <svg class="chart-mark" aria-hidden="true">
          <text x={`${(mark.at / bars.length) * 100}%`} y="1em" text-anchor={mark.at / bars.length > 0.5 ? 'end' : 'start'}>
            {mark.label}
          </text>
        </svg>
      )}
      <svg viewBox={`0 0 ${bars.length} 100`} preserveAspectRatio="none" role="img" aria-label={summary}>
        {bars.map(({ label, value, expected, tone = 'accent' }, index) => (
          <g key={label}>
            <title>{`${label}: ${format(value)}`}</title>
            <rect class="reach" x={index} width={1} y={0} height={100} />
            <rect class={tone} x={index + gap} width={1 - 2 * gap} y={100 - heightOf(value)} height={heightOf(value)} />
            {expected !== undefined && (
              <path class="expected" d={`M${index} ${100 - heightOf(expected)}h1`} vector-effect="non-scaling-stroke" />
            )}
          </g>
        ))}
        {mark && <path class="mark-line" d={`M${mark.at} 0v100`} vector-effect="non-scaling-stroke" />}
      </svg>
      {!isThin && <Labels labels={bars.map(({ label }) => label)} />}
    </Frame>
  )
}

/** The labels below the bars: every n-th, so that they do not meet, and fewer on a phone. */
function Labels({ labels }: { labels: readonly string[] }) {
  const letters = labels.length * (Math.max(...labels.map(({ length }) => length)) + 1)
  const wide = Math.ceil(letters / MAX_LETTERS_WIDE)
  const narrow = wide * Math.ceil(letters / wide / MAX_LETTERS_NARROW)
  return (
    <div class="chart-labels" aria-hidden="true">
      {labels.map((label, index) => (
        <span key={label} class={index % narrow ? 'wide-only' : undefined}>
          {index % wide === 0 ? label : ''}
        </span>
      ))}
    </div>
  )
}
