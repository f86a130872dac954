import { suggestNearest } from '@guildhall/rules/formula/read'
import { compileRuleset, MAX_DERIVATION_COST, type Ruleset } from '@guildhall/rules/ruleset/compile'
import { RulesetDocument } from '@guildhall/rules/ruleset/document'
import { type ExampleResult, tryExamples } from '@guildhall/rules/ruleset/examples'
import { faultsOfUpgrade } from '@guildhall/rules/ruleset/upgrade'
import { lazy } from '../../core/lazy.ts'
import { type Fault, MAX_FAULTS, shortened } from '../../core/problem.ts'
import { shapeFaults } from '../../http/request/validate.ts'

/** A document, and everything that can be said about it without a sheet. */
export interface CheckedDocument {
  /** The ruleset, if its shape, names and formulas are right. Its examples may fail all the same. */
  ruleset: Ruleset | undefined
  faults: Fault[]
  warnings: Fault[]
  examples: ExampleResult[]
  cost: number
  formulas: number
}

const faultsOfShape = lazy(() => shapeFaults(RulesetDocument, (name, known) => `is not an accepted field${suggestNearest(name, known)}`))

/** A real game has some thousand values. Each value in a wrong place is a fault to be found, and a request must not hold up others. */
const MAX_VALUES = 50_000

/** Counts the values in a document, up to a limit. */
function countValues(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const inner of Object.values(value)) {
    count += countValues(inner, most - count)
    if (count > most) return count
  }
  return count
}

/** Checks a document: its shape, then its names and formulas, then its examples. Only a document that passes one check is given to the next. */
export function checkDocument(document: object): CheckedDocument {
  const nothing = { ruleset: undefined, warnings: [], examples: [], cost: 0, formulas: 0 }
  if (countValues(document, MAX_VALUES) > MAX_VALUES)
    return { ...nothing, faults: [{ field: 'document', message: `must have at most ${MAX_VALUES} values` }] }
  const faults = faultsOfShape(document).map((fault) => shortened(fault))
  if (faults.length) return { ...nothing, faults }
  const compiled = compileRuleset(document as RulesetDocument)
  if (!compiled.ruleset) return { ...compiled, examples: [], faults: compiled.faults.map((fault) => shortened(fault)) }
  return { ...compiled, examples: tryExamples(compiled.ruleset) }
}

/** The faults of how a document carries over the sheets of the version before it. */
export function faultsOfCarrying(before: string | undefined, { ruleset }: CheckedDocument): Fault[] {
  const previous = before && ruleset?.document.upgrade ? checkDocument(JSON.parse(before)).ruleset : undefined
  return previous && ruleset ? faultsOfUpgrade(previous, ruleset.document).map((fault) => shortened(fault)) : []
}

/** Everything that keeps a document from being published: its faults, and those of its examples. */
export const faultsToPublish = ({ faults, examples }: CheckedDocument): Fault[] =>
  [
    ...faults,
    ...examples.flatMap((example, i) => example.faults.map(({ field, message }) => ({ field: `examples.${i}.expect.${field}`, message }))),
  ].slice(0, MAX_FAULTS)

export const MAX_COST = MAX_DERIVATION_COST
