import type { ComponentChildren } from 'preact'
import { text } from '../text.ts'
import { Icon } from './icon.tsx'

/** A word in a frame: a status or a role. */
export function Badge({ tone = 'plain', children }: { tone?: 'plain' | 'good' | 'bad' | 'accent'; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>
}

/** Marks content that players do not see. */
export function Secret({ children = text.secret }: { children?: ComponentChildren }) {
  return (
    <span class="badge secret">
      <Icon name="secret" />
      {children}
    </span>
  )
}

/** The first letters of a name, in place of a portrait. */
export function Initials({ name }: { name: string }) {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => [...(word ?? '')][0] ?? '').join('')
  return (
    <span class="initials" aria-hidden="true">
      {letters.toUpperCase()}
    </span>
  )
}

/** A small number as filled and empty dots. */
export function Pips({ value, max, label }: { value: number; max: number; label: string }) {
  return (
    <span class="pips" role="img" aria-label={`${label}: ${value} of ${max}`}>
      {Array.from({ length: max }, (_, index) => (
        <span key={index} class={index < value ? 'pip full' : 'pip'} />
      ))}
    </span>
  )
}
