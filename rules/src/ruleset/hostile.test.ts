import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileRuleset } from './compile.ts'
import type { RulesetDocument } from './document.ts'
import { MAX_FAULTS } from './faults.ts'

const base = {
  format: 1 as const,
  name: 'Test',
  source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
  groups: { g: { min: 0, max: 5 } },
  traits: { might: { group: 'g' } },
}
const faultsOf = (parts: Partial<RulesetDocument>) =>
  compileRuleset({ ...base, ...parts }).faults.map(({ field, message }) => `${field}: ${message}`)
const derived = (formulas: Record<string, string>) =>
  Object.fromEntries(Object.entries(formulas).map(([name, formula]) => [name, { formula }]))
const many = <Part>(count: number, part: (i: number) => [string, Part]) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => part(i)))

test('every fault of a document names its place and its reason', () => {
  const cases: [Partial<RulesetDocument>, string][] = [
    [{ source: { ...base.source, license: 'CC-BY-4.0' } }, 'source.attribution: is required, because the license is CC-BY-4.0'],
    [{ traits: { might: { group: 'h' } } }, 'traits.might.group: there is no group h'],
    [{ traits: { might: { group: 'g', min: 6 } } }, 'traits.might: has a range from 6 to 5'],
    [{ traits: { might: { group: 'g', default: 9 } } }, 'traits.might: has the default 9, which is not in its range of 0 to 5'],
    [{ traits: { min: { group: 'g' } } }, 'traits.min: min is a word of formulas: choose another name'],
    [{ traits: { score: { group: 'g' } } }, 'traits.score: score is a word of formulas: choose another name'],
    [{ traits: { might: { group: 'g', tags: ['g'] } } }, 'traits.might.tags: g is a group, too: formulas could not tell them apart'],
    [{ derived: derived({ might: '1' }) }, 'derived.might: might is a name in traits, too: formulas could not tell them apart'],
    [{ groups: { g: { of: 'x' } } }, 'groups.g.of: there is no group x'],
    [{ groups: { g: { of: 'h' }, h: { of: 'g' } } }, 'groups.g.of: the group contains itself: g is in h is in g'],
    [{ groups: { g: {}, a: { of: 'g' }, b: { of: 'a' }, c: { of: 'b' }, d: { of: 'c' } } }, 'groups.d.of: groups are at most 4 deep'],
    [
      {
        tables: {
          t: [
            [0, 1],
            [0, 2],
          ],
        },
      },
      'tables.t.1: the keys rise, and 0 comes after 0',
    ],
    [{ derived: derived({ a: 'b', b: 'c + 1', c: 'a' }) }, 'derived.a.formula: it needs itself: a needs b needs c needs a'],
    [{ trackers: { hp: { max: 'hp' } } }, 'trackers.hp.max: it needs itself: hp.max needs hp needs hp.max'],
    [{ derived: derived({ a: 'migth' }) }, 'derived.a.formula: at position 1: there is no migth here: did you mean might?'],
    [{ derived: derived({ a: 'might > 1' }) }, 'derived.a.formula: at position 1: a number is needed here, and this is a yes or no'],
    [{ checks: [{ that: 'might', message: 'x' }] }, 'checks.0.that: at position 1: a yes or no is needed here, such as strength > 2'],
    [{ choices: { class: { options: {} } } }, 'choices.class.options: has no option'],
    [
      { choices: { class: { options: { a: { values: { hit_die: 1 } } } } } },
      'choices.class.options.a.values.hit_die: hit_die has no default in choices.class.values',
    ],
    [
      { choices: { hp: { options: { a: {} } } }, trackers: { hp: { max: 1 } } },
      'choices.hp: hp is the name of something else: formulas could not tell them apart',
    ],
    [{ experience: { raise: [{ of: 'x', cost: 1 }] } }, 'experience.raise.0.of: there is no trait, group or tag x'],
    [{ creation: { steps: [{ id: 'a', kind: 'array', of: 'g', values: [1, 2] }] } }, 'creation.steps.0.values: has 2 values for 1 traits'],
    [{ creation: { steps: [{ id: 'a', kind: 'choose', of: 'g', slot: 'x' }] } }, 'creation.steps.0.of: does not belong to choose'],
    [{ creation: { steps: [{ id: 'a', kind: 'points', of: 'g' }] } }, 'creation.steps.0: budget is missing, which points needs'],
    [{ creation: { steps: [{ id: 'a' }] } }, 'creation.steps.0: has no kind'],
    [
      { creation: { steps: [{ id: 'a', kind: 'dice', of: 'g', dice: '4d' }] } },
      'creation.steps.0.dice: "4d" is no notation: at position 3: the number of sides is missing here',
    ],
  ]
  for (const [parts, fault] of cases) assert.ok(faultsOf(parts).includes(fault), `${fault} is not in ${JSON.stringify(faultsOf(parts))}`)
})

test('every fault of a roll names its place and its reason', () => {
  const outcomes = [{ code: 'done' }]
  const rolls = (roll: object) => ({ rolls: { test: { dice: { d: '1d6' }, outcomes, ...roll } } }) as Partial<RulesetDocument>
  const cases: [object, string][] = [
    [{ dice: { d: '{mihgt}d6' } }, 'rolls.test.dice.d: at position 1: there is no mihgt here: did you mean might?'],
    [{ dice: { d: '{might}d' } }, 'rolls.test.dice.d: "4d" is no notation: at position 3: the number of sides is missing here'],
    [{ dice: { d: '{{might}}d6' } }, 'rolls.test.dice.d: a name is in snake_case, as in {strength} or {hit_points.max}'],
    [{ dice: [{ when: 'might > 1', dice: { d: '1d6' } }] }, 'rolls.test.dice: the last one has no when, so that there is always one'],
    [
      { outcomes: [{ code: 'a' }, { code: 'b' }] },
      'rolls.test.outcomes: only the last one has no when: those after it would never be reached',
    ],
    [{ inputs: { x: {} } }, 'rolls.test.inputs.x: has exactly one of trait, number and choice'],
    [{ inputs: { x: { trait: 'h' } } }, 'rolls.test.inputs.x.trait: there is no group or tag h with traits'],
    [{ inputs: { x: { number: { min: 3, max: 1 } } } }, 'rolls.test.inputs.x.number: has a range from 3 to 1'],
    [{ inputs: { x: { choice: { a: 'A' }, default: 'b' } } }, 'rolls.test.inputs.x.default: b is none of the options'],
    [
      { inputs: { might: { number: { min: 0, max: 1 } } } },
      'rolls.test.inputs.might: might is the name of something else: formulas could not tell them apart',
    ],
    [{ spends: { x: { tracker: 'luck', amount: 1, most: 1 } } }, 'rolls.test.spends.x.tracker: there is no tracker luck'],
    [{ values: { x: 'y', y: '1' } }, 'rolls.test.values.x: at position 1: there is no y here'],
    [{ score: 'shown(6) > 1' }, 'rolls.test.score: at position 1: a number is needed here, and this is a yes or no'],
    [{ score: Array(60).fill('best()').join('+') }, 'rolls.test: the roll takes up to 60059 steps, and may take 50000'],
  ]
  for (const [roll, fault] of cases)
    assert.ok(faultsOf(rolls(roll)).includes(fault), `${fault} is not in ${JSON.stringify(faultsOf(rolls(roll)))}`)
})

test('names of the prototype are names like any others', () => {
  const names = ['constructor', 'prototype', 'valueof', 'tostring']
  const { ruleset, faults } = compileRuleset({
    ...base,
    groups: { constructor: {} },
    traits: many(4, (i) => [names[i] as string, { group: 'constructor', tags: ['prototype_tag'] }]),
    derived: derived({ total_of_all: 'sum(constructor) + constructor' }),
  })
  assert.deepEqual([faults, ruleset?.traits.get('constructor')], [[], { min: 0, max: 100, default: 0 }])
  assert.deepEqual(faultsOf({ traits: { might: { group: 'constructor' } } }), ['traits.might.group: there is no group constructor'])
  assert.match(faultsOf({ derived: derived({ a: 'constructor' }) })[0] ?? '', /there is no constructor here/)
})

test('a document that is made to take long is refused with little work', () => {
  const traits = many(500, (i) => [`t${i}`, { group: 'g' }])
  const long = {
    'unknown names': {
      traits,
      derived: derived(many(500, (i) => [`d${i}`, Array.from({ length: 15 }, (_, j) => `unknown_${i}_${j}`).join(' + ')])),
    },
    'large sums': { traits, derived: derived(many(500, (i) => [`d${i}`, Array(40).fill('sum(g)').join(' + ')])) },
    'many parts': {
      rolls: many(100, (i) => [
        `r${i}`,
        { dice: { a: '1d6' }, values: many(20, (j) => [`v${j}`, Array(60).fill('1').join('+')]), outcomes: [{ code: 'x' }] },
      ]),
    },
    'a long circle': { derived: derived(many(500, (i) => [`d${i}`, `d${(i + 1) % 500}`])) },
  } satisfies Record<string, Partial<RulesetDocument>>
  const faults = Object.fromEntries(Object.entries(long).map(([name, parts]) => [name, faultsOf(parts)]))
  // Reading ends after so many faults, and names are compared for the first ten of them only.
  assert.equal(faults['unknown names']?.length, MAX_FAULTS)
  assert.deepEqual(faults['large sums'], ['derived: a sheet takes 20079 steps or more, and may take 20000'])
  assert.deepEqual(faults['many parts'], ['rolls.r8.values.v8: the formulas up to here have more than 20000 parts together'])
  assert.deepEqual(faults['a long circle'], [
    'derived.d0.formula: it needs itself: d0 needs d1 needs d2 needs d3 needs d4 needs d5 needs … needs d0',
  ])
})
