import type { CreationStep } from '@guildhall/client'
import { type CreationDocument, type Method, traitsOf, type Values } from './document.ts'
import { Assign } from './steps/assign.tsx'
import { Choose } from './steps/choose.tsx'
import { Dice } from './steps/dice.tsx'
import { Points } from './steps/points.tsx'
import { Priority } from './steps/priority.tsx'
import { text } from './text.ts'

interface StepFieldsProps {
  document: CreationDocument
  method: Method
  rolled: CreationStep['rolled']
  answer: string | Values
  onAnswer: (answer: string | Values) => void
  onRoll: () => void
  busy: boolean
  /** The faults by trait. */
  faults: Record<string, string>
}

/** The fields of a step, as its method wants them. */
export function StepFields({ document, method, rolled, answer, onAnswer, onRoll, busy, faults }: StepFieldsProps) {
  const values = typeof answer === 'string' ? {} : answer
  const fields = { document, method, values, onChange: onAnswer, faults }
  switch (method.kind) {
    case 'choose':
      return <Choose document={document} method={method} value={typeof answer === 'string' ? answer : ''} onChange={onAnswer} />
    case 'array':
      return (
        <>
          <p class="hint">{text.assign.hint}</p>
          <Assign {...fields} traits={traitsOf(document, method)} given={method.values ?? []} />
        </>
      )
    case 'points':
      return <Points {...fields} />
    case 'priority':
      return <Priority {...fields} />
    case 'dice':
      return <Dice {...fields} rolled={rolled} onRoll={onRoll} busy={busy} />
  }
}
