import type { CreationStep } from '@guildhall/client'
import { type CreationDocument, type Method, methodsOf, rangeIn, traitsOf, type Values } from './document.ts'

/** An answer that is not sent yet, and the number of the method that it follows. */
export interface StepDraft {
  method: number
  answer?: string | Values
}

/** The method that a step shows first: that of its answer, or of dice that were rolled. */
export function firstMethod(step: CreationStep): number {
  const kinds = methodsOf(step).map(({ kind }) => kind)
  return Math.max(0, kinds.indexOf(step.method ?? (step.rolled ? 'dice' : (kinds[0] ?? 'choose'))))
}

/** The answer that a method begins with: the one that is stored, or nothing chosen and all traits at their lowest values. */
export function firstAnswer(document: CreationDocument, step: CreationStep, method: Method): string | Values {
  if (step.answer !== null && step.method === method.kind) return step.answer
  const { kind, keep_order } = method
  if (kind === 'choose') return ''
  const traits = traitsOf(document, method)
  if (kind === 'dice' && keep_order && step.rolled)
    return Object.fromEntries(traits.map((trait, index) => [trait, step.rolled?.values[index] ?? 0]))
  if (kind === 'array' || kind === 'dice') return {}
  return Object.fromEntries(traits.map((trait) => [trait, rangeIn(document, method, trait).min]))
}
