import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { labelIn } from '../../../rules/document.ts'
import { isDrawn, NumberValue, Scale } from '../../../rules/scale.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { type CreationDocument, dotsOf, type Method, placesOf, rangeIn, type Values } from '../document.ts'
import { text as all } from '../text.ts'

const text = all.priority

interface PriorityProps {
  document: CreationDocument
  method: Method
  values: Values
  onChange: (values: Values) => void
  faults: Record<string, string>
}

/** Ranks groups, each of which then has the dots of its rank to give out. */
export function Priority({ document, method, values, onChange, faults }: PriorityProps) {
  const pools = [...(method.pools ?? [])].sort((a, b) => b - a)
  const places = placesOf(document, method)
  const list = useRef<HTMLOListElement>(null)
  // An answer has only the dots: the group with the most of them is the first.
  const [order, setOrder] = useState(() => {
    const dots = new Map(places.map(({ name, traits }) => [name, dotsOf(document, traits, values)]))
    return places.map(({ name }) => name).sort((a, b) => (dots.get(b) ?? 0) - (dots.get(a) ?? 0))
  })
  const [moved, setMoved] = useState<{ name: string; way: 'up' | 'down' }>()
  // A button that moves with its group loses the focus, and the one at the end of the list is inactive.
  useEffect(() => {
    if (!moved) return
    const buttons = list.current?.querySelectorAll<HTMLButtonElement>(`[data-group="${moved.name}"] .rank-buttons button:enabled`) ?? []
    const wanted = moved.way === 'up' ? buttons[0] : buttons[buttons.length - 1]
    wanted?.focus({ preventScroll: true })
  }, [moved])
  const move = (name: string, way: 'up' | 'down') => {
    const from = order.indexOf(name)
    const others = order.filter((each) => each !== name)
    others.splice(from + (way === 'up' ? -1 : 1), 0, name)
    setOrder(others)
    setMoved({ name, way })
  }
  return (
    <>
      <p class="hint">{text.hint}</p>
      <ol class="ranks" ref={list}>
        {order.map((name, rank) => {
          const label = labelIn(document.groups, name)
          const traits = places.find((place) => place.name === name)?.traits ?? []
          const pool = pools[rank] ?? 0
          const left = pool - dotsOf(document, traits, values)
          return (
            <li key={name} class="rank" data-group={name}>
              <header>
                <div class="rank-title">
                  <h3>{label}</h3>
                  <span class={left < 0 ? 'rank-left over' : 'rank-left'}>{text.left(left, pool)}</span>
                </div>
                <span class="rank-buttons">
                  <IconButton label={text.up(label)} icon="up" disabled={rank === 0} onClick={() => move(name, 'up')} />
                  <IconButton
                    label={text.down(label)}
                    icon="down"
                    disabled={rank === order.length - 1}
                    onClick={() => move(name, 'down')}
                  />
                </span>
              </header>
              <ul>
                {traits.map((trait) => (
                  <RankedTrait
                    key={trait}
                    label={labelIn(document.traits, trait)}
                    hint={document.traits[trait]?.description}
                    range={rangeIn(document, method, trait)}
                    value={values[trait]}
                    onChange={(value) => onChange({ ...values, [trait]: value })}
                    fault={faults[trait]}
                  />
                ))}
              </ul>
            </li>
          )
        })}
      </ol>
      <p class="visually-hidden" role="status">
        {moved && text.moved(labelIn(document.groups, moved.name), order.indexOf(moved.name) + 1, order.length)}
      </p>
    </>
  )
}

interface RankedTraitProps {
  label: string
  hint: string | undefined
  range: { min: number; max: number }
  value: number | undefined
  onChange: (value: number) => void
  fault: string | undefined
}

function RankedTrait({ label, hint, range, value = range.min, onChange, fault }: RankedTraitProps) {
  const id = useId()
  const change = (next: number | undefined) => onChange(next ?? range.min)
  return (
    <li class="ranked" title={hint}>
      <label for={id}>{label}</label>
      {isDrawn(range) ? (
        <Scale id={id} value={value} {...range} onChange={change} />
      ) : (
        <NumberValue id={id} value={value} {...range} onChange={change} />
      )}
      {fault && <p class="error">{fault}</p>}
    </li>
  )
}
