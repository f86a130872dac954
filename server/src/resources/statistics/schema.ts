import { OUTCOMES } from '@guildhall/dice/pool'
import { type Static, Type } from '@guildhall/rules/type'
import { Int, Nullable } from '../../core/fields.ts'
import { Outcome } from '../dice-rolls/schema.ts'
import { MAX_COUNTED_SIDES } from '../dice-rolls/tally.ts'

/** Statistics cover this many days, today included. */
export const DAY_COUNT = 90
export const MAX_TRAITS = 10

const count = (description: string, example = 0) => Int(0, Number.MAX_SAFE_INTEGER, description, example)
const nonNegative = (description: string, example: number) => Type.Number({ minimum: 0, description, examples: [example] })

const OutcomeShare = Type.Object(
  {
    outcome: Outcome('Outcome of the rolls'),
    rolls: count('Number of rolls with this outcome', 62),
    percent: nonNegative('Share of the rolls that have an outcome, in percent; the shares add up to 100', 51.7),
  },
  { title: 'OutcomeShare', description: 'An outcome, and its share of all rolls' },
)

const Outcomes = Type.Array(OutcomeShare, {
  maxItems: OUTCOMES.length,
  description: 'Number of rolls by outcome, for rolls against a difficulty or a target. Each outcome is listed once',
})

const Naturals = Type.Object(
  { max: count('Number of natural 20s', 6), min: count('Number of natural 1s', 5) },
  { title: 'NaturalsRolled', description: 'How often the one d20 that a roll keeps showed its highest and its lowest face' },
)

const Manual = Type.Object(
  { rolls: count('Number of rolls', 12), outcomes: Outcomes },
  {
    title: 'ManualRolls',
    description: 'Rolls with dice rolled at the table, which count nowhere else: the service cannot tell how they fell',
  },
)

const FacesSeen = Type.Object(
  {
    sides: Int(2, MAX_COUNTED_SIDES, 'Sides of the die', 10),
    dice: count('Number of rolled dice with this many sides', 120),
    expected: nonNegative('Expected number of times each face shows', 12),
    observed: Type.Array(count('Number of times the face showed', 12), {
      maxItems: MAX_COUNTED_SIDES,
      description: 'Number of times each face showed, lowest face first; -1, 0 and 1 of a Fudge die count as 1, 2 and 3',
      examples: [[11, 14, 9, 13, 12, 12, 10, 13, 15, 11]],
    }),
    chi_square: nonNegative('Chi-square statistic of the deviation from equally frequent faces', 2.5),
    p_value: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Probability that fair dice deviate at least this much; imprecise while fewer than 5 of each face are expected',
      examples: [0.98],
    }),
  },
  { title: 'FacesSeen', description: 'How often each face of a die was seen' },
)

const TraitUsed = Type.Object(
  {
    name: Type.String({ maxLength: 64, description: 'Name of the trait', examples: ['strength'] }),
    rolls: count('Number of rolls that used the trait; a pool only if the trait added dice to it', 40),
  },
  { title: 'TraitUsed', description: 'How often a trait was used in rolls' },
)

const Day = Type.Object(
  {
    date: Type.String({ format: 'date', maxLength: 10, description: 'The day, in UTC', examples: ['2026-11-15'] }),
    rolls: count('Number of rolls on this day', 8),
    botches: count('Number of rolls with the outcome BOTCH', 0),
    failures: count('Number of rolls with the outcome FAILURE', 3),
    successes: count('Number of rolls with the outcome SUCCESS', 4),
    criticals: count('Number of rolls with the outcome CRITICAL', 1),
  },
  { title: 'DayOfRolls', description: 'The rolls of one day' },
)

export const Statistics = Type.Object(
  {
    rolls: count('Number of rolls, without those voided or made at the table', 160),
    outcomes: Outcomes,
    naturals: Naturals,
    manual: Manual,
    mean_pool: Nullable(nonNegative('Mean number of dice in a pool; null without pools', 5.4)),
    mean_difficulty: Nullable(nonNegative('Mean difficulty of the pools; null if none had a difficulty', 6.5)),
    faces: Type.Array(FacesSeen, {
      maxItems: MAX_COUNTED_SIDES,
      description: `Faces of all dice that the service rolled, by number of sides, for dice with up to ${MAX_COUNTED_SIDES} sides`,
    }),
    traits: Type.Array(TraitUsed, { maxItems: MAX_TRAITS, description: `The ${MAX_TRAITS} traits used in the most rolls` }),
    days: Type.Array(Day, { maxItems: DAY_COUNT, description: `The last ${DAY_COUNT} days including today, earliest first` }),
  },
  { title: 'Statistics', description: 'Statistics of the rolls that the caller may see' },
)
export type Statistics = Static<typeof Statistics>
