import type { SheetFault } from '@guildhall/client'
import { labelIn, type SheetDocument } from './document.ts'
import { text } from './text.ts'

/** A fault of a sheet, or of a request that would break a rule. */
type AnyFault = Pick<SheetFault, 'field' | 'message'> & Partial<Pick<SheetFault, 'level'>>

/** A fault as people read it: with the label of the part that it is about. */
export function faultText(document: SheetDocument, { field, message }: AnyFault): string {
  const [part = '', name = ''] = field.split('.')
  const parts = document[part as keyof SheetDocument] as SheetDocument['groups'] | undefined
  return name ? `${labelIn(parts, name)}: ${message}` : message
}

/** Lists the values that do not follow the rules, and the checks that do not hold. */
export function SheetFaults({ faults, document }: { faults: readonly AnyFault[]; document: SheetDocument }) {
  if (!faults.length) return null
  return (
    <ul class="sheet-faults" aria-label={text.faults}>
      {faults.map((fault) => (
        <li key={fault.field + fault.message} class={fault.level === 'WARNING' ? 'quiet' : 'error'}>
          {faultText(document, fault)}
        </li>
      ))}
    </ul>
  )
}
