import { type Static, Type } from '../type.ts'
import { closed, Label, Named, NumberFormula, Prose, RuleName, Stored, TruthFormula } from './fields.ts'

const Input = Type.Object(
  {
    trait: Type.Optional(RuleName('the name of a group or tag, of which a trait is asked for')),
    optional: Type.Optional(
      Type.Boolean({ description: 'True if no trait is needed, which counts as 0. Default: false', examples: [true] }),
    ),
    number: Type.Optional(
      Type.Object(
        {
          min: Stored('The lowest', 2),
          max: Stored('The highest', 10),
          default: Type.Optional(Stored('Without it the input is required', 6)),
        },
        { ...closed, description: 'A number is asked for' },
      ),
    ),
    choice: Type.Optional(Named(Label('Label of the option', 'Advantage'), 100, 'One of these options is asked for')),
    default: Type.Optional(RuleName('the name of the option that is chosen without an answer')),
  },
  { ...closed, description: 'What a player is asked for: exactly one of `trait`, `number` and `choice`' },
)
export type Input = Static<typeof Input>

const Spend = Type.Object(
  {
    label: Type.Optional(Label('What it is for. Default: the name', 'Invoke an aspect for +2')),
    tracker: RuleName('the name of a tracker'),
    amount: Stored('What the tracker loses each time; a negative number is what it gains', 1),
    most: Type.Integer({ minimum: 1, maximum: 1000, format: 'int32', description: 'How many times at most', examples: [3] }),
  },
  { ...closed, description: 'Something that can be paid with the roll. Formulas read how many times it was' },
)

const Notation = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'Dice in notation, with formulas in braces',
  examples: ['{pool}d10'],
})
const MAX_DICE_GROUPS = 4
const diceGroups = { propertyNames: RuleName(), additionalProperties: Notation, minProperties: 1, maxProperties: MAX_DICE_GROUPS }

const Case = Type.Object(
  {
    when: Type.Optional(TruthFormula('When this case applies. The last case, and only the last, has none', 'pool < 1')),
    dice: Type.Unsafe<Record<string, string>>({ type: 'object', ...diceGroups, description: 'Groups of dice, by name' }),
  },
  { ...closed, description: 'Dice for one case' },
)

const OUTCOMES = ['BOTCH', 'FAILURE', 'SUCCESS', 'CRITICAL'] as const

const Outcome = Type.Object(
  {
    when: Type.Optional(TruthFormula('When it is this outcome. The last one, and only the last, has none', 'score >= difficulty')),
    code: RuleName('the name of the outcome in this game'),
    label: Type.Optional(Label('What people read. Default: the code', 'Success with style')),
    outcome: Type.Optional(
      Type.Unsafe<(typeof OUTCOMES)[number] | null>({
        type: ['string', 'null'],
        enum: [...OUTCOMES, null],
        description: 'What it counts as in statistics. Default: null',
        examples: ['SUCCESS'],
      }),
    ),
    strained: Type.Optional(
      Type.Boolean({
        description: 'True if the roll can be settled, as a pool with a desperate result can. Default: false',
        examples: [false],
      }),
    ),
  },
  { ...closed, description: 'An outcome. The first whose condition holds is that of the roll' },
)

export const Roll = Type.Object(
  {
    label: Type.Optional(Label('Label of the button. Default: the name', 'Attack')),
    description: Type.Optional(Prose('Explanation for players', 'Try to hit somebody')),
    inputs: Type.Optional(Named(Input, 10, 'What a player is asked for')),
    spends: Type.Optional(Named(Spend, 5, 'What a player may pay with it')),
    values: Type.Optional(
      Named(NumberFormula('Its value. It may use the values before it', 'attribute + skill'), 20, 'Intermediate values'),
    ),
    dice: Type.Unsafe<Record<string, string> | Static<typeof Case>[]>({
      type: ['object', 'array'],
      ...diceGroups,
      items: Case,
      minItems: 1,
      maxItems: 10,
      description: 'Groups of dice by name, or cases with such groups, of which the first that holds applies',
      examples: [{ pool: '{pool}d10' }],
    }),
    score: Type.Optional(NumberFormula('The result of the roll. Default: the total of the dice', 'total + skill')),
    margin: Type.Optional(NumberFormula('How far the result is from what was needed', 'score - difficulty')),
    outcomes: Type.Array(Outcome, { minItems: 1, maxItems: 20, description: 'What the result means' }),
  },
  { ...closed, description: 'A roll by name' },
)
export type Roll = Static<typeof Roll>
