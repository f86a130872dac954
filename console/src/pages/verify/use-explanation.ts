import type { Explanation } from '@guildhall/client/dice'
import { type Loaded, useLoad } from '../../data/load.ts'

/** Verifies a roll in this browser. The dice engine is loaded with the first one. */
export function useExplanation(proof: unknown, roll: unknown): Loaded<Explanation> {
  return useLoad(async () => {
    const { explainRoll } = await import('@guildhall/client/dice')
    return explainRoll(proof, roll)
  }, [JSON.stringify(proof), JSON.stringify(roll)])
}
