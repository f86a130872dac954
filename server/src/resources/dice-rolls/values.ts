import { nearestTo } from '@guildhall/rules/nearest'
import type { Fault } from '../../core/problem.ts'
import { traitOf } from '../characters/rules.ts'
import type { Requested } from './request-rules.ts'
import type { DiceRollRow } from './schema.ts'

/** A tracker as a roll uses it. */
export interface NamedTracker {
  key: string
  value: number
  maximum: number | null
  /** False if some users who see the roll do not see the value of the tracker. */
  isOpen: boolean
}

export type UsedValue = DiceRollRow['values'][number]

/** Everything that a name may stand for, as far as the roller sees it. */
export interface Nameable {
  inputs: Record<string, number>
  traits: Record<string, number>
  /** Those of the character before those of the campaign. */
  trackers: NamedTracker[]
}

const MAXIMUM = /\.max$/

/** The key of the tracker that a name refers to: `hp` for `hp.max`. */
export const trackerKeyOf = (name: string) => name.replace(MAXIMUM, '')

/** Finds the value of a name: of an input, a trait, or a tracker, in this order. */
export function namedValue({ inputs, traits, trackers }: Nameable, name: string): UsedValue | null {
  if (Object.hasOwn(inputs, name)) return { name, value: inputs[name] as number, source: 'INPUT' }
  const trait = traitOf(traits, name)
  if (trait !== null) return { name, value: trait, source: 'TRAIT' }
  const key = trackerKeyOf(name)
  const tracker = trackers.find((one) => one.key === key)
  const value = tracker && (key === name ? tracker.value : tracker.maximum)
  return value == null ? null : { name, value, source: 'TRACKER' }
}

/** The keys of the trackers that names may refer to. */
export const trackerKeysOf = ({ rolls }: Requested): string[] => [...new Set(rolls.flatMap(({ names }) => names.map(trackerKeyOf)))]

/** The names in a request that are not inputs, and so belong to a sheet. */
export function sheetNamesOf({ rolls }: Requested, inputs: Record<string, number>): string[] {
  const sheetNames = new Set<string>()
  for (const { names } of rolls) for (const name of names) if (!Object.hasOwn(inputs, name)) sheetNames.add(name)
  return [...sheetNames]
}

/** The fault of a name that belongs to a sheet, in a request without a character and a campaign. */
export function namesWithoutSheet(
  requested: Requested,
  { values = {}, missing }: { values?: Record<string, number>; missing?: string },
): Fault[] {
  const [name] = sheetNamesOf(requested, values)
  return name === undefined || missing === 'ZERO'
    ? []
    : [{ field: 'character_id', message: `is required for ${name}, unless it is in values` }]
}

/** Everything that a name could have been, for the message about one that is unknown. */
function knownNames({ inputs, traits, trackers }: Nameable): string[] {
  const keys = trackers.flatMap(({ key, maximum }) => (maximum === null ? [key] : [key, `${key}.max`]))
  return [...new Set([...Object.keys(inputs), ...Object.keys(traits), ...keys])]
}

/** The faults of the names that stand for nothing which the roller may see, with the nearest names that do. */
export function unknownNames({ rolls }: Requested, known: Nameable): Fault[] {
  const names = knownNames(known)
  return rolls.flatMap(({ path, pool, names: used }) =>
    used
      .filter((name) => !namedValue(known, name))
      .map((name) => {
        const field = pool ? (pool.traits?.includes(name) ? 'pool.traits' : 'pool.special.count') : 'notation'
        const nearest = nearestTo(name, names)
        const hint = nearest.length ? `Did you mean ${nearest.join(', ')}?` : 'Send it in values, or send missing: "ZERO" to count it as 0.'
        return { field: `${path}${field}`, message: `has the unknown name ${name}. ${hint}` }
      }),
  )
}

type ShownValues = Pick<DiceRollRow, 'values' | 'pool'> & Partial<Pick<DiceRollRow, 'ruleset'>>

/** True if the roll shows values of a sheet: as every roll of a ruleset does. Rolls of earlier versions have the traits of a pool only there. */
export const usesSheet = ({ values, pool, ruleset }: ShownValues): boolean =>
  ruleset != null || values.some(({ source }) => source !== 'INPUT') || (values.length === 0 && Boolean(pool?.traits.length))
