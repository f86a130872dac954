import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { Button } from '../ui/button.tsx'
import { text } from './text.ts'

export interface Table {
  /** The headings of the columns. The first column names the rows. */
  head: readonly string[]
  rows: readonly (readonly string[])[]
}

interface FrameProps {
  title: string
  /** The chart as a table. Without one, the chart has no switch. */
  table?: Table | undefined
  look?: 'large' | 'thin' | undefined
  children: ComponentChildren
}

/** A chart with its title, and a switch between the picture and a table of its values. */
export function Frame({ title, table, look, children }: FrameProps) {
  const [isTable, setTable] = useState(false)
  const id = useId()
  const switchTo = isTable ? text.asChart : text.asTable
  return (
    <figure class={look ? `chart ${look}` : 'chart'} aria-labelledby={id}>
      <figcaption id={id} class={look === 'thin' ? 'visually-hidden' : undefined}>
        {title}
      </figcaption>
      {isTable && table ? <DataTable title={title} table={table} /> : children}
      {table && (
        <Button look="quiet" aria-label={`${switchTo}: ${title}`} onClick={() => setTable(!isTable)}>
          {switchTo}
        </Button>
      )}
    </figure>
  )
}

function DataTable({ title, table: { head, rows } }: { title: string; table: Table }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long table is scrolled with the keyboard
    <section class="chart-table" tabIndex={0} aria-label={title}>
      <table class="data">
        <thead>
          <tr>
            {head.map((name, index) => (
              <th key={name} scope="col" class={index ? 'number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...values]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {values.map((value, index) => (
                <td key={index} class="number">
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
