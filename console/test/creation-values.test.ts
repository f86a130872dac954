import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { compileRuleset } from '../../rules/src/ruleset/compile.ts'
import { pricesIn, rangeIn as rangeByEngine, traitsIn } from '../../rules/src/ruleset/creation.ts'
import { type CreationDocument, type Method, rangeIn, traitsOf } from '../src/pages/creation/document.ts'
import { priceOf, pricesOf } from '../src/pages/creation/prices.ts'
import { sortFaults } from '../src/pages/creation/sort-faults.ts'
import { assigned, filled, valuesLeft } from '../src/pages/creation/steps/given-values.ts'

const packs = new URL('../../packs/', import.meta.url)

test('traits, ranges and prices of every step of every pack are those of the engine', () => {
  let priced = 0
  for (const file of readdirSync(packs).filter((name) => name.endsWith('.json'))) {
    const document = JSON.parse(readFileSync(new URL(file, packs), 'utf8'))
    const { ruleset } = compileRuleset(document)
    assert.ok(ruleset, file)
    for (const compiled of ruleset.creation.flatMap(({ methods }) => methods)) {
      const method = compiled.method as Method
      const traits = traitsOf(document as CreationDocument, method)
      assert.deepEqual(traits, traitsIn(compiled), file)
      const price = method.kind === 'points' ? pricesOf(document, method) : undefined
      const expected = pricesIn(ruleset, compiled, {})
      for (const trait of traits) {
        const range = rangeIn(document, method, trait)
        assert.deepEqual(range, rangeByEngine(ruleset, compiled, trait), `${file} ${trait}`)
        for (let value = range.min; price && value <= range.max; value++, priced++)
          assert.equal(price(trait, value), expected(trait, value), `${file}: ${trait} at ${value}`)
      }
    }
  }
  assert.ok(priced > 100, `${priced} prices`)
})

test('a price is a number, a multiple or a table, and no other formula is guessed', () => {
  const tables: CreationDocument['tables'] = {
    steps: [
      [2, 1],
      [4, 5],
    ],
  }
  const at = (formula: string | number, value: number) => priceOf(formula, tables)?.(value)
  assert.deepEqual(
    ['value', '-value', 3, '2 * value', 'value*-3'].map((formula) => at(formula, 4)),
    [4, -4, 3, 8, -12],
  )
  assert.deepEqual(
    [0, 2, 3, 4, 9].map((value) => at('steps(value)', value)),
    [1, 1, 1, 5, 5],
  )
  assert.equal(at('-steps(value)', 4), -5)
  for (const formula of ['value * value', 'value + 1', 'toString(value)', 'unknown(value)', 'if(value > 2, 1, 0)', 'might'])
    assert.equal(priceOf(formula, tables), undefined, formula)
})

test('values are given once each, swapped, taken back and filled', () => {
  const given = [3, 2, 2, 0]
  const one = assigned(given, {}, 'lore', 3)
  assert.deepEqual(valuesLeft(given, one), [2, 2, 0])
  assert.deepEqual(assigned(given, one, 'might', 3), { might: 3 }, 'the last 3 leaves the other trait without a value')
  const two = assigned(given, one, 'might', 2)
  assert.deepEqual(assigned(given, two, 'might', 3), { lore: 2, might: 3 }, 'the two swap')
  assert.deepEqual(assigned(given, two, 'luck', 2), { lore: 3, might: 2, luck: 2 }, 'a second 2 is there')
  assert.deepEqual(assigned(given, two, 'lore', undefined), { might: 2 })
  assert.deepEqual(filled(given, two, ['lore', 'might', 'luck', 'wits']), { lore: 3, might: 2, luck: 2, wits: 0 })
})

test('faults are sorted by trait', () => {
  const traits = { animal_ken: { label: 'Animal Ken', group: 'skills' } }
  assert.deepEqual(sortFaults(['animal_ken must be 0 to 5', 'costs 6 of 5', 'toString is not set'], { traits }), {
    byTrait: { animal_ken: 'Animal Ken must be 0 to 5.' },
    others: ['Costs 6 of 5.', 'ToString is not set.'],
  })
})
