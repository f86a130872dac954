import type { Odds, ResultOdds } from '@guildhall/client'
import type { Bar } from '../../charts/bars.tsx'
import type { OddsDraft } from './odds-request.ts'

/** The maximum number of bars. Beyond it, a bar stands for several results. */
const MAX_BARS = 150

/** The chance of a result or more. */
export const chanceOfAtLeast = (results: readonly ResultOdds[], least: number): number =>
  Math.min(
    1,
    results.reduce((sum, { value, probability }) => (value >= least ? sum + probability : sum), 0),
  )

export const likeliestOf = (results: readonly ResultOdds[]): number =>
  results.reduce((best, result) => (result.probability > best.probability ? result : best), results[0] as ResultOdds).value

/** The color of a result: a success, a negative result, or neither. Without a target or a difficulty, all results have one color. */
function toneOf(value: number, { of, success }: Odds, draft: OddsDraft): Bar['tone'] {
  if (success === null) return 'accent'
  if (of === 'NET' && draft.mode === 'pool') return value >= Number(draft.needed || 1) ? 'good' : value < 0 ? 'bad' : 'plain'
  const isReached = draft.compare === 'AT_MOST' ? value <= Number(draft.target) : value >= Number(draft.target)
  return isReached ? 'good' : 'plain'
}

export interface Chart {
  bars: Bar[]
  /** The number of results that each bar stands for. */
  width: number
  /** The position of the mean, in bars from the left edge. */
  meanAt: number
}

/** The bars of a distribution, of each result, or of each result or more. */
export function chartOf(odds: Odds, draft: OddsDraft, isCumulative: boolean): Chart {
  const { results, mean } = odds
  const first = (results[0] as ResultOdds).value
  const last = (results.at(-1) as ResultOdds).value
  const width = Math.ceil((last - first + 1) / MAX_BARS)
  const count = Math.ceil((last - first + 1) / width)
  const sums = new Array<number>(count).fill(0)
  for (const { value, probability } of results) {
    const index = Math.floor((value - first) / width)
    sums[index] = (sums[index] as number) + probability
  }
  if (isCumulative) for (let index = count - 2; index >= 0; index--) sums[index] = (sums[index] as number) + (sums[index + 1] as number)
  const bars = sums.map((value, index): Bar => {
    const from = first + index * width
    const label = width === 1 || isCumulative ? String(from) : `${from}–${Math.min(last, from + width - 1)}`
    return { label, value: Math.min(1, value), tone: toneOf(from, odds, draft) }
  })
  return { bars, width, meanAt: (mean - first + 0.5) / width }
}
