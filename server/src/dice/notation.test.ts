import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { drawFrom, wordsOf } from './draw.ts'
import { evaluate } from './evaluate.ts'
import { countsSuccesses, MAX_NOTATION_LENGTH, NotationFault, parse } from './notation.ts'

const MAX_DICE = 1000

/** Draws the given values in turn. */
const showing = (...values: number[]) => {
  const left = [...values]
  return Object.assign(() => left.shift() ?? assert.fail('more dice were rolled than expected'), { used: 0 })
}
/** Draws the given faces of ordinary dice, counted from 1. */
const faces = (...values: number[]) => showing(...values.map((value) => value - 1))

const rolled = (text: string, ...values: number[]) => evaluate(parse(text), faces(...values))
const fallen = (text: string, ...values: number[]) => rolled(text, ...values).dice.map(({ value, flags }) => `${value} ${flags.join('+')}`)

test('notation is evaluated to its result', () => {
  for (const [text, values, result] of [
    ['7', [], 7],
    ['d6', [4], 4],
    ['2d6+3', [4, 5], 12],
    ['4d6kh3+2', [6, 1, 5, 4], 17],
    ['4d6kl3', [6, 1, 5, 4], 10],
    ['4d6dl1', [6, 1, 5, 4], 15],
    ['4d6dh1', [6, 1, 5, 4], 10],
    ['2d20kl1', [17, 3], 3],
    ['d%', [100], 100],
    ['D%', [7], 7],
    ['6d10>=7f1', [7, 10, 1, 1, 6, 9], 1],
    ['6d10>7', [7, 8, 10, 1, 2, 3], 2],
    ['3d6<=2', [1, 2, 3], 2],
    ['3d6<2', [1, 2, 3], 1],
    ['3d6=2', [1, 2, 2], 2],
    ['3d10>=7f<=2', [8, 2, 1], -1],
    ['5d6!', [6, 6, 2, 1, 1, 1, 1], 18],
    ['3d6!o', [6, 6, 2, 1], 15],
    ['4d6r<=2', [1, 2, 5, 3, 3, 3], 14],
    ['2d6ro=1', [1, 1, 5], 6],
    ['(2d6+3)*2', [1, 2], 12],
    ['5d10 + 2d8', [1, 2, 3, 4, 5, 6, 7], 28],
    [' 2 d 6 kh 1 ', [3, 5], 5],
    ['10-2d4', [1, 2], 7],
    ['-d6', [6], -6],
    ['2*(3-d4)*2', [4], -4],
    ['3d6!kh1', [6, 1, 2, 3], 6],
  ] as [string, number[], number][]) {
    assert.equal(rolled(text, ...values).value, result, text)
  }
  assert.equal(evaluate(parse('4dF'), showing(0, 1, 2, 2)).value, 1)
  assert.deepEqual(
    evaluate(parse('4dF'), showing(0, 1, 2, 2)).dice.map(({ value, sides }) => [value, sides]),
    [
      [-1, 3],
      [0, 3],
      [1, 3],
      [1, 3],
    ],
  )
})

test('every die is returned in the order of the roll, with its flags', () => {
  assert.deepEqual(fallen('4d6kh3', 6, 1, 5, 4), ['6 kept', '1 dropped', '5 kept', '4 kept'])
  assert.deepEqual(fallen('3d6kh1', 5, 5, 5), ['5 kept', '5 dropped', '5 dropped'], 'of equals the first')
  assert.deepEqual(fallen('2d6!', 6, 6, 3, 2), ['6 exploded+kept', '6 exploded+kept', '3 kept', '2 kept'])
  assert.deepEqual(fallen('2d6r=1', 1, 1, 4, 2), ['1 rerolled', '1 rerolled', '4 kept', '2 kept'])
  assert.deepEqual(fallen('2d6ro=1', 1, 1, 2), ['1 rerolled', '1 kept', '2 kept'])
  assert.deepEqual(fallen('3d10>=7f1', 8, 1, 5), ['8 kept+success', '1 kept+botch', '5 kept'])
})

test('invalid notation is refused with a position and a reason', () => {
  for (const [text, position, reason] of [
    ['', 0, /missing here/],
    ['2d', 2, /number of sides is missing/],
    ['4d6d1', 3, /dl drops the lowest, dh the highest/],
    ['4d6k3', 3, /kh keeps the highest, kl the lowest/],
    ['2d6r1', 3, /r=1 rerolls until it is not 1, ro=1 rerolls once/],
    ['2d6r', 3, /reroll needs a condition/],
    ['99999999d99999999', 0, /at most 1,000,000/],
    ['1001d6', 0, /at most 1,000 dice/],
    ['600d6+600d6', 6, /at most 1,000 dice/],
    ['d10001', 1, /at most 10,000/],
    ['d1', 0, /at least 2 sides/],
    ['0d6', 0, /at least one die/],
    ['2d6kh3', 3, /only 2 dice/],
    ['2d6dl2', 3, /only 2 dice/],
    ['2d6kh0', 3, /at least one/],
    ['2d6kh1kl1', 6, /given twice/],
    ['2d6!!', 3, /!! .* is not supported/],
    ['2d6f1', 3, /need a condition for successes first/],
    ['d6r<=6', 2, /rerolled without end/],
    ['4dFr>=-1', 3, /rerolled without end/],
    ['(2d6', 4, /\) is missing/],
    ['2d6)', 3, /not valid here/],
    ['4/2', 1, /write floor\(a\/b\)/],
    ['2d6 x', 4, /not valid here/],
    ['1++', 2, /missing here/],
    ['2d6;drop table', 3, /not valid here/],
    [`${'('.repeat(40)}1${')'.repeat(40)}`, 32, /nest at most 32/],
    [`${'1+'.repeat(130)}1`, 256, /at most 256 characters/],
    ['1000000*1000000*1000000', 0, /larger than/],
    [`${Array(78).fill('d9').join('*')}*0+999999*99`, 0, /larger than/],
    ['4d6\u212ah3', 3, /not valid here/],
  ] as [string, number, RegExp][]) {
    assert.throws(
      () => parse(text),
      (error: unknown) => {
        assert.ok(error instanceof NotationFault)
        assert.match(error.message, reason, text)
        assert.equal(error.position, position, `${text}: ${error.message}`)
        return true
      },
    )
  }
})

test('explosions and rerolls end at a thousand dice, and no roll is refused because of its dice', () => {
  const always = Object.assign((sides: number) => sides - 1, { used: 0 })
  assert.equal(evaluate(parse('d6!'), always).dice.length, MAX_DICE)
  assert.equal(evaluate(parse('500d6!o'), always).dice.length, MAX_DICE)
  assert.throws(() => parse('501d6!o'), /at most 1,000 dice/)
  assert.throws(() => parse('334d6!oro=1'), /at most 1,000 dice/)
  const never = Object.assign(() => 0, { used: 0 })
  const rerolled = evaluate(parse('10d6r=1+5d4'), never)
  assert.equal(rerolled.dice.length, MAX_DICE)
  assert.equal(rerolled.dice.filter(({ sides }) => sides === 4).length, 5, 'later terms keep their room')
  // A refusal would reveal which faces were drawn.
  for (const draw of [always, never]) assert.doesNotThrow(() => evaluate(parse('d20ro>=20+498d2ro<=2+d2+d2'), draw))
})

const words = fc.constantFrom(
  ...[
    'd',
    '2d6',
    '4d6',
    'd%',
    'dF',
    '1',
    '17',
    '1000',
    '+',
    '-',
    '*',
    '(',
    ')',
    '!',
    '!o',
    'kh1',
    'kl2',
    'dl1',
    'dh',
    'r=1',
    'ro<2',
    'r',
    '>=5',
    '>',
    '<3',
    '=',
    'f1',
    'f',
    ' ',
    '/',
    'x',
    '99999999',
  ],
)
const wellFormed = fc
  .array(
    fc.record({
      sign: fc.constantFrom('+', '-', '*', ' + '),
      count: fc.integer({ min: 1, max: 40 }),
      sides: fc.constantFrom('2', '6', '10', '%', 'F', '1000'),
      after: fc.constantFrom('', '!', '!o', 'kh1', 'dl0', 'r=1', 'ro<2', '>=2', '>=2f1', '!kh1', 'r=1>=2!'),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((terms) => terms.map(({ sign, count, sides, after }, i) => `${i ? sign : ''}${count}d${sides}${after}`).join(''))
const notation = fc.oneof(
  wellFormed,
  fc.array(words, { maxLength: 20 }).map((parts) => parts.join('')),
  fc.string({ maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
)

test('any text is either rolled within the limits, or refused with a position inside the text', () => {
  const server_seed = Buffer.alloc(32, 7)
  let parsed = 0
  fc.assert(
    fc.property(notation, fc.integer({ min: 1, max: 1_000_000 }), (text, nonce) => {
      try {
        const term = parse(text)
        assert.ok(text.length <= MAX_NOTATION_LENGTH)
        const { dice, value } = evaluate(term, drawFrom(wordsOf({ server_seed, client_seed: 'x', nonce })))
        assert.ok(Number.isSafeInteger(value) && dice.length <= MAX_DICE)
        for (const die of dice) {
          assert.ok(die.value >= -1 && die.value <= die.sides && die.sides <= 10_000)
          assert.equal(die.flags.filter((flag) => flag === 'kept' || flag === 'dropped' || flag === 'rerolled').length, 1)
        }
        if (!countsSuccesses(term)) assert.ok(dice.every(({ flags }) => !flags.includes('success')))
        parsed++
      } catch (error) {
        if (!(error instanceof NotationFault)) throw error
        assert.ok(error.position >= 0 && error.position <= text.length, `${error.position} in ${JSON.stringify(text)}`)
      }
    }),
    { numRuns: 5000, seed: 1 },
  )
  assert.ok(parsed > 500, `only ${parsed} were parsed`)
})
