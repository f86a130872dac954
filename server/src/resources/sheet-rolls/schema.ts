import { MAX_NOTATION_LENGTH } from '@guildhall/dice/notation'
import { Roll } from '@guildhall/rules/ruleset/document-rolls'
import { type Static, Type } from '@guildhall/rules/type'
import { Int, Name, Nullable, Text } from '../../core/fields.ts'
import { TraitName } from '../characters/schema.ts'
import { contextFields } from '../dice-rolls/request-schema.ts'
import { Answer, MAX_INPUTS } from '../dice-rolls/ruleset-schema.ts'

const MAX_SPENDS = 5
/** All rolls of a ruleset are part of its document, which has at most 256 KiB, and each of the 100 repeats its names as labels and has a notation. */
const MAX_ROLLS_BYTES = 400_000

const asked = {
  inputs: Type.Optional(
    Type.Unsafe<Record<string, string | number>>({
      type: 'object',
      propertyNames: TraitName,
      additionalProperties: Answer,
      maxProperties: MAX_INPUTS,
      description: 'Answers to the inputs of the roll, by name',
      examples: [{ attribute: 'might', difficulty: 7 }],
    }),
  ),
  spends: Type.Optional(
    Type.Unsafe<Record<string, number>>({
      type: 'object',
      propertyNames: TraitName,
      additionalProperties: Int(0, 1000, 'How many times', 1),
      maxProperties: MAX_SPENDS,
      description: 'How many times each spend of the roll is paid, by name. The trackers move with the roll, or not at all',
      examples: [{}],
    }),
  ),
}

export const SheetRollCreate = Type.Object(
  {
    ...asked,
    comment: contextFields.comment,
    visibility: contextFields.visibility,
    client_seed: contextFields.client_seed,
  },
  { title: 'SheetRollCreate', examples: [{ inputs: { attribute: 'might', difficulty: 7 }, comment: 'Up the lighthouse' }] },
)
export type SheetRollCreate = Static<typeof SheetRollCreate>

export const SheetRollOddsRequest = Type.Object(asked, {
  title: 'SheetRollOddsRequest',
  examples: [{ inputs: { attribute: 'might', difficulty: 7 } }],
})
export type SheetRollOddsRequest = Static<typeof SheetRollOddsRequest>

const NamedRoll = Type.Object(
  {
    id: { ...TraitName, description: 'Name of the roll, which the path takes', examples: ['test'] },
    label: Name('Label of the roll', 'Test'),
    description: Nullable(Text(2000, 'Explanation for players', 'Try something difficult')),
    inputs: {
      ...Roll.properties.inputs,
      description: 'What a player is asked for, by name',
      examples: [{ attribute: { trait: 'attributes' } }],
    },
    spends: { ...Roll.properties.spends, description: 'What a player may pay with the roll, by name', examples: [{}] },
    notation: Nullable(
      Text(
        MAX_NOTATION_LENGTH,
        'The dice that are rolled without any input; null if an input is required, or nothing would be rolled',
        '1d20',
      ),
    ),
  },
  { title: 'NamedRoll', description: 'A roll of the ruleset, for one character' },
)

export const NamedRolls = Type.Object(
  {
    items: Type.Array(NamedRoll, {
      maxItems: 100,
      'x-max-bytes': MAX_ROLLS_BYTES,
      description: 'The rolls of the ruleset, in its order',
    }),
  },
  { title: 'NamedRolls', description: 'All rolls of the ruleset, for one character' },
)
export type NamedRolls = Static<typeof NamedRolls>

const probability = Type.Number({ minimum: 0, maximum: 1, format: 'double', description: 'Probability from 0 to 1', examples: [0.25] })

/** A longer list tells nobody anything. */
export const MAX_SCORES = 20_000

export const SheetRollOdds = Type.Object(
  {
    notation: Text(MAX_NOTATION_LENGTH, 'What would be rolled', '5d10'),
    outcomes: Type.Array(
      Type.Object(
        {
          code: { ...TraitName, description: 'Name of the outcome in the ruleset', examples: ['success'] },
          label: Nullable(Text(100, 'Label of the outcome; null without one', 'Success with style')),
          probability,
        },
        { title: 'CodeOdds', description: 'An outcome of the ruleset and its probability' },
      ),
      { maxItems: 20, description: 'Every outcome that can be reached' },
    ),
    scores: Type.Array(
      Type.Object(
        { score: Int(-1_000_000_000, 1_000_000_000, 'A possible score', 3), probability },
        { title: 'ScoreOdds', description: 'A score and its probability' },
      ),
      { maxItems: MAX_SCORES, description: 'Every score that can be reached, lowest first' },
    ),
  },
  { title: 'SheetRollOdds', description: 'The exact chances of a roll of the ruleset' },
)
export type SheetRollOdds = Static<typeof SheetRollOdds>
