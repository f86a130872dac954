import { type Static, Type } from '../type.ts'
import { closed, Label, Named, NumberFormula, RuleName, Stored } from './fields.ts'

/** The highest number of pips of a die. */
const MAX_SHOWN = 1000
/** A name, or the option of a slot. */
const RENAMED = '^[a-z][a-z0-9]*(_[a-z0-9]+)*([.][a-z][a-z0-9]*(_[a-z0-9]+)*)?$'

/** The range of formulas. */
const MAX_NUMBER = 1_000_000_000

const numbers = (description: string) =>
  Named(
    Type.Integer({ minimum: -MAX_NUMBER, maximum: MAX_NUMBER, format: 'int32', description: 'A number', examples: [3] }),
    500,
    description,
  )

export const SampleSheet = Type.Object(
  {
    traits: Type.Optional(numbers('Values of traits')),
    choices: Type.Optional(Named(RuleName('the name of an option'), 20, 'Chosen options')),
    trackers: Type.Optional(numbers('Values of trackers')),
    conditions: Type.Optional(numbers('Levels of conditions')),
    xp: Type.Optional(
      Type.Object(
        { earned: Type.Optional(Stored('Earned', 6500)), spent: Type.Optional(Stored('Spent', 0)) },
        { ...closed, description: 'Experience' },
      ),
    ),
    campaign: Type.Optional(numbers('Danger, desperation and trackers of the campaign')),
  },
  { ...closed, description: 'A sheet to try the ruleset with' },
)
export type SampleSheet = Static<typeof SampleSheet>

export const Example = Type.Object(
  {
    name: Label('What is shown', 'A soldier'),
    sheet: SampleSheet,
    expect: Type.Object(
      {
        derived: Type.Optional(numbers('Derived values')),
        limits: Type.Optional(numbers('Highest values of trackers')),
        prices: Type.Optional(
          Type.Array(
            Type.Object(
              { trait: RuleName('the name of a trait'), to: Stored('The value to raise it to', 4), cost: Stored('The price', 20) },
              { ...closed, description: 'A price' },
            ),
            { maxItems: 50 },
          ),
        ),
        rolls: Type.Optional(
          Type.Array(
            Type.Object(
              {
                roll: RuleName('the name of a roll'),
                inputs: Type.Optional(
                  Type.Unsafe<Record<string, string | number>>({
                    type: 'object',
                    propertyNames: RuleName(),
                    additionalProperties: { type: ['string', 'integer'], maxLength: 64 },
                    maxProperties: 20,
                    description: 'Inputs and spends',
                  }),
                ),
                dice: Type.Array(Type.Integer({ minimum: -1, maximum: MAX_SHOWN, description: 'What a die shows', examples: [6] }), {
                  maxItems: 100,
                  description: 'What the dice show, in the order of the notation',
                }),
                score: Type.Optional(Type.Integer({ description: 'The score', examples: [3] })),
                margin: Type.Optional(Type.Integer({ description: 'The margin', examples: [1] })),
                code: RuleName('the code of an outcome'),
              },
              { ...closed, description: 'A roll whose dice are known' },
            ),
            { maxItems: 10 },
          ),
        ),
      },
      { ...closed, description: 'What must follow from the sheet' },
    ),
  },
  { ...closed, description: 'A test of the ruleset by itself. It can be published only if all examples hold' },
)

export const Upgrade = Type.Object(
  {
    rename: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string', pattern: RENAMED, maxLength: 129 },
        propertyNames: { type: 'string', pattern: RENAMED, maxLength: 129 },
        maxProperties: 500,
        description: 'New names by old ones, of traits, trackers and conditions, and of options as slot.option',
        examples: [{ brawl: 'fighting' }],
      }),
    ),
    drop: Type.Optional(
      Type.Array(RuleName('the name of a trait, a tracker or a condition'), { maxItems: 500, description: 'What sheets lose' }),
    ),
    convert: Type.Optional(
      Named(NumberFormula('The new value, with the names of the version before', 'fighting * 20'), 500, 'New values of traits'),
    ),
  },
  { ...closed, description: 'How sheets of the version before become sheets of this one' },
)
