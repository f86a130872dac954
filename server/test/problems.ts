import assert from 'node:assert/strict'
import { type Answer, assertProblem } from './harness.ts'

/** Asserts that the answer is 409 with this code. */
export function assertConflict(answer: Answer, code: string, detail?: string): void {
  assertProblem(answer, 409, detail)
  assert.equal(answer.body.code, code)
}

/** Asserts that the answer is 400. Returns its faults, each as the field and the message. */
export function faultsOf(answer: Answer): string[] {
  assertProblem(answer, 400)
  return (answer.body.invalid_parameters ?? []).map(({ field, message }) => `${field} ${message}`)
}
