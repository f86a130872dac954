import type { Ruleset } from './compile.ts'
import { labelOf } from './labels.ts'

type Json = Record<string, unknown>

const closed = (properties: Json): Json => ({ type: 'object', properties, additionalProperties: false })

/** A JSON Schema of the characters of a ruleset, for forms, bots and tests. */
export function characterSchema({ document, traits }: Ruleset): Json {
  const { choices = {}, conditions = {} } = document
  const ofTraits = [...traits].map(([name, { min, max, default: value }]) => [
    name,
    { type: 'integer', title: document.traits[name]?.label ?? labelOf(name), minimum: min, maximum: max, default: value },
  ])
  const ofChoices = Object.entries(choices).map(([slot, { label, options }]) => [
    slot,
    {
      title: label ?? labelOf(slot),
      oneOf: Object.entries(options).map(([option, { label: title }]) => ({ const: option, title: title ?? labelOf(option) })),
    },
  ])
  const ofConditions = Object.entries(conditions).map(([name, { label, most = 1 }]) => [
    name,
    { type: 'integer', title: label ?? labelOf(name), minimum: 0, maximum: most, default: 0 },
  ])
  const required = Object.entries(choices).flatMap(([slot, choice]) => (choice.required ? [slot] : []))
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: document.name,
    type: 'object',
    properties: {
      traits: closed(Object.fromEntries(ofTraits)),
      choices: { ...closed(Object.fromEntries(ofChoices)), ...(required.length && { required }) },
      conditions: closed(Object.fromEntries(ofConditions)),
    },
  }
}
