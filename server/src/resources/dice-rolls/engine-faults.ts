import { DiceFault } from '@guildhall/dice/fault'
import { NotationFault } from '@guildhall/dice/notation'
import type { Fault } from '../../core/problem.ts'

/**
 * Returns an error of the dice engine as the fault of a field, and throws any other error again. `resolved` is the notation with values in
 * the place of names, if the error is in it: the position then is not one of the text that was sent.
 */
export function engineFault(error: unknown, field: string, resolved?: string): Fault {
  if (!(error instanceof DiceFault)) throw error
  if (!(error instanceof NotationFault)) return { field, message: error.message }
  return { field, message: `at position ${error.position + 1}${resolved === undefined ? '' : ` of ${resolved}`}: ${error.message}` }
}
