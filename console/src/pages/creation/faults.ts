import { ApiError, type ErrorCode } from '@guildhall/client'
import { text } from './text.ts'

/** The faults that the service found in an answer, or undefined if the error is another one. */
export const answerFaults = (error: unknown): string[] | undefined =>
  ApiError.is(error) && error.faults.length > 0 && error.faults.every(({ field }) => field === 'answer')
    ? error.faults.map(({ message }) => message)
    : undefined

/** Replaces the sentence of the service where people in the console know other words for what they can do. */
export function inOwnWords(error: unknown): unknown {
  const words = ApiError.is(error) ? text.problems[error.code as ErrorCode] : undefined
  return words === undefined ? error : new Error(words)
}
