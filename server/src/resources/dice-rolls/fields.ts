import { withoutVerdict } from './ruleset-schema.ts'
import type { DiceRoll, DiceRollRow } from './schema.ts'

/** True for the fields that tell how the dice fell. A new field of a roll must be classified here, or nothing compiles. */
const IS_RESULT: Record<keyof DiceRoll, boolean> = {
  id: false,
  company_id: false,
  user_id: false,
  campaign_id: false,
  character_id: false,
  notation: false,
  formula: false,
  values: false,
  pool: false,
  target: false,
  compare: false,
  naturals: false,
  // In part: see withoutResult.
  ruleset: false,
  label: false,
  group_id: false,
  comment: false,
  visibility: false,
  dice: true,
  net: true,
  total: true,
  margin: true,
  outcome: true,
  terms: true,
  strained: true,
  settlement: true,
  source: false,
  date_voided: false,
  voided_by: false,
  void_reason: false,
  text: true,
  text_markdown: true,
  metadata: false,
  date_created: false,
  date_modified: false,
  version: false,
}

export const RESULT_FIELDS = Object.entries(IS_RESULT).flatMap(([name, isResult]) => (isResult ? [name as keyof DiceRoll] : []))

/** The values that users see in place of a result that they may not see. */
const NO_RESULT: Pick<DiceRollRow, 'dice' | 'net' | 'total' | 'margin' | 'outcome' | 'terms' | 'strained' | 'settlement' | 'text'> = {
  dice: [],
  net: null,
  total: null,
  margin: null,
  outcome: null,
  terms: [],
  strained: false,
  settlement: null,
  text: 'Only the storytellers can see the result.',
}

/** A roll without its result, for users who may not see it. */
export const withoutResult = (roll: DiceRollRow): DiceRollRow => ({ ...roll, ...NO_RESULT, ruleset: withoutVerdict(roll.ruleset) ?? null })
