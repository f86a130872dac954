import type { ComponentChildren } from 'preact'
import type { Pages } from '../data/pages.ts'
import { More } from './more.tsx'
import { Show } from './page.tsx'

interface PagedListProps<T> {
  of: Pages<T>
  /** Says how many there are. */
  count?: (total: number) => string
  /** An item as an element of the list, with its key. */
  row: (item: T) => ComponentChildren
  /** Shown in place of a list without items. */
  empty: ComponentChildren
  class?: string
}

/** A long list, of which one page after another is shown. */
export function PagedList<T>({ of, count, row, empty, class: name }: PagedListProps<T>) {
  return (
    <>
      <Show of={of}>
        {({ items, total }) =>
          items.length ? (
            <>
              {count && (
                <p class="quiet list-count" role="status">
                  {count(total)}
                </p>
              )}
              <ul class={name ? `rows ${name}` : 'rows'}>{items.map(row)}</ul>
            </>
          ) : (
            empty
          )
        }
      </Show>
      <More of={of} />
    </>
  )
}
