import { hrefOf } from '../router.ts'
import { text } from '../text.ts'

/** The mark of Guildhall, which leads to the start. */
export function Mark() {
  return (
    <a class="mark" href={hrefOf('/')}>
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
        <path class="mark-body" d="M16 2 29 9v14L16 30 3 23V9z" />
        <path class="mark-face" d="m16 9 7 12H9z" />
      </svg>
      <span>{text.brand}</span>
    </a>
  )
}
