import { compile } from '../formula/compute.ts'
import { readFormula } from '../formula/read.ts'
import { FormulaFault } from '../formula/scanner.ts'
import { type Ruleset, scopeOf } from './compile.ts'
import type { RulesetDocument } from './document.ts'
import type { Fault } from './faults.ts'
import { MAX_STORED } from './fields.ts'
import { type Sheet, SheetValues } from './sheet.ts'

/** Checks the upgrade of a version against the version before it. */
export function faultsOfUpgrade(before: Ruleset, after: RulesetDocument): Fault[] {
  const { rename = {}, convert = {} } = after.upgrade ?? {}
  const faults: Fault[] = []
  const targets = new Map<string, string>()
  for (const [from, to] of Object.entries(rename)) {
    const other = targets.get(to)
    if (other) faults.push({ field: `upgrade.rename.${from}`, message: `${other} becomes ${to}, too` })
    targets.set(to, from)
  }
  for (const [name, formula] of Object.entries(convert)) {
    const field = `upgrade.convert.${name}`
    if (!Object.hasOwn(after.traits, name)) faults.push({ field, message: `there is no trait ${name}` })
    try {
      readFormula(String(formula), scopeOf(before.document, before.groups), { needs: 'number' })
    } catch (error) {
      if (!(error instanceof FormulaFault)) throw error
      faults.push({ field, message: `at position ${error.position + 1}: ${error.message}` })
    }
  }
  return faults
}

/** Turns a sheet of one version into a sheet of the next one. Values that do not fit stay, and are faults: nothing is cut silently. */
export function upgradeSheet(before: Ruleset, after: RulesetDocument, sheet: Sheet): Sheet {
  const { rename = {}, drop = [], convert = {} } = after.upgrade ?? {}
  const nameOf = (name: string) => (Object.hasOwn(rename, name) ? (rename[name] as string) : name)
  const carried = (values: Readonly<Record<string, number>> = {}): Record<string, number> =>
    Object.fromEntries(
      Object.entries(values)
        .filter(([name]) => !drop.includes(name))
        .map(([name, value]) => [nameOf(name), value]),
    )
  const choices = Object.entries(sheet.choices ?? {}).map(([slot, option]) => {
    const [newSlot = slot, newOption = option] = nameOf(`${slot}.${option}`).split('.')
    return [newSlot, newOption] as const
  })
  const traits = carried(sheet.traits)
  const values = new SheetValues(before, sheet)
  for (const [name, formula] of Object.entries(convert)) {
    const { node } = readFormula(String(formula), scopeOf(before.document, before.groups), { needs: 'number' })
    // The range of what is stored is narrower than that of formulas.
    traits[name] = Math.min(Math.max(compile(node)(values), -MAX_STORED), MAX_STORED)
  }
  return {
    ...sheet,
    traits,
    choices: Object.fromEntries(choices),
    trackers: carried(sheet.trackers),
    conditions: carried(sheet.conditions),
  }
}
