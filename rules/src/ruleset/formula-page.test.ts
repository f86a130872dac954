import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { compile } from '../formula/compute.ts'
import { readFormula } from '../formula/read.ts'
import { compileRuleset } from './compile.ts'
import type { RulesetDocument } from './document.ts'
import type { Roll } from './document-rolls.ts'
import { fillFormulaPage } from './formula-page.ts'
import { BUILT_IN, OUTER_NAMES } from './names.ts'

const root = new URL('../../../', import.meta.url)
const page = readFileSync(new URL('docs/formulas.md', root), 'utf8')
const packs = new Map(
  readdirSync(new URL('packs/', root))
    .filter((file) => file.endsWith('.json'))
    .map((file) => [file, readFileSync(new URL(`packs/${file}`, root), 'utf8')]),
)
const pack = (file: string): RulesetDocument => JSON.parse(packs.get(file) as string)

/** The cells of the rows of the table on the page with these headings. */
function rowsOf(...headings: string[]): string[][] {
  const [, table = ''] = page.split(`| ${headings.join(' | ')} |\n|${'---|'.repeat(headings.length)}\n`)
  const lines =
    table
      .match(/^(\|.*\n)+/)?.[0]
      .trim()
      .split('\n') ?? []
  const rows = lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
  assert.ok(rows.length > 0, headings.join())
  return rows
}
const codeIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code as string)

test('the tables of the page are those of the manual, the names and the limits', () => {
  assert.ok(page === fillFormulaPage(page), 'docs/formulas.md is out of date. Run npm run generate.')
  assert.throws(() => fillFormulaPage(page.replace('<!-- end of limits -->', '')), /no place for limits/)
})

test('the first formulas of the page are in packs, and have the results that it shows', () => {
  for (const [, place = '', formula = '', given = '', result] of rowsOf(
    'Use',
    'Place in the document',
    'Formula',
    'For example with',
    'Result',
  )) {
    const [path = '', text = ''] = codeIn(`${place} ${formula}`)
    const found = [...packs.values()].some(
      (json) => path.split('.').reduce((at: unknown, key) => (at as Record<string, unknown> | undefined)?.[key], JSON.parse(json)) === text,
    )
    assert.ok(found, `no pack has ${text} at ${path}`)
    const numbers = new Map([...given.matchAll(/`(\w+)` (-?\d+)/g)].map(([, name, value]) => [name as string, Number(value)]))
    const dice = given.split('dice ')[1]?.split(', ').map(Number) ?? []
    const none = { tables: new Set<string>(), groups: new Map(), choices: new Map() }
    const { node } = readFormula(text, { ...none, numbers: new Set(numbers.keys()), dice: new Set() })
    const values = { number: (name: string) => numbers.get(name) as number, table: () => 0, chosen: () => null, dice: () => dice }
    assert.equal(String(compile(node)(values)), result, text)
  }
})

test('the results in the text of the page are true', () => {
  const scope = { numbers: new Set<string>(), tables: new Set<string>(), groups: new Map(), choices: new Map() }
  const stated = [...page.matchAll(/`([^`a-z]+|floor\(-1 \/ 2\))` is (-?\d+)\./g)]
  assert.equal(stated.length, 2)
  for (const [, formula = '', result] of stated)
    assert.equal(
      compile(readFormula(formula, scope).node)({ number: () => 0, table: () => 0, chosen: () => null }),
      Number(result),
      formula,
    )
})

/** The faults of the 5E compatible pack with another derived value, and a tracker of the campaign. */
const faultsWith = (formula: string) => {
  const { derived, trackers, ...rest } = pack('srd-5.2.json')
  const { faults } = compileRuleset({
    ...rest,
    derived: { ...derived, tried: { formula } },
    trackers: { ...trackers, doom: { scope: 'campaign', max: 5 } },
  })
  return faults
}

test('the names of the page can be used everywhere', () => {
  const names = rowsOf('Name', 'Value').flatMap(([name = '']) => codeIn(name))
  for (const name of names) assert.deepEqual(faultsWith(name), [], name)
  for (const name of OUTER_NAMES) assert.ok(names.includes(name), name)
  assert.equal(faultsWith('campaign.doon').length, 1)
})

test('a fault of the page is the only one of the pack with this formula', () => {
  for (const [place = '', formula = '', fault] of rowsOf('Place', 'Formula', 'Fault')) {
    const [field = '', text] = codeIn(`${place} ${formula}`)
    const document = pack('srd-5.2.json')
    const [part = '', name = '', key = ''] = field.split('.')
    const parts = document as unknown as Record<string, Record<string, Record<string, unknown>>>
    assert.ok(parts[part]?.[name]?.[key], field)
    Object.assign(parts[part]?.[name] as object, { [key]: text })
    assert.deepEqual(compileRuleset(document).faults, [{ field, message: fault }])
  }
})

test('what the page advises is in the packs', () => {
  const examples = rowsOf('You want', 'Do this', 'From the packs').flatMap(([, , example = '']) => codeIn(example))
  assert.ok(examples.length >= 7)
  for (const example of examples)
    assert.ok(
      [...packs.values()].some((json) => json.includes(example)),
      example,
    )
})

const base: RulesetDocument = {
  format: 1,
  name: 'Test',
  source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
  groups: { g: {} },
  traits: { might: { group: 'g' } },
  trackers: { nerve: { max: 3 } },
}

/** A roll that has everything that its formulas can name, with a formula in one place. */
const rolled = (parts: Partial<Roll>): Partial<RulesetDocument> => ({
  rolls: {
    test: {
      inputs: { asked: { number: { min: 0, max: 3 } } },
      spends: { paid: { tracker: 'nerve', amount: 1, most: 1 } },
      dice: { fate: '4dF' },
      outcomes: [{ code: 'done' }],
      ...parts,
      values: { above: 1, ...parts.values, below: 1 },
    },
  },
})

/** A document with a formula in each place of the page. */
const PLACES: Record<string, (formula: string) => Partial<RulesetDocument>[]> = {
  '`formula` of a derived value': (formula) => [{ derived: { tried: { formula } } }],
  '`min`, `max` or `start` of a tracker': (formula) => [
    { trackers: { ...base.trackers, tried: { max: formula } } },
    { trackers: { ...base.trackers, tried: { max: 3, min: formula } } },
    { trackers: { ...base.trackers, tried: { max: 3, start: formula } } },
  ],
  '`that` of a check': (that) => [{ checks: [{ that, message: 'no' }] }],
  '`cost` of a price': (cost) => [{ experience: { raise: [{ of: 'g', cost }] } }],
  '`needs` of a price or a trait': (needs) => [
    { experience: { raise: [{ of: 'g', cost: 1, needs }] } },
    { traits: { might: { group: 'g', needs } } },
  ],
  '`cost` of a creation step': (cost) => [
    { creation: { steps: [{ id: 'step', kind: 'points', of: 'g', budget: 3, cost }] } },
    { creation: { steps: [{ id: 'step', kind: 'points', of: 'g', budget: 3, cost: [{ of: 'might', cost }] }] } },
  ],
  '`values` of a roll': (tried) => [rolled({ values: { tried } })],
  'Braces in the `dice` of a roll': (formula) => [rolled({ dice: { fate: `{${formula}}d6` } })],
  '`when` of the dice': (when) => [rolled({ dice: [{ when, dice: { fate: '4dF' } }, { dice: { fate: '1d6' } }] })],
  '`score` of a roll': (score) => [rolled({ score })],
  '`margin` of a roll': (margin) => [rolled({ margin })],
  '`when` of an outcome': (when) => [rolled({ outcomes: [{ when, code: 'met' }, { code: 'done' }] })],
}

/** The formulas that stand for a word in the column of further names. */
const MEANT: Record<string, string[]> = {
  inputs: ['asked'],
  spends: ['paid'],
  'values above': ['above'],
  values: ['above', 'below'],
  dice: ['fallen()', 'shown(fate, 1)'],
}

test('each place takes the results and the names that the page says, and no others', () => {
  const rows = rowsOf('Place', 'Result', 'Further names')
  assert.deepEqual(rows.map(([place]) => place).toSorted(), Object.keys(PLACES).toSorted())
  const own = BUILT_IN.filter((name) => !['xp', 'campaign'].includes(name))
  const all = new Set([...own, ...Object.values(MEANT).flat()])
  for (const [place = '', result, names = ''] of rows) {
    const isAccepted = (formula: string) => {
      const answers = (PLACES[place] as (typeof PLACES)[string])(formula).map(
        (parts) => compileRuleset({ ...base, ...parts }).faults.length === 0,
      )
      assert.equal(new Set(answers).size, 1, `${place}: ${formula}`)
      return answers[0]
    }
    assert.deepEqual([isAccepted('might'), isAccepted('might > 1')], [result === 'number', result === 'yes or no'], place)
    const named = new Set(names.split(', ').flatMap((name) => MEANT[name] ?? codeIn(name)))
    for (const name of all) assert.equal(isAccepted(result === 'number' ? name : `${name} > 1`), named.has(name), `${place}: ${name}`)
  }
})
