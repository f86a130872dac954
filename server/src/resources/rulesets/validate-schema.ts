import { SampleSheet } from '@guildhall/rules/ruleset/document-examples'
import { type Static, Type } from '@guildhall/rules/type'
import { Enum, Flag, Id, Int, Text } from '../../core/fields.ts'
import { MAX_FAULTS } from '../../core/problem.ts'
import { AnyDocument } from './schema.ts'
import { sheetFields } from './sheet-schema.ts'

const MAX_SAMPLES = 20
const MAX_EXAMPLES = 50
export const MAX_CHANGES = 500
export const MAX_EXAMPLE_FAULTS = 5
export const MAX_SAMPLE_FAULTS = 20

export const RulesetValidate = Type.Object(
  {
    document: AnyDocument,
    previous_version_id: Type.Optional(Id('A version of the company to compare with')),
    samples: Type.Optional(
      Type.Array(SampleSheet, { maxItems: MAX_SAMPLES, description: 'Sheets to compute', examples: [[{ traits: { nerve: 2 } }]] }),
    ),
  },
  { title: 'RulesetValidate' },
)
export type RulesetValidate = Static<typeof RulesetValidate>

const RulesetFault = Type.Object(
  {
    field: Text(201, 'The part of the document', 'derived.modifier.formula'),
    message: Text(
      1000,
      'Description of the fault, with its position in a formula',
      'at position 1: there is no strenght here: did you mean strength?',
    ),
  },
  { title: 'RulesetFault', description: 'A fault of a ruleset document' },
)

const ExampleResult = Type.Object(
  {
    name: Text(100, 'Name of the example', 'A soldier'),
    holds: Flag('True if everything is as expected'),
    faults: Type.Array(RulesetFault, { maxItems: MAX_EXAMPLE_FAULTS, description: 'Results that differ from the expected ones' }),
  },
  { title: 'RulesetExampleResult', description: 'An example of the document, tried' },
)

const RulesetChange = Type.Object(
  {
    field: Text(300, 'The part that differs', 'traits.might.max'),
    kind: Enum('RulesetChangeKind', ['ADDED', 'REMOVED', 'CHANGED', 'NARROWED', 'WIDENED'], 'How it differs', 'NARROWED'),
    breaking: Flag('True if characters, or clients that know the earlier version, may not fit any more'),
  },
  { title: 'RulesetChange', description: 'A difference from the earlier version' },
)

const count = (description: string, example: number) => Int(0, 2_147_483_647, description, example)

export const ValidatedRuleset = Type.Object(
  {
    valid: Flag('True if there is no fault and every example holds: the document can be published'),
    faults: Type.Array(RulesetFault, {
      maxItems: MAX_FAULTS,
      description: 'Faults that keep the document from being published, at most 50',
    }),
    warnings: Type.Array(RulesetFault, { maxItems: MAX_FAULTS, description: 'Probable mistakes, at most 50' }),
    cost: Type.Object(
      { derivation: count('The most steps that computing a sheet takes', 412), most: count('The most that it may take', 20_000) },
      { title: 'RulesetCost', description: 'How much there is to compute' },
    ),
    counts: Type.Object(
      {
        traits: count('Number of traits', 26),
        derived: count('Number of derived values', 3),
        rolls: count('Number of rolls', 1),
        formulas: count('Number of formulas', 31),
      },
      { title: 'RulesetCounts', description: 'Numbers of entries in the document' },
    ),
    examples: Type.Array(ExampleResult, { maxItems: MAX_EXAMPLES, description: 'The examples of the document' }),
    samples: Type.Array(Type.Object(sheetFields(MAX_SAMPLE_FAULTS), { title: 'RulesetSample', description: 'A sheet that was computed' }), {
      maxItems: MAX_SAMPLES,
      description: 'The sheets of the request, computed; none if the document has a fault',
    }),
    changes: Type.Array(RulesetChange, { maxItems: MAX_CHANGES, description: 'Differences from the earlier version, at most 500' }),
  },
  { title: 'ValidatedRuleset', description: 'The result of validating a ruleset document' },
)
export type ValidatedRuleset = Static<typeof ValidatedRuleset>
