import { MAX_VALUES_READ } from '@guildhall/rules/ruleset/compile-roll'
import { type Static, Type } from '@guildhall/rules/type'
import { Id, Nullable, Text } from '../../core/fields.ts'
import { TraitName } from '../characters/schema.ts'
import { byName, computed } from '../rulesets/sheet-schema.ts'

export const MAX_INPUTS = 10
/** Two names of 64 characters with a dot between, and a number, in JSON. */
const MAX_VALUE_BYTES = 144
/** Two names. */
const MAX_ANSWER_BYTES = 134
const MAX_CHOICES = 20

/** The answer to an input of a named roll. */
export const Answer = Type.Unsafe<string | number>({
  type: ['string', 'integer'],
  format: 'int32',
  maxLength: 64,
  minimum: -1_000_000,
  maximum: 1_000_000,
  description: 'The name of a trait or of an option, or a number',
  examples: ['might'],
})

const HIDDEN = 'Empty if the sheet of the character is hidden from the acting user'
const BLIND = 'Null in a BLIND roll, for users who do not see its result'

const fields = {
  version_id: Id('The version of the ruleset'),
  roll: { ...TraitName, description: 'Name of the roll in the ruleset', examples: ['test'] },
  inputs: byName(Answer, MAX_INPUTS, MAX_ANSWER_BYTES, `Answers to the inputs of the roll, with defaults. ${HIDDEN}`, {
    attribute: 'might',
  }),
  values: byName(
    computed('Value when the dice were rolled', 3),
    MAX_VALUES_READ,
    MAX_VALUE_BYTES,
    `Every value that the formulas of the roll read, and how often each of its spends was paid. ${HIDDEN}`,
    { might: 3 },
  ),
  choices: byName(
    Text(64, 'The chosen option', 'soldier'),
    MAX_CHOICES,
    MAX_ANSWER_BYTES,
    `Choices of the character that the formulas of the roll ask about. ${HIDDEN}`,
    {},
  ),
  score: Nullable(computed(`Result of the roll by the ruleset. ${BLIND}`, 3)),
  margin: Nullable(computed(`How far the score is from what was needed; null if the ruleset does not say. ${BLIND}`, 1)),
  code: Nullable({ ...TraitName, description: `Name of the outcome in the ruleset. ${BLIND}`, examples: ['success'] }),
  label: Nullable(Text(100, `Label of the outcome; null without one. ${BLIND}`, 'Success with style')),
}

export type RollByName = Static<ReturnType<typeof Type.Object<typeof fields>>>

/** The field `ruleset` of a roll. */
export const RollOfRuleset = Type.Unsafe<RollByName | null>({
  ...Nullable(Type.Object(fields)),
  title: 'RollOfRuleset',
  description: 'The roll by the ruleset of the campaign, if it was made by its name; null for every other roll',
  examples: [null],
})

/** The result by the ruleset, hidden from users who may not see how the dice fell. */
export const withoutVerdict = (ruleset: RollByName | null | undefined) =>
  ruleset && { ...ruleset, score: null, margin: null, code: null, label: null }

/** Everything that belongs to the sheet, hidden from users who do not see it. */
export const withoutSheetValues = (ruleset: RollByName | null | undefined) => ruleset && { ...ruleset, inputs: {}, values: {}, choices: {} }
