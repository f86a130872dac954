import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { drawFrom } from './draw.ts'
import { evaluate } from './evaluate.ts'
import { wordsOf } from './node-crypto.ts'
import { countsSuccesses, hasNatural, MAX_NOTATION_LENGTH, MAX_RESOLVED_LENGTH, NotationFault, parse } from './notation.ts'

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
    ['5d10>8!', [9, 8, 10, 10, 3, 1, 2], 3],
    ['2d6[fire]+3[strength]', [4, 5], 12],
    ['(2d6+3)[fire]*2', [1, 2], 12],
    ['floor(2d6/2)', [4, 5], 4],
    ['ceil(2d6/2)', [4, 5], 5],
    ['round(2d6/2)', [4, 5], 5],
    ['round((0-2d6)/2)', [4, 5], -4],
    ['floor(-7/2)', [], -4],
    ['ceil(-7/2)', [], -3],
    ['floor((d20-10)/2)', [7], -2],
    ['10-FLOOR( 2*d6 / -(1+2) )', [4], 13],
    ['floor(ceil(d6/2)/floor(5/2))', [5], 1],
    ['d20mi10', [3], 10],
    ['d20mi10', [13], 13],
    ['d20ma5', [13], 5],
    ['4d20 mi 5 ma 15', [1, 5, 15, 20], 40],
    ['3d20mi10kh1', [3, 7, 12], 12],
    ['3d20kl1mi10', [3, 7, 12], 10],
    ['d6!ma4', [6, 6, 2], 10],
    ['d6ro=1mi3', [1, 2], 3],
    ['d6r=1mi1', [1, 1, 2], 2],
    ['3d10>=7mi7', [1, 2, 10], 3],
    ['3d10>=7f1mi2', [1, 2, 10], 1],
    ['3d10>=7ma6', [1, 2, 10], 0],
    ['d6mi10', [6], 10],
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
  assert.deepEqual(fallen('d6!ma4', 6, 6, 2), ['6 exploded+adjusted+kept', '6 exploded+adjusted+kept', '2 kept'])
  assert.deepEqual(
    fallen('2d6r=1mi3', 1, 1, 2, 3),
    ['1 rerolled', '1 rerolled', '2 adjusted+kept', '3 kept'],
    'a rerolled die does not count',
  )
  assert.deepEqual(fallen('2d8mi3kh1', 1, 2), ['1 adjusted+kept', '2 adjusted+dropped'], 'equal after the adjustment')
  assert.deepEqual(fallen('2d10>=7mi8', 1, 9), ['1 adjusted+kept+success', '9 kept+success'])
})

test('a die that counts as another value than it shows has counts_as', () => {
  const { dice } = rolled('4d20mi5ma15dl1', 1, 5, 15, 20)
  assert.deepEqual(
    dice.map(({ value, counts_as }) => [value, counts_as]),
    [
      [1, 5],
      [5, undefined],
      [15, undefined],
      [20, 15],
    ],
  )
  assert.deepEqual(
    dice.map((die) => 'counts_as' in die),
    [true, false, false, true],
  )
})

test('terms have the text, label, sign and subtotal, and dice the index of their term', () => {
  for (const [text, values, terms, owners] of [
    ['7', [], ['+ 7 null 7'], []],
    ['2d20kh1 + 5 - 1d4', [15, 1, 3], ['+ 2d20kh1 null 15', '+ 5 null 5', '- 1d4 null 3'], [0, 0, 2]],
    ['2d6 [fire] +3[ strength ]-1d4 [a - b]', [1, 2, 3], ['+ 2d6 fire 3', '+ 3 strength 3', '- 1d4 a - b 3'], [0, 0, 2]],
    ['(2d6+3)[fire]', [1, 2], ['+ (2d6+3) fire 6'], [0, 0]],
    ['(2d6+3)', [1, 2], ['+ (2d6+3) null 6'], [0, 0]],
    [' - 2d6 * 3 + 1', [1, 2], ['- 2d6 * 3 null 9', '+ 1 null 1'], [0, 0]],
    ['--5', [], ['- -5 null -5'], []],
    ['1+-d6', [4], ['+ 1 null 1', '+ -d6 null -4'], [1]],
    ['2d6[fire]*2', [1, 2], ['+ 2d6*2 fire 6'], [0, 0]],
    ['2 * 2d6[fire]', [1, 2], ['+ 2 * 2d6 fire 6'], [0, 0]],
    ['1d20+floor(d6/2)[half]', [9, 5], ['+ 1d20 null 9', '+ floor(d6/2) half 2'], [0, 1]],
    ['5d10>=7[hits]-2d6>4', [7, 8, 1, 1, 1, 5, 6], ['+ 5d10>=7 hits 2', '- 2d6>4 null 2'], [0, 0, 0, 0, 0, 1, 1]],
    ['2d6![🔥 2d6+dF]', [6, 1, 2], ['+ 2d6! 🔥 2d6+dF 9'], [0, 0, 0]],
    ['0*-1', [], ['+ 0*-1 null 0'], []],
  ] as [string, number[], string[], number[]][]) {
    const result = rolled(text, ...values)
    assert.deepEqual(
      result.terms.map(({ sign, notation, label, subtotal }) => `${sign} ${notation} ${label} ${subtotal}`),
      terms,
      text,
    )
    assert.deepEqual(
      result.dice.map(({ term }) => term),
      owners,
      text,
    )
  }
  for (const text of ['-0', '0*-1', '-(0)', 'floor(-0/2)', '1-1'])
    for (const value of [rolled(text).value, ...rolled(text).terms.map(({ subtotal }) => subtotal)]) assert.ok(!Object.is(value, -0), text)
})

test('the one die of a single d20 that counts is flagged if it shows 20 or 1', () => {
  for (const [text, has] of [
    ['d20', true],
    ['1d20+5', true],
    ['2d20kh1', true],
    ['2d20kl1-1d4', true],
    ['3d20dl2', true],
    ['1d20mi10', true],
    ['1d20ro=1', true],
    ['-(floor(d20/2))*3', true],
    ['2d20', false],
    ['3d20kh2', false],
    ['d20+d20', false],
    ['d20*0+2d20kh1', false],
    ['d20!', false],
    ['d20!o', false],
    ['d20>=15', false],
    ['d12', false],
    ['20', false],
  ] as const)
    assert.equal(hasNatural(parse(text)), has, text)
  assert.deepEqual(fallen('d20+d6', 20, 1), ['20 kept+natural_max', '1 kept'])
  assert.deepEqual(fallen('d20', 1), ['1 kept+natural_min'])
  assert.deepEqual(fallen('2d20kh1', 20, 1), ['20 kept+natural_max', '1 dropped'])
  assert.deepEqual(fallen('2d20kl1', 20, 1), ['20 dropped', '1 kept+natural_min'])
  assert.deepEqual(fallen('d20mi10', 1), ['1 adjusted+kept+natural_min'], 'the face, not what it counts as')
  assert.deepEqual(fallen('d20ro=1', 1, 20), ['1 rerolled', '20 kept+natural_max'])
  assert.deepEqual(fallen('d20mi20', 19), ['19 adjusted+kept'])
  assert.deepEqual(fallen('2d20', 20, 1), ['20 kept', '1 kept'])
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
    // Forms of other tools.
    ['5d10!>8', 4, /only the highest face explodes.*5d10>8!/],
    ['5d10!=8', 4, /only the highest face explodes/],
    ['5d10!8', 4, /only the highest face explodes/],
    ['5d10! >= 8', 4, /only the highest face explodes/],
    ['5d10!o>8', 4, /only the highest face explodes/],
    ['5d10!p', 4, /!p is not supported/],
    ['5d10!>8!', 4, /only the highest face explodes/],
    ['5d10>8!!', 6, /!! .* is not supported/],
    ['1d20adv', 4, /2d20kh1 instead/],
    ['1d20 advantage', 5, /2d20kh1 instead/],
    ['adv', 0, /2d20kh1 instead/],
    ['1d20dis', 4, /2d20kl1 instead/],
    ['1d20 Disadvantage + 3', 5, /2d20kl1 instead/],
    ['dis', 0, /2d20kl1 instead/],
    ['1d20+@str_mod', 5, /in braces, as in \{strength\}/],
    ['1d20+@{str_mod}', 5, /in braces, as in \{strength\}/],
    ['1d20+STR', 5, /in braces, as in \{str\}/],
    ['1d20+dex_mod', 5, /in braces, as in \{dex_mod\}/],
    ['1d20+{str}', 5, /needs a value/],
    ['1d20+min(1,2)', 5, /not valid here/],
    ['2d6/2', 3, /write floor\(a\/b\), ceil\(a\/b\) or round\(a\/b\)/],
    ['(2d6/2)', 4, /write floor\(a\/b\)/],
    ['6x4d6', 1, /use repeat/],
    ['6 X 4d6', 2, /use repeat/],
    ['6#4d6', 1, /use repeat/],
    ['1d6x6', 3, /explode, write !/],
    ['1d20 # initiative', 5, /use comment/],
    ['1d20 initiative', 5, /into comment.*2d6\[fire\]/],
    ['2d6 fire', 4, /into comment/],
    ['2d6 damage', 4, /into comment/],
    ['2d6 radiant', 4, /into comment/],
    ['2d6 Ärger', 4, /into comment/],
    // Labels.
    ['2d6[fire', 8, /\] is missing here/],
    ['2d6[', 4, /\] is missing here/],
    ['2d6[]', 3, /at least one character/],
    ['2d6[ \t]', 3, /at least one character/],
    ['2d6[a\tb]', 5, /no brackets, braces or control/],
    ['2d6[  ]', 3, /at least one character/],
    ['2d6[a[b]]', 5, /no brackets, braces/],
    ['2d6[{fire}]', 4, /no brackets, braces/],
    ['2d6[a\nb]', 5, /no brackets, braces or control/],
    ['2d6[a\u202eb]', 5, /no brackets, braces or control/],
    [`2d6[${'x'.repeat(41)}]`, 3, /at most 40 characters/],
    ['2d6[a][b]', 6, /one label/],
    ['2d6[a]*2[b]', 8, /one label/],
    ['(2d6[a]+3)', 4, /after the parenthesis/],
    ['floor(2d6[a]/2)', 9, /after the parenthesis/],
    ['2d6[a]kh1', 6, /modifiers stand before the label/],
    ['2d6[a]!', 6, /modifiers stand before the label/],
    ['2d6[a]>=3', 6, /modifiers stand before the label/],
    ['[fire]2d6', 0, /a label follows/],
    ['2d6+[fire]', 4, /a label follows/],
    ['2d6[a] fire', 7, /into comment/],
    // Divisions.
    ['floor(5)', 7, /a division is missing here, as in floor\(5\/2\)/],
    ['ceil 5/2', 5, /a parenthesis is missing/],
    ['floor(5/2', 9, /\) is missing/],
    ['floor(2d6+3/2)', 9, /floor\(\(2d6\+3\)\/2\)/],
    ['round(5/2/2)', 9, /round has one division/],
    ['floor(5/2*2)', 9, /floor has one division/],
    ['floor(5/2+1)', 9, /floor has one division/],
    ['floor(5/0)', 8, /divisor is 0/],
    ['floor(5/(2-2))', 8, /divisor is 0/],
    ['floor(5/ floor(1/2))', 9, /divisor is 0/],
    ['floor(5/d6)', 8, /without dice/],
    ['floor(5/(1+0*d6))', 8, /without dice/],
    ['floor(5/)', 8, /missing here/],
    ['0*floor(1000000*1000000*1000000/3)', 0, /larger than/],
    ['floor(5/(1000000*1000000*1000000))', 8, /larger than/],
    // Minimum and maximum.
    ['d20mi', 5, /the minimum is missing/],
    ['d20ma-1', 5, /the maximum is missing/],
    ['d20mi2mi3', 6, /given twice/],
    ['d20ma2ma2', 6, /given twice/],
    ['d20ma5mi10', 6, /minimum 10 is above the maximum 5/],
    ['d20mi10001', 5, /at most 10,000/],
    ['300d2mi10000*300d2mi10000*300d2mi10000', 0, /larger than/],
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

test('labels have up to 40 characters of any script', () => {
  for (const label of ['x'.repeat(40), '😀'.repeat(40), 'cold & "lightning", 50%!', "Renfield's", '聖なる']) {
    const [term] = rolled(`2d6[\t${label} ]`, 1, 1).terms
    assert.deepEqual([term?.label, term?.notation], [label, '2d6'])
  }
})

test('conditions after explosions are accepted for rolls that are stored already', () => {
  for (const [text, ...values] of [
    ['3d6!>=5', 6, 5, 1, 2],
    ['3d6!o>=5', 6, 5, 1, 2],
  ] as [string, ...number[]][]) {
    assert.throws(() => parse(text), NotationFault)
    assert.equal(evaluate(parse(text, { earlier: true }), faces(...values)).value, 2)
  }
})

test('the limit of the length is an option', () => {
  const long = `${'1+'.repeat(200)}1`
  assert.throws(() => parse(long), /at most 256 characters/)
  assert.equal(evaluate(parse(long, { maxLength: MAX_RESOLVED_LENGTH }), faces()).value, 201)
  assert.throws(() => parse('1+'.repeat(600), { maxLength: MAX_RESOLVED_LENGTH }), /at most 1024 characters/)
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
    'floor(',
    'ceil(7/',
    'round((',
    '/2)',
    '[fire]',
    '[',
    ']',
    'mi3',
    'ma2',
    '{x}',
    '@x',
    'adv',
    '#',
  ],
)
const wellFormed = fc
  .array(
    fc.record({
      sign: fc.constantFrom('+', '-', '*', ' + '),
      count: fc.integer({ min: 1, max: 40 }),
      sides: fc.constantFrom('2', '6', '10', '%', 'F', '1000'),
      after: fc.constantFrom('', '!', '!o', 'kh1', 'dl0', 'r=1', 'ro<2', '>=2', '>=2f1', '!kh1', 'r=1>=2!', 'mi2', 'ma1kh1', '>=2mi1!o'),
      label: fc.constantFrom('', '', '[fire]', ' [ a b ]'),
      divided: fc.constantFrom('', '', 'floor', 'ceil', 'round'),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((terms) =>
    terms
      .map(({ sign, count, sides, after, divided, label }, i) => {
        const dice = `${count}d${sides}${after}`
        // A product is one term, which has one label.
        return `${i ? sign : ''}${divided ? `${divided}(${dice}/3)` : dice}${sign === '*' ? '' : label}`
      })
      .join(''),
  )
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
        const { dice, value, terms } = evaluate(term, drawFrom(wordsOf({ server_seed, client_seed: 'x', nonce })))
        assert.ok(Number.isSafeInteger(value) && dice.length <= MAX_DICE)
        for (const die of dice) {
          assert.ok(die.value >= -1 && die.value <= die.sides && die.sides <= 10_000)
          assert.equal(die.flags.filter((flag) => flag === 'kept' || flag === 'dropped' || flag === 'rerolled').length, 1)
        }
        assert.equal(
          value,
          terms.reduce((sum, { sign, subtotal }) => sum + (sign === '-' ? -subtotal : subtotal), 0),
        )
        for (const { notation, label } of terms) {
          assert.ok(text.includes(notation) || label !== null, notation)
          assert.equal(notation, notation.trim())
          // A term is a notation of its own.
          assert.doesNotThrow(() => parse(notation))
        }
        for (const { value, term: owner = -1, counts_as, flags } of dice) {
          assert.ok(owner >= 0 && owner < terms.length)
          assert.equal(flags.includes('adjusted'), counts_as !== undefined)
          assert.notEqual(counts_as, value)
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

test('anything but a text is not a notation, and a fault has a name, a position and a reason', () => {
  for (const [value, name] of [
    [undefined, 'undefined'],
    [null, 'null'],
    [20, 'number'],
    [['2d6'], 'object'],
  ])
    assert.throws(() => parse(value as string), { name: 'TypeError', message: `A notation is a text such as 4d6kh3+2, and not ${name}.` })
  assert.throws(() => parse('2d6+'), { name: 'NotationFault', position: 4, message: /is missing here$/ })
  assert.throws(() => parse(''), { name: 'NotationFault', position: 0 })
})
