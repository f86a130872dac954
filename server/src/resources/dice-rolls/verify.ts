import { commitmentOf, type Draw, drawFrom, wordsOf } from '../../dice/draw.ts'
import { type Die, evaluate } from '../../dice/evaluate.ts'
import { countsSuccesses, parseStored } from '../../dice/notation.ts'
import { rollPool } from '../../dice/pool.ts'
import { enginePool, reached } from './result.ts'
import type { DiceRoll, Proof } from './schema.ts'

type StoredRoll = Pick<
  DiceRoll,
  'id' | 'notation' | 'pool' | 'target' | 'compare' | 'naturals' | 'dice' | 'net' | 'total' | 'margin' | 'outcome' | 'settlement'
>

/** Lists the faults of a proof, and of its roll if one is given. An empty list means that everything is correct. */
export function faultsOf(proof: Proof, roll?: StoredRoll): string[] {
  const { server_seed: hex, commitment, client_seed, nonce, words } = proof
  if (!hex) return ['The seed is not revealed yet. Rotate it, and get the proof again.']
  const server_seed = Buffer.from(hex, 'hex')
  const faults: string[] = []
  if (commitmentOf(server_seed) !== commitment) faults.push('The seed does not match the commitment.')
  const source = { server_seed, client_seed, nonce }
  const expected = wordsOf(source)
  if (!words.every((word) => word === expected.next().value)) faults.push('The words do not follow from the seeds and the nonce.')
  if (!roll) return faults
  if (roll.id !== proof.roll_id) return [...faults, 'The proof belongs to another roll.']
  if (roll.notation === null && roll.pool === null)
    return [...faults, 'The notation of this roll is hidden from you, so its dice cannot be checked.']
  const draw = drawFrom(wordsOf(source))
  const { dice, net, total, margin, outcome } = rollAgain(roll, draw)
  if (!sameDice(roll.dice, dice) || draw.used !== words.length) faults.push('The dice do not follow from the words.')
  const finalOutcome = roll.settlement === 'DESPAIR' ? 'FAILURE' : outcome
  // Earlier versions stored no margin of a pool.
  const isSameMargin = roll.margin === margin || (roll.margin == null && roll.pool !== null)
  if (roll.net !== net || roll.total !== total || roll.outcome !== finalOutcome || !isSameMargin)
    faults.push('The result does not follow from the dice.')
  return faults
}

const dieText = ({ kind, sides, value, flags, term, counts_as }: Die) => `${kind} ${sides} ${value} ${flags} ${term} ${counts_as}`
/** A die as earlier versions stored it: without its term and without the flags of natural faces. */
const earlierDie = ({ kind, sides, value, flags }: Die): Die => ({
  kind,
  sides,
  value,
  flags: flags.filter((flag) => !/^natural_/.test(flag)),
})
const sameDie = (stored: Die, rolled: Die) =>
  stored.term === undefined ? dieText(earlierDie(stored)) === dieText(earlierDie(rolled)) : dieText(stored) === dieText(rolled)
const sameDice = (stored: Die[], rolled: Die[]) =>
  stored.length === rolled.length && rolled.every((die, i) => sameDie(stored[i] as Die, die))

/** Repeats the roll with the drawn words. */
function rollAgain(roll: StoredRoll, draw: Draw): Pick<StoredRoll, 'dice' | 'net' | 'total' | 'margin' | 'outcome'> {
  const { notation, pool } = roll
  if (pool) {
    const rolled = rollPool(enginePool(pool), draw)
    return rolled.total === null ? rolled : { ...rolled, ...reached(rolled.total, roll, rolled.dice) }
  }
  const term = parseStored(notation as string)
  const { dice, value } = evaluate(term, draw)
  return { dice, ...(countsSuccesses(term) ? { net: value, total: null } : { net: null, total: value }), ...reached(value, roll, dice) }
}
