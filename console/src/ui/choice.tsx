import { useId } from 'preact/hooks'

interface ChoiceProps<T extends string> {
  label: string
  value: T
  options: readonly (readonly [value: T, label: string, hint?: string])[]
  onChange: (value: T) => void
  disabled?: boolean
}

/** A group of radio buttons, each with a hint that explains it. */
export function Choice<T extends string>({ label, value, options, onChange, disabled = false }: ChoiceProps<T>) {
  const id = useId()
  return (
    <fieldset class="choice" disabled={disabled}>
      <legend>{label}</legend>
      {options.map(([each, name, hint]) => (
        <div key={each} class="choice-option">
          <input
            type="radio"
            id={`${id}-${each}`}
            name={id}
            checked={each === value}
            aria-describedby={hint && `${id}-${each}-hint`}
            onChange={() => onChange(each)}
          />
          <label for={`${id}-${each}`}>{name}</label>
          {hint && (
            <p class="hint" id={`${id}-${each}-hint`}>
              {hint}
            </p>
          )}
        </div>
      ))}
    </fieldset>
  )
}
