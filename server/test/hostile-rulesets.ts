// Documents that are made to break, to stall or to fill a service that reads them. None of them is a ruleset.

/** A body has at most 256 KiB: the largest documents fill it, and leave room for the field that they are sent in. */
const LARGE = 262_144 - 200

const base = {
  format: 1,
  name: 'Hostile',
  source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
  groups: { g: { min: 0, max: 5 } },
  traits: { might: { group: 'g' } },
}
const game = (parts: object) => JSON.stringify({ ...base, ...parts })
const many = <Part>(count: number, part: (i: number) => [string, Part]) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => part(i)))
const repeated = (count: number, formula: (i: number) => string) => ({ derived: many(count, (i) => [`d${i}`, { formula: formula(i) }]) })
const traits = many(500, (i) => [`t${i}`, { group: 'g' }])
const ANY = [{ code: 'done' }]
const roll = (parts: object) => game({ rolls: { test: { dice: { all: '1d6' }, outcomes: ANY, ...parts } } })

const FORMULAS = [
  'might.constructor.constructor("return process")()',
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty(1)',
  'is(constructor, name)',
  'sum(constructor)',
  '9^9^9^9',
  '[1..9999999]',
  '"a" + might',
  'fac(170000000)',
  'x => x',
  'while(true)',
  'process.exit()',
  '#{might}',
  '(a+)+$',
  '\u0000',
  '\u202emight',
  '\ud800',
  'floor(might / 0)',
  'might / 0',
  '99999999999999999999',
  'd0',
  '('.repeat(500),
  `${'-'.repeat(499)}1`,
  'not '.repeat(120),
  `${'1+'.repeat(249)}1`,
  'min('.repeat(120),
  '1?'.repeat(200),
  '('.repeat(200_000),
  '1+'.repeat(120_000),
]

/** The text of each document, by what is wrong with it. */
export const hostileRulesets: Record<string, string> = {
  ...Object.fromEntries(FORMULAS.map((formula) => [`the formula ${formula.slice(0, 30)}`, game({ derived: { d0: { formula } } })])),
  'an array': '[]',
  null: 'null',
  'a text': '"{}"',
  nothing: '{}',
  'only a prototype': '{"__proto__": {"format": 1}}',
  'a prototype as a trait': game({}).replace('"might"', '"__proto__"'),
  'a prototype as a group': game({ traits: { might: { group: '__proto__' } } }),
  'a constructor as a group': game({ traits: { might: { group: 'constructor' } } }),
  'the same key twice, and no ruleset': '{"format": 1, "format": 2, "traits": {}, "traits": 1}',
  'numbers without an end': game({}).replace('"max":5', '"max":1e400'),
  'a fraction as a limit': game({}).replace('"max":5', '"max":5.5'),
  'a word of formulas as a name': game({ traits: { min: { group: 'g' } } }),
  'a name with U+0000': game({ name: 'a\u0000b', traits: { 'a\u0000b': { group: 'g' } } }),
  'half a character': `{"format": 1, "name": "\\ud800", "groups": {"\\udfff": {}}}`,
  'values in each other, 100,000 deep': `{"traits": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  'objects in each other, 20,000 deep': `{"traits": ${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
  'one long name': JSON.stringify({ ['x'.repeat(LARGE - 10)]: 1 }),
  'a long name of a trait': game({ traits: { ['a_'.repeat(120_000)]: { group: 'g' } } }),
  'a long name with an end that does not fit': game({ traits: { [`${'a_a'.repeat(80_000)}!`]: { group: 'g' } } }),
  'more than a body may have': game({ description: 'x'.repeat(LARGE + 1000) }),
  'a long label': game({ name: 'x'.repeat(LARGE - 500) }),
  '20,000 unknown fields': JSON.stringify(many(20_000, (i) => [`f${i}`, 1])),
  '100,000 values': game({ traits: Array(100_000).fill(1) }),
  '10,000 traits': game({ traits: many(10_000, (i) => [`t${i}`, { group: 'g' }]) }),
  '7,500 unknown names': game({ traits, ...repeated(500, (i) => Array.from({ length: 15 }, (_, j) => `unknown_${i}_${j}`).join(' + ')) }),
  'names that are nearly those of traits': game({
    traits,
    ...repeated(500, (i) => Array.from({ length: 40 }, (_, j) => `t${i}x${j}`).join('+')),
  }),
  'sums of large groups': game({ traits, ...repeated(500, () => Array(40).fill('sum(g)').join(' + ')) }),
  'formulas with many parts': game({ ...repeated(500, () => `${'might+'.repeat(80)}1`) }),
  'a circle of 500': game(repeated(500, (i) => `d${(i + 1) % 500}`)),
  'a circle through limits': game({ trackers: many(50, (i) => [`k${i}`, { max: `k${(i + 1) % 50}.max` }]) }),
  'values that each read all others': game({
    ...repeated(500, (i) => Array.from({ length: 90 }, (_, j) => `d${(i + j) % 500}`).join('+')),
  }),
  'groups in a circle': game({ groups: many(100, (i) => [`g${i}`, { of: `g${(i + 1) % 100}` }]) }),
  'tables that fall': game({ tables: many(50, (i) => [`t${i}`, Array.from({ length: 200 }, (_, j) => [-j, j])]) }),
  'choices with 40,000 values': game({
    choices: many(20, (i) => [`c${i}`, { options: many(100, (j) => [`o${j}`, { values: many(8, (k) => [`v${k}`, 1]) }]) }]),
  }),
  'dice without an end': roll({ dice: { all: '999999999d999999999' } }),
  'sides without an end': roll({ dice: { all: '1d1000000000000000000000' } }),
  'parentheses in dice': roll({ dice: { all: `${'('.repeat(400)}1d6${')'.repeat(400)}` } }),
  'braces in braces': roll({ dice: { all: '{{might}}d6' } }),
  'braces without an end': roll({ dice: { all: '{'.repeat(1000) } }),
  'thousands of formulas in dice': game({
    rolls: many(100, (i) => [`r${i}`, { dice: many(4, (j) => [`d${j}`, '{might}d6+'.repeat(50)]), outcomes: ANY }]),
  }),
  'a score that asks about dice all the time': roll({ score: Array(60).fill('best()').join('+') }),
  'cases without a last one': roll({ dice: Array(10).fill({ when: 'might > 1', dice: { all: '1d6' } }) }),
  'rolls with a million steps': game({
    traits,
    rolls: many(100, (i) => [`r${i}`, { dice: { a: '1d6' }, values: many(20, (j) => [`v${j}`, 'sum(g)+sum(g)+sum(g)']), outcomes: ANY }]),
  }),
  'a creation with dice without an end': game({ creation: { steps: [{ id: 'a', kind: 'dice', of: 'g', dice: '1000d1000!+1000d1000!' }] } }),
  'examples that roll 50,000 dice and fail': game({
    rolls: { test: { dice: { all: '100d6' }, outcomes: ANY } },
    examples: Array.from({ length: 50 }, (_, i) => ({
      name: `Example ${i}`,
      sheet: {},
      expect: { rolls: Array.from({ length: 10 }, () => ({ roll: 'test', dice: Array(100).fill(6), score: 1, code: 'done' })) },
    })),
  }),
  'examples that raise far, and fail': game({
    groups: { g: { min: 0, max: 1_000_000 } },
    ...repeated(100, () => `${'might+'.repeat(20)}1`),
    experience: { raise: [{ of: 'g', cost: 'new * d1' }] },
    examples: Array.from({ length: 50 }, (_, i) => ({
      name: `Example ${i}`,
      sheet: {},
      expect: { prices: Array.from({ length: 50 }, () => ({ trait: 'might', to: 1_000_000, cost: 1 })) },
    })),
  }),
  'a large document with a fault at its end': game({
    terms: Array.from({ length: 120 }, (_, i) => ({ term: `t${i}`, definition: 'x'.repeat(2000) })),
    checks: [{ that: 'migth > 1', message: 'x' }],
  }),
}
