import type { Die } from './evaluate.ts'
import type { Outcome } from './pool.ts'

/** The value that a result is compared with, and how. */
export interface Aim {
  target?: number | null | undefined
  compare?: 'AT_LEAST' | 'AT_MOST' | null | undefined
  naturals?: boolean | undefined
}

/** The outcome against a target, and by how much it was reached. Both are null without a target. */
export interface Reached {
  margin: number | null
  outcome: Outcome | null
}

/** Compares a result with the target of its roll. */
export function reached(value: number, { target = null, compare, naturals }: Aim, dice: Pick<Die, 'flags'>[]): Reached {
  if (target === null) return { margin: null, outcome: null }
  const margin = compare === 'AT_MOST' ? target - value : value - target
  const has = (flag: 'natural_max' | 'natural_min') => naturals && dice.some(({ flags }) => flags.includes(flag))
  const outcome: Outcome = has('natural_max') ? 'CRITICAL' : has('natural_min') ? 'BOTCH' : margin >= 0 ? 'SUCCESS' : 'FAILURE'
  return { margin, outcome }
}
