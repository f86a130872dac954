import { compareRulesets } from '@guildhall/rules/ruleset/compare'
import type { RulesetDocument } from '@guildhall/rules/ruleset/document'
import type { Sheet } from '@guildhall/rules/ruleset/sheet'
import { MAX_FAULTS } from '../../core/problem.ts'
import type { Db } from '../../db/client.ts'
import { checkDocument, faultsOfCarrying, faultsToPublish, MAX_COST } from '../rulesets/check.ts'
import { shownSheet } from '../rulesets/sheet.ts'
import {
  MAX_CHANGES,
  MAX_EXAMPLE_FAULTS,
  MAX_SAMPLE_FAULTS,
  type RulesetValidate,
  type ValidatedRuleset,
} from '../rulesets/validate-schema.ts'
import { readText } from './queries.ts'

/** Lists what a document changes. The earlier one may be a draft that is too faulty to be compared. */
function changesSince(text: string, document: RulesetDocument) {
  const previous = JSON.parse(text) as RulesetDocument
  return checkDocument(previous).ruleset ? compareRulesets(previous, document).slice(0, MAX_CHANGES) : []
}

/** Says everything about a document that can be known without a campaign. Nothing is stored. */
export async function validateRuleset(db: Db, company_id: string, body: RulesetValidate): Promise<ValidatedRuleset> {
  const { document, previous_version_id, samples = [] } = body
  const previous = previous_version_id && (await readText(db, { company_id, id: previous_version_id }))
  const checked = checkDocument(document)
  const { ruleset, warnings, examples, cost, formulas } = checked
  const faults = [...checked.faults, ...faultsOfCarrying(previous, checked)].slice(0, MAX_FAULTS)
  const count = (part: object | undefined) => (ruleset ? Object.keys(part ?? {}).length : 0)
  const { traits, derived, rolls } = document as RulesetDocument
  return {
    valid: faults.length === 0 && faultsToPublish(checked).length === 0,
    faults,
    warnings,
    cost: { derivation: cost, most: MAX_COST },
    counts: { traits: count(traits), derived: count(derived), rolls: count(rolls), formulas },
    examples: examples.map(({ name, holds, faults: differences }) => ({ name, holds, faults: differences.slice(0, MAX_EXAMPLE_FAULTS) })),
    samples: ruleset ? samples.map((sample) => shownSheet(ruleset, sample as Sheet, { maxFaults: MAX_SAMPLE_FAULTS })) : [],
    changes: ruleset && previous ? changesSince(previous, ruleset.document) : [],
  }
}
