import type { ComponentChildren } from 'preact'
import { useContext, useEffect, useRef } from 'preact/hooks'
import { ActingContext } from '../data/acting.ts'
import type { Loaded } from '../data/load.ts'
import { usePath } from '../router.ts'
import { text } from '../text.ts'
import { Problem } from './problem.tsx'

interface PageProps {
  title: string
  /** The breadcrumb above the title. */
  above?: ComponentChildren
  /** A picture before the title, such as the shield of a character. */
  mark?: ComponentChildren
  /** A sentence about the page, below the title. */
  below?: ComponentChildren
  /** The buttons next to the title. */
  actions?: ComponentChildren
  children: ComponentChildren
  isWide?: boolean
}

/** A page: its title is the title of the tab, and gets the focus when the path changes, so that a screen reader announces the page. */
export function Page({ title, above, mark, below, actions, children, isWide = false }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const path = usePath().split('?')[0]
  useEffect(() => {
    document.title = `${title} · Guildhall`
  }, [title])
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement?.closest('.rail, .top-bar'))
      heading.current?.focus({ preventScroll: true })
  }, [path])
  return (
    <div class={isWide ? 'page wide' : 'page'}>
      <header class="page-head">
        <div class="page-title">
          {mark}
          <div>
            {above && <p class="above">{above}</p>}
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {below}
          </div>
        </div>
        {actions && <div class="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

/** Shows data once it is loaded; until then, that it is loading or why it failed. */
export function Show<T>({ of, children }: { of: Loaded<T>; children: (data: T) => ComponentChildren }) {
  if (of.data !== undefined) return <>{children(of.data)}</>
  if (of.error) return <Problem error={of.error} onRetry={of.reload} />
  return <Loading />
}

/** Says that data is loading. It appears after a delay, so that short requests do not flicker. */
export function Loading() {
  return (
    <div class="loading" role="status">
      <span class="visually-hidden">{text.loading}</span>
      <i />
      <i />
      <i />
    </div>
  )
}

interface EmptyProps {
  title: string
  /** The one next thing to do. */
  children?: ComponentChildren
  action?: ComponentChildren
  /** The request that does it. Players, who have no API key, do not see it. */
  call?: string | undefined | false
}

/** In place of a list without items: the one next thing to do, and the request that does it. */
export function Empty({ title, children, action, call }: EmptyProps) {
  const isPlayer = Boolean(useContext(ActingContext)?.me.user)
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children && <div class="empty-text">{children}</div>}
      {action && <div class="empty-action">{action}</div>}
      {call && !isPlayer && (
        <details>
          <summary>{text.asRequest}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long line is scrolled with the keyboard */}
          <pre tabIndex={0}>
            <code>{call}</code>
          </pre>
        </details>
      )}
    </div>
  )
}

/** A part of a page with a title of its own. */
export function Section({
  title,
  actions,
  children,
  class: name,
}: {
  title: string
  actions?: ComponentChildren
  children: ComponentChildren
  class?: string
}) {
  return (
    <section class={`section${name ? ` ${name}` : ''}`} aria-label={title}>
      <header class="section-head">
        <h2>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  )
}
