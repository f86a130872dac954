import { commitmentOf, type Draw, drawFrom, wordsOf } from '../../dice/draw.ts'
import { type Die, evaluate } from '../../dice/evaluate.ts'
import { countsSuccesses, MAX_RESOLVED_LENGTH, parse } from '../../dice/notation.ts'
import { rollPool } from '../../dice/pool.ts'
import type { DiceRoll, Proof } from './schema.ts'

type StoredRoll = Pick<DiceRoll, 'id' | 'notation' | 'pool' | 'dice' | 'net' | 'total' | 'outcome' | 'settlement'>

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
  const draw = drawFrom(wordsOf(source))
  const { dice, net, total, outcome } = rollAgain(roll, draw)
  if (!sameDice(roll.dice, dice) || draw.used !== words.length) faults.push('The dice do not follow from the words.')
  const finalOutcome = roll.settlement === 'DESPAIR' ? 'FAILURE' : outcome
  if (roll.net !== net || roll.total !== total || roll.outcome !== finalOutcome) faults.push('The result does not follow from the dice.')
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
function rollAgain({ notation, pool }: StoredRoll, draw: Draw): Pick<StoredRoll, 'dice' | 'net' | 'total' | 'outcome'> {
  if (pool) return rollPool({ ...pool, dice: pool.dice + pool.modifier }, draw)
  const term = parse(notation as string, { maxLength: MAX_RESOLVED_LENGTH, earlier: true })
  const { dice, value } = evaluate(term, draw)
  return { dice, outcome: null, ...(countsSuccesses(term) ? { net: value, total: null } : { net: null, total: value }) }
}
