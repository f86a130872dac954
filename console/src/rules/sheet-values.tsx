import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Select } from '../ui/field.tsx'
import { labelIn, type SheetDocument } from './document.ts'
import { isDrawn, NumberValue, Scale } from './scale.tsx'
import { text } from './text.ts'

interface SheetValueProps {
  label: string
  hint?: string | undefined
  badge?: ComponentChildren
  /** Things to do with the value, after it. */
  after?: ComponentChildren
  range: string
  look?: 'dot' | 'box'
  of: { value: number; min: number; max: number }
  /** Sends a typed number only when it is complete. */
  isLazy?: boolean
  /** Changes the value. Without it, the value is only shown. */
  onChange: ((value: number | undefined) => void) | undefined
}

/** A number of the sheet with its label: dots or boxes if its range is small, and otherwise the number with the range. */
export function SheetValue({ label, hint, badge, after, range, look, of, isLazy, onChange }: SheetValueProps) {
  const id = useId()
  const name = (
    <>
      {label} {badge}
    </>
  )
  return (
    <li class="sheet-value" title={hint}>
      {onChange ? <label for={id}>{name}</label> : <span class="sheet-label">{name}</span>}
      {isDrawn(of) && of.value <= of.max ? (
        <Scale id={id} look={look} {...of} onChange={onChange} />
      ) : (
        <span class="sheet-amount">
          <NumberValue id={id} {...of} isLazy={isLazy} onChange={onChange} /> {range && <span class="quiet">{range}</span>}
        </span>
      )}
      {after}
    </li>
  )
}

export function DerivedValue({ label, value, hint }: { label: string; value: number | undefined; hint: string | undefined }) {
  return (
    <li title={hint}>
      <span>{label}</span> <strong class="sheet-number">{value ?? '–'}</strong>
    </li>
  )
}

interface SheetChoiceProps {
  document: SheetDocument
  name: string
  /** Empty if nothing is chosen. */
  value: string
  /** Chooses an option, or none. Without it, the choice is only shown. */
  onChange: ((option: string | undefined) => void) | undefined
}

export function SheetChoice({ document: { choices }, name, value, onChange }: SheetChoiceProps) {
  const label = labelIn(choices, name)
  const options = choices?.[name]?.options ?? {}
  if (!onChange)
    return (
      <li class="sheet-chosen" title={choices?.[name]?.description}>
        <span class="quiet">{label}</span> {value ? <strong>{labelIn(options, value)}</strong> : text.notChosen}
      </li>
    )
  return (
    <li>
      <Select
        label={label}
        value={value}
        options={[['', text.notChosen], ...Object.keys(options).map((option): [string, string] => [option, labelIn(options, option)])]}
        onChange={(option) => onChange(option || undefined)}
      />
    </li>
  )
}
