import type { Ruleset } from '@guildhall/rules/ruleset/compile'
import { labelOf } from '@guildhall/rules/ruleset/labels'
import { deriveSheet, type Sheet } from '@guildhall/rules/ruleset/sheet'
import { MAX_VALUE, type TrackerRow } from './schema.ts'

/** The limits of a tracker, and the value that a reset sets. */
export type Limits = Pick<TrackerRow, 'minimum' | 'maximum' | 'start'>
type Ruled = Pick<TrackerRow, 'key' | 'label' | 'value' | 'style' | 'movable_by'> & Limits

const bounded = (value: number, low = -MAX_VALUE, high = MAX_VALUE) => Math.min(Math.max(value, low), high)

/** A maximum that can be drawn as boxes. */
const MAX_BOXES = 10

/** The trackers that a ruleset defines for a sheet, or with an empty sheet for a campaign. */
export function ruledTrackers(ruleset: Ruleset, sheet: Sheet, scope: 'character' | 'campaign'): Ruled[] {
  const { trackers } = deriveSheet(ruleset, sheet)
  // What a tracker would be if none had moved.
  const { danger = 0, desperation = 0 } = sheet.campaign ?? {}
  const unmoved = deriveSheet(ruleset, { ...sheet, trackers: {}, campaign: { danger, desperation } }).trackers
  return Object.entries(ruleset.document.trackers ?? {})
    .filter(([, { scope: owner = 'character' }]) => owner === scope)
    .map(([key, { label, writers }]) => {
      const minimum = bounded(trackers[key]?.min ?? 0)
      const maximum = bounded(trackers[key]?.max ?? 0)
      const start = bounded(unmoved[key]?.value ?? minimum, Math.min(minimum, maximum), Math.max(minimum, maximum))
      const mover = scope === 'campaign' ? 'MEMBERS' : 'PLAYER'
      return {
        key,
        label: label ?? labelOf(key),
        value: start,
        minimum,
        maximum,
        start,
        style: maximum <= MAX_BOXES ? 'BOXES' : 'NUMBER',
        movable_by: writers === 'STORYTELLER' ? 'STORYTELLER' : mover,
      }
    })
}

/** The changes that make the trackers of an owner those of the ruleset: new ones, and new limits of others, whose values stay. */
export function plannedChanges(ruled: Ruled[], existing: TrackerRow[]): { added: Ruled[]; changed: (Limits & { id: string })[] } {
  const byKey = new Map(existing.map((row) => [row.key, row]))
  const added = ruled.filter(({ key }) => !byKey.has(key))
  const changed = ruled.flatMap(({ key, minimum, maximum, start }) => {
    const row = byKey.get(key)
    const isSame = row?.by_ruleset && row.minimum === minimum && row.maximum === maximum && row.start === start
    return row && !isSame ? [{ id: row.id, minimum, maximum, start }] : []
  })
  return { added, changed }
}
