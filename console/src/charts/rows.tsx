import { Frame } from './frame.tsx'
import { text } from './text.ts'

interface RowsProps {
  title: string
  /** The sentence that a screen reader says in place of the picture. */
  summary: string
  rows: readonly { label: string; value: number }[]
  /** The headings of the table: of the labels, and of the values. */
  columns?: readonly [label: string, value: string]
}

/** Horizontal bars, for labels that are words. */
export function Rows({ title, summary, rows, columns }: RowsProps) {
  const most = Math.max(...rows.map(({ value }) => value), Number.MIN_VALUE)
  const table = { head: columns ?? [text.value, text.share], rows: rows.map(({ label, value }) => [label, String(value)]) }
  return (
    <Frame title={title} table={table}>
      <div class="chart-rows" role="img" aria-label={summary}>
        {rows.map(({ label, value }) => (
          <div key={label} title={`${label}: ${value}`}>
            <span class="chart-row-label">{label}</span>
            <RowBar share={value / most} />
            <span class="number">{value}</span>
          </div>
        ))}
      </div>
    </Frame>
  )
}

/** The bar of a row, whose width is an attribute: the policy of the console allows no styles in elements. */
export function RowBar({ share }: { share: number }) {
  return (
    <svg class="chart-row-bar" aria-hidden="true">
      <rect width={`${share * 100}%`} height="100%" rx="3" />
    </svg>
  )
}
