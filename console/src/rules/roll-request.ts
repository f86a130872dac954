import type { SheetRollOddsRequest } from '@guildhall/client'
import { labelIn, type SheetDocument, type SheetRoll, traitsIn } from './document.ts'
import { text } from './text.ts'

/** The answers to a roll as they are in the fields, by name. An empty one is left out of the request. */
export interface RollAnswers {
  inputs: Record<string, string>
  spends: Record<string, string>
}

type Input = NonNullable<SheetRoll['inputs']>[string]

/** The answers that a roll begins with. */
export function firstAnswers({ inputs = {} }: SheetRoll): RollAnswers {
  const usual = ({ number, choice, default: option }: Input) =>
    number ? String(number.default ?? '') : choice ? (option ?? Object.keys(choice)[0] ?? '') : ''
  return { inputs: Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, usual(input)])), spends: {} }
}

/** The options of an input, unless it is a number. */
export function optionsOfInput(
  document: SheetDocument,
  traits: Record<string, number>,
  { trait, optional, choice }: Input,
): [value: string, label: string][] {
  if (choice) return Object.entries(choice)
  const names = trait === undefined ? [] : traitsIn(document, trait)
  return [
    ['', optional ? text.roll.none : text.roll.choose],
    ...names.map((name): [string, string] => [name, text.roll.trait(labelIn(document.traits, name), traits[name] ?? 0)]),
  ]
}

/** The answers as the service takes them. */
export function requestOf({ inputs: asked = {} }: SheetRoll, { inputs, spends }: RollAnswers): SheetRollOddsRequest {
  const given = Object.entries(inputs).filter(([name, answer]) => answer.trim() !== '' && Object.hasOwn(asked, name))
  const paid = Object.entries(spends).filter(([, times]) => Number(times) > 0)
  const answerOf = (name: string, answer: string) => (asked[name]?.number && !Number.isNaN(Number(answer)) ? Number(answer) : answer)
  return {
    inputs: Object.fromEntries(given.map(([name, answer]) => [name, answerOf(name, answer)])),
    spends: Object.fromEntries(paid.map(([name, times]) => [name, Number(times)])),
  }
}

/** True if every input that is required has an answer. */
export const isAnswered = ({ inputs = {} }: SheetRoll, answers: RollAnswers): boolean =>
  Object.entries(inputs).every(([name, { optional, number }]) => {
    if (answers.inputs[name]?.trim()) return true
    return optional === true || number?.default !== undefined
  })
