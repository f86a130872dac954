import { type Static, Type } from 'typebox'
import { Int, Nullable } from '../../core/fields.ts'
import { OUTCOMES } from '../../dice/pool.ts'
import { Outcome } from '../dice-rolls/schema.ts'
import { MOST_FACES } from '../dice-rolls/tally.ts'

export const DAYS = 90
export const MOST_TRAITS = 10

const count = (description: string, example = 0) => Int(0, Number.MAX_SAFE_INTEGER, description, example)
const real = (description: string, example: number) => Type.Number({ minimum: 0, description, examples: [example] })

const OutcomeShare = Type.Object(
  {
    outcome: Outcome('How they ended'),
    rolls: count('Rolls that ended so', 62),
    percent: real('Their share of the rolls that have an outcome; the shares add up to 100', 51.7),
  },
  { title: 'OutcomeShare' },
)

const FacesSeen = Type.Object(
  {
    sides: Int(2, MOST_FACES, 'Sides of the die', 10),
    dice: count('How many dice of this size fell', 120),
    expected: real('How often each face is to be expected', 12),
    observed: Type.Array(count('How often', 12), {
      maxItems: MOST_FACES,
      description: 'How often each face fell, the lowest first; -1, 0 and 1 of a Fudge die count as 1, 2 and 3',
      examples: [[11, 14, 9, 13, 12, 12, 10, 13, 15, 11]],
    }),
    chi_square: real('How far the faces are from being equally frequent', 2.5),
    p_value: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Probability that fair dice are at least that far off; rough while fewer than 5 of each face are expected',
      examples: [0.98],
    }),
  },
  { title: 'FacesSeen' },
)

const TraitUsed = Type.Object(
  {
    name: Type.String({ maxLength: 64, description: 'Name of the trait', examples: ['strength'] }),
    rolls: count('Rolls it brought dice to', 40),
  },
  { title: 'TraitUsed' },
)

const Day = Type.Object(
  {
    date: Type.String({ format: 'date', maxLength: 10, description: 'The day, in UTC', examples: ['2026-11-15'] }),
    rolls: count('Rolls of the day', 8),
    botches: count('Rolls that ended in a BOTCH', 0),
    failures: count('Rolls that ended in a FAILURE', 3),
    successes: count('Rolls that ended in a SUCCESS', 4),
    criticals: count('Rolls that ended in a CRITICAL', 1),
  },
  { title: 'DayOfRolls' },
)

export const Statistics = Type.Object(
  {
    rolls: count('All rolls', 160),
    outcomes: Type.Array(OutcomeShare, {
      maxItems: OUTCOMES.length,
      description: 'How the rolls against a difficulty ended, each outcome once',
    }),
    mean_pool: Nullable(real('Dice of a pool on average; null without pools', 5.4)),
    mean_difficulty: Nullable(real('Difficulty of a pool on average; null where none had one', 6.5)),
    faces: Type.Array(FacesSeen, {
      maxItems: MOST_FACES,
      description: `For each size of dice of up to ${MOST_FACES} sides, every die that fell`,
    }),
    traits: Type.Array(TraitUsed, { maxItems: MOST_TRAITS, description: `The ${MOST_TRAITS} traits that brought dice to most rolls` }),
    days: Type.Array(Day, { maxItems: DAYS, description: `The last ${DAYS} days with today, the earliest first` }),
  },
  { title: 'Statistics', description: 'What the dice did, as far as the caller may see it' },
)
export type Statistics = Static<typeof Statistics>
