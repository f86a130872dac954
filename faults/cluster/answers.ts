import type { Try } from '../client.ts'

/** The problems that a client may meet while a part of the cluster is missing. Each of them invites to retry. */
const CLEAN = new Set(['database_unavailable', 'database_busy', 'outcome_unknown', 'overloaded'])

export const problemOf = ({ text }: Try): string => {
  try {
    return JSON.parse(text).code
  } catch {
    return ''
  }
}

/** The error of a request whose duplicate is still running. */
export const isInProgress = (tried: Try) => tried.status === 409 && problemOf(tried) === 'idempotency_in_progress'

/** Returns true for an answer that is a success, or invites to retry. */
export const isClean = (tried: Try) =>
  tried.status === 200 || tried.status === 201 || isInProgress(tried) || (tried.status === 503 && CLEAN.has(problemOf(tried)))

export const describe = (tried: Try) => `${tried.status} ${tried.lost || tried.text.slice(0, 300)} after ${Math.round(tried.ms)} ms`
