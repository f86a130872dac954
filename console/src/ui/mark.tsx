import { hrefOf } from '../router.ts'
import { text } from '../text.ts'

/** The mark of Guildhall, which leads to the start. */
export function Mark({ class: name }: { class?: string }) {
  return (
    <a class={name ? `mark ${name}` : 'mark'} href={hrefOf('/')}>
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <path d="M16 2 28 9v14L16 30 4 23V9z" fill="currentColor" />
        <path
          class="mark-lines"
          d="M16 7.5 23.5 20h-15zM16 2v5.5M4 9l4.5 11M28 9l-4.5 11M4 23l4.5-3M28 23l-4.5-3M16 30l-7.500-10M16 30l7.500-10"
        />
      </svg>
      <span>{text.brand}</span>
    </a>
  )
}
