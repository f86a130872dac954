import { suggestNearest } from '../formula/read.ts'
import { own } from '../own.ts'
import type { RulesetDocument } from './document.ts'
import type { Fault, Faults } from './faults.ts'

/** The range of a trait, and the value of one that was never set. */
export interface TraitRange {
  min: number
  max: number
  default: number
}

const DEFAULT_RANGE = { min: 0, max: 100 }
const MAX_GROUP_DEPTH = 4
/** The most characters of JSON that the traits of a character are stored in: as much as 200 with the longest names and values take. */
export const MAX_TRAITS_LENGTH = 2 + 200 * 76

type Groups = RulesetDocument['groups']

/** The group, the one that it is in, and so on. Ends at a group that is unknown, or that contains itself. */
function pathOf(groups: Groups, name: string): string[] {
  const path: string[] = []
  for (let at: string | undefined = name; at !== undefined && !path.includes(at) && own(groups, at); at = groups[at]?.of) path.push(at)
  return path
}

export function checkGroups(groups: Groups, faults: Faults): void {
  for (const [name, { of }] of Object.entries(groups)) {
    if (of === undefined) continue
    const field = `groups.${name}.of`
    const path = pathOf(groups, name)
    const last = path.at(-1) as string
    const beyond = groups[last]?.of
    if (!own(groups, of)) faults.add(field, `there is no group ${of}${faults.suggest(of, Object.keys(groups))}`)
    else if (beyond !== undefined && path.includes(beyond))
      faults.add(field, `the group contains itself: ${[...path, beyond].join(' is in ')}`)
    else if (path.length > MAX_GROUP_DEPTH) faults.add(field, `groups are at most ${MAX_GROUP_DEPTH} deep`)
  }
}

/** The traits in each group, those of the groups in it included, and those with each tag. */
export function membersOf({ groups, traits }: RulesetDocument): Map<string, string[]> {
  const members = new Map<string, string[]>(Object.keys(groups).map((name) => [name, []]))
  for (const [name, { group, tags = [] }] of Object.entries(traits))
    for (const place of new Set([...pathOf(groups, group), ...tags])) {
      const found = members.get(place)
      if (found) found.push(name)
      else members.set(place, [name])
    }
  return members
}

/** The range of a trait: its own, or that of its group, or of the one that this is in. */
export function rangeOf({ groups, traits }: RulesetDocument, name: string): TraitRange {
  const trait = traits[name]
  const sources = [trait, ...pathOf(groups, trait?.group ?? '').map((group) => groups[group])]
  const first = (key: 'min' | 'max' | 'default') => sources.find((source) => source?.[key] !== undefined)?.[key]
  const min = first('min') ?? DEFAULT_RANGE.min
  return { min, max: first('max') ?? Math.max(min, DEFAULT_RANGE.max), default: first('default') ?? min }
}

/** Warns if a character cannot have a value for all traits at once, because their names are too long. */
export function warningsOfTraits(ranges: ReadonlyMap<string, TraitRange>): Fault[] {
  const longest = Object.fromEntries([...ranges].map(([name, { min, max }]) => [name, String(min).length > String(max).length ? min : max]))
  const { length } = JSON.stringify(longest)
  if (length <= MAX_TRAITS_LENGTH) return []
  const message = `with their values, the traits take up to ${length} characters as JSON, and a character can store ${MAX_TRAITS_LENGTH}: shorten names`
  return [{ field: 'traits', message }]
}

/** Says that there is no such trait, and which one may be meant. */
export const unknownTrait = (known: ReadonlyMap<string, TraitRange>, name: string): string =>
  `is no trait of the ruleset${suggestNearest(name, known.keys())}`

/** The ranges of all traits. */
export function checkTraits(document: RulesetDocument, faults: Faults): Map<string, TraitRange> {
  const ranges = new Map<string, TraitRange>()
  for (const [name, { group }] of Object.entries(document.traits)) {
    const field = `traits.${name}`
    if (!own(document.groups, group))
      faults.add(`${field}.group`, `there is no group ${group}${faults.suggest(group, Object.keys(document.groups))}`)
    const range = rangeOf(document, name)
    if (range.min > range.max) faults.add(field, `has a range from ${range.min} to ${range.max}`)
    else if (range.default < range.min || range.default > range.max)
      faults.add(field, `has the default ${range.default}, which is not in its range of ${range.min} to ${range.max}`)
    ranges.set(name, range)
  }
  return ranges
}
