import type { ComponentChildren, Ref } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  label: string
  hint?: ComponentChildren
  /** The reason why the value is not accepted. */
  error?: string | undefined
  /** Keeps the label for screen readers only. */
  isLabelHidden?: boolean
}

interface Attributes {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': 'true' | undefined
}

/** A label, a control, a hint and an error that belong together. */
export function Field({
  label,
  hint,
  error,
  isLabelHidden = false,
  children,
}: FieldProps & { children: (attributes: Attributes) => ComponentChildren }) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id} class={isLabelHidden ? 'visually-hidden' : undefined}>
        {label}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? 'true' : undefined })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

/** The attributes of controls that pages set. */
interface ControlProps extends FieldProps {
  value?: string | number
  name?: string
  placeholder?: string
  required?: boolean
  disabled?: boolean
  readonly?: boolean
  maxlength?: number
  spellcheck?: boolean
  autofocus?: boolean
  onInput?: (value: string) => void
  onKeyDown?: (event: KeyboardEvent) => void
}

interface InputProps extends ControlProps {
  type?: 'text' | 'password' | 'number' | 'search' | 'email' | 'date' | 'datetime-local' | 'url'
  min?: number
  max?: number
  step?: number
  list?: string
  inputmode?: 'numeric' | 'text' | 'decimal' | 'url'
  inputRef?: Ref<HTMLInputElement>
}

/** A field for one line of text, a number or a date. */
export function TextField({ label, hint, error, isLabelHidden, onInput, inputRef, type = 'text', ...rest }: InputProps) {
  return (
    <Field label={label} hint={hint} error={error} isLabelHidden={isLabelHidden}>
      {(attributes) => (
        <input
          autocomplete="off"
          {...(rest as object)}
          {...attributes}
          type={type as 'text'}
          ref={inputRef}
          onInput={(event) => onInput?.(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

/** A field for several lines of text. */
export function TextArea({ label, hint, error, isLabelHidden, onInput, rows = 4, ...rest }: ControlProps & { rows?: number }) {
  return (
    <Field label={label} hint={hint} error={error} isLabelHidden={isLabelHidden}>
      {(attributes) => (
        <textarea {...(rest as object)} {...attributes} rows={rows} onInput={(event) => onInput?.(event.currentTarget.value)} />
      )}
    </Field>
  )
}

interface SelectProps<T extends string> extends FieldProps {
  value: T
  options: readonly (readonly [value: T, label: string])[]
  onChange: (value: T) => void
  disabled?: boolean
  /** Shows the list open, with this number of lines. */
  lines?: number | undefined
}

/** A choice from a list. */
export function Select<T extends string>({
  label,
  hint,
  error,
  isLabelHidden,
  value,
  options,
  onChange,
  disabled = false,
  lines,
}: SelectProps<T>) {
  return (
    <Field label={label} hint={hint} error={error} isLabelHidden={isLabelHidden}>
      {(attributes) => (
        <select
          {...attributes}
          size={lines}
          value={value}
          disabled={disabled}
          onChange={(event) => onChange(event.currentTarget.value as T)}
        >
          {options.map(([each, name]) => (
            <option key={each} value={each}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** A box to tick. */
export function Checkbox({
  label,
  checked,
  onChange,
  hint,
}: {
  label: ComponentChildren
  checked: boolean
  onChange: (checked: boolean) => void
  hint?: string
}) {
  const id = useId()
  return (
    <div class="checkbox">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        aria-describedby={hint && `${id}-hint`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
