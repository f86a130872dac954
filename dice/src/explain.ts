import { type Draw, drawFrom } from './draw.ts'
import { type Die, evaluate } from './evaluate.ts'
import { countsSuccesses, NotationFault, parseStored, type Term } from './notation.ts'
import { diceAtStart, type Outcome, type Pool, rollPool } from './pool.ts'
import { checkedProof, checkedRoll, notARoll, type Proof, type ProvenRoll, type StatedVerdict } from './proof.ts'
import { reached } from './reached.ts'
import { differingDice } from './same-dice.ts'
import { enginePool } from './stored-pool.ts'
import { MAX_DICE } from './term.ts'
import { bytesOfHex, commitmentOf, withWords } from './web-crypto.ts'

/** One step of a verification. */
export interface Step {
  /** Null if the step cannot be checked; its fault is then the reason. */
  holds: boolean | null
  faults: string[]
}

/** The dice and the result as they follow from the words. */
export interface ComputedRoll extends Pick<ProvenRoll, 'dice' | 'net' | 'total' | 'outcome'> {
  margin: number | null
  /** The words that each die took, in the order of the dice. The last one made its face; those before it were discarded. */
  drawn: number[][]
}

/** The three steps that verify a roll, with the stated and the computed values of each. Computed values are null if they cannot be computed. */
export interface Explanation {
  /** The hash of the server seed is the published commitment. */
  commitment: Step & { stated: string; computed: string | null }
  /** The words follow from both seeds and the nonce. */
  words: Step & { stated: number[]; computed: number[] | null }
  /** The dice follow from the words, and the result from the dice. Before the seed is revealed, the words are those of the proof. */
  dice: Step & {
    stated: ProvenRoll | null
    computed: ComputedRoll | null
    /** The indexes of the dice that differ. */
    differing: number[]
  }
}

/** The ruleset of a roll, as far as it says what is rolled and what the dice mean. The package of rulesets makes it from a document. */
export interface Judge {
  /** The notation that the roll comes to with the values that it states. */
  notation: string
  judge(dice: Die[], value: number): StatedVerdict & { outcome: Outcome | null; isStrained: boolean }
}

export const NOT_REVEALED = 'The seed is not revealed yet. Rotate it, and get the proof again.'
const NO_ROLL = 'Only the proof is given, so there are no dice to check.'
const HIDDEN = 'The notation of this roll is hidden from you, so its dice cannot be checked.'

/**
 * Verifies a proof, and the dice and the result of its roll if one is given, step by step. Both are JSON as the API returns it. Throws a ProofFault if they
 * are something else. The result by a ruleset is checked only with its judge.
 */
export async function explainRoll(proof: unknown, roll?: unknown, judge?: Judge): Promise<Explanation> {
  const given = checkedProof(proof)
  const rolled = roll === undefined ? undefined : rollable(checkedRoll(roll), judge)
  const { server_seed: hex, commitment: stated, client_seed, nonce, words } = given
  if (hex === null)
    return {
      commitment: { holds: null, faults: [NOT_REVEALED], stated, computed: null },
      words: { holds: null, faults: [NOT_REVEALED], stated: words, computed: null },
      dice: diceStep(given, rolled, only(words)),
    }
  const server_seed = bytesOfHex(hex)
  const computed = await commitmentOf(server_seed)
  const commitment = { ...stepOf(computed === stated ? [] : ['The seed does not match the commitment.']), stated, computed }
  return withWords({ server_seed, client_seed, nonce }, words.length, (expected) => ({
    commitment,
    words: wordsStep(words, expected()),
    dice: diceStep(given, rolled, expected()),
  }))
}

const stepOf = (faults: string[]): Step => ({ holds: faults.length === 0, faults })

function wordsStep(stated: number[], expected: Iterator<number, never>): Explanation['words'] {
  const computed = stated.map(() => expected.next().value)
  const isSame = stated.every((word, i) => word === computed[i])
  return { ...stepOf(isSame ? [] : ['The words do not follow from the seeds and the nonce.']), stated, computed }
}

/** A roll with what is rolled again: nothing, if it is hidden from the reader. */
interface Rollable {
  roll: ProvenRoll
  again: Pool | Term | null
  judge: Judge | undefined
}

function rollable(roll: ProvenRoll, judge?: Judge): Rollable {
  const { notation } = roll
  const pool = roll.pool && enginePool(roll.pool)
  if (pool && diceAtStart(pool) > MAX_DICE) notARoll(`pool must have at most ${MAX_DICE} dice`)
  if (pool || notation === null) return { roll, again: pool, judge }
  try {
    return { roll, again: parseStored(notation), judge }
  } catch (error) {
    if (!(error instanceof NotationFault)) throw error
    return notARoll(`notation is invalid at position ${error.position + 1}: ${error.message}`)
  }
}

/** Thrown if a roll takes more words than its proof states. */
class OutOfStatedWords extends Error {}

function* only(words: number[]): Generator<number, never> {
  yield* words
  throw new OutOfStatedWords()
}

function diceStep(proof: Proof, rolled: Rollable | undefined, words: Iterator<number, never>): Explanation['dice'] {
  const nothing = { computed: null, differing: [] }
  if (!rolled) return { holds: null, faults: [NO_ROLL], stated: null, ...nothing }
  const { roll: stated, again } = rolled
  if (stated.id !== proof.roll_id) return { ...stepOf(['The proof belongs to another roll.']), stated, ...nothing }
  if (again === null) return { holds: null, faults: [HIDDEN], stated, ...nothing }
  try {
    const { used, strained, ruleset, ...computed } = rollAgain(rolled, again, words)
    const differing = differingDice(stated.dice, computed.dice)
    return { ...stepOf(faultsOfRoll(proof, rolled, { ...computed, used, strained, ruleset }, differing)), stated, computed, differing }
  } catch (error) {
    if (!(error instanceof OutOfStatedWords)) throw error
    return { ...stepOf([WRONG_DICE]), stated, ...nothing }
  }
}

const WRONG_DICE = 'The dice do not follow from the words.'

interface RolledAgain extends ComputedRoll {
  /** The number of words that the roll took. */
  used: number
  /** Pools with desperation dice, and rolls of a ruleset. */
  strained: boolean | undefined
  /** The result by the ruleset, if there is a judge. */
  ruleset: StatedVerdict | undefined
}

function faultsOfRoll({ words }: Proof, { roll, judge }: Rollable, again: RolledAgain, differing: number[]): string[] {
  const { net, total, margin, outcome, used, strained, ruleset } = again
  const faults: string[] = []
  if (differing.length || used !== words.length) faults.push(WRONG_DICE)
  const isUnjudged = roll.ruleset != null && !judge
  if (roll.settlement && !strained && !isUnjudged) faults.push('The roll has a settlement, but no desperation die shows 1.')
  const finalOutcome = roll.settlement === 'DESPAIR' ? 'FAILURE' : outcome
  // Earlier versions stored no margin of a pool.
  const isSameMargin = (roll.margin ?? null) === margin || (roll.margin == null && roll.pool !== null)
  if (roll.net !== net || roll.total !== total || roll.outcome !== finalOutcome || !isSameMargin)
    faults.push('The result does not follow from the dice.')
  if (judge && roll.notation !== judge.notation) faults.push('The notation does not follow from the ruleset and the values of the roll.')
  if (judge && !isSameVerdict(roll.ruleset, ruleset)) faults.push('The result by the ruleset does not follow from the dice.')
  return faults
}

const VERDICT_FIELDS = ['score', 'margin', 'code', 'label'] as const
const isSameVerdict = (stated: StatedVerdict | null | undefined, computed: StatedVerdict | undefined) =>
  stated != null && VERDICT_FIELDS.every((name) => stated[name] === computed?.[name])

/** Repeats the roll with the words, and notes which die took which. */
function rollAgain(rolled: Rollable, again: Pool | Term, words: Iterator<number, never>): RolledAgain {
  const taken: number[] = []
  const draw = drawFrom({
    next: () => {
      const next = words.next()
      taken.push(next.value)
      return next
    },
  })
  const drawn: number[][] = []
  const result = resultOf(rolled, again, (sides, lowest) => {
    const face = draw(sides, lowest)
    drawn.push(taken.splice(0))
    return face
  })
  return { strained: undefined, ruleset: undefined, ...result, drawn, used: draw.used }
}

type Result = Pick<RolledAgain, 'dice' | 'net' | 'total' | 'margin' | 'outcome'> & { strained?: boolean; ruleset?: StatedVerdict }

function resultOf({ roll, judge }: Rollable, again: Pool | Term, draw: Draw): Result {
  if ('sides' in again) {
    const rolled = rollPool(again, draw)
    return rolled.total === null ? rolled : { ...rolled, ...reached(rolled.total, roll, rolled.dice) }
  }
  const { dice, value }: { dice: Die[]; value: number } = evaluate(again, draw)
  const sum = countsSuccesses(again) ? { net: value, total: null } : { net: null, total: value }
  return { dice, ...sum, ...(roll.ruleset ? meaning(roll, judge, dice, value) : reached(value, roll, dice)) }
}

/** The result by a ruleset. Without its judge, it is taken as stated. */
function meaning({ margin = null, outcome }: ProvenRoll, judge: Judge | undefined, dice: Die[], value: number) {
  if (!judge) return { margin, outcome }
  const { outcome: reachedOutcome, isStrained, ...ruleset } = judge.judge(dice, value)
  return { margin: ruleset.margin, outcome: reachedOutcome, strained: isStrained, ruleset }
}
