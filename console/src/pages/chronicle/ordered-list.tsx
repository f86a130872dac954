import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useDrag } from './drag.ts'
import { type Ordered, useOrder } from './order.ts'
import { text } from './text.ts'

interface OrderedListProps<T extends Ordered> {
  items: readonly T[]
  label: string
  class: string
  /** Sends the new number of an item. Without it, nothing can be moved. */
  onMove: ((id: string, number: number) => Promise<unknown>) | undefined
  reload: () => Promise<void>
  /** The line of an item, next to its controls. */
  line: (item: T, number: number) => ComponentChildren
  /** A control at the end of the line. */
  end?: (item: T) => ComponentChildren
  /** Further content below the line. */
  below?: (item: T) => ComponentChildren
}

/** A numbered list whose items are moved by dragging, by arrow keys on their grips, or by buttons. */
export function OrderedList<T extends Ordered>({
  items: given,
  label,
  class: name,
  onMove,
  reload,
  line,
  end,
  below,
}: OrderedListProps<T>) {
  const list = useRef<HTMLOListElement>(null)
  const [said, say] = useState('')
  const { items, move, indexOf } = useOrder(given, (id, number) => onMove?.(id, number) ?? Promise.resolve(), reload)
  const focused = useRef<HTMLElement>(undefined)
  // A control that moves in the document loses the focus, so the focus is restored for people who use the keyboard.
  useLayoutEffect(() => {
    focused.current?.focus()
    focused.current = undefined
  }, [items.map(({ id }) => id).join()])
  const moveTo = (item: T, index: number) => {
    if (index < 0 || index >= items.length || index === indexOf(item.id)) return
    focused.current = document.activeElement as HTMLElement
    move(item.id, index)
    say(text.move.moved(item.name, index + 1, items.length))
  }
  const { dragged, target, startDrag } = useDrag(list, (from, to) => moveTo(items[from] as T, to))
  return (
    <>
      <ol class={`ordered ${name}`} aria-label={label} ref={list}>
        {items.map((item, index) => (
          <li
            key={item.id}
            class={[
              index === dragged && 'dragged',
              dragged !== undefined && index === target && index !== dragged && (target < dragged ? 'drop-before' : 'drop-after'),
            ]
              .filter(Boolean)
              .join(' ')}
          >
            <div class="ordered-line">
              {onMove && (
                <button
                  type="button"
                  class="icon-button grip"
                  aria-label={text.move.grip(item.name)}
                  title={text.move.grip(item.name)}
                  onPointerDown={(event) => startDrag(event, index)}
                  onKeyDown={(event) => {
                    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
                    if (!step) return
                    event.preventDefault()
                    moveTo(item, indexOf(item.id) + step)
                  }}
                >
                  <Icon name="grip" />
                </button>
              )}
              {line(item, index + 1)}
              {onMove && (
                <span class="movers">
                  <IconButton
                    label={text.move.up(item.name)}
                    icon="up"
                    aria-disabled={index === 0}
                    onClick={() => moveTo(item, indexOf(item.id) - 1)}
                  />
                  <IconButton
                    label={text.move.down(item.name)}
                    icon="down"
                    aria-disabled={index === items.length - 1}
                    onClick={() => moveTo(item, indexOf(item.id) + 1)}
                  />
                </span>
              )}
              {end?.(item)}
            </div>
            {below?.(item)}
          </li>
        ))}
      </ol>
      <p class="visually-hidden" role="status">
        {said}
      </p>
    </>
  )
}
