import { invalid } from '../../core/problem.ts'
import { entries, momentsOf, TooMuch } from '../../dice/distribution.ts'
import { countsSuccesses, diceIn, peek } from '../../dice/notation.ts'
import { oddsOf, oddsOfPool, outcomesOf } from '../../dice/odds.ts'
import { asked } from '../dice-rolls/rules.ts'
import type { Odds, OddsAsked } from './schema.ts'

/** From here on, dice times sides, the odds take the process several milliseconds. */
const MAX_LIGHT_FACES = 300

/** Whether the odds are some of which only a few are worked out at once. */
export function isHeavy({ notation, pool }: OddsAsked): boolean {
  const term = peek(notation)
  const inNotation = term ? diceIn(term).reduce((sum, { count, sides }) => sum + count * sides, 0) : 0
  const { dice = 0, modifier = 0, sides = 10 } = pool ?? {}
  return Math.max(inNotation, (dice + modifier) * sides) > MAX_LIGHT_FACES
}

/** The odds of what is asked, exactly, or 400 with the limit that it passes. */
export function exactOdds(body: OddsAsked): Odds {
  const what = asked({ ...body, ...(body.pool && { pool: { ...body.pool, desperation_dice: 0 } }) })
  const field = 'term' in what ? 'notation' : 'pool'
  try {
    if ('term' in what) return answer(oddsOf(what.term), countsSuccesses(what.term) ? 'NET' : 'TOTAL', null)
    const { dice: base = 0, sides = 10, modifier = 0, difficulty = null, desperation_dice = 0 } = body.pool ?? {}
    const dice = base + modifier
    if (dice < 1 || dice > 100) return invalid([{ field, message: `must come to 1 to 100 dice, not ${dice}` }])
    const of = oddsOfPool({ sides, dice, difficulty, desperation_dice })
    return answer(of, difficulty === null ? 'TOTAL' : 'NET', difficulty === null ? null : dice + desperation_dice)
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error
    return invalid([{ field, message: error.message }])
  }
}

function answer(of: ReturnType<typeof oddsOf>, what: Odds['of'], dice: number | null): Odds {
  const results = [...entries(of)].map(([value, p]) => ({ value, probability: Math.min(1, p) }))
  return { of: what, results, outcomes: dice === null ? [] : outcomesOf(of, dice), ...momentsOf(of) }
}
