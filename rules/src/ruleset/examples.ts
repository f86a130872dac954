import { evaluate, sameDraw } from '@guildhall/dice/evaluate'
import { parse } from '@guildhall/dice/notation'
import type { Ruleset } from './compile.ts'
import type { RulesetDocument } from './document.ts'
import type { Fault } from './faults.ts'
import { isRefused, priceOf } from './price.ts'
import { RollFault, SheetRoll } from './roll.ts'
import { deriveSheet, type Sheet } from './sheet.ts'

type Example = NonNullable<RulesetDocument['examples']>[number]
type ExampleRoll = NonNullable<Example['expect']['rolls']>[number]

/** An example of a document, and how it differs from what the ruleset computes. */
export interface ExampleResult {
  name: string
  holds: boolean
  faults: Fault[]
}

/** Computes all examples of a ruleset. */
export const tryExamples = (ruleset: Ruleset): ExampleResult[] =>
  (ruleset.document.examples ?? []).map((example) => {
    const faults = faultsOf(ruleset, example)
    return { name: example.name, holds: faults.length === 0, faults }
  })

function faultsOf(ruleset: Ruleset, { sheet, expect }: Example): Fault[] {
  const faults: Fault[] = []
  const compare = (field: string, actual: unknown, expected: unknown) => {
    if (actual !== expected) faults.push({ field, message: actual === undefined ? 'is unknown' : `is ${actual}, not ${expected}` })
  }
  const { derived, trackers } = deriveSheet(ruleset, sheet as Sheet)
  const { derived: values = {}, limits = {}, prices = [], rolls = [] } = expect
  for (const [name, expected] of Object.entries(values))
    compare(`derived.${name}`, Object.hasOwn(derived, name) ? derived[name] : undefined, expected)
  for (const [name, expected] of Object.entries(limits))
    compare(`limits.${name}`, Object.hasOwn(trackers, name) ? trackers[name]?.max : undefined, expected)
  for (const [i, { trait, to, cost }] of prices.entries()) {
    const price = priceOf(ruleset, sheet as Sheet, trait, to)
    compare(`prices.${i}`, isRefused(price) ? `refused, because ${price.message}` : price.cost, cost)
  }
  for (const [i, roll] of rolls.entries())
    for (const [part, actual, expected] of compareRoll(ruleset, sheet as Sheet, roll)) compare(`rolls.${i}${part}`, actual, expected)
  return faults
}

/** A part of a roll with its actual and its expected value. */
type Compared = [part: string, actual: unknown, expected: unknown]

function compareRoll(ruleset: Ruleset, sheet: Sheet, expected: ExampleRoll): Compared[] {
  const compiled = ruleset.rolls.get(expected.roll)
  if (!compiled) return [['.roll', undefined, expected.roll]]
  const { spends = {} } = compiled.roll
  // An example writes inputs and spends into one map.
  const given = Object.entries(expected.inputs ?? {})
  const isSpend = ([name]: [string, unknown]) => Object.hasOwn(spends, name)
  const paid = Object.fromEntries(given.filter(isSpend)) as Record<string, number>
  try {
    const inputs = Object.fromEntries(given.filter((one) => !isSpend(one)))
    const roll = new SheetRoll(ruleset, compiled, sheet, { inputs, spends: paid })
    const { dice, value } = evaluate(parse(roll.resolved.notation), sameDraw(expected.dice.map((shown) => ({ value: shown }))))
    if (dice.length !== expected.dice.length) return [['.dice', `${dice.length} dice`, `${expected.dice.length}`]]
    const impossible = dice.find((die) => die.value > die.sides)
    if (impossible) return [['.dice', `a d${impossible.sides}`, impossible.value]]
    const { score, margin, code } = roll.judge(dice, value)
    return [
      ['.code', code, expected.code],
      ['.score', score, expected.score ?? score],
      ['.margin', margin, expected.margin ?? margin],
    ]
  } catch (error) {
    if (!(error instanceof RollFault)) throw error
    return [['', `refused, because ${error.message}`, expected.code]]
  }
}
