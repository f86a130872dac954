import { commitmentOf, drawFrom, wordsOf } from '../dice-seeds/draw.ts'
import { type Die, evaluate } from './evaluate.ts'
import { parse } from './notation.ts'
import { rollPool } from './pool.ts'
import type { DiceRoll, Proof } from './schema.ts'

type Rolled = Pick<DiceRoll, 'id' | 'notation' | 'pool' | 'dice'>

/** What is wrong with a proof, and with the dice of its roll where they are given; nothing if all is as it must be. */
export function faultsOf(proof: Proof, roll?: Rolled): string[] {
  const { server_seed: hex, commitment, client_seed, nonce, words } = proof
  if (!hex) return ['The seed was not revealed yet: rotate it, and get the proof again.']
  const server_seed = Buffer.from(hex, 'hex')
  const faults: string[] = []
  if (commitmentOf(server_seed) !== commitment) faults.push('The seed is not the one that was committed to.')
  const source = { server_seed, client_seed, nonce }
  const expected = wordsOf(source)
  if (!words.every((word) => word === expected.next().value)) faults.push('The words do not follow from the seeds and the nonce.')
  if (roll && roll.id !== proof.roll_id) faults.push('The proof is that of another roll.')
  else if (roll && !sameDice(roll.dice, diceOf(roll, source))) faults.push('The dice do not follow from the words.')
  return faults
}

const sameDice = (a: Die[], b: Die[]) => JSON.stringify(a) === JSON.stringify(b)

/** The dice as they must have fallen. */
function diceOf({ notation, pool }: Rolled, source: Parameters<typeof wordsOf>[0]): Die[] {
  const draw = drawFrom(wordsOf(source))
  if (notation !== null) return evaluate(parse(notation), draw).dice
  if (!pool) return []
  return rollPool({ ...pool, dice: pool.dice + pool.modifier }, draw).dice
}
