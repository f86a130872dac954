import { useState } from 'preact/hooks'
import { text } from './text.ts'

/** Longer ranges are shown as numbers. */
const MAX_DRAWN = 10

/** True if the values of a range can be shown as dots. */
export const isDrawn = ({ min, max }: { min: number; max: number }): boolean => min >= 0 && max >= 1 && max <= MAX_DRAWN

interface ValueProps {
  id: string
  value: number
  min: number
  max: number
  /** Enters another value; undefined for the one that the ruleset gives. Without it, the value is only shown. */
  onChange?: ((value: number | undefined) => void) | undefined
}

/** A small number as dots or boxes. The slider over them is for the keyboard and for screen readers; fingers and mice press the dots. */
export function Scale({ id, value, min, max, look = 'dot', onChange }: ValueProps & { look?: 'dot' | 'box' }) {
  const marks = Array.from({ length: max }, (_, index) => <span key={index} class={index < value ? `${look} full` : look} />)
  if (!onChange)
    return (
      <span class="scale">
        <span class="visually-hidden">{text.valueOf(value, max)}</span>
        <span class="scale-marks" aria-hidden="true">
          {marks}
        </span>
      </span>
    )
  const press = ({ currentTarget, clientX }: MouseEvent) => {
    const { left, width } = (currentTarget as Element).getBoundingClientRect()
    const pressed = Math.min(max, Math.max(1, Math.ceil(((clientX - left) / width) * max)))
    // Pressing the last full one empties it, as on paper.
    onChange(Math.max(min, pressed === value ? pressed - 1 : pressed))
  }
  return (
    <span class="scale active">
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={1}
        value={value}
        aria-valuetext={text.valueOf(value, max)}
        onInput={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
      <span class="scale-marks" aria-hidden="true" onClick={press}>
        {marks}
      </span>
    </span>
  )
}

/** A number in a field. An empty field stands for the value that the ruleset gives. A lazy field sends its number when it is left, or with Enter. */
export function NumberValue({ id, value, min, max, isLazy = false, onChange }: ValueProps & { isLazy?: boolean | undefined }) {
  // The typed text stays until the field is left: an empty field must not fill up again at once.
  const [typed, setTyped] = useState<string>()
  if (!onChange) return <strong class="sheet-number">{value}</strong>
  const send = ({ value: entered, valueAsNumber }: HTMLInputElement) => {
    if (entered === '') onChange(undefined)
    else if (Number.isSafeInteger(valueAsNumber)) onChange(valueAsNumber)
  }
  return (
    <input
      id={id}
      class="sheet-input"
      type="number"
      min={min}
      max={max}
      step={1}
      value={typed ?? value}
      onInput={({ currentTarget }) => {
        setTyped(currentTarget.value)
        if (!isLazy) send(currentTarget)
      }}
      onChange={({ currentTarget }) => isLazy && send(currentTarget)}
      onBlur={() => setTyped(undefined)}
    />
  )
}
