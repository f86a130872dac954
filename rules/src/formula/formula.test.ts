import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyFormula } from '../../test/any-formula.ts'
import { compile } from './compute.ts'
import { exampleScope, exampleValues, FORMULA_MANUAL } from './manual.ts'
import { type FormulaNode, MAX_VALUE, RESERVED_WORDS } from './node.ts'
import { readFormula } from './read.ts'
import { FormulaFault } from './scanner.ts'

const compute = (text: string, values = exampleValues) => compile(readFormula(text, exampleScope).node)(values)

/** The position and the message of the fault of a formula. */
function faultOf(text: string, scope = exampleScope): [number, string] {
  try {
    readFormula(text, scope)
  } catch (error) {
    if (error instanceof FormulaFault) return [error.position, error.message]
    throw error
  }
  return assert.fail(`${text} has no fault`)
}

test('every example of the manual holds, and every reserved word has one', () => {
  const shown = new Set<string>()
  for (const { examples } of Object.values(FORMULA_MANUAL).flat())
    for (const [formula, result] of examples) {
      const { type } = readFormula(formula, exampleScope)
      assert.equal(type === 'truth' ? compute(formula) === 1 : compute(formula), result, formula)
      for (const word of formula.match(/[a-z_]+/g) ?? []) shown.add(word)
    }
  const syntax = JSON.stringify(FORMULA_MANUAL)
  for (const word of RESERVED_WORDS) assert.ok(shown.has(word) || syntax.includes(`\`${word}(`) || syntax.includes(` ${word} `), word)
})

test('a fault says where it is, what is wrong, and what was perhaps meant', () => {
  const faults: Record<string, [number, string]> = {
    strenght: [0, 'there is no strenght here: did you mean strength?'],
    'level / 2': [6, '/ stands alone in floor(), ceil() or round(), which say how it rounds'],
    '(level / 2)': [7, '/ stands alone in floor(), ceil() or round(), which say how it rounds'],
    'max(1, level / 2)': [13, '/ stands alone in floor(), ceil() or round(), which say how it rounds'],
    'floor(level + 1 / 2)': [12, 'put the sum into parentheses, as in floor((level + 1) / 2)'],
    'floor(level)': [11, 'a division is missing here, as in floor(level / 2)'],
    'floor(level / strength)': [14, 'the divisor is a number of 1 or more, not a name'],
    'floor(level / 0)': [14, 'the divisor is a number of 1 or more, not a name'],
    'floor(level / 2 / 2)': [16, '/ stands alone in floor(), ceil() or round(), which say how it rounds'],
    '': [0, 'a number or a name is missing here'],
    '2 +': [3, 'a number or a name is missing here'],
    '2 + * 3': [4, 'a number or a name is missing before *'],
    '(2 + 3': [6, ') is missing here'],
    '2 3': [2, '3 has no meaning here'],
    'level ? 1 : 2': [0, 'a yes or no is needed here, such as strength > 2'],
    'level > 2 ? 1 : level > 3': [16, 'a number is needed here, and this is a yes or no'],
    'not level': [4, 'a yes or no is needed here, such as strength > 2'],
    '1 + (level > 2)': [4, 'a number is needed here, and this is a yes or no'],
    '1 < level < 3': [10, 'comparisons do not chain: join them with and'],
    'level > 2 and 3': [14, 'a yes or no is needed here, such as strength > 2'],
    'level = 2': [6, '"=" compares as == in formulas'],
    'level && 2': [6, '"&" is written as and in formulas'],
    '!level': [0, '"!" is written as not in formulas'],
    '1.5': [1, '"." has no meaning here: formulas have whole numbers only'],
    Level: [0, '"L" has no meaning here: names are in snake_case'],
    '2 + 💥': [4, '"💥" has no meaning here'],
    'is(clas, fighter)': [0, 'there is no choice clas here: did you mean class?'],
    'is(class, figther)': [10, 'class has no option figther: did you mean fighter?'],
    'sum(skils)': [4, 'there is no group or tag skils: did you mean skills?'],
    'count(skills)': [12, ', is missing before )'],
    'rnak(3)': [0, 'there is no rnak() here: did you mean rank?'],
    'rank(1, 2)': [0, 'rank() takes one value, and has 2 here'],
    'clamp(1, 2)': [0, 'clamp() takes 3 values, and has 2 here'],
    'min(1)': [0, 'min() takes 2 to 20 values, and has 1 here'],
    'level(2)': [0, 'level is a number and takes no values: an operator is missing before the parenthesis'],
    '1000000001': [0, 'a number is at most 1,000,000,000'],
  }
  for (const [text, fault] of Object.entries(faults)) assert.deepEqual(faultOf(text), fault, text)
  const { dice, ...beforeTheRoll } = exampleScope
  assert.deepEqual(faultOf('best()', beforeTheRoll), [0, 'best() asks about rolled dice, and here none are'])
})

test('formulas of other languages, endless ones and those that reach for the program are only faults', () => {
  const hostile = [
    'strength.constructor.constructor("return process")()',
    ...[
      'constructor',
      '__proto__',
      'toString',
      'hasOwnProperty(1)',
      'constructor(1)',
      'is(constructor, name)',
      'sum(constructor)',
      'is(class, constructor)',
    ],
    ...[
      '9^9^9^9',
      '9**9',
      '[1..9999999]',
      '"a" + strength',
      'fac(170000000)',
      'x => x',
      'level++',
      'level;level',
      'while(true)',
      '\0',
      '\u202e1',
    ],
    ...[
      '('.repeat(500),
      '-'.repeat(499).concat('1'),
      'not '.repeat(120),
      '1+'.repeat(249).concat('1'),
      'min('.repeat(120),
      '1?'.repeat(200),
      'a'.repeat(500),
    ],
  ]
  for (const text of hostile) faultOf(text)
  // These are not even read.
  for (const text of ['('.repeat(200_000), '1+'.repeat(200_000)])
    assert.deepEqual(faultOf(text), [500, 'a formula has at most 500 characters'])
})

test('random text is a formula or a fault, and nothing else', () => {
  const pieces = fc.constantFrom(
    ...'+ - * / ( ) , ? : < <= == != . and or not is min floor sum count rank shown 0 7 2000000000 level strength class skills fighter é'.split(
      ' ',
    ),
  )
  const garbage = fc.oneof(
    fc.array(pieces, { maxLength: 30 }).map((all) => all.join(' ')),
    fc.string({ unit: 'binary', maxLength: 60 }),
  )
  fc.assert(
    fc.property(garbage, (text) => {
      try {
        const result = compute(text)
        assert.ok(Number.isInteger(result) && Math.abs(result) <= MAX_VALUE)
      } catch (error) {
        assert.ok(error instanceof FormulaFault, text)
        assert.ok(error.position >= 0 && error.position <= text.length, text)
      }
    }),
    { numRuns: 10_000 },
  )
})

test('formulas have the results of exact arithmetic that is cut to the range', () => {
  const extreme = fc.oneof(
    fc.integer({ min: -20, max: 20 }),
    fc.integer({ min: -1_000_000, max: 1_000_000 }),
    fc.constantFrom(-MAX_VALUE, MAX_VALUE),
  )
  fc.assert(
    fc.property(anyFormula, fc.array(extreme, { minLength: 7, maxLength: 7 }), ({ text, compute: exactly }, numbers) => {
      const names = [...exampleScope.numbers]
      const number = (name: string) => numbers[names.indexOf(name)] as number
      const result = compute(text, { ...exampleValues, number })
      assert.equal(result, Number(exactly(number)), `${text} with ${numbers}`)
      assert.ok(Number.isInteger(result) && Math.abs(result) <= MAX_VALUE && !Object.is(result, -0))
    }),
    { numRuns: 20_000 },
  )
})

test('a formula names what it reads, and states its cost', () => {
  const { reads, cost } = readFormula('is(class, fighter) ? sum(skills) + level : rank(level)', exampleScope)
  assert.deepEqual([[...reads.numbers], [...reads.groups]], [['level'], ['skills']])
  assert.ok(cost > 10 && cost < 30, `${cost}`)
  assert.ok(readFormula('shown(1)', exampleScope).cost >= 1000)
})

test('what a formula needs is checked', () => {
  assert.throws(() => readFormula('level > 2', exampleScope, { needs: 'number' }), /a number is needed here/)
  assert.throws(() => readFormula('level', exampleScope, { needs: 'truth' }), /a yes or no is needed here/)
  const { node }: { node: FormulaNode } = readFormula('level', exampleScope, { needs: 'number' })
  assert.deepEqual(node, { kind: 'name', name: 'level' })
})
