import type { Ruleset } from '@guildhall/rules/ruleset/compile'
import { deriveSheet, type Sheet } from '@guildhall/rules/ruleset/sheet'
import { shortened } from '../../core/problem.ts'

/** Computes a sheet as a reply shows it. */
export function shownSheet(ruleset: Ruleset, sheet: Sheet, { isPlayer = true, maxFaults }: { isPlayer?: boolean; maxFaults: number }) {
  const { faults, ...derived } = deriveSheet(ruleset, sheet, { isPlayer })
  return { ...derived, faults: faults.slice(0, maxFaults).map((fault) => ({ ...shortened(fault, 500), level: fault.level })) }
}
