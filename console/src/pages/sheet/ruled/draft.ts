import type { CharacterPatch, RuledSheet } from '@guildhall/client'
import { defaultOf, type SheetDocument } from '../../../rules/document.ts'
import type { SheetChange } from '../../../rules/ruleset-sheet.tsx'

/** Values that were entered and are not saved yet, by name. Null removes what is stored. */
export interface SheetDraft {
  traits: Record<string, number | null>
  choices: Record<string, string | null>
}

export const EMPTY: SheetDraft = { traits: {}, choices: {} }

/** A draft with one more change of the sheet. */
export function changedDraft(draft: SheetDraft, { part, name, value }: SheetChange): SheetDraft {
  if (part !== 'traits' && part !== 'choices') return draft
  return { ...draft, [part]: { ...draft[part], [name]: value ?? null } }
}

type Stored = { traits: Record<string, number> | null; choices: Record<string, string> | null }

function changesOf<T>(entered: Record<string, T | null>, stored: Record<string, T> | null, shown: Record<string, T>) {
  const isChanged = (name: string, value: T | null) => {
    const present = stored && Object.hasOwn(stored, name) ? stored[name] : undefined
    // A value that the ruleset gives by itself is not stored only because somebody went through it.
    return present === undefined ? value !== null && value !== shown[name] : value !== present
  }
  return Object.fromEntries(Object.entries(entered).filter(([name, value]) => isChanged(name, value)))
}

/** The request that saves a draft. Only changed values are sent, so that changes of others to the rest stay. Undefined if nothing changed. */
export function patchOf(draft: SheetDraft, stored: Stored, shown: Pick<RuledSheet, 'traits' | 'choices'>): CharacterPatch | undefined {
  const traits = changesOf(draft.traits, stored.traits, shown.traits)
  const choices = changesOf(draft.choices, stored.choices, shown.choices)
  if (!Object.keys(traits).length && !Object.keys(choices).length) return undefined
  return { ...(Object.keys(traits).length && { traits }), ...(Object.keys(choices).length && { choices }) }
}

/** The sheet with the values of a draft in place of the stored ones. What follows from them is computed when they are saved. */
export function withDraft(document: SheetDocument, sheet: RuledSheet, { traits, choices }: SheetDraft): RuledSheet {
  const entered = Object.entries(traits)
    .filter(([name]) => Object.hasOwn(document.traits, name))
    .map(([name, value]) => [name, value ?? defaultOf(document, name)])
  const chosen = Object.entries({ ...sheet.choices, ...choices }).filter(([, option]) => option !== null)
  return {
    ...sheet,
    traits: { ...sheet.traits, ...Object.fromEntries(entered) },
    choices: Object.fromEntries(chosen) as Record<string, string>,
  }
}
