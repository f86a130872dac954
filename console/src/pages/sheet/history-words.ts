import type { ExperienceEntryListItem, HistoryEntry } from '@guildhall/client'
import type { NameOf } from '../../data/names.ts'
import { labelOf, sheetWords, statusWords, typeWords, visibilityWords } from '../../play/character-words.ts'
import { fullTime } from '../../ui/time.tsx'
import { text } from './text.ts'

const words = text.history

/** The name of a changed field as people say it. */
export function fieldLabel(field: string): string {
  const [map, name] = field.split('.')
  if (name && ['traits', 'details', 'choices', 'conditions'].includes(map ?? '')) return labelOf(name)
  return words.fields[field] ?? labelOf(field)
}

const VALUES: Record<string, Record<string, string>> = {
  status: statusWords,
  type: typeWords,
  visibility: visibilityWords,
  sheet_visibility: sheetWords,
}

/** A value of a changed field as people say it. */
export function valueWords(field: string, value: unknown, nameOf: NameOf): string {
  if (value === null || value === undefined || value === '') return words.nothing
  if (field === 'user_id') return nameOf(String(value))
  if (field.startsWith('date_')) return fullTime(String(value))
  if (typeof value === 'object') return JSON.stringify(value)
  return VALUES[field]?.[String(value)] ?? String(value)
}

/** The maximum time between a spend and its change in the history: both are written in one transaction, but may have different times. */
const MAX_APART_MS = 5000

/** The spend that made a change, which can be undone in the ledger: it raised the same trait of the character from and to the same values, for the same reason. */
export function spendOf(
  { changes, reason, date_created }: HistoryEntry,
  entries: readonly ExperienceEntryListItem[],
  characterId: string,
): ExperienceEntryListItem | undefined {
  if (reason === null) return undefined
  return entries.find(
    ({ kind, trait, reason: why, character_id, date_created: at }) =>
      (kind === 'SPEND' || kind === 'GAIN') &&
      trait &&
      character_id === characterId &&
      why === reason &&
      Math.abs(Date.parse(at) - Date.parse(date_created)) < MAX_APART_MS &&
      changes.some(({ field, from, to }) => field === `traits.${trait.name}` && from === trait.from && to === trait.to),
  )
}
