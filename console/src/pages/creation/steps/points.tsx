import { labelIn } from '../../../rules/document.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/field.tsx'
import { type CreationDocument, type Method, rangeIn, sectionsOf, traitsOf, type Values } from '../document.ts'
import { pricesOf, spentOn } from '../prices.ts'
import { text as all } from '../text.ts'

const text = all.points

interface PointsProps {
  document: CreationDocument
  method: Method
  values: Values
  onChange: (values: Values) => void
  faults: Record<string, string>
}

/** Spends points on traits, one step at a time. */
export function Points({ document, method, values, onChange, faults }: PointsProps) {
  const { budget = 0 } = method
  const traits = traitsOf(document, method)
  const price = pricesOf(document, method)
  const left = price && budget - spentOn(values, price)
  return (
    <>
      <p class={left !== undefined && left < 0 ? 'budget over' : 'budget'} role="status">
        {left === undefined ? text.unknown(budget) : text.left(left, budget)}
      </p>
      {sectionsOf(document, traits).map(({ label, traits: members }) => (
        <fieldset key={label} class="step-group">
          {label && <legend>{label}</legend>}
          <ul class="step-rows">
            {members.map((trait) => {
              const { min, max } = rangeIn(document, method, trait)
              const value = values[trait] ?? min
              return (
                <PointsRow
                  key={trait}
                  label={labelIn(document.traits, trait)}
                  hint={document.traits[trait]?.description}
                  of={{ value, min, max }}
                  nextCost={price && value < max ? price(trait, value + 1) - price(trait, value) : undefined}
                  left={left}
                  onChange={(next) => onChange({ ...values, [trait]: next })}
                  fault={faults[trait]}
                />
              )
            })}
          </ul>
        </fieldset>
      ))}
    </>
  )
}

interface PointsRowProps {
  label: string
  hint: string | undefined
  of: { value: number; min: number; max: number }
  /** The price of the next step; undefined if there is none, or only the service knows it. */
  nextCost: number | undefined
  left: number | undefined
  onChange: (value: number) => void
  fault: string | undefined
}

/** A trait with its value: a box to tick if there is only one step, and otherwise buttons. */
function PointsRow({ label, hint, of: { value, min, max }, nextCost, left, onChange, fault }: PointsRowProps) {
  const isTooDear = nextCost !== undefined && left !== undefined && nextCost > Math.max(0, left)
  if (min === 0 && max === 1)
    return (
      <li class="ticked" title={hint}>
        <Checkbox label={label} checked={value === 1} onChange={(checked) => onChange(checked ? 1 : 0)} />
        {fault && <p class="error">{fault}</p>}
      </li>
    )
  return (
    <li class="stepped" title={hint}>
      <span class="stepped-label">
        {label}
        {nextCost !== undefined && nextCost !== 1 && nextCost !== 0 && <span class="hint">{text.cost(nextCost)}</span>}
      </span>
      <span class="stepper">
        <IconButton label={text.lower(label)} icon="minus" disabled={value <= min} onClick={() => onChange(value - 1)} />
        <output class="stepper-value" aria-label={label}>
          {value}
        </output>
        <IconButton label={text.raise(label)} icon="plus" disabled={value >= max || isTooDear} onClick={() => onChange(value + 1)} />
      </span>
      {fault && <p class="error">{fault}</p>}
    </li>
  )
}
