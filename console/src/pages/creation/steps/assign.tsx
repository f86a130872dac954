import { labelIn } from '../../../rules/document.ts'
import { Button } from '../../../ui/button.tsx'
import { Select } from '../../../ui/field.tsx'
import { type CreationDocument, sectionsOf, type Values } from '../document.ts'
import { text as all } from '../text.ts'
import { assigned, descending, filled, valuesLeft } from './given-values.ts'

const text = all.assign

interface AssignProps {
  document: CreationDocument
  traits: string[]
  /** The values to give out. */
  given: readonly number[]
  values: Values
  onChange: (values: Values) => void
  faults: Record<string, string>
}

/** Gives each of some values to one trait. */
export function Assign({ document, traits, given, values, onChange, faults }: AssignProps) {
  const left = valuesLeft(given, values)
  const different = [...new Set(descending(given))]
  const optionsFor = (trait: string): [string, string][] => [
    ['', text.empty],
    ...different.map((value): [string, string] => [
      String(value),
      left.includes(value) || values[trait] === value ? String(value) : text.swapped(value),
    ]),
  ]
  return (
    <>
      <div class="budget" role="status">
        <span>{left.length ? text.left : text.none}</span>
        {left.map((value, index) => (
          <strong key={index} class="budget-chip">
            {value}
          </strong>
        ))}
        {left.length > 0 && (
          <Button look="quiet" onClick={() => onChange(filled(given, values, traits))}>
            {text.fill}
          </Button>
        )}
      </div>
      {sectionsOf(document, traits).map(({ label, traits: members }) => (
        <fieldset key={label} class="step-group">
          {label && <legend>{label}</legend>}
          <ul class="step-rows">
            {members.map((trait) => (
              <li key={trait} class="assigned" title={document.traits[trait]?.description}>
                <Select
                  label={labelIn(document.traits, trait)}
                  value={String(values[trait] ?? '')}
                  options={optionsFor(trait)}
                  onChange={(value) => onChange(assigned(given, values, trait, value === '' ? undefined : Number(value)))}
                  error={faults[trait]}
                />
              </li>
            ))}
          </ul>
        </fieldset>
      ))}
    </>
  )
}
