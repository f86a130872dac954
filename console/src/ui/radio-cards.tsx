import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

export interface RadioCard<T extends string> {
  value: T
  label: string
  hint?: ComponentChildren
}

interface RadioCardsProps<T extends string> {
  label: string
  /** Keeps the label for screen readers only. */
  isLabelHidden?: boolean
  /** Empty if nothing is chosen yet. */
  value: T | ''
  cards: readonly RadioCard<T>[]
  onChange: (value: T) => void
  error?: string | undefined
}

/** A choice of one from a few, each on a card that can be pressed anywhere. */
export function RadioCards<T extends string>({ label, isLabelHidden = false, value, cards, onChange, error }: RadioCardsProps<T>) {
  const id = useId()
  return (
    <fieldset class={cards.some(({ hint }) => hint) ? 'radio-cards' : 'radio-cards narrow'} aria-describedby={error && `${id}-error`}>
      <legend class={isLabelHidden ? 'visually-hidden' : undefined}>{label}</legend>
      {cards.map(({ value: each, label: name, hint }) => (
        <label key={each} class="radio-card">
          <input
            type="radio"
            name={id}
            value={each}
            checked={each === value}
            aria-invalid={error ? 'true' : undefined}
            onChange={() => onChange(each)}
          />
          <span>
            <strong>{name}</strong>
            {hint && <span class="hint">{hint}</span>}
          </span>
        </label>
      ))}
      {error && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
