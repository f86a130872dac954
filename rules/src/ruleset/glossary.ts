import type { RulesetDocument } from './document.ts'
import { labelOf } from './labels.ts'

export const TERM_KINDS = ['TERM', 'TRAIT', 'DERIVED', 'TRACKER', 'CONDITION', 'CHOICE', 'OPTION', 'ROLL'] as const

/** An entry of the glossary of a ruleset. */
export interface GlossaryEntry {
  term: string
  kind: (typeof TERM_KINDS)[number]
  /** The name in formulas and requests; null for a term that has none. */
  name: string | null
  definition: string | null
  synonyms: string[]
}

type Labeled = Record<string, { label?: string; description?: string }>

const entriesOf = (kind: GlossaryEntry['kind'], parts: Labeled | undefined, prefix = ''): GlossaryEntry[] =>
  Object.entries(parts ?? {}).map(([name, { label, description }]) => ({
    term: label ?? labelOf(name),
    kind,
    name: `${prefix}${name}`,
    definition: description ?? null,
    synonyms: [],
  }))

/** The terms of a ruleset, and everything in it that has a label. */
export function glossaryOf({ terms = [], traits, derived, trackers, conditions, choices = {}, rolls }: RulesetDocument): GlossaryEntry[] {
  return [
    ...terms.map(({ term, definition, synonyms = [] }): GlossaryEntry => ({ term, kind: 'TERM', name: null, definition, synonyms })),
    ...entriesOf('TRAIT', traits),
    ...entriesOf('DERIVED', derived as Labeled | undefined),
    ...entriesOf('TRACKER', trackers as Labeled | undefined),
    ...entriesOf('CONDITION', conditions),
    ...entriesOf('CHOICE', choices as Labeled),
    ...Object.entries(choices).flatMap(([slot, { options }]) => entriesOf('OPTION', options, `${slot}.`)),
    ...entriesOf('ROLL', rolls as Labeled | undefined),
  ]
}
