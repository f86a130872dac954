export const ROUNDINGS = ['floor', 'ceil', 'round'] as const
export type Rounding = (typeof ROUNDINGS)[number]

/** Divides safe integers and rounds: down, up, or to the nearest with halves up. Exact, because only multiples of the divisor are divided. */
export function divide(rounding: Rounding, dividend: number, divisor: number): number {
  if (divisor < 0) return divide(rounding, -dividend, -divisor)
  const remainder = dividend % divisor
  const above = remainder < 0 ? remainder + divisor : remainder
  const quotient = (dividend - remainder) / divisor - Number(remainder < 0)
  const roundsUp = rounding === 'ceil' ? above > 0 : rounding === 'round' && above >= divisor - above
  // Adding 0 turns -0 into 0.
  return quotient + Number(roundsUp) + 0
}
