import { type Draw, drawFrom } from './draw.ts'
import { type Die, evaluate } from './evaluate.ts'
import { countsSuccesses, NotationFault, parseStored, type Term } from './notation.ts'
import { diceAtStart, type Pool, rollPool } from './pool.ts'
import { checkedProof, checkedRoll, notARoll, type Proof, type ProvenRoll } from './proof.ts'
import { reached } from './reached.ts'
import { enginePool } from './stored-pool.ts'
import { MAX_DICE } from './term.ts'
import { bytesOfHex, commitmentOf, withWords } from './web-crypto.ts'

export interface Verdict {
  holds: boolean
  /** One sentence if the proof holds, and otherwise one line for each fault. */
  message: string
  faults: string[]
}

/**
 * Verifies a proof, and the dice and the result of its roll if one is given, without the service. Both are JSON as the API returns it.
 * Throws a ProofFault if they are something else.
 */
export async function verifyRoll(proof: unknown, roll?: unknown): Promise<Verdict> {
  const given = checkedProof(proof)
  const rolled = roll === undefined ? undefined : rollable(checkedRoll(roll))
  const faults = await faultsOf(given, rolled)
  if (faults.length) return { holds: false, message: faults.join('\n'), faults }
  const rest = `the words from both seeds and the nonce${rolled ? ', and the dice from the words' : ''}`
  return { holds: true, message: `The proof holds: the commitment follows from the seed, ${rest}.`, faults }
}

/** A roll with what is rolled again: nothing, if it is hidden from the reader. */
interface Rollable {
  roll: ProvenRoll
  again: Pool | Term | null
}

function rollable(roll: ProvenRoll): Rollable {
  const { notation } = roll
  const pool = roll.pool && enginePool(roll.pool)
  if (pool && diceAtStart(pool) > MAX_DICE) notARoll(`pool must have at most ${MAX_DICE} dice`)
  if (pool || notation === null) return { roll, again: pool }
  try {
    return { roll, again: parseStored(notation) }
  } catch (error) {
    if (!(error instanceof NotationFault)) throw error
    return notARoll(`notation is invalid at position ${error.position + 1}: ${error.message}`)
  }
}

async function faultsOf(proof: Proof, rolled: Rollable | undefined): Promise<string[]> {
  const { server_seed: hex, commitment, client_seed, nonce, words } = proof
  if (hex === null) return ['The seed is not revealed yet. Rotate it, and get the proof again.']
  const server_seed = bytesOfHex(hex)
  const faults = (await commitmentOf(server_seed)) === commitment ? [] : ['The seed does not match the commitment.']
  return withWords({ server_seed, client_seed, nonce }, words.length, (expected) => [
    ...faults,
    ...faultsOfWords(words, expected()),
    ...(rolled ? faultsOfRoll(proof, rolled, expected()) : []),
  ])
}

const faultsOfWords = (words: number[], expected: Iterator<number, never>) =>
  words.every((word) => word === expected.next().value) ? [] : ['The words do not follow from the seeds and the nonce.']

function faultsOfRoll({ roll_id, words }: Proof, { roll, again }: Rollable, expected: Iterator<number, never>): string[] {
  if (roll.id !== roll_id) return ['The proof belongs to another roll.']
  if (again === null) return ['The notation of this roll is hidden from you, so its dice cannot be checked.']
  const faults: string[] = []
  const draw = drawFrom(expected)
  const { dice, net, total, margin, outcome, strained } = rollAgain(roll, again, draw)
  if (!sameDice(roll.dice, dice) || draw.used !== words.length) faults.push('The dice do not follow from the words.')
  if (roll.settlement && !strained) faults.push('The roll has a settlement, but no desperation die shows 1.')
  const finalOutcome = roll.settlement === 'DESPAIR' ? 'FAILURE' : outcome
  // Earlier versions stored no margin of a pool.
  const isSameMargin = (roll.margin ?? null) === margin || (roll.margin == null && roll.pool !== null)
  if (roll.net !== net || roll.total !== total || roll.outcome !== finalOutcome || !isSameMargin)
    faults.push('The result does not follow from the dice.')
  return faults
}

interface RolledAgain extends Pick<ProvenRoll, 'dice' | 'net' | 'total' | 'margin' | 'outcome'> {
  /** Only pools have desperation dice. */
  strained?: boolean
}

/** Repeats the roll with the drawn words. */
function rollAgain(roll: ProvenRoll, again: Pool | Term, draw: Draw): RolledAgain {
  if ('sides' in again) {
    const rolled = rollPool(again, draw)
    return rolled.total === null ? rolled : { ...rolled, ...reached(rolled.total, roll, rolled.dice) }
  }
  const { dice, value } = evaluate(again, draw)
  return { dice, ...(countsSuccesses(again) ? { net: value, total: null } : { net: null, total: value }), ...reached(value, roll, dice) }
}

const dieText = ({ kind, sides, value, flags, term, counts_as }: Die) => `${kind} ${sides} ${value} ${flags} ${term} ${counts_as}`
/** A die as earlier versions stored it: without its term and the flags of natural faces, and before that without the value that it counts as. */
const earlierDice = ({ kind, sides, value, flags, counts_as }: Die): Die[] => {
  const earlier = { kind, sides, value, flags: flags.filter((flag) => !/^natural_/.test(flag)) }
  return counts_as === undefined ? [earlier] : [earlier, { ...earlier, counts_as }]
}
const sameDie = (stored: Die, rolled: Die) => [rolled, ...earlierDice(rolled)].some((die) => dieText(die) === dieText(stored))
const sameDice = (stored: Die[], rolled: Die[]) =>
  stored.length === rolled.length && rolled.every((die, i) => sameDie(stored[i] as Die, die))
