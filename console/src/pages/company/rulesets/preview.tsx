import { useId } from 'preact/hooks'
import { RulesetSheet, type SheetChange } from '../../../rules/ruleset-sheet.tsx'
import { NumberValue } from '../../../rules/scale.tsx'
import { Button } from '../../../ui/button.tsx'
import { text as all } from './text.ts'
import type { Sample, Validation } from './use-validation.ts'

const text = all.sheet

type SampleChange = SheetChange | { part: 'xp'; name: string; value: number | undefined }

/** A sample with a change of the sheet. */
function changedSample(sample: Sample, { part, name, value }: SampleChange): Sample {
  const { [name]: _, ...others } = (sample[part] ?? {}) as Record<string, string | number>
  return { ...sample, [part]: value === undefined ? others : { ...others, [name]: value } }
}

interface PreviewProps {
  of: Validation['drawn']
  isUnreadable: boolean
  sample: Sample
  onSample: (sample: Sample) => void
}

/** The sheet as the ruleset describes it. A value that is changed there is computed by the service, and stored nowhere. */
export function Preview({ of: drawn, isUnreadable, sample, onSample }: PreviewProps) {
  const change = (changed: SampleChange) => onSample(changedSample(sample, changed))
  const isTouched = Object.values(sample).some((part) => Object.keys(part ?? {}).length > 0)
  return (
    <section class="card preview" aria-label={text.title}>
      <header class="section-head">
        <h2>{text.title}</h2>
        {isTouched && (
          <Button look="quiet" icon="undo" onClick={() => onSample({})}>
            {text.reset}
          </Button>
        )}
      </header>
      {drawn ? (
        <>
          {drawn.isCurrent && !isUnreadable ? <p class="hint">{text.text}</p> : <p class="notice">{text.stale}</p>}
          <OuterValues document={drawn.document} sample={sample} onChange={change} />
          <RulesetSheet document={drawn.document} sheet={drawn.sheet} onChange={change} />
        </>
      ) : (
        <p class="quiet">{text.none}</p>
      )}
    </section>
  )
}

const MAX_STORED = 1_000_000

interface OuterValuesProps {
  document: object
  sample: Sample
  onChange: (change: SampleChange) => void
}

/** The values that formulas read from outside of the sheet, if there are any. */
function OuterValues({ document, sample, onChange }: OuterValuesProps) {
  const id = useId()
  const source = JSON.stringify(document)
  const names = Object.entries(text.outerValues).filter(([name]) => source.includes(name))
  if (!names.length) return null
  return (
    <ul class="outer-values" aria-label={text.outer}>
      {names.map(([path, label]) => {
        const [part, name] = path.split('.') as ['xp' | 'campaign', string]
        const values = sample[part] as Record<string, number> | undefined
        return (
          <li key={path}>
            <label for={`${id}-${path}`}>{label}</label>
            <NumberValue
              id={`${id}-${path}`}
              value={values?.[name] ?? 0}
              min={0}
              max={MAX_STORED}
              onChange={(value) => onChange({ part, name, value })}
            />
          </li>
        )
      })}
    </ul>
  )
}
