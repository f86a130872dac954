import { type Static, Type } from '../type.ts'
import { closed, Label, NAME_PATTERN, NumberFormula, RuleName, Stored } from './fields.ts'

const Cost = Type.Object(
  { of: RuleName('the name of a group, a tag or a trait'), cost: NumberFormula('The price of a value', '-value') },
  { ...closed, description: 'The prices of a group' },
)

const method = {
  kind: Type.Optional(
    Type.Enum(['choose', 'array', 'points', 'priority', 'dice'], {
      description:
        'choose: an option of a choice. array: given values, in any order. points: values within a budget. priority: given numbers of dots in groups, in any order. dice: rolled values, in any order',
      examples: ['points'],
    }),
  ),
  slot: Type.Optional(RuleName('the name of a choice')),
  of: Type.Optional(
    Type.Unsafe<string | string[]>({
      type: ['string', 'array'],
      pattern: NAME_PATTERN,
      maxLength: 64,
      items: RuleName('the name of a group or a tag'),
      minItems: 1,
      maxItems: 20,
      description: 'The groups or tags whose traits are set',
      examples: ['skills'],
    }),
  ),
  values: Type.Optional(Type.Array(Stored('A value', 3), { minItems: 1, maxItems: 500, description: 'The values of an array' })),
  budget: Type.Optional(Stored('The points that can be spent', 27)),
  cost: Type.Optional(
    Type.Unsafe<string | number | Static<typeof Cost>[]>({
      type: ['string', 'integer', 'array'],
      minLength: 1,
      maxLength: 500,
      items: Cost,
      minItems: 1,
      maxItems: 20,
      description: 'The price of a value, as a formula of `value`, or one for each group. Default: value',
      examples: ['value'],
    }),
  ),
  pools: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0, maximum: 1000, description: 'A number of dots', examples: [6] }), {
      minItems: 1,
      maxItems: 20,
      description: 'The dots of the groups, in any order',
    }),
  ),
  min: Type.Optional(Stored('The lowest value in this step', 8)),
  max: Type.Optional(Stored('The highest value in this step', 15)),
  dice: Type.Optional(
    Type.String({ minLength: 1, maxLength: 256, description: 'The dice of one value, in notation', examples: ['4d6dl1'] }),
  ),
  keep_order: Type.Optional(
    Type.Boolean({ description: 'True if rolled values stay with their traits. Default: false', examples: [false] }),
  ),
}

const Method = Type.Object(method, { ...closed, description: 'A way to answer a step' })
export type Method = Static<typeof Method>

const Step = Type.Object(
  {
    id: RuleName('the name of the step'),
    label: Type.Optional(Label('What is asked. Default: the name', 'Ability scores')),
    ...method,
    any: Type.Optional(Type.Array(Method, { minItems: 1, maxItems: 5, description: 'Several ways to answer, of which one is taken' })),
  },
  { ...closed, description: 'A step of creating a character: one way to answer it, or several in `any`' },
)

export const Creation = Type.Object(
  {
    steps: Type.Array(Step, { maxItems: 30, description: 'The steps, in order' }),
    tiers: Type.Optional(
      Type.Unsafe<Record<string, number>>({
        type: 'object',
        propertyNames: RuleName(),
        additionalProperties: Stored('Experience that a random character of this tier has spent', 30),
        maxProperties: 20,
        description: 'Experience that random characters have spent, by the name of a tier',
        examples: [{ veteran: 30 }],
      }),
    ),
  },
  { ...closed, description: 'How a character is created' },
)
export type Creation = Static<typeof Creation>
