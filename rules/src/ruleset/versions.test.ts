import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { compareRulesets } from './compare.ts'
import { compileRuleset, type Ruleset } from './compile.ts'
import type { RulesetDocument } from './document.ts'
import { faultsOfUpgrade, upgradeSheet } from './upgrade.ts'

const pool = (): RulesetDocument => JSON.parse(readFileSync(new URL('../../../packs/d10-pool.json', import.meta.url), 'utf8'))
const before = compileRuleset(pool()).ruleset as Ruleset

/** The changes that an edit of the pack makes. */
function changesOf(edit: (document: RulesetDocument) => void): string[] {
  const after = pool()
  edit(after)
  return compareRulesets(pool(), after).map(({ field, kind, breaking }) => `${kind} ${field}${breaking ? '!' : ''}`)
}

test('versions are compared, and what breaks sheets or clients is marked', () => {
  assert.deepEqual(
    changesOf(() => {}),
    [],
  )
  assert.deepEqual(
    changesOf(({ traits, derived }) => {
      delete traits.fighting
      traits.dancing = { group: 'skills' }
      Object.assign(traits.might ?? {}, { max: 4 })
      Object.assign(derived?.resolve ?? {}, { formula: 'focus' })
    }),
    ['REMOVED traits.fighting!', 'ADDED traits.dancing', 'NARROWED traits.might.max!', 'CHANGED derived.resolve'],
  )
  assert.deepEqual(
    changesOf((document) => {
      delete document.traits.fighting
      document.traits.brawling = { group: 'skills' }
      document.upgrade = { rename: { fighting: 'brawling' } }
    }),
    ['REMOVED traits.fighting', 'ADDED traits.brawling'],
  )
  assert.deepEqual(
    changesOf(({ choices, conditions, rolls }) => {
      delete choices?.concept?.options.keeper
      Object.assign(conditions?.poisoned ?? {}, { most: 2 })
      Object.assign(rolls?.test?.inputs ?? {}, { place: { number: { min: 0, max: 3 } } })
      rolls?.test?.outcomes.shift()
    }),
    [
      'REMOVED choices.concept.options.keeper!',
      'NARROWED conditions.poisoned.most!',
      'ADDED rolls.test.inputs.place!',
      'REMOVED rolls.test.outcomes.botch!',
      'CHANGED rolls.test',
    ],
  )
})

test('an upgrade renames, drops and converts, and cuts nothing', () => {
  const after = pool()
  delete after.traits.fighting
  after.traits.brawling = { group: 'skills', max: 100 }
  after.upgrade = {
    rename: { shooting: 'marksmanship', 'concept.soldier': 'concept.fixer', shaken: 'scared' },
    drop: ['driving'],
    convert: { brawling: 'fighting * 20 + might' },
  }
  const sheet = {
    traits: { fighting: 2, might: 3, shooting: 1, driving: 4 },
    choices: { concept: 'soldier' },
    conditions: { shaken: 1 },
    trackers: { nerve: 2 },
  }
  assert.deepEqual(upgradeSheet(before, after, sheet), {
    traits: { fighting: 2, might: 3, marksmanship: 1, brawling: 43 },
    choices: { concept: 'fixer' },
    conditions: { scared: 1 },
    trackers: { nerve: 2 },
  })
  assert.deepEqual(faultsOfUpgrade(before, after), [])
})

test('an upgrade that renames two to one, or reads what was not there, has faults', () => {
  const after = pool()
  after.upgrade = { rename: { fighting: 'brawling', shooting: 'brawling' }, convert: { lore: 'lor * 2', dancing: '1' } }
  assert.deepEqual(
    faultsOfUpgrade(before, after).map(({ field, message }) => `${field}: ${message}`),
    [
      'upgrade.rename.shooting: fighting becomes brawling, too',
      'upgrade.convert.lore: at position 1: there is no lor here: did you mean lore?',
      'upgrade.convert.dancing: there is no trait dancing',
    ],
  )
})
