import type { CreationMethod, CreationStep } from '@guildhall/client'
import { defaultOf, type Labeled, labelIn, rangeOf, type SheetDocument, traitsIn } from '../../rules/document.ts'

/** The parts of a ruleset's document that creating a character reads. */
export interface CreationDocument extends SheetDocument {
  name?: string
  choices?: Record<string, Labeled & { required?: boolean; options: Record<string, Labeled & { favours?: string[] }> }>
  tables?: Record<string, [key: number, value: number][]>
  creation?: { steps: { id: string }[]; tiers?: Record<string, number> }
}

/** A way to answer a step, as the document has it. */
export interface Method {
  kind: CreationMethod
  slot?: string
  of?: string | string[]
  values?: number[]
  budget?: number
  cost?: string | number | { of: string; cost: string | number }[]
  pools?: number[]
  min?: number
  max?: number
  dice?: string
  keep_order?: boolean
}

/** Values of traits, as an answer has them. */
export type Values = Record<string, number>

/** True if characters can be created by the ruleset. */
export const hasCreation = (document: SheetDocument | undefined): document is CreationDocument =>
  Boolean((document as CreationDocument | undefined)?.creation?.steps.length)

export const methodsOf = ({ methods }: CreationStep): Method[] => methods as unknown as Method[]

/** A document whose sheet has no rolls: a character that is being created cannot roll. */
export const withoutRolls = (document: SheetDocument): SheetDocument => ({ ...document, rolls: {} })

/** The groups or tags that a method sets, each with its traits. */
export const placesOf = (document: SheetDocument, { of = [] }: Method): { name: string; traits: string[] }[] =>
  [of].flat().map((name) => ({ name, traits: traitsIn(document, name) }))

/** The traits that a method sets, in the order of its values. */
export const traitsOf = (document: SheetDocument, method: Method): string[] => [
  ...new Set(placesOf(document, method).flatMap(({ traits }) => traits)),
]

/** The range of a trait in a step: that of the step within that of the trait. */
export function rangeIn(document: SheetDocument, { min: lowest, max: highest }: Method, trait: string): { min: number; max: number } {
  const { min, max } = rangeOf(document, trait)
  return { min: Math.max(min, lowest ?? min), max: Math.min(max, highest ?? max) }
}

/** Traits under the labels of their groups, for a list that is easier to read. One group alone needs no label. */
export function sectionsOf(document: SheetDocument, traits: readonly string[]): { label: string | undefined; traits: string[] }[] {
  const byGroup = new Map<string, string[]>()
  for (const trait of traits) {
    const group = document.traits[trait]?.group ?? ''
    byGroup.set(group, [...(byGroup.get(group) ?? []), trait])
  }
  return [...byGroup].map(([group, members]) => ({
    label: byGroup.size > 1 ? labelIn(document.groups, group) : undefined,
    traits: members,
  }))
}

/** The dots of a group: the sum above the lowest values of its traits. */
export const dotsOf = (document: SheetDocument, traits: readonly string[], values: Values): number =>
  traits.reduce((sum, trait) => sum + (values[trait] ?? defaultOf(document, trait)) - rangeOf(document, trait).min, 0)
