import type { ComponentChildren } from 'preact'
import { Time } from './time.tsx'

interface OriginProps {
  of: { id: string; date_created: string }
  words: { since: string; id: string }
  /** Facts that come first. */
  children?: ComponentChildren
}

/** The facts that nobody can change: when something was created, and its id. */
export function Origin({ of: { id, date_created }, words, children }: OriginProps) {
  return (
    <p class="quiet facts">
      {children}
      <span>
        {words.since} <Time at={date_created} />
      </span>
      <span>
        {words.id} <code>{id}</code>
      </span>
    </p>
  )
}
