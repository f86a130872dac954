import { bounded, type Values } from '../formula/compute.ts'
import { lookUp } from '../formula/tables.ts'
import { own } from '../own.ts'
import type { Ruleset } from './compile.ts'
import type { Fault } from './faults.ts'

/** The stored values of a character that a ruleset reads. */
export interface Sheet {
  traits?: Readonly<Record<string, number>>
  choices?: Readonly<Record<string, string>>
  trackers?: Readonly<Record<string, number>>
  conditions?: Readonly<Record<string, number>>
  xp?: { earned?: number; spent?: number }
  /** Danger, desperation, and trackers of the campaign. */
  campaign?: Readonly<Record<string, number>>
}

export interface SheetFault extends Fault {
  level: 'ERROR' | 'WARNING'
}

/** The values behind the names of formulas for one sheet: stored ones, defaults, and what is computed from them. */
export class SheetValues implements Values {
  readonly #ruleset: Ruleset
  readonly #numbers: number[]
  /** Numbers that no sheet has, such as the steps of a price. */
  #others: Map<string, number> | undefined
  readonly #choices: Readonly<Record<string, string>>

  constructor(ruleset: Ruleset, sheet: Sheet) {
    this.#ruleset = ruleset
    this.#numbers = ruleset.defaults.slice()
    this.#choices = sheet.choices ?? {}
    const { conditions = {} } = ruleset.document
    for (const [name, value] of Object.entries(sheet.traits ?? {})) if (ruleset.traits.has(name)) this.set(name, value)
    for (const [name, level] of Object.entries(sheet.conditions ?? {})) if (Object.hasOwn(conditions, name)) this.set(name, level)
    this.#setValuesOfChoices(ruleset)
    const { earned = 0, spent = 0 } = sheet.xp ?? {}
    this.set('xp.earned', earned)
    this.set('xp.spent', spent)
    this.set('xp.available', earned - spent)
    this.set('campaign.danger', own(sheet.campaign, 'danger') ?? 0)
    this.set('campaign.desperation', own(sheet.campaign, 'desperation') ?? 0)
    for (const { name, compute } of ruleset.computed) {
      const tracker = ruleset.trackers.get(name)
      const moved = tracker && own(tracker.ofCampaign ? sheet.campaign : sheet.trackers, name)
      const value = moved ?? compute(this)
      this.set(name, value)
      if (tracker?.ofCampaign) this.set(`campaign.${name}`, value)
    }
  }

  /** An option sets the values that it brings. The others stand at the defaults of their choice. */
  #setValuesOfChoices({ document: { choices = {} } }: Ruleset): void {
    for (const [slot, chosen] of Object.entries(this.#choices)) {
      const { values = {}, options = {} } = own(choices, slot) ?? {}
      for (const [name, value] of Object.entries(own(options, chosen)?.values ?? {}))
        if (Object.hasOwn(values, name)) this.set(`${slot}.${name}`, value)
    }
  }

  set(name: string, value: number): void {
    const place = this.#ruleset.places.get(name)
    if (place !== undefined) this.#numbers[place] = bounded(value)
    else {
      this.#others ??= new Map()
      this.#others.set(name, bounded(value))
    }
  }

  number(name: string): number {
    const place = this.#ruleset.places.get(name)
    return (place === undefined ? this.#others?.get(name) : this.#numbers[place]) ?? 0
  }

  table(name: string, key: number): number {
    return lookUp(this.#ruleset.document.tables?.[name] ?? [], key)
  }

  chosen(slot: string): string | null {
    return own(this.#choices, slot) ?? null
  }
}

/** A sheet with everything that follows from it. */
export interface DerivedSheet {
  traits: Record<string, number>
  derived: Record<string, number>
  trackers: Record<string, { value: number; min: number; max: number }>
  conditions: Record<string, number>
  choices: Record<string, string>
  faults: SheetFault[]
}

function mapped<Value>(names: Iterable<string>, value: (name: string) => Value): Record<string, Value> {
  const found: Record<string, Value> = {}
  for (const name of names) found[name] = value(name)
  return found
}

/** Computes everything that follows from a sheet. */
export function deriveSheet(ruleset: Ruleset, sheet: Sheet, { isPlayer = true }: { isPlayer?: boolean } = {}): DerivedSheet {
  const values = new SheetValues(ruleset, sheet)
  const number = (name: string) => values.number(name)
  const { derived = {}, conditions = {} } = ruleset.document
  return {
    traits: mapped(ruleset.traits.keys(), number),
    derived: mapped(Object.keys(derived), number),
    trackers: mapped(ruleset.trackers.keys(), (name) => ({
      value: number(name),
      min: ruleset.trackers.get(name)?.min(values) ?? 0,
      max: number(`${name}.max`),
    })),
    conditions: mapped(Object.keys(conditions), number),
    choices: { ...sheet.choices },
    faults: faultsOf(ruleset, sheet, values, isPlayer),
  }
}

/** Checks a sheet. Characters of the storytellers need no choice that is required. */
function faultsOf(ruleset: Ruleset, sheet: Sheet, values: SheetValues, isPlayer: boolean): SheetFault[] {
  const faults: SheetFault[] = []
  const fault = (field: string, message: string, level: SheetFault['level'] = 'ERROR') => void faults.push({ field, message, level })
  for (const [name, value] of Object.entries(sheet.traits ?? {})) {
    const range = ruleset.traits.get(name)
    if (!range) fault(`traits.${name}`, 'is no trait of the ruleset')
    else if (value < range.min || value > range.max) fault(`traits.${name}`, `must be ${range.min} to ${range.max}`)
  }
  const { choices = {}, conditions = {} } = ruleset.document
  for (const slot of Object.keys(sheet.choices ?? {}))
    if (!Object.hasOwn(choices, slot)) fault(`choices.${slot}`, 'is no choice of the ruleset')
  for (const [slot, { required, options }] of Object.entries(choices)) {
    const option = values.chosen(slot)
    if (option === null && required && isPlayer) fault(`choices.${slot}`, 'must be chosen')
    if (option !== null && !Object.hasOwn(options, option)) fault(`choices.${slot}`, `must be one of ${Object.keys(options).join(', ')}`)
  }
  for (const [name, level] of Object.entries(sheet.conditions ?? {})) {
    const most = Object.hasOwn(conditions, name) ? (conditions[name]?.most ?? 1) : undefined
    if (most === undefined) fault(`conditions.${name}`, 'is no condition of the ruleset')
    else if (level < 0 || level > most) fault(`conditions.${name}`, `must be 0 to ${most}`)
  }
  for (const [name, tracker] of ruleset.trackers) {
    if (tracker.ofCampaign || own(sheet.trackers, name) === undefined) continue
    const [min, max] = [tracker.min(values), values.number(`${name}.max`)]
    const value = values.number(name)
    if (value < min || value > max) fault(`trackers.${name}`, `is ${value}, and its limits are ${min} and ${max}`, 'WARNING')
  }
  for (const { holds, message, level } of ruleset.checks) if (!holds(values)) fault('sheet', message, level)
  return faults
}
