import { type Static, Type } from 'typebox'
import { MAX_RESULT_RANGE } from '../../dice/distribution.ts'
import { DiceRollCreate, PoolRequest } from '../dice-rolls/request-schema.ts'
import { Outcome } from '../dice-rolls/schema.ts'

const { notation } = DiceRollCreate.properties
const { dice, sides, modifier, difficulty, desperation_dice } = PoolRequest.properties

/** A pool without traits, character and campaign: odds must not reveal the traits of a hidden NPC. */
const PoolOfDice = Type.Object(
  { dice, sides, modifier, difficulty, desperation_dice },
  {
    title: 'PoolOfDice',
    additionalProperties: false,
    examples: [{ dice: 5, difficulty: 7 }],
    description: 'A pool with a given number of dice',
  },
)
export type PoolOfDice = Static<typeof PoolOfDice>

export const OddsRequest = Type.Object(
  { notation, pool: Type.Optional(PoolOfDice) },
  { title: 'OddsRequest', examples: [{ pool: { dice: 5, difficulty: 7 } }] },
)
export type OddsRequest = Static<typeof OddsRequest>

const probability = Type.Number({ minimum: 0, maximum: 1, format: 'double', description: 'Probability from 0 to 1', examples: [0.25] })
export const Odds = Type.Object(
  {
    of: Type.Unsafe<'NET' | 'TOTAL'>({
      type: 'string',
      enum: ['NET', 'TOTAL'],
      description: 'Quantity of the results: NET for successes minus failures, TOTAL for the sum of the dice',
      examples: ['NET'],
    }),
    results: Type.Array(
      Type.Object(
        {
          value: Type.Integer({
            minimum: Number.MIN_SAFE_INTEGER,
            maximum: Number.MAX_SAFE_INTEGER,
            format: 'int64',
            description: 'A possible result',
            examples: [3],
          }),
          probability,
        },
        { title: 'ResultOdds', description: 'A result and its probability' },
      ),
      { maxItems: MAX_RESULT_RANGE, description: 'All possible results, lowest first' },
    ),
    outcomes: Type.Array(
      Type.Object(
        { outcome: Outcome('A possible outcome'), probability },
        { title: 'OutcomeOdds', description: 'An outcome and its probability' },
      ),
      {
        maxItems: 4,
        description: 'Probability of each outcome; empty without a difficulty',
      },
    ),
    mean: Type.Number({ minimum: -1e16, maximum: 1e16, format: 'double', description: 'Mean of the results', examples: [1.5] }),
    deviation: Type.Number({
      minimum: 0,
      maximum: 1e16,
      format: 'double',
      description: 'Standard deviation of the results',
      examples: [1.8],
    }),
  },
  { title: 'Odds', description: 'The exact probability distribution of a roll' },
)
export type Odds = Static<typeof Odds>
