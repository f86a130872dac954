import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluate } from '@guildhall/dice/evaluate'
import { parse } from '@guildhall/dice/notation'
import { compileRuleset, type Ruleset } from './compile.ts'
import { MAX_VALUES_READ } from './compile-roll.ts'
import type { RulesetDocument } from './document.ts'
import { KeptValues, SheetRoll } from './roll.ts'

type Roll = NonNullable<RulesetDocument['rolls']>[string]

const traits = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`trait_${i}`, { group: i < 5 ? 'few' : 'many' }]))
const document = (roll: Pick<Roll, 'dice'> & Partial<Roll>) => ({
  format: 1 as const,
  name: 'Test',
  source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
  groups: { all: {}, few: { of: 'all', min: 0, max: 9 }, many: { of: 'all', min: 0, max: 9 } },
  traits,
  tables: {
    steps: [
      [0, 1],
      [5, 3],
    ] as [number, number][],
  },
  choices: { job: { values: { pay: 1 }, options: { cook: {}, sailor: { values: { pay: 4 } } } } },
  trackers: { luck: { max: 5 } },
  rolls: { test: { outcomes: [{ when: 'is(job, sailor) and score > trait_1', code: 'good' }, { code: 'bad' }], ...roll } },
})

test('a roll keeps every value that its formulas read, and comes to the same result with them alone', () => {
  const inputs = { skill: { trait: 'many' }, way: { choice: { fast: 'Fast', slow: 'Slow' }, default: 'fast' } }
  const roll = {
    inputs,
    spends: { push: { tracker: 'luck', amount: 1, most: 3 } },
    values: { pool: 'skill + push + sum(few) + steps(trait_0)' },
    dice: [{ when: 'is(way, slow)', dice: { slow: '{pool}d6' } }, { dice: { fast: '{pool}d10', more: '1d{4 + job.pay}' } }],
    score: 'best(fast) + added(more) + luck.max',
  }
  const { ruleset, faults } = compileRuleset(document(roll))
  assert.deepEqual(faults, [])
  const rules = ruleset as Ruleset
  const sheet = { traits: { trait_0: 7, trait_1: 2, trait_9: 3 }, choices: { job: 'sailor' } }
  const first = new SheetRoll(rules, rules.rolls.get('test') as never, sheet, { inputs: { skill: 'trait_9' }, spends: { push: 2 } })
  const { read, choices, inputs: answers } = first.resolved
  assert.deepEqual(read, {
    ...{ trait_0: 7, trait_1: 2, trait_2: 0, trait_3: 0, trait_4: 0, trait_9: 3 },
    ...{ 'job.pay': 4, 'luck.max': 5, push: 2, pool: 17 },
  })
  assert.deepEqual(choices, { job: 'sailor' })
  const again = new SheetRoll(rules, rules.rolls.get('test') as never, new KeptValues(rules, { read, choices }), {
    inputs: answers,
    spends: { push: read.push as number },
  })
  assert.deepEqual(again.resolved, first.resolved)
  const { dice, value } = evaluate(parse(first.resolved.notation), (sides) => Math.floor(sides / 2))
  assert.deepEqual(again.judge(dice, value), first.judge(dice, value))
  assert.equal(again.judge(dice, value).code, 'good')
})

test('a roll that reads too many values is refused, and may read their sum', () => {
  const { faults } = compileRuleset(document({ dice: { all: '1d6' }, score: 'sum(many)' }))
  assert.deepEqual(
    faults.map(({ field }) => field),
    ['rolls.test.values'],
  )
  assert.match(faults[0]?.message ?? '', new RegExp(`may use ${MAX_VALUES_READ}`))
  const derived = { ...document({ dice: { all: '1d6' }, score: 'total_of_many' }), derived: { total_of_many: { formula: 'sum(many)' } } }
  assert.deepEqual(compileRuleset(derived).faults, [])
})
