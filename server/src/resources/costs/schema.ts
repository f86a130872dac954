import { MAX_PRICED_STEPS } from '@guildhall/rules/ruleset/price'
import { type Static, Type } from '@guildhall/rules/type'
import { Flag, Int, Nullable, Text } from '../../core/fields.ts'
import { TraitName, TraitValue } from '../characters/schema.ts'

/** A ruleset has at most this many traits. */
const MAX_TRAITS = 500
const MAX_VALUE = 1_000_000_000

export const CostsQuery = Type.Object({
  trait: Type.Optional(TraitName),
  to: Type.Optional(
    TraitValue(`With a \`trait\`: every step up to this value, at most ${MAX_PRICED_STEPS}. Default: only the next step`, 4),
  ),
  affordable: Type.Optional(Flag('`true` lists only the steps that the available experience pays for, `false` only the others')),
})
export type CostsQuery = Static<typeof CostsQuery>

const Cost = Type.Object(
  {
    trait: TraitName,
    label: Text(100, 'Label of the trait in the ruleset', 'Might'),
    group: { ...TraitName, description: 'Group of the trait in the ruleset', examples: ['body'] },
    from: Int(-MAX_VALUE, MAX_VALUE, 'Value before the step', 3),
    to: Int(-MAX_VALUE, MAX_VALUE, 'Value after the step', 4),
    cost: Nullable(Int(-MAX_VALUE, MAX_VALUE, 'Price of the step, below 0 if it gives experience; null if it cannot be taken', 20)),
    affordable: Flag('True if the available experience pays for the step, and for the steps before it in the list of one trait'),
    refused: { ...Nullable(Text(200, 'Why the step cannot be taken; null if it can', 'might goes from 1 to 5.')), examples: [null] },
  },
  { title: 'Cost', description: 'A step of a trait, with its price' },
)
export type Cost = Static<typeof Cost>

export const Costs = Type.Object(
  {
    available: Int(
      0,
      Number.MAX_SAFE_INTEGER,
      'Experience that spends of the character are taken from. 0 if the balance is hidden from the acting user',
      23,
    ),
    items: Type.Array(Cost, { maxItems: MAX_TRAITS, description: 'The next step of every trait, or the steps of one' }),
  },
  { title: 'Costs', description: 'What it costs to raise the traits of a character, by the ruleset of its campaign' },
)
export type Costs = Static<typeof Costs>
