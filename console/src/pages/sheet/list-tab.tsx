import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Loaded } from '../../data/load.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Section, Show } from '../../ui/page.tsx'

interface ListTabProps<T> {
  title: string
  words: { add: string; empty: string; emptyText: string }
  items: Loaded<T[]>
  mayAdd: boolean
  /** The request that adds an item. */
  call: string
  /** The class of the list. */
  look: 'rows' | 'notes'
  row: (item: T) => ComponentChildren
  /** The dialog that adds an item. */
  dialog: (onClose: () => void) => ComponentChildren
  /** The part below the list. */
  children: ComponentChildren
}

/** A tab of the sheet with a list, and a button that adds to it. */
export function ListTab<T extends { id: string }>({ title, words, items, mayAdd, call, look, row, dialog, children }: ListTabProps<T>) {
  const [isOpen, setOpen] = useState(false)
  const add = mayAdd && (
    <Button icon="plus" onClick={() => setOpen(true)}>
      {words.add}
    </Button>
  )
  return (
    <Section title={title} class="tab-section" actions={items.data?.length ? add : undefined}>
      <Show of={items}>
        {(all) =>
          all.length ? (
            <ul class={look}>
              {all.map((item) => (
                <li key={item.id}>{row(item)}</li>
              ))}
            </ul>
          ) : (
            <Empty title={words.empty} action={add} call={mayAdd && call}>
              {words.emptyText}
            </Empty>
          )
        }
      </Show>
      {children}
      {isOpen && dialog(() => setOpen(false))}
    </Section>
  )
}
