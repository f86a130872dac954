import { useId } from 'preact/hooks'
import type { Mode } from './request.ts'
import { text } from './text.ts'

const MODES = ['notation', 'pool'] as const satisfies readonly Mode[]

/** Chooses between notation and a pool. Arrow keys switch, as in every group of radio buttons. */
export function ModeSwitch({ mode, onChange }: { mode: Mode; onChange: (mode: Mode) => void }) {
  const name = useId()
  return (
    <fieldset class="segments">
      <legend class="visually-hidden">{text.mode.label}</legend>
      {MODES.map((each) => (
        <label key={each}>
          <input type="radio" name={name} value={each} checked={each === mode} onChange={() => onChange(each)} />
          <span>{text.mode[each]}</span>
        </label>
      ))}
    </fieldset>
  )
}
