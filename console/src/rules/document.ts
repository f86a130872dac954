import type { NamedRoll } from '@guildhall/client'
import { labelOf } from '../play/character-words.ts'

/** A part of a document that people read: its label, or its name as a label. */
export interface Labeled {
  label?: string
  description?: string
}

interface Range {
  min?: number
  max?: number
  default?: number
}

/** A roll by name: what a player is asked for, and what may be paid with it. */
export interface SheetRoll extends Labeled {
  inputs?: NamedRoll['inputs']
  spends?: NamedRoll['spends']
  outcomes?: { code: string }[]
}

/** The parts of a ruleset's document that a sheet shows. The service has checked them: a document with faults is not drawn. */
export interface SheetDocument {
  groups: Record<string, Labeled & Range & { of?: string }>
  traits: Record<string, Labeled & Range & { group: string; tags?: string[] }>
  derived?: Record<string, Labeled & { group?: string }>
  choices?: Record<string, Labeled & { required?: boolean; options: Record<string, Labeled> }>
  trackers?: Record<string, Labeled & { scope?: 'character' | 'campaign'; writers?: string }>
  conditions?: Record<string, Labeled & { most?: number }>
  rolls?: Record<string, SheetRoll>
}

/** A section of the sheet: a group with its traits, its derived values and the groups in it. */
export interface SheetGroup {
  name: string
  label: string
  traits: string[]
  derived: string[]
  groups: SheetGroup[]
}

const DEFAULT_RANGE = { min: 0, max: 100 }

/** The label of a part, or its name as people write it. */
export const labelIn = (parts: Record<string, Labeled> | undefined, name: string): string => parts?.[name]?.label ?? labelOf(name)

/** The groups of a trait: its own, the group that this is in, and so on. */
function pathOf({ groups, traits }: SheetDocument, name: string): string[] {
  const path: string[] = []
  for (let at = traits[name]?.group; at !== undefined; at = groups[at]?.of) path.push(at)
  return path
}

/** The first of a trait and its groups that says something about the range. */
function firstIn(document: SheetDocument, name: string, key: keyof Range): number | undefined {
  const sources = [document.traits[name], ...pathOf(document, name).map((group) => document.groups[group])]
  return sources.find((source) => source?.[key] !== undefined)?.[key]
}

/** The range of a trait: its own, or that of its group, or of the group that this is in. */
export function rangeOf(document: SheetDocument, name: string): { min: number; max: number } {
  const min = firstIn(document, name, 'min') ?? DEFAULT_RANGE.min
  return { min, max: firstIn(document, name, 'max') ?? Math.max(min, DEFAULT_RANGE.max) }
}

/** The value of a trait that was never set. */
export const defaultOf = (document: SheetDocument, name: string): number =>
  firstIn(document, name, 'default') ?? rangeOf(document, name).min

/** The traits of a group, those of the groups in it included, or those with a tag. */
export const traitsIn = (document: SheetDocument, place: string): string[] =>
  Object.keys(document.traits).filter(
    (name) => pathOf(document, name).includes(place) || document.traits[name]?.tags?.includes(place) === true,
  )

/** The sections of the sheet in the order of the document. Groups without anything to show are left out. */
export function groupsOf({ groups, traits, derived = {} }: SheetDocument): SheetGroup[] {
  const namesIn = (parts: Record<string, { group?: string }>, group: string) =>
    Object.keys(parts).filter((name) => parts[name]?.group === group)
  const below = (parent: string | undefined): SheetGroup[] =>
    Object.keys(groups)
      .filter((name) => groups[name]?.of === parent)
      .map((name) => ({
        name,
        label: labelIn(groups, name),
        traits: namesIn(traits, name),
        derived: namesIn(derived, name),
        groups: below(name),
      }))
      .filter((group) => group.traits.length + group.derived.length + group.groups.length > 0)
  return below(undefined)
}
