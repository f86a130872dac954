import { labelOf } from '../../play/character-words.ts'
import { text } from './text.ts'

export interface ShownTrait {
  name: string
  label: string
  value: number
}

export interface TraitGroup {
  /** Undefined for the only group of a sheet whose traits have nothing in common. */
  title: string | undefined
  traits: ShownTrait[]
  /** Values up to 5 are drawn as dots. A group of mostly larger or negative values shows numbers only. */
  hasDots: boolean
}

/** Attributes of many games, in the order of their sheets. They have no common prefix, but belong together. */
const ATTRIBUTES = [
  'strength dexterity stamina constitution intelligence wits resolve wisdom perception',
  'charisma manipulation appearance presence composure',
].flatMap((names) => names.split(' '))

const MAX_DOTS = 5
/** As many traits with the same first or last word are a group. */
const MIN_GROUP = 3
/** A single attribute is chance: a game that has wits among its skills has no attributes. */
const MIN_ATTRIBUTES = 2

export const isDrawn = (value: number): boolean => value >= 0 && value <= MAX_DOTS

/** A group shows dots only if most of its values fit. A few dots between numbers would seem to have another meaning. */
const hasDots = (traits: ShownTrait[]) =>
  traits.every(({ value }) => value >= 0) && traits.filter(({ value }) => isDrawn(value)).length * 2 >= traits.length

const byLabel = (a: ShownTrait, b: ShownTrait) => a.label.localeCompare(b.label)

/** The first and the last word of a name of several, as patterns such as `save_*` and `*_save`. */
function patternsOf(name: string): string[] {
  const words = name.split('_')
  return words.length > 1 ? [`${words[0]}_*`, `*_${words.at(-1)}`] : []
}

/** The title of a group, and the names in it without the words that they share. */
const shared = (pattern: string) => pattern.replace(/_?\*_?/, '')
const rest = (name: string, pattern: string) =>
  pattern.endsWith('*') ? name.slice(shared(pattern).length + 1) : name.slice(0, -shared(pattern).length - 1)

/** Puts the traits of a flat map into groups: attributes, names that share a word, and everything else. */
export function groupTraits(traits: Record<string, number>): TraitGroup[] {
  const counts = new Map<string, number>()
  // Where wisdom is an attribute, perception is a skill.
  const known = ATTRIBUTES.filter((name) => Object.hasOwn(traits, name) && !(name === 'perception' && Object.hasOwn(traits, 'wisdom')))
  const isAttribute = (name: string) => known.length >= MIN_ATTRIBUTES && known.includes(name)
  const others = Object.keys(traits).filter((name) => !isAttribute(name))
  for (const pattern of others.flatMap(patternsOf)) counts.set(pattern, (counts.get(pattern) ?? 0) + 1)
  const groups = new Map<string, ShownTrait[]>()
  for (const name of others) {
    const [pattern = ''] = patternsOf(name)
      .filter((each) => (counts.get(each) ?? 0) >= MIN_GROUP)
      .sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))
    const trait = { name, label: labelOf(pattern ? rest(name, pattern) : name), value: traits[name] as number }
    groups.set(pattern, [...(groups.get(pattern) ?? []), trait])
  }
  const attributes = known.filter(isAttribute).map((name) => ({
    name,
    label: labelOf(name),
    value: traits[name] as number,
  }))
  const named = [...groups].filter(([pattern]) => pattern).sort(([a], [b]) => shared(a).localeCompare(shared(b)))
  const isGrouped = attributes.length > 0 || named.length > 0
  const found = [
    { title: text.traits.attributes, traits: attributes },
    ...named.map(([pattern, members]) => ({ title: labelOf(shared(pattern)), traits: members.sort(byLabel) })),
    { title: isGrouped ? text.traits.other : undefined, traits: (groups.get('') ?? []).sort(byLabel) },
  ]
  return found.filter((group) => group.traits.length > 0).map((group) => ({ ...group, hasDots: hasDots(group.traits) }))
}
