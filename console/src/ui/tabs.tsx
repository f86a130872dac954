import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

interface TabRowProps<T extends string> {
  label: string
  tabs: readonly (readonly [value: T, label: string])[]
  value: T
  onChange: (value: T) => void
}

interface TabsProps<T extends string> extends TabRowProps<T> {
  /** Leaves the tabs out where all panels have room next to one another. The panels keep their state. */
  isOff?: boolean
  children: ComponentChildren
}

/** Tabs above a panel. */
export function Tabs<T extends string>({ isOff = false, children, ...row }: TabsProps<T>) {
  const id = useId()
  return (
    <>
      {!isOff && <TabRow {...row} id={id} />}
      <div class="tab-panel" {...(isOff ? {} : panelOf(id, row.value))}>
        {children}
      </div>
    </>
  )
}

/** The attributes of the panel that a row of tabs shows. */
export const panelOf = (id: string, value: string) =>
  ({ id: `${id}-panel`, role: 'tabpanel', 'aria-labelledby': `${id}-${value}` }) as const

/** A row of tabs. Arrow keys move between them, as users of screen readers expect. */
export function TabRow<T extends string>({ id, label, tabs, value, onChange }: TabRowProps<T> & { id: string }) {
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const index = (tabs.findIndex(([each]) => each === value) + step + tabs.length) % tabs.length
    onChange((tabs[index] as readonly [T, string])[0])
    ;(list.current?.children[index] as HTMLElement | undefined)?.focus()
  }
  // On a small screen the tabs scroll sideways. The selected one is brought into view, without moving the page, also when the screen is turned.
  useEffect(() => {
    const row = list.current
    const show = () => {
      const tab = row?.querySelector<HTMLElement>('[aria-selected="true"]')
      if (row && tab) row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2
    }
    const watched = new ResizeObserver(show)
    if (row) watched.observe(row)
    return () => watched.disconnect()
  }, [value])
  return (
    <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
      {tabs.map(([each, name]) => (
        <button
          key={each}
          type="button"
          role="tab"
          id={`${id}-${each}`}
          aria-selected={each === value}
          aria-controls={`${id}-panel`}
          tabIndex={each === value ? 0 : -1}
          data-label={name}
          onClick={() => onChange(each)}
        >
          {name}
        </button>
      ))}
    </div>
  )
}
