import type { Role } from '../../core/access.ts'
import { type Denial, notStoryteller } from '../../core/denial.ts'
import { conflict, type Fault, invalid } from '../../core/problem.ts'
import type { EventDraft } from '../../events/record.ts'
import { rule } from '../../http/rule.ts'
import type { CampaignAccess } from '../campaigns/path-resource.ts'
import type { CharacterAccess } from '../characters/path-resource.ts'
import { mayChangeTraits, mayEditSheet, traitOf } from '../characters/rules.ts'
import {
  type CharacterAdjust,
  MAX_VALUE,
  type Tracker,
  type TrackerAdjust,
  type TrackerPatch,
  type TrackerRow,
  type TrackerSet,
} from './schema.ts'

interface OnCampaign {
  actor: { id: string; role: Role }
  campaign: Pick<CampaignAccess, 'isStoryteller' | 'isMember'>
}
interface OnCharacter extends OnCampaign {
  character: CharacterAccess
}
/** The acting user, and the resource that has the trackers: the campaign, or a character in it. */
export interface OnOwner extends OnCampaign {
  character?: CharacterAccess
}

export const mayDefineOnCharacter = rule<OnCharacter>(
  'The player of the character, the storytellers of the campaign and ADMINs may; only storytellers and ADMINs may change a tracker that only they may move.',
  mayEditSheet,
  mayEditSheet.why,
)

export const mayDefineOnCampaign = rule<OnCampaign>(
  'The storytellers of the campaign and ADMINs may.',
  ({ campaign }) => campaign.isStoryteller,
  notStoryteller,
)

/** The rest of the rules above, about a tracker that exists: a player who could change `movable_by` could take the right to move it. */
export const mayRedefine = ({ campaign }: OnOwner, { movable_by }: Pick<TrackerRow, 'movable_by'>): boolean =>
  campaign.isStoryteller || movable_by !== 'STORYTELLER'

/** Returns true if the acting user may move the tracker. A character's player may move everything on its sheet that is not reserved for storytellers. */
export function mayMove({ actor, campaign, character }: OnOwner, { movable_by }: Pick<TrackerRow, 'movable_by'>): boolean {
  if (campaign.isStoryteller) return true
  if (movable_by === 'STORYTELLER') return false
  return character?.user_id === actor.id || (movable_by === 'MEMBERS' && campaign.isMember)
}

/** The reason why the acting user may not move a tracker that they see. */
export function whyNotMove(context: OnOwner, { movable_by }: Pick<TrackerRow, 'movable_by'>): Denial {
  if (movable_by === 'STORYTELLER') return notStoryteller(context)
  return { reason: movable_by === 'MEMBERS' ? 'not_a_member' : 'not_your_character' }
}

type OnSheet = OnCharacter & Parameters<typeof mayChangeTraits>[0]

export const mayAdjust = rule<OnSheet, Pick<CharacterAdjust, 'traits'>>(
  'The storytellers of the campaign and ADMINs may adjust traits, and the player of the character if `trait_changes` of the campaign is ANYONE; each tracker may be moved by the users whom its `movable_by` names, and by storytellers and ADMINs.',
  (context, { traits }) => traits === undefined || mayChangeTraits(context),
  mayChangeTraits.why,
)

/**
 * Returns a tracker as a reader sees it: players see no value of a NAME_ONLY tracker, and nothing from which the value follows. Their version counts only what they
 * saw change, also after the value is shown again: it would otherwise say how often the value had moved.
 */
export const shownTo =
  ({ isStoryteller }: Pick<CampaignAccess, 'isStoryteller'>) =>
  ({ hidden_changes, ...row }: TrackerRow): Tracker => {
    if (isStoryteller) return row
    const version = row.version - hidden_changes
    return row.visibility === 'NAME_ONLY' ? { ...row, value: null, start: null, version } : { ...row, version }
  }

/** The fields of a NAME_ONLY tracker that players do not see. */
const HIDDEN_FIELDS = ['value', 'start']

/** True if a change of a tracker changes nothing that players see. */
export function isHiddenChange(before: TrackerRow, patch: Partial<TrackerRow>): boolean {
  const { visibility } = before
  if (visibility === 'OPEN') return false
  const changed = Object.entries(patch).flatMap(([name, value]) => (value === before[name as keyof TrackerRow] ? [] : [name]))
  return (
    changed.length > 0 &&
    (visibility === 'STORYTELLER' ? !changed.includes('visibility') : changed.every((name) => HIDDEN_FIELDS.includes(name)))
  )
}

export type Definition = Omit<TrackerSet, 'label' | 'start' | 'movable_by'> & Pick<TrackerRow, 'label' | 'start' | 'movable_by'>

/** Fills in the defaults that depend on other fields. */
export function definitionOf(key: string, body: TrackerSet, { character }: Pick<OnOwner, 'character'>): Definition {
  const { label = key, start = body.maximum ?? body.value } = body
  const mover = body.visibility === 'OPEN' && character ? 'PLAYER' : 'STORYTELLER'
  return { ...body, label, start, movable_by: body.movable_by ?? mover }
}

/** Adds to a patch the changes that it implies: a start that was the maximum stays the maximum, and only storytellers move a hidden value. */
export function completed(before: TrackerRow, patch: TrackerPatch): TrackerPatch {
  const hides = patch.visibility !== undefined && patch.visibility !== 'OPEN' && patch.movable_by === undefined
  const followed = before.start === before.maximum && patch.start === undefined ? patch.maximum : undefined
  return { ...patch, ...(hides && { movable_by: 'STORYTELLER' as const }), ...(typeof followed === 'number' && { start: followed }) }
}

/** Rejects to define a tracker that the ruleset of the campaign defines. */
export const refuseRuled = ({ key, by_ruleset }: Pick<TrackerRow, 'key' | 'by_ruleset'>): void => {
  if (by_ruleset)
    conflict(
      'defined_by_ruleset',
      `The ruleset of the campaign defines ${key}, and its limits. It can be moved, but not replaced or deleted.`,
    )
}

/** The fields of a tracker that its ruleset decides. */
const RULED_FIELDS = ['minimum', 'maximum', 'start', 'movable_by'] as const

/** Rejects a patch of what a ruleset decides. Its look and its visibility are free. */
export function refuseRuledPatch(row: TrackerRow, patch: TrackerPatch): void {
  if (RULED_FIELDS.some((field) => patch[field] !== undefined)) refuseRuled(row)
}

/** Returns the faults of fields that depend on each other, which the schema cannot express. */
export function faultsOf(tracker: Definition, { character }: Pick<OnOwner, 'character'>): Fault[] {
  const { value, start, minimum, maximum, visibility, movable_by } = tracker
  const faults: Fault[] = []
  const highest = maximum ?? MAX_VALUE
  const range = `must be between ${minimum} and ${highest}`
  if (highest <= minimum)
    faults.push({
      field: maximum === null ? 'minimum' : 'maximum',
      message: `must leave a range: ${highest} is not above the minimum ${minimum}`,
    })
  else {
    if (value < minimum || value > highest) faults.push({ field: 'value', message: range })
    if (start < minimum || start > highest) faults.push({ field: 'start', message: range })
  }
  if (visibility === 'STORYTELLER' && character?.type === 'PLAYER')
    faults.push({ field: 'visibility', message: 'must be OPEN or NAME_ONLY: only campaigns and NPCs have hidden trackers' })
  if (visibility !== 'OPEN' && movable_by !== 'STORYTELLER')
    faults.push({ field: 'movable_by', message: `must be STORYTELLER, because the visibility is ${visibility}` })
  if (!character && movable_by === 'PLAYER')
    faults.push({ field: 'movable_by', message: 'must be STORYTELLER or MEMBERS: a campaign has no player' })
  return faults
}

export function refuseUnfit(tracker: Definition, owner: Pick<OnOwner, 'character'>): void {
  const faults = faultsOf(tracker, owner)
  if (faults.length) invalid(faults)
}

export function refuseUnclear({ by, to }: TrackerAdjust): void {
  if (by === undefined && to === undefined) invalid([{ field: 'by', message: 'is required, unless `to` is sent' }])
  if (by !== undefined && to !== undefined) invalid([{ field: 'to', message: 'must not be sent together with `by`' }])
}

export function refuseNothing({ traits, trackers }: CharacterAdjust): void {
  if (!traits && !trackers) invalid([{ field: 'body', message: 'must have traits, trackers or both' }])
}

interface Range {
  value: number
  minimum: number
  maximum: number
}

/** Returns the target if it lies in the range, else with `clamp` the nearest limit. Only users who see the value get here, so the message may say it. */
function within(name: string, target: number, { value, minimum, maximum }: Range, clamp: boolean): number {
  if (target >= minimum && target <= maximum) return target
  // A limit that follows from the sheet may have moved past the value. Such a value may come back step by step.
  if ((target > maximum && target < value) || (target < minimum && target > value)) return target
  if (clamp) return Math.min(Math.max(target, minimum), maximum)
  return conflict(
    'out_of_range',
    `${name} is ${value} and must stay between ${minimum} and ${maximum}. Nothing was changed. Send clamp: true to stop at the limit.`,
  )
}

/** Returns the value that an adjustment gives to a tracker. */
export const movedTo = (
  { key, value, minimum, maximum }: Pick<TrackerRow, 'key' | 'value' | 'minimum' | 'maximum'>,
  { by = 0, to = value + by, clamp }: Pick<TrackerAdjust, 'by' | 'to' | 'clamp'>,
): number => within(key, to, { value, minimum, maximum: maximum ?? MAX_VALUE }, clamp)

/** Returns the values that traits get. A trait that the character does not have is rejected: it is more often misspelled than new. */
export function adjustedTraits(traits: Record<string, number>, deltas: Record<string, number>, clamp: boolean): Record<string, number> {
  const unknown = Object.keys(deltas).filter((name) => traitOf(traits, name) === null)
  if (unknown.length)
    invalid(unknown.map((name) => ({ field: `traits.${name}`, message: 'is not a trait of the character. Set it with PATCH first' })))
  return Object.fromEntries(
    Object.entries(deltas).map(([name, by]) => {
      const value = traitOf(traits, name) as number
      return [name, within(`The trait ${name}`, value + by, { value, minimum: -MAX_VALUE, maximum: MAX_VALUE }, clamp)]
    }),
  )
}

type Bounded = Pick<TrackerRow, 'value' | 'minimum' | 'maximum'>
const isFull = ({ value, maximum }: Bounded) => value === maximum
const isEmpty = ({ value, minimum }: Bounded) => value === minimum

export interface TrackerChange {
  before: TrackerRow
  after: TrackerRow
}

/** The events of a change that reaches a bound. A tracker that starts at one has not reached it. */
export function boundEvents(change: TrackerChange): EventDraft<'tracker.filled' | 'tracker.emptied'>[] {
  const { before, after } = change
  return [
    ...(isFull(after) && !isFull(before) ? [{ ...change, type: 'tracker.filled' as const }] : []),
    ...(isEmpty(after) && !isEmpty(before) ? [{ ...change, type: 'tracker.emptied' as const }] : []),
  ]
}

/** The events of moved trackers, in their order, with the reason that the caller gave. */
export const moveEvents = (changes: TrackerChange[], reason: string | undefined) =>
  changes
    .flatMap((change) => [{ ...change, type: 'tracker.adjusted' as const }, ...boundEvents(change)])
    .map(
      (event): EventDraft<'tracker.adjusted' | 'tracker.filled' | 'tracker.emptied'> => ({
        ...event,
        ...(reason !== undefined && { reason }),
      }),
    )

type Traits = { traits: Record<string, number> }

/** Splits a change of several traits into changes of one trait each, so that each has an event of its own. */
export function traitChanges<Row extends Traits>({ before, after }: { before: Row; after: Row }): { before: Row; after: Row }[] {
  let current = before
  const names = Object.keys(after.traits).sort()
  return names.flatMap((name) => {
    const [from, to] = [traitOf(current.traits, name), traitOf(after.traits, name)]
    if (to === null || from === to) return []
    const change = { before: current, after: { ...after, traits: { ...current.traits, [name]: to } } }
    current = change.after
    return [change]
  })
}
