import { type Static, Type } from '@guildhall/rules/type'
import { Int } from '../../core/fields.ts'

export const ConditionLevel = Type.Object(
  { level: Int(0, 100, 'The level of the condition, up to the highest one of the ruleset. 0 ends it', 1) },
  { title: 'ConditionLevel' },
)
export type ConditionLevel = Static<typeof ConditionLevel>
