import { text } from './text.ts'

/** A probability as people say it: about 3 in 4 times. */
export function chanceInWords(chance: number): string {
  if (chance <= 0) return text.odds.never
  if (chance >= 1) return text.odds.always
  if (chance < 0.03) return text.odds.almostNever
  if (chance > 0.97) return text.odds.almostAlways
  let [times, of] = [1, 2]
  for (let parts = 2; parts <= 10; parts++) {
    const nearest = Math.min(Math.max(Math.round(chance * parts), 1), parts - 1)
    // A larger denominator must be clearly more accurate: 1 in 2 is easier to read than 5 in 10.
    if (Math.abs(nearest / parts - chance) < Math.abs(times / of - chance) - 0.015) [times, of] = [nearest, parts]
  }
  return text.odds.about(times, of)
}
