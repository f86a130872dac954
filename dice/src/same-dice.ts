import type { Die } from './evaluate.ts'

const dieText = ({ kind, sides, value, flags, term, counts_as }: Die) => `${kind} ${sides} ${value} ${flags} ${term} ${counts_as}`
/** A die as earlier versions stored it: without its term and the flags of natural faces, and before that without the value that it counts as. */
const earlierDice = ({ kind, sides, value, flags, counts_as }: Die): Die[] => {
  const earlier = { kind, sides, value, flags: flags.filter((flag) => !/^natural_/.test(flag)) }
  return counts_as === undefined ? [earlier] : [earlier, { ...earlier, counts_as }]
}

const isSame = (stored: Die | undefined, rolled: Die | undefined) =>
  stored !== undefined && rolled !== undefined && [rolled, ...earlierDice(rolled)].some((die) => dieText(die) === dieText(stored))

/** Returns the indexes of the dice that were stored otherwise than they were rolled again, or that one side lacks. */
export const differingDice = (stored: Die[], rolled: Die[]): number[] =>
  Array.from({ length: Math.max(stored.length, rolled.length) }, (_, i) => i).filter((i) => !isSame(stored[i], rolled[i]))
