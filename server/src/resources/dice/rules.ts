import { invalid } from '../../core/problem.ts'
import { type Distribution, entries, momentsOf, OddsTooComplex } from '../../dice/distribution.ts'
import { countsSuccesses, diceIn, type Term, tryParse } from '../../dice/notation.ts'
import { oddsOf } from '../../dice/odds.ts'
import { oddsOfPool, outcomesOfPool } from '../../dice/odds-of-pool.ts'
import type { Pool } from '../../dice/pool.ts'
import { checkRequest, parseInto } from '../dice-rolls/request-rules.ts'
import { POOL_DEFAULTS } from '../dice-rolls/request-schema.ts'
import type { Odds, OddsRequest, PoolOfDice } from './schema.ts'

/** Odds of more faces (dice times sides) keep the process busy for several milliseconds. */
const MAX_LIGHT_FACES = 300
const MAX_POOL_DICE = 100

/** Returns true for odds of which only a few are computed at once. */
export function isHeavy({ notation, pool }: { notation?: string; pool?: Partial<PoolOfDice> }): boolean {
  const term = tryParse(notation)
  const inNotation = term ? diceIn(term).reduce((sum, { count, sides }) => sum + count * sides, 0) : 0
  const { dice, modifier, sides } = { dice: 0, ...POOL_DEFAULTS, ...pool }
  return Math.max(inNotation, (dice + modifier) * sides) > MAX_LIGHT_FACES
}

/** Computes the exact odds, or rejects with 400 and the limit that the roll exceeds. */
export function exactOdds({ notation, pool }: OddsRequest): Odds {
  checkRequest({ ...(notation !== undefined && { notation }), ...(pool && { pool }) })
  const field = pool ? 'pool' : 'notation'
  try {
    if (!pool) {
      const term = parseInto([], '', notation as string) as Term
      return oddsReply(oddsOf(term), countsSuccesses(term) ? 'NET' : 'TOTAL', null)
    }
    const { dice: base = 0, sides, modifier, difficulty = null, desperation_dice } = pool
    const dice = base + modifier
    if (dice < 1 || dice > MAX_POOL_DICE)
      return invalid([{ field, message: `must have 1 to ${MAX_POOL_DICE} dice: ${base} with a modifier of ${modifier} is ${dice}` }])
    const resolved = { sides, dice, difficulty, desperation_dice }
    return oddsReply(oddsOfPool(resolved), difficulty === null ? 'TOTAL' : 'NET', difficulty === null ? null : resolved)
  } catch (error) {
    if (!(error instanceof OddsTooComplex)) throw error
    return invalid([{ field, message: error.message }])
  }
}

/** Only a pool with a difficulty has outcomes. */
function oddsReply(distribution: Distribution, of: Odds['of'], pool: Pool | null): Odds {
  const results = [...entries(distribution)].map(([value, p]) => ({ value, probability: Math.min(1, p) }))
  return { of, results, outcomes: pool === null ? [] : outcomesOfPool(pool, distribution), ...momentsOf(distribution) }
}
