import { MAX_RESULT_RANGE } from '@guildhall/dice/distribution'
import { type Static, Type } from '@guildhall/rules/type'
import { Id, Nullable } from '../../core/fields.ts'
import { rolledFields, rollRules, valueFields } from '../dice-rolls/request-schema.ts'
import { Outcome } from '../dice-rolls/schema.ts'

export const OddsRequest = Type.Object(
  {
    ...rolledFields,
    ...valueFields,
    campaign_id: Type.Optional(Id('Campaign whose trackers the names may be. It is looked up only if there are names')),
    character_id: Type.Optional(
      Id('Character whose traits and trackers the names may be; any that the caller sees. It is looked up only if there are names'),
    ),
  },
  { ...rollRules, title: 'OddsRequest', examples: [{ pool: { dice: 5, difficulty: 7 } }] },
)
export type OddsRequest = Static<typeof OddsRequest>

const chance = (description: string) => Type.Number({ minimum: 0, maximum: 1, format: 'double', description, examples: [0.25] })
const probability = chance('Probability from 0 to 1')
const value = (description: string, example: number) =>
  Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, format: 'int64', description, examples: [example] })

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
        { value: value('A possible result', 3), probability },
        { title: 'ResultOdds', description: 'A result and its probability' },
      ),
      { maxItems: MAX_RESULT_RANGE, description: 'All possible results, lowest first' },
    ),
    margins: Type.Array(
      Type.Object(
        { value: value('A possible margin', 2), probability },
        { title: 'MarginOdds', description: 'A margin and its probability' },
      ),
      {
        maxItems: MAX_RESULT_RANGE,
        description: 'All possible margins over the target or the needed successes, lowest first; empty without a target and a difficulty',
      },
    ),
    outcomes: Type.Array(
      Type.Object(
        { outcome: Outcome('A possible outcome'), probability },
        { title: 'OutcomeOdds', description: 'An outcome and its probability' },
      ),
      {
        maxItems: 4,
        description: 'Probability of each outcome; empty without a target and a difficulty',
      },
    ),
    success: Nullable(
      chance(
        'Probability of SUCCESS and CRITICAL together: of reaching the target or the needed successes. Null without a target and a difficulty',
      ),
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
