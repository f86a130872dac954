/** The seal of a proof: an outline until this browser has verified it, then wax. */
export function SealMark({ class: name }: { class?: string }) {
  return (
    <svg class={name} viewBox="0 0 100 100" aria-hidden="true">
      <use href="#seal" />
    </svg>
  )
}
