import { RESERVED_WORDS } from '../formula/node.ts'
import type { RulesetDocument } from './document.ts'
import type { Faults } from './faults.ts'

/** Names that formulas have without a ruleset, by the part before the dot or whole. */
export const BUILT_IN = ['xp', 'campaign', 'new', 'current', 'value', 'total', 'score']

/** The values that formulas read from outside of the sheet. */
export const OUTER_NAMES = ['xp.earned', 'xp.spent', 'xp.available', 'campaign.danger', 'campaign.desperation'] as const

/** Checks that each name of a namespace is used once, and is no word of formulas. */
function checkUnique(parts: Record<string, object | undefined>, faults: Faults): void {
  const taken = new Map<string, string>()
  for (const [part, named] of Object.entries(parts))
    for (const name of Object.keys(named ?? {})) {
      const field = `${part}.${name}`
      const first = taken.get(name)
      if (RESERVED_WORDS.has(name) || BUILT_IN.includes(name)) faults.add(field, `${name} is a word of formulas: choose another name`)
      else if (first) faults.add(field, `${name} is a name in ${first}, too: formulas could not tell them apart`)
      else taken.set(name, part)
    }
}

/** Traits, derived values, trackers, conditions and tables share their names, and so do groups and tags, and choices and trackers. */
export function checkNames(document: RulesetDocument, faults: Faults): void {
  const { traits, derived, choices, trackers, conditions, tables, groups } = document
  checkUnique({ traits, derived, trackers, conditions, tables }, faults)
  checkUnique({ groups }, faults)
  for (const slot of Object.keys(choices ?? {}))
    if (Object.hasOwn(trackers ?? {}, slot) || BUILT_IN.includes(slot))
      faults.add(`choices.${slot}`, `${slot} is the name of something else: formulas could not tell them apart`)
  for (const [name, { tags = [] }] of Object.entries(traits))
    for (const tag of tags)
      if (Object.hasOwn(groups, tag)) faults.add(`traits.${name}.tags`, `${tag} is a group, too: formulas could not tell them apart`)
  for (const [name, { values = {}, options }] of Object.entries(choices ?? {})) checkOptions(name, values, options, faults)
  for (const [name, rows] of Object.entries(tables ?? {}))
    for (const [i, [key]] of rows.entries()) {
      const before = rows[i - 1]?.[0]
      if (before !== undefined && before >= key) faults.add(`tables.${name}.${i}`, `the keys rise, and ${key} comes after ${before}`)
    }
}

type Options = NonNullable<RulesetDocument['choices']>[string]['options']

function checkOptions(choice: string, values: Record<string, number>, options: Options, faults: Faults): void {
  if (Object.keys(options).length === 0) faults.add(`choices.${choice}.options`, 'has no option')
  for (const [name, option] of Object.entries(options))
    for (const value of Object.keys(option.values ?? {}))
      if (!Object.hasOwn(values, value))
        faults.add(
          `choices.${choice}.options.${name}.values.${value}`,
          `${value} has no default in choices.${choice}.values${faults.suggest(value, Object.keys(values))}`,
        )
}
