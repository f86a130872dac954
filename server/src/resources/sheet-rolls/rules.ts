import type { Ruleset } from '@guildhall/rules/ruleset/compile'
import { type ResolvedRoll, RollFault, type RollRequest, SheetRoll } from '@guildhall/rules/ruleset/roll'
import type { Sheet } from '@guildhall/rules/ruleset/sheet'
import { conflict, invalid, notFound } from '../../core/problem.ts'
import type { NamedRoll } from '../dice-rolls/result.ts'
import type { TrackerRow } from '../trackers/schema.ts'
import type { NamedRolls } from './schema.ts'

/** A roll of a ruleset that was found by its name. */
export interface FoundRoll {
  ruleset: Ruleset
  version_id: string
  name: string
}

const compiledOf = ({ ruleset, name }: FoundRoll) => ruleset.rolls.get(name) ?? notFound('Roll')

/** Prepares a roll for a sheet, or rejects inputs and spends that do not fit it. */
export function sheetRollFor(found: FoundRoll, sheet: Sheet, request: RollRequest): SheetRoll {
  try {
    return new SheetRoll(found.ruleset, compiledOf(found), sheet, request)
  } catch (error) {
    if (error instanceof RollFault) return invalid(error.faults)
    throw error
  }
}

/** True if a roll reads or pays with more than the sheet: trackers, experience or the campaign. */
export const usesSurroundings = (found: FoundRoll, { spends = {} }: RollRequest): boolean =>
  Object.keys(spends).length > 0 || compiledOf(found).reads.numbers.some((name) => found.ruleset.moving.has(name))

/** The keys of the trackers that a request pays with, those of the character and those of the campaign. Spends that do not fit are rejected later. */
export function paidTrackers(found: FoundRoll, { spends = {} }: RollRequest): { ofCharacter: string[]; ofCampaign: string[] } {
  const known = compiledOf(found).roll.spends ?? {}
  const isPaid = (name: string, times: number) => Object.hasOwn(known, name) && times > 0 && times <= (known[name]?.most ?? 0)
  const paid = Object.entries(spends).flatMap(([name, times]) => (isPaid(name, times) ? (known[name]?.tracker ?? []) : []))
  const keys = [...new Set(paid)]
  const isOfCampaign = (key: string) => found.ruleset.trackers.get(key)?.ofCampaign === true
  return { ofCharacter: keys.filter((key) => !isOfCampaign(key)), ofCampaign: keys.filter(isOfCampaign) }
}

/** Returns the value of a tracker after the payment. Only users who see the value pay with it, so the message may say it. */
export function paidFrom(
  { key, value, minimum, maximum }: Pick<TrackerRow, 'key' | 'value' | 'minimum' | 'maximum'>,
  move: number,
): number {
  const target = value + move
  if (target >= minimum && (maximum === null || target <= maximum)) return target
  const limit = target < minimum ? `at least ${minimum}` : `at most ${maximum}`
  return conflict(
    'tracker_exhausted',
    `${key} is ${value} and must stay ${limit}, but the roll would move it by ${move}. Nothing was rolled.`,
  )
}

/** The roll as dice-rolls makes it. The traits that were chosen for it count in statistics. */
export function namedRollOf({ ruleset, version_id, name }: FoundRoll, roll: SheetRoll): NamedRoll {
  const { inputs, read, choices } = roll.resolved
  const document = ruleset.document.rolls?.[name]
  const chosen = Object.entries(document?.inputs ?? {}).flatMap(([input, { trait }]) => {
    const answer = trait === undefined ? undefined : inputs[input]
    return answer === undefined ? [] : [String(answer)]
  })
  return {
    version_id,
    roll: name,
    inputs,
    values: read,
    choices,
    title: document?.label ?? name,
    traits: [...new Set(chosen)].map((trait) => ({ name: trait, value: read[trait] as number, source: 'TRAIT' })),
    judge: (dice, value) => roll.judge(dice, value),
  }
}

/** Rejects a public roll with a value that not everybody sees: anybody could read it from the result. */
export function refuseSecretValues(shown: Pick<ResolvedRoll, 'read'>, open: Pick<ResolvedRoll, 'read'>): void {
  const secret = Object.keys(shown.read).find((name) => shown.read[name] !== open.read[name])
  if (secret) invalid([{ field: 'visibility', message: `must be STORYTELLER or BLIND: not everybody sees ${secret}, nor rolls with it` }])
}

/** Lists the rolls of a ruleset, with what each would roll for a sheet without any answer. */
export function listedRolls(ruleset: Ruleset, sheet: Sheet): NamedRolls {
  const items = [...ruleset.rolls].map(([id, compiled]) => {
    const { label = id, description = null, inputs = {}, spends = {} } = compiled.roll
    return { id, label, description, inputs, spends, notation: notationOf(() => new SheetRoll(ruleset, compiled, sheet)) }
  })
  return { items }
}

function notationOf(resolve: () => SheetRoll): string | null {
  try {
    return resolve().resolved.notation
  } catch (error) {
    if (error instanceof RollFault) return null
    throw error
  }
}
