import { explainRoll, type Judge, NOT_REVEALED } from './explain.ts'

export interface Verdict {
  holds: boolean
  /** One sentence if the proof holds, and otherwise one line for each fault. */
  message: string
  faults: string[]
}

/**
 * Verifies a proof, and the dice and the result of its roll if one is given, without the service. Both are JSON as the API returns it.
 * Throws a ProofFault if they are something else. With `judge`, the result by the ruleset of the roll is verified, too.
 */
export async function verifyRoll(proof: unknown, roll?: unknown, judge?: Judge): Promise<Verdict> {
  const { commitment, words, dice } = await explainRoll(proof, roll, judge)
  const isRevealed = commitment.holds !== null
  const faults = isRevealed ? [commitment, words, ...(dice.stated ? [dice] : [])].flatMap((step) => step.faults) : [NOT_REVEALED]
  if (faults.length) return { holds: false, message: faults.join('\n'), faults }
  const rest = `the words from both seeds and the nonce${dice.stated ? ', and the dice from the words' : ''}`
  const unjudged = dice.stated?.ruleset && !judge ? ' The result by the ruleset was not checked: that takes its document.' : ''
  return { holds: true, message: `The proof holds: the commitment follows from the seed, ${rest}.${unjudged}`, faults }
}
