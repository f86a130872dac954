import type { Die } from '@guildhall/dice/evaluate'
import type { Ruleset } from './compile.ts'
import { KeptValues, type RollVerdict, SheetRoll } from './roll.ts'

/** The part of a stored roll that its result by the ruleset follows from, besides the dice. */
export interface KeptRoll {
  roll: string
  inputs: Readonly<Record<string, string | number>>
  values: Record<string, number>
  choices: Record<string, string>
}

/** Prepares a roll again from the values that it kept. Undefined if the ruleset has no such roll. Throws a RollFault if they do not fit it. */
export function judgeOf(ruleset: Ruleset, { roll, inputs, values, choices }: KeptRoll) {
  const compiled = ruleset.rolls.get(roll)
  if (!compiled) return undefined
  const kept = new KeptValues(ruleset, { read: values, choices })
  const spends = Object.fromEntries(Object.keys(compiled.roll.spends ?? {}).map((name) => [name, kept.number(name)]))
  const again = new SheetRoll(ruleset, compiled, kept, { inputs, spends })
  return { notation: again.resolved.notation, judge: (dice: Die[], value: number): RollVerdict => again.judge(dice, value) }
}
