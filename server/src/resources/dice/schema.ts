import { type Static, Type } from 'typebox'
import { WIDEST } from '../../dice/distribution.ts'
import { DiceRollCreate, Outcome, PoolAsked } from '../dice-rolls/schema.ts'

const { notation } = DiceRollCreate.properties
const { dice, sides, modifier, difficulty, desperation_dice } = PoolAsked.properties

/** No character and no campaign: what a hidden NPC can do must not be read off the odds. */
const PoolOfDice = Type.Object(
  { dice, sides, modifier, difficulty, desperation_dice },
  {
    title: 'PoolOfDice',
    additionalProperties: false,
    examples: [{ dice: 5, difficulty: 7 }],
    description: 'A pool, by its number of dice',
  },
)
export const OddsAsked = Type.Object(
  { notation, pool: Type.Optional(PoolOfDice) },
  { title: 'OddsAsked', examples: [{ pool: { dice: 5, difficulty: 7 } }] },
)
export type OddsAsked = Static<typeof OddsAsked>

const probability = Type.Number({ minimum: 0, maximum: 1, format: 'double', description: 'How likely it is', examples: [0.25] })
export const Odds = Type.Object(
  {
    of: Type.Unsafe<'NET' | 'TOTAL'>({
      type: 'string',
      enum: ['NET', 'TOTAL'],
      description: 'What is counted: successes, or what the dice come to',
      examples: ['NET'],
    }),
    results: Type.Array(
      Type.Object(
        {
          value: Type.Integer({
            minimum: Number.MIN_SAFE_INTEGER,
            maximum: Number.MAX_SAFE_INTEGER,
            format: 'int64',
            description: 'A result',
            examples: [3],
          }),
          probability,
        },
        { title: 'ResultOdds', description: 'A result and its odds' },
      ),
      { maxItems: WIDEST, description: 'Every possible result, lowest first' },
    ),
    outcomes: Type.Array(
      Type.Object({ outcome: Outcome('How it ends'), probability }, { title: 'OutcomeOdds', description: 'An outcome and its odds' }),
      {
        maxItems: 4,
        description: 'How likely each outcome is; none without a difficulty',
      },
    ),
    mean: Type.Number({ minimum: -1e16, maximum: 1e16, format: 'double', description: 'What it comes to on average', examples: [1.5] }),
    deviation: Type.Number({ minimum: 0, maximum: 1e16, format: 'double', description: 'Standard deviation', examples: [1.8] }),
  },
  { title: 'Odds', description: 'The exact distribution of a roll' },
)
export type Odds = Static<typeof Odds>
