import { commitmentOf, type Draw, drawFrom, wordsOf } from '../../dice/draw.ts'
import { type Die, evaluate } from '../../dice/evaluate.ts'
import { countsSuccesses, parse } from '../../dice/notation.ts'
import { rollPool } from '../../dice/pool.ts'
import type { DiceRoll, Proof } from './schema.ts'

type Rolled = Pick<DiceRoll, 'id' | 'notation' | 'pool' | 'dice' | 'net' | 'total' | 'outcome' | 'settlement'>

/** What is wrong with a proof, and with its roll where that is given; nothing if all is as it must be. */
export function faultsOf(proof: Proof, roll?: Rolled): string[] {
  const { server_seed: hex, commitment, client_seed, nonce, words } = proof
  if (!hex) return ['The seed was not revealed yet: rotate it, and get the proof again.']
  const server_seed = Buffer.from(hex, 'hex')
  const faults: string[] = []
  if (commitmentOf(server_seed) !== commitment) faults.push('The seed is not the one that was committed to.')
  const source = { server_seed, client_seed, nonce }
  const expected = wordsOf(source)
  if (!words.every((word) => word === expected.next().value)) faults.push('The words do not follow from the seeds and the nonce.')
  if (!roll) return faults
  if (roll.id !== proof.roll_id) return [...faults, 'The proof is that of another roll.']
  const draw = drawFrom(wordsOf(source))
  const { dice, net, total, outcome } = rolledAgain(roll, draw)
  if (!sameDice(roll.dice, dice) || draw.used !== words.length) faults.push('The dice do not follow from the words.')
  const end = roll.settlement === 'DESPAIR' ? 'FAILURE' : outcome
  if (roll.net !== net || roll.total !== total || roll.outcome !== end) faults.push('The result does not follow from the dice.')
  return faults
}

const shown = ({ kind, sides, value, flags }: Die) => `${kind} ${sides} ${value} ${flags}`
const sameDice = (a: Die[], b: Die[]) => a.map(shown).join() === b.map(shown).join()

/** What must have come of it. */
function rolledAgain({ notation, pool }: Rolled, draw: Draw): Pick<Rolled, 'dice' | 'net' | 'total' | 'outcome'> {
  if (pool) return rollPool({ ...pool, dice: pool.dice + pool.modifier }, draw)
  const term = parse(notation as string)
  const { dice, value } = evaluate(term, draw)
  return { dice, outcome: null, ...(countsSuccesses(term) ? { net: value, total: null } : { net: null, total: value }) }
}
