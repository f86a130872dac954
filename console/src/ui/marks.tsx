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

const DYES = 5

/** The dye of a name: always the same, so that one recognizes a person. */
const dyeOf = (name: string) => ([...name].reduce((sum, letter) => (sum * 33 + (letter.codePointAt(0) ?? 0)) % 10_007, 7) % DYES) + 1

/** The first letters of a name on a shield, in place of a portrait. */
export function Initials({ name, isLarge = false }: { name: string; isLarge?: boolean }) {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => [...(word ?? '')][0] ?? '').join('')
  return (
    <span class={`who dye-${dyeOf(name)}${isLarge ? ' large' : ''}`} aria-hidden="true">
      {letters.toUpperCase()}
    </span>
  )
}
