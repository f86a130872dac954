import { Icon } from '../../ui/icon.tsx'
import { text } from './text.ts'

export interface Screen {
  id: string
  label: string
  isDone: boolean
  href: string
}

/** The steps as a row of numbers, each of which leads to its step. */
export function Progress({ screens, current }: { screens: readonly Screen[]; current: string }) {
  return (
    <nav aria-label={text.progress}>
      <ol class="progress">
        {screens.map(({ id, label, isDone, href }, index) => {
          const words = text.stepLink(index + 1, label, isDone)
          return (
            <li key={id} class={isDone ? 'done' : undefined}>
              <a href={href} aria-current={id === current ? 'step' : undefined} aria-label={words} title={label}>
                {isDone && id !== current ? <Icon name="check" /> : index + 1}
              </a>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
